// Opening a graph to read all of it, as verify and export do.
#pragma once

#include <memory>
#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "storage/block_reader.h"
#include "storage/graph_store.h"

namespace edgemill::cli {

/// A graph and a reader of its blocks that caches nothing.
struct OpenGraph {
  std::unique_ptr<GraphStore> store;
  std::unique_ptr<BlockReader> reader;  // goes before the store
};

/// Opens the graph directory `path` with the session's data directories, threads and budget. The
/// buffers take at most a quarter of the budget that is left, unless the reader's least is more.
/// Errors: those of GraphStore::Open and BlockReader::Create.
StatusOr<OpenGraph> OpenToReadOnce(const std::string& path, Session& session);

}  // namespace edgemill::cli

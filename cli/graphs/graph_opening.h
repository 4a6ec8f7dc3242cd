// Opening a graph within --memory, and refusing less than the work takes with the number that does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cli/session.h"
#include "common/status.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Bytes that some work on a graph takes, from the store's counts alone: blocks() may be empty.
using BytesOf = std::function<StatusOr<uint64_t>(const GraphStore& store)>;

/// Opens the graph directory `path` with the session's data directories and budget. BudgetError,
/// naming `work` and what `least` says of the whole of --memory, when that is more than there is:
/// also when the block table alone is. Other errors: those of GraphStore::Open and `least`.
StatusOr<std::unique_ptr<GraphStore>> OpenGraph(const std::string& path, std::string_view work,
                                                Session& session, const BytesOf& least);

/// A graph and a reader of its blocks that caches nothing.
struct OpenedGraph {
  std::unique_ptr<GraphStore> store;
  std::unique_ptr<BlockReader> reader;  // goes before the store
};

/// Opens a graph to read all of it once, as verify and export do. `beside` says what the work takes
/// beside block table and reader; the reader's buffers take at most half of what is left.
/// BudgetError with the least --memory that works. Errors: those of OpenGraph and
/// BlockReader::Create.
StatusOr<OpenedGraph> OpenToReadOnce(const std::string& path, std::string_view work,
                                     Session& session, const BytesOf& beside);

}  // namespace edgemill::cli

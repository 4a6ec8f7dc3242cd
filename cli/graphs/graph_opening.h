// Opens a graph within --memory. An error for too little memory says how much is enough.
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

/// Bytes that some work on a graph takes. It uses only the store's counts: blocks() may be empty.
using BytesOf = std::function<StatusOr<uint64_t>(const GraphStore& store)>;

/// Opens the graph directory `path` with the session's data directories and budget. `least` says
/// how much of --memory the work needs in total. Returns BudgetError, with `work` and this number,
/// when --memory is less, also when the block table does not fit. Also returns the errors of
/// GraphStore::Open and `least`.
/// The edge column `weight`, if one is named, stands in the place of the weights.
StatusOr<std::unique_ptr<GraphStore>> OpenGraph(const std::string& path, std::string_view work,
                                                Session& session, const BytesOf& least,
                                                const std::string& weight = {});

/// A graph and a reader of its blocks that caches nothing.
struct OpenedGraph {
  std::unique_ptr<GraphStore> store;
  std::unique_ptr<BlockReader> reader;  // is destroyed before the store
};

/// Opens a graph to read all of it once, as verify and export do. `beside` says what the work takes
/// besides block table and reader. The reader's buffers take at most half of the memory that is
/// left. Returns BudgetError with the least --memory that works, and the errors of OpenGraph and
/// BlockReader::Create.
StatusOr<OpenedGraph> OpenToReadOnce(const std::string& path, std::string_view work,
                                     Session& session, const BytesOf& beside);

}  // namespace edgemill::cli

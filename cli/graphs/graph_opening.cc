#include "cli/graphs/graph_opening.h"

#include <algorithm>

#include "common/os/file.h"
#include "common/strings.h"
#include "common/units.h"

namespace edgemill::cli {

StatusOr<std::unique_ptr<GraphStore>> OpenGraph(const std::string& path, std::string_view work,
                                                Session& session, const BytesOf& least,
                                                const std::string& weight) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) {
    return MissingError(
        StrCat(path,
               ": there is no such graph directory: check the name, or make it with "
               "edgemill ingest"));
  }
  session.progress().StartStage("opening the graph", "blocks", 0);
  OpenOptions options{.data_directories = session.options().data_directories, .weight = weight};
  StatusOr<std::unique_ptr<GraphStore>> store = GraphStore::Open(path, options, session.budget());
  const Status table = store.status();
  if (table.code() == Code::kBudget && !table.out_of_resources()) {
    options.block_table = false;  // to count how much is enough
    store = GraphStore::Open(path, options, session.budget());
  }
  if (!store.ok()) return store.status().At({.file = path});
  ASSIGN_OR_RETURN(const uint64_t bytes, least(**store));
  if (session.memory_bytes() < bytes) {
    return BudgetError(StrCat(path, ": ", work, " needs at least --memory ",
                              FormatMebibytesUp(bytes), ", and has ",
                              FormatBytes(session.memory_bytes())));
  }
  RETURN_IF_ERROR(table);
  return store;
}

StatusOr<OpenedGraph> OpenToReadOnce(const std::string& path, std::string_view work,
                                     Session& session, const BytesOf& beside) {
  BlockReaderOptions options;
  options.threads = session.threads();
  uint64_t min_buffers = 0;
  uint64_t least_beside = 0;  // besides the buffers, after the graph is opened
  const auto least = [&](const GraphStore& store) -> StatusOr<uint64_t> {
    ASSIGN_OR_RETURN(least_beside, beside(store));
    least_beside += BlockReader::OverheadBytes(store, options);
    min_buffers = BlockReader::MinimumBufferBytes(store, session.threads());
    return MemoryBudget::kProcessBytes + store.table_bytes() + least_beside + min_buffers;
  };
  OpenedGraph graph;
  ASSIGN_OR_RETURN(graph.store, OpenGraph(path, work, session, least));
  const uint64_t spare = session.budget().available_bytes() - least_beside - min_buffers;
  options.buffer_bytes = std::clamp(min_buffers + spare / 2, min_buffers,
                                    std::max(min_buffers, BlockReaderOptions().buffer_bytes));
  ASSIGN_OR_RETURN(graph.reader, BlockReader::Create(*graph.store, options, session.budget()));
  return graph;
}

}  // namespace edgemill::cli

#include "cli/graph_opening.h"

#include <algorithm>

namespace edgemill::cli {

StatusOr<OpenGraph> OpenToReadOnce(const std::string& path, Session& session) {
  OpenGraph graph;
  ASSIGN_OR_RETURN(
      graph.store,
      GraphStore::Open(path, {.data_directories = session.options().data_directories},
                       session.budget()));
  BlockReaderOptions options;
  options.buffer_bytes =
      std::max(BlockReader::MinimumBufferBytes(*graph.store, session.threads()),
               std::min(options.buffer_bytes, session.budget().available_bytes() / 4));
  ASSIGN_OR_RETURN(graph.reader, BlockReader::Create(*graph.store, options, session.budget()));
  return graph;
}

}  // namespace edgemill::cli

#include "engine/graph/loaded_graph.h"

namespace edgemill {

LoadedGraph::LoadedGraph(const GraphContext& context)
    : context_(context),
      num_blocks_(info().num_blocks()),
      indexes_(info()),
      blocks_(context, indexes_),
      neighbor_memory_(context, indexes_, blocks_),
      decode_scratch_(info(), context.threads, context.budget) {}

StatusOr<std::unique_ptr<LoadedGraph>> LoadedGraph::Load(const GraphContext& context,
                                                         const GraphNeeds& needs) {
  std::unique_ptr<LoadedGraph> graph(new LoadedGraph(context));
  RETURN_IF_ERROR(graph->indexes_.Load(context, needs));
  return graph;
}

void LoadedGraph::ReleaseAllButDegrees(bool out, bool in) {
  decode_scratch_.Free();
  neighbor_memory_.Clear();
  indexes_.ReleaseAllBut(out, in);
}

}  // namespace edgemill

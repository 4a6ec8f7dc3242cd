#include "engine/cpu/pass/pass_blocks.h"

namespace edgemill {

StatusOr<BlockPlan> PlanEmitting(const LoadedGraph& graph, Direction lists, const Frontier* from) {
  BlockPlan plan(graph.num_blocks(), graph.info().block_edges);
  if (from == nullptr) {
    plan.AddEdges(0, graph.num_edges());
    return plan;
  }
  const VertexIndexView index = graph.index(lists);
  RETURN_IF_ERROR(from->ForEach(graph.threads(), [&](std::span<const VertexId> members) {
    for (const VertexId vertex : members) {
      plan.AddEdges(index.first_edge(vertex), index.first_edge(vertex + 1));
    }
  }));
  return plan;
}

Status ReadBlocks(LoadedGraph& graph, Recorder& recorder, BlocksToRead read,
                  const GraphBlocks::Body& body) {
  recorder.AddBlocks(read.blocks.size());
  read.with_weights &= graph.info().weights != WeightType::kNone;
  return graph.blocks().Visit(read.lists, read.with_weights, std::move(read.blocks), body,
                              read.edges);
}

}  // namespace edgemill

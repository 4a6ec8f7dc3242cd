// The blocks that hold edges of what emits, and these edges.
#pragma once

#include <vector>

#include "engine/cpu/edge_pass.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/program/sets/frontier.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// The blocks of `lists` with edges of what emits: null, all.
StatusOr<BlockPlan> PlanEmitting(const LoadedGraph& graph, Direction lists, const Frontier* from);

/// Reads blocks for a pass, which looks at `edges` of theirs, at most. Weights only where the graph
/// has any.
Status ReadBlocks(LoadedGraph& graph, Recorder& recorder, Direction lists, bool with_weights,
                  std::vector<uint64_t> blocks, EdgeIndex edges, const GraphBlocks::Body& body);

/// Calls `visit(vertex, first, last)` for each of the block's vertices that emits and has edges;
/// false stops. Returns what the last visit did.
template <typename P, typename Visit>
bool VisitEmitting(const EdgePass<P>& pass, const BlockEdges& edges, const VertexIndexView& index,
                   Visit visit) {
  if (pass.from() == nullptr) return VisitVertices(edges, index, visit);
  bool sound = true;
  const VertexId begin = edges.owned_begin - (edges.continues ? 1 : 0);
  pass.from()->VisitRange(begin, edges.owned_end, [&](VertexId vertex) {
    const EdgeIndex first = index.first_edge(vertex);
    const EdgeIndex last = index.first_edge(vertex + 1);
    sound = first == last || visit(vertex, first, last);
    return sound;
  });
  return sound;
}

}  // namespace edgemill

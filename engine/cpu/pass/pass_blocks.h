// The blocks with edges of the vertices that emit, and loops over these edges.
#pragma once

#include <vector>

#include "engine/cpu/pass/edge_pass.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/program/sets/frontier.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// The blocks of `lists` with edges of the members of `from`. Null: all blocks.
StatusOr<BlockPlan> PlanEmitting(const LoadedGraph& graph, Direction lists, const Frontier* from);

/// The blocks of one direction that a pass reads.
struct BlocksToRead {
  Direction lists = Direction::kOut;
  bool with_weights = false;  // where the graph has any
  std::vector<uint64_t> blocks;
  EdgeIndex edges = 0;  // the most edges that the pass looks at
};

/// Calls `body` for each of these blocks.
Status ReadBlocks(LoadedGraph& graph, Recorder& recorder, BlocksToRead read,
                  const GraphBlocks::Body& body);

/// Calls `visit(vertex, first, last)` for each of the block's vertices that emits and has edges,
/// until `visit` returns false. Returns false in that case.
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

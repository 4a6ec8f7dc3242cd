// Counts triangles at vertices by their definition: 64 vertices in a pass over all edges.
#pragma once

#include <cstdint>
#include <functional>

#include "common/status.h"
#include "engine/api/algorithm.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// A vertex in the simple graph that edges taken both ways make.
struct CountedCorner {
  VertexId vertex = 0;
  uint64_t neighbors = 0;
  uint64_t triangles = 0;  // joined pairs of its neighbours
  uint64_t arcs = 0;       // edges between its neighbours, each direction once
};

struct TriangleCheck : RunState {
  using RunState::RunState;
  /// Bit i: the vertex is a neighbour of vertex i of the pass.
  VertexArray<uint64_t> near{*this, "the verifier's neighbours"};
  /// In which lists of one vertex a vertex is: bit 0 out, bit 1 in.
  VertexArray<uint8_t> in_lists{*this, "the verifier's marks"};
};

/// Calls `compare` for vertices, in rising order, until it returns an error. A graph of at most
/// 4,096 vertices is checked at all of them. A larger one is checked at 64, half of which are
/// chosen in proportion to their degrees. Uses only the plain decoder. The errors of PlainVisit and
/// `compare`; BudgetError.
Status CheckCorners(LoadedGraph& graph, TriangleCheck& check,
                    const std::function<Status(const CountedCorner& corner)>& compare);

}  // namespace edgemill

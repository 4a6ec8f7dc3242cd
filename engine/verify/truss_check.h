// Checks truss numbers by their definition.
#pragma once

#include <cstdint>
#include <functional>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Truss numbers that were computed.
struct GivenTrusses {
  uint64_t num_edges = 0;
  /// Edges of no `least`-truss have the number `least` - 1.
  uint32_t least = 2;
  /// Calls `visit(one, other, truss)` for each edge of the simple undirected graph, once.
  using Visit = std::function<void(VertexId one, VertexId other, uint32_t truss)>;
  std::function<Status(const Visit& visit)> for_each;
};

/// A small graph is peeled again: for each k, edges in fewer than k - 2 triangles are removed until
/// none is left, with sets of neighbours. Small: the sum of the squares of all degrees is at most
/// 2^24, and the sets fit in memory. Of a larger graph, 64 edges are chosen. An edge with the
/// number k must be in k - 2 triangles or more whose edges have numbers from k on. It must be in
/// fewer than k - 1 triangles of edges with numbers above k. Edges are left out if the lists of
/// their ends do not fit.
///
/// Uses only the plain decoder. Returns how many edges were checked. InternalError for a wrong
/// number; the errors of PlainVisit; BudgetError.
StatusOr<uint64_t> CheckTrusses(LoadedGraph& graph, const GivenTrusses& given);

}  // namespace edgemill

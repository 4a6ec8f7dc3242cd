// An undirected graph in memory: what groups of vertices and the edges between them make.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "common/cancel.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/algorithms/shared/communities/array_pool.h"

namespace edgemill {

/// CheckCancelled, in every 2^16th step of a loop.
inline Status CheckCancelledAt(uint64_t step) {
  return (step & 0xffff) == 0 ? CheckCancelled() : OkStatus();
}

/// A graph whose vertices may stand for groups of vertices of another one. Arcs have no loops and
/// none of weight 0, and each edge is there once at either end, in any order. Weights are whole
/// numbers of units, so that their sums are exact in any order. Move-only.
struct WeightedGraph {
  CountedArray<uint64_t> first, end;  // of each vertex's arcs; places between lists are unused
  CountedArray<VertexId> to;          // by arc
  CountedArray<uint64_t> weight;      // by arc
  CountedArray<uint64_t> strength;    // the weight of all arcs, and `inside`
  CountedArray<uint64_t> inside;      // twice the weight of loops

  /// A graph with memory for so many vertices and arcs. Strengths and `inside` are 0. BudgetError.
  static StatusOr<WeightedGraph> Of(uint64_t vertices, uint64_t arcs, ArrayPool& pool);

  uint64_t num_vertices() const { return strength.size(); }
  uint64_t num_places() const { return to.size(); }
  uint64_t FirstOf(uint64_t v) const { return v < first.size() ? first[v] : to.size(); }
  uint64_t NumArcs(VertexId v) const { return end[v] - first[v]; }
  template <typename Visit>
  void ForEachArc(VertexId v, Visit visit) const {
    for (uint64_t i = first[v]; i < end[v]; ++i) visit(to[i], weight[i]);
  }
};

/// Makes one arc of those that join the same two vertices.
void MergeArcs(WeightedGraph& graph, int threads);

}  // namespace edgemill

// An undirected graph in memory: what groups of vertices and the edges between them make.
#pragma once

#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/cancel.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"

namespace edgemill {

/// CheckCancelled, in every 2^16th step of a loop.
inline Status CheckCancelledAt(uint64_t step) {
  return (step & 0xffff) == 0 ? CheckCancelled() : OkStatus();
}

/// An edge, seen from one of its ends. Weights are whole numbers of units, so that their sums are
/// exact in any order.
struct WeightedArc {
  uint64_t weight = 0;
  VertexId to = 0;
};

/// Arrays of T that a MemoryBudget counts. Move-only.
template <typename T>
class CountedArray {
 public:
  CountedArray() = default;
  /// `size` zeros. BudgetError.
  static StatusOr<CountedArray> Of(uint64_t size, MemoryBudget& budget) {
    CountedArray made;
    ASSIGN_OR_RETURN(made.reservation_,
                     budget.Reserve(size * sizeof(T), "the graph of communities"));
    ASSIGN_OR_RETURN(made.array_, Array<T>::Allocate(size));
    made.values_ = made.array_.span();
    return made;
  }
  T& operator[](uint64_t i) { return values_[i]; }
  const T& operator[](uint64_t i) const { return values_[i]; }
  uint64_t size() const { return values_.size(); }
  std::span<T> span() { return values_; }
  std::span<const T> span() const { return values_; }

 private:
  MemoryReservation reservation_;
  Array<T> array_;
  std::span<T> values_;
};

/// A graph whose vertices may stand for groups of vertices of another one. Move-only.
struct WeightedGraph {
  CountedArray<uint64_t> first;     // of each vertex's arcs, and the number of all
  CountedArray<WeightedArc> arcs;   // no loops, none of weight 0; each edge once at either end
  CountedArray<uint64_t> strength;  // the weight of all arcs, and `inside`
  CountedArray<uint64_t> inside;    // twice the weight of loops

  /// A graph with memory for so many vertices and arcs. BudgetError.
  static StatusOr<WeightedGraph> Of(uint64_t vertices, uint64_t arcs, MemoryBudget& budget);
  uint64_t num_vertices() const { return strength.size(); }
  std::span<const WeightedArc> ArcsOf(VertexId v) const {
    return arcs.span().subspan(first[v], first[v + 1] - first[v]);
  }
  /// Makes one arc of those that join the same two vertices. Afterwards, a vertex's arcs rise by
  /// the vertices to which they lead. Works on `threads` threads.
  void MergeArcs(int threads);
};

/// The graph of groups: `group` has a number below `num_groups` for each vertex, and every number
/// occurs. BudgetError; CancelledError.
StatusOr<WeightedGraph> GroupVertices(const WeightedGraph& graph, std::span<const VertexId> group,
                                      uint64_t num_groups, MemoryBudget& budget);

}  // namespace edgemill

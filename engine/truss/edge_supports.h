// The triangles of each edge, and which edges were removed.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/graph/loaded_graph.h"
#include "engine/truss/edge_numbers.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// A value and a bit an edge of the simple undirected graph. The value of an edge that was removed
/// is its truss number. That of another edge is its support: triangles of edges that were not
/// removed.
class EdgeSupports {
 public:
  static uint64_t SizeBytes(uint64_t num_edges) {
    return num_edges * sizeof(uint32_t) + (num_edges + 63) / 64 * sizeof(uint64_t);
  }
  /// Supports of 0; no edge is removed. BudgetError.
  static StatusOr<EdgeSupports> Create(uint64_t num_edges, MemoryBudget& budget);

  uint64_t num_edges() const { return values_.size(); }
  bool is_removed(uint64_t edge) const { return (removed_[edge / 64] >> edge % 64 & 1) != 0; }
  uint32_t value(uint64_t edge) const { return values_[edge]; }
  /// A bit an edge: those that were removed. Bits after the last edge are 0.
  std::span<const uint64_t> removed() const { return removed_.span(); }

  /// Counts the triangles of all edges that were not removed, on all threads. Takes at most `bytes`
  /// of the budget beside, at least ListMemoryOf(...).least. Reads the graph once if all lists fit.
  /// The errors of reading; BudgetError, CancelledError.
  Status Count(LoadedGraph& graph, const EdgeNumbers& numbers, uint64_t bytes);

  struct Totals {
    uint64_t left = 0;                    // edges that are not removed
    uint64_t in_triangles = 0;            // of them, those with a support above 0
    uint64_t within = 0;                  // those with a support of at most the bound
    uint32_t least_above = ~uint32_t{0};  // the least support above the bound
  };
  Totals Count(uint32_t bound, int threads) const;
  /// Removes all edges with a support of at most `bound`: `truss` is their number.
  void RemoveWithin(uint32_t bound, uint32_t truss, int threads);
  /// Removes all edges, which get `truss(i)`: edge i, in the order of numbers, of those that were
  /// not removed. Returns when all have one.
  template <typename Truss>
  void RemoveRest(Truss truss) {
    uint64_t i = 0;
    for (uint64_t word = 0; word < removed_.size(); ++word) {
      for (uint64_t left = LeftOf(word); left != 0; left &= left - 1) {
        values_[word * 64 + static_cast<uint64_t>(std::countr_zero(left))] = truss(i++);
      }
      removed_[word] |= LeftOf(word);
    }
  }
  /// The edges of a word of removed() that are not removed.
  uint64_t LeftOf(uint64_t word) const {
    const uint64_t after = num_edges() - word * 64;
    return ~removed_[word] & (after < 64 ? (uint64_t{1} << after) - 1 : ~uint64_t{0});
  }

 private:
  MemoryReservation reservation_;
  Array<uint32_t> values_;
  Array<uint64_t> removed_;
};

}  // namespace edgemill

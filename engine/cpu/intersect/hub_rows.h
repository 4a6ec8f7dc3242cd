// The lists of the vertices of highest degree as bitmaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "engine/cpu/intersect/vertex_order.h"

namespace edgemill {

/// For each of the first ranks whose list is dense, a row: bit r says whether the vertex of rank r
/// is in the list. Two bitmaps are intersected 64 vertices at a time, so that a row is faster than
/// a list with more than a neighbour or two in 64 ranks. Most of the pairs of lists that share a
/// vertex are pairs of lists of hubs.
class HubRows {
 public:
  /// Ranks that have rows. With more of them, nothing became faster on Kronecker graphs of 2^18 and
  /// 2^20 vertices.
  static constexpr uint32_t kMostHubs = 1u << 14;
  static constexpr uint32_t kNone = ~uint32_t{0};

  /// Rows for at most `num_hubs` ranks, as many as SizeBytes says. With a second bitmap of where
  /// there are two edges if `arcs`. BudgetError.
  static StatusOr<HubRows> Create(uint32_t num_hubs, bool arcs, MemoryBudget& budget);
  /// The bytes of the rows of all of so many ranks.
  static uint64_t SizeBytes(uint32_t num_hubs, bool arcs);

  uint32_t num_hubs() const { return static_cast<uint32_t>(places_.size()); }
  /// Makes the rows of the hubs that are in `lists`; no others remain.
  void Build(const OrientedLists& lists, const VertexOrder& order);

  /// The words of the row of `rank`, WordsOf(rank) of them; null where it has none.
  const uint64_t* row(uint32_t rank) const {
    if (rank >= num_hubs() || places_[rank] == kNone) return nullptr;
    return words_.data() + places_[rank];
  }
  /// Where there are two edges. Only with arcs, for ranks with a row.
  const uint64_t* twice(uint32_t rank) const { return twice_.data() + places_[rank]; }
  static uint32_t WordsOf(uint32_t rank) { return rank / 64 + 1; }

 private:
  HubRows() = default;

  MemoryReservation reservation_;
  std::vector<uint32_t> places_;  // by rank: the row's first word, or kNone
  Array<uint64_t> words_;
  Array<uint64_t> twice_;  // empty without arcs
};

}  // namespace edgemill

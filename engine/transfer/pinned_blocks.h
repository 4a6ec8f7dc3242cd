// The blocks that stay in the host's pinned memory: checked once, and then used where they are,
// without a reader.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Leases of such blocks, by side (ResidentSet's) and number.
class PinnedBlocks {
 public:
  static constexpr size_t kNumSides = 2;

  /// Makes side i keep leases of num_blocks[i] blocks from one pass to the next, where `budget` has
  /// memory for that. Else it keeps none.
  void Plan(const std::array<uint64_t, kNumSides>& num_blocks, MemoryBudget& budget);
  /// Keeps the leases of the blocks of `direction` that an earlier run left in pinned memory. So no
  /// pass need get each of them from the reader.
  Status KeepCached(LoadedGraph& graph, Direction direction, bool with_weights, size_t side);
  /// Keeps the lease of a block in pinned memory that stays there; leaves others. Threads may offer
  /// different blocks at a time.
  void Offer(size_t side, const BlockEdges& edges);

  bool keeps(size_t side) const { return !sides_[side].leases.empty(); }
  const BlockLease& lease(size_t side, uint64_t block) const { return sides_[side].leases[block]; }
  /// By block, whether its lease is kept; empty where none are.
  std::span<const uint8_t> is_pinned(size_t side) const { return sides_[side].is_pinned; }
  bool HoldsAll(size_t side) const;

 private:
  struct Side {
    std::vector<BlockLease> leases;
    std::vector<uint8_t> is_pinned;
  };
  std::array<Side, kNumSides> sides_;
  MemoryReservation reservation_;
};

}  // namespace edgemill

// The blocks that stay in the host's pinned memory. They are checked once, and then used in place
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

/// Leases of such blocks, by side (as in ResidentSet) and block number.
class PinnedBlocks {
 public:
  static constexpr size_t kNumSides = 2;

  /// Makes side i keep leases of num_blocks[i] blocks from one pass to the next, if `budget` has
  /// memory for both sides. Otherwise no leases are kept.
  void Plan(const std::array<uint64_t, kNumSides>& num_blocks, MemoryBudget& budget);
  /// Keeps the leases of the blocks of `direction` that an earlier run left in pinned memory.
  /// Passes then do not need the reader for them.
  Status KeepCached(LoadedGraph& graph, Direction direction, bool with_weights, size_t side);
  /// Keeps the lease of a block if it stays in pinned memory; else leaves the lease alone. Threads
  /// may offer different blocks at the same time.
  void Offer(size_t side, const BlockEdges& edges);

  bool keeps(size_t side) const { return !sides_[side].leases.empty(); }
  const BlockLease& lease(size_t side, uint64_t block) const { return sides_[side].leases[block]; }
  /// Says for each block whether its lease is kept; empty if none are.
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

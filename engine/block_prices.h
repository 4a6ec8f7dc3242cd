// What bringing blocks to a GPU takes in one sweep, by how much of them it wants: worked out once,
// and looked up for each block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace edgemill {

/// A block that an iteration wants and that is not on the card.
struct BlockSituation {
  uint32_t num_groups = 0;
  uint32_t wanted_groups = 0;
  uint64_t bytes = 0;    // of all its groups, weights included
  uint32_t columns = 1;  // copies of it, where it is sent alone: neighbours, weights
  bool follows = false;  // the block that is asked about before it: one copy of both
};

/// Bringing a block, or visiting its edges, whichever takes longer.
struct BlockPrice {
  double whole_seconds = 0;
  double zero_copy_seconds = 0;
  double compaction_seconds = 0;

  /// What gathering gains, where it is the cheapest; else 0.
  double GatheringGain() const;
};

/// A sweep's prices (CostModel::PricesOf).
class BlockPrices {
 public:
  /// Of blocks of this size, of which 0, 1, 2, ... groups are wanted.
  void Add(uint64_t block_bytes, std::vector<BlockPrice> by_wanted_groups);
  /// Of a size that was added.
  const BlockPrice& At(const BlockSituation& block) const;
  double GatheringGain(std::span<const BlockSituation> blocks) const;
  /// Of any `num_blocks`, at most.
  double MostGatheringGain(uint64_t num_blocks) const;

 private:
  struct Table {
    uint64_t block_bytes = 0;
    uint32_t num_groups = 0;
    std::vector<BlockPrice> by_wanted_groups;
  };

  std::vector<Table> tables_;  // of a few sizes
};

}  // namespace edgemill

// What bringing blocks to a GPU takes, whole or in part.
#pragma once

#include <cstdint>
#include <span>

namespace edgemill {

/// What the blocks of a direction have in common. The last one, with fewer groups, counts as one of
/// them: it is one of many, or so small that no choice matters.
struct BlockShape {
  uint32_t num_groups = 0;
  uint64_t bytes = 0;    // of all its groups, weights included
  uint32_t columns = 1;  // copies of it, where it is sent alone: neighbours, weights
};

/// The prices of blocks of one shape, by the link as it was measured (CostModel::PricesOf).
struct BlockPrices {
  BlockShape shape;
  double whole_seconds = 0;  // over the link, one of many in one copy
  double alone_seconds = 0;  // beside that, where it is not joined to another
  double group_seconds = 0;  // of a group that kernels read across it

  double PartSeconds(uint32_t wanted_groups) const { return wanted_groups * group_seconds; }
  /// What bringing blocks takes, each by the cheaper way, as if it was one of many.
  struct Sums {
    double seconds = 0;
    double squares = 0;  // of each block's seconds
  };
  /// The sums over num_blocks[k] blocks with k wanted groups each.
  Sums LeastSums(std::span<const uint32_t> num_blocks) const;
};

}  // namespace edgemill

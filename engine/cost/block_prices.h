// How long it takes to bring blocks to a GPU, whole or in part.
#pragma once

#include <cstdint>
#include <span>

namespace edgemill {

/// The common shape of a direction's blocks. The last block may have fewer groups, but is treated
/// like the others: it is one of many, or so small that no choice matters.
struct BlockShape {
  uint32_t num_groups = 0;
  uint64_t bytes = 0;    // of all groups, with weights
  uint32_t columns = 1;  // neighbours, and weights if any: each needs a copy
};

/// The prices of blocks of one shape, from the measured rates of the link (CostModel::PricesOf).
struct BlockPrices {
  BlockShape shape;
  double whole_seconds = 0;  // of a block that is sent with many others in one copy
  double alone_seconds = 0;  // extra for a block that is not joined to another
  double group_seconds = 0;  // of a group that kernels read across the link

  double PartSeconds(uint32_t wanted_groups) const { return wanted_groups * group_seconds; }
  /// The time of bringing blocks, each in the cheaper way, with many others.
  struct Sums {
    double seconds = 0;
    double squares = 0;  // of each block's seconds
  };
  /// Returns the sums over all blocks. num_blocks[k] is the number of blocks with k wanted groups.
  Sums LeastSums(std::span<const uint32_t> num_blocks) const;
};

}  // namespace edgemill

// What bringing blocks to a GPU takes, by how much of them a pass wants: worked out once, and
// looked up for each block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/report/transfer.h"

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
  /// Of a block of which so many groups are wanted.
  struct OfParts {
    double zero_copy_seconds = 0;
    Transfer published = Transfer::kAuto;  // what HyTGraph takes, by its constants
  };

  double whole_seconds = 0;  // over the link, one of many in one copy
  double alone_seconds = 0;  // beside that, where it is not joined to another
  std::vector<OfParts> by_wanted_groups;

  const OfParts& At(uint32_t wanted_groups) const { return by_wanted_groups[wanted_groups]; }
  /// What bringing blocks takes, each by the cheaper engine, as if it was one of many.
  struct Sums {
    double seconds = 0;
    double squares = 0;  // of each block's seconds
  };
  /// Of so many blocks, by wanted groups.
  Sums LeastSums(std::span<const uint32_t> num_blocks) const;
};

}  // namespace edgemill

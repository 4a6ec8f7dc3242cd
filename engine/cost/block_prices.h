// What bringing blocks to a GPU takes in one sweep, by how much of them it wants: worked out once,
// and looked up for each block.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
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

/// What bringing such blocks takes by the link and the host's threads as they were measured
/// (CostModel::BringingOf).
struct BringingCosts {
  /// A block of which so many groups are wanted.
  struct OfParts {
    double zero_copy_seconds = 0;
    double gather_seconds = 0;         // of the host's threads
    double gathered_link_seconds = 0;  // of what they gathered
    Transfer published = Transfer::kAuto;
  };

  double whole_seconds = 0;  // over the link, one of many in one copy
  double alone_seconds = 0;  // beside that, where it is not joined to another
  std::vector<OfParts> by_wanted_groups;
};

/// Bringing a block, or visiting its edges, whichever takes longer.
struct BlockPrice {
  double whole_seconds = 0;
  double zero_copy_seconds = 0;
  double compaction_seconds = 0;
  Transfer published = Transfer::kAuto;  // what HyTGraph takes, by its constants

  double LeastSeconds(bool gathers) const;
};

/// A sweep's prices of blocks of one shape (CostModel::PricesOf).
class BlockPrices {
 public:
  BlockPrices(double alone_seconds, std::vector<BlockPrice> by_wanted_groups)
      : alone_seconds_(alone_seconds), by_wanted_groups_(std::move(by_wanted_groups)) {}

  const BlockPrice& At(uint32_t wanted_groups) const { return by_wanted_groups_[wanted_groups]; }
  /// What a block that is sent whole takes beside its price, where it is not joined to another.
  double alone_seconds() const { return alone_seconds_; }
  /// What bringing blocks takes, each by its cheapest engine, as if it was one of many.
  struct Sums {
    double seconds = 0;
    double squares = 0;  // of each block's seconds
  };
  /// Of so many blocks, by wanted groups.
  Sums LeastSums(std::span<const uint32_t> num_blocks, bool gathers) const;
  double GatheringGain(std::span<const uint32_t> num_blocks) const;
  /// Whether HyTGraph gathers any of them.
  bool GathersAsPublished(std::span<const uint32_t> num_blocks) const;

 private:
  double alone_seconds_ = 0;
  std::vector<BlockPrice> by_wanted_groups_;
};

}  // namespace edgemill

#include "engine/cost/block_prices.h"

#include <algorithm>

namespace edgemill {

BlockPrices::Sums BlockPrices::LeastSums(std::span<const uint32_t> num_blocks, bool gathers) const {
  Sums sums;
  for (uint32_t wanted = 1; wanted < num_blocks.size(); ++wanted) {
    double seconds = std::min(whole_seconds, At(wanted).zero_copy_seconds);
    if (gathers) seconds = std::min(seconds, At(wanted).compaction_seconds);
    sums.seconds += num_blocks[wanted] * seconds;
    sums.squares += num_blocks[wanted] * seconds * seconds;
  }
  return sums;
}

double BlockPrices::GatheringGain(std::span<const uint32_t> num_blocks) const {
  return LeastSums(num_blocks, false).seconds - LeastSums(num_blocks, true).seconds;
}

}  // namespace edgemill

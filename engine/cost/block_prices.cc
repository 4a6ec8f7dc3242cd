#include "engine/cost/block_prices.h"

#include <algorithm>

namespace edgemill {

double BlockPrice::LeastSeconds(bool gathers) const {
  const double least = std::min(zero_copy_seconds, whole_seconds);
  return gathers ? std::min(least, compaction_seconds) : least;
}

BlockPrices::Sums BlockPrices::LeastSums(std::span<const uint32_t> num_blocks, bool gathers) const {
  Sums sums;
  for (uint32_t wanted = 1; wanted < num_blocks.size(); ++wanted) {
    const double seconds = At(wanted).LeastSeconds(gathers);
    sums.seconds += num_blocks[wanted] * seconds;
    sums.squares += num_blocks[wanted] * seconds * seconds;
  }
  return sums;
}

double BlockPrices::GatheringGain(std::span<const uint32_t> num_blocks) const {
  return LeastSums(num_blocks, false).seconds - LeastSums(num_blocks, true).seconds;
}

bool BlockPrices::GathersAsPublished(std::span<const uint32_t> num_blocks) const {
  for (uint32_t wanted = 1; wanted < num_blocks.size(); ++wanted) {
    if (num_blocks[wanted] > 0 && At(wanted).published == Transfer::kCompaction) return true;
  }
  return false;
}

}  // namespace edgemill

#include "engine/cost/block_prices.h"

#include <algorithm>

namespace edgemill {

BlockPrices::Sums BlockPrices::LeastSums(std::span<const uint32_t> num_blocks) const {
  Sums sums;
  for (uint32_t wanted = 1; wanted < num_blocks.size(); ++wanted) {
    const double seconds = std::min(whole_seconds, PartSeconds(wanted));
    sums.seconds += num_blocks[wanted] * seconds;
    sums.squares += num_blocks[wanted] * seconds * seconds;
  }
  return sums;
}

}  // namespace edgemill

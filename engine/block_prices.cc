#include "engine/block_prices.h"

#include <algorithm>
#include <utility>

#include "common/check.h"

namespace edgemill {

double BlockPrice::GatheringGain() const {
  return std::max(0.0, std::min(zero_copy_seconds, whole_seconds) - compaction_seconds);
}

void BlockPrices::Add(uint64_t block_bytes, std::vector<BlockPrice> by_wanted_groups) {
  const auto num_groups = static_cast<uint32_t>(by_wanted_groups.size() - 1);
  tables_.push_back({block_bytes, num_groups, std::move(by_wanted_groups)});
}

const BlockPrice& BlockPrices::At(const BlockSituation& block) const {
  const auto table = std::find_if(tables_.begin(), tables_.end(), [&](const Table& known) {
    return known.block_bytes == block.bytes && known.num_groups == block.num_groups;
  });
  CHECK(table != tables_.end());
  return table->by_wanted_groups[block.wanted_groups];
}

double BlockPrices::GatheringGain(std::span<const BlockSituation> blocks) const {
  double gain = 0;
  for (const BlockSituation& block : blocks) gain += At(block).GatheringGain();
  return gain;
}

double BlockPrices::MostGatheringGain(uint64_t num_blocks) const {
  double most = 0;
  for (const Table& table : tables_) {
    for (const BlockPrice& price : table.by_wanted_groups) {
      most = std::max(most, price.GatheringGain());
    }
  }
  return static_cast<double>(num_blocks) * most;
}

}  // namespace edgemill

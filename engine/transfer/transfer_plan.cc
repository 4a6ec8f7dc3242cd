#include "engine/transfer/transfer_plan.h"

#include "common/check.h"
#include "storage/format/group_codec.h"

namespace edgemill {

DirectionBlocks DirectionBlocks::Of(uint64_t num_edges, uint32_t block_edges,
                                    uint64_t payload_bytes, uint32_t columns,
                                    const CostModel& model) {
  CHECK_GT(block_edges, 0u);
  CHECK_GT(num_edges, 0u);
  DirectionBlocks blocks;
  blocks.num_blocks = (num_edges + block_edges - 1) / block_edges;
  blocks.num_groups = (num_edges + kGroupSize - 1) / kGroupSize;
  blocks.group_bytes =
      static_cast<double>(payload_bytes) / static_cast<double>(num_edges / kGroupSize + 1);
  const uint64_t max_edges = std::min<uint64_t>(block_edges, num_edges);
  const uint32_t groups = NumGroups(static_cast<uint32_t>(max_edges));
  blocks.prices = model.PricesOf({.num_groups = groups,
                                  .bytes = static_cast<uint64_t>(blocks.group_bytes * groups),
                                  .columns = columns});
  return blocks;
}

void TransferPlan::Reserve(uint64_t num_blocks) {
  lists.missing.resize(num_blocks);
  lists.order.resize(num_blocks);
  lists.all_groups.resize(num_blocks);
  transfers.resize(num_blocks);
  charges.seconds.resize(num_blocks);
  Clear();
}

void TransferPlan::Clear() {
  whole.reset();
  wanted_resident = 0;
  missing = pinned = from_reader = charges.blocks = {};
}

}  // namespace edgemill

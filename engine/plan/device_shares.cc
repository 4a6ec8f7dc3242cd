#include "engine/plan/device_shares.h"

#include <algorithm>

#include "common/check.h"
#include "common/units.h"
#include "engine/cost/tuning.h"
#include "engine/plan/direction_arrays.h"
#include "engine/plan/staging_layout.h"
#include "engine/plan/staging_memory.h"

namespace edgemill {

uint64_t ScannedBlocksBytes(const GraphStore& store, const ScannedLists& lists,
                            const PassBlocks* blocks) {
  uint64_t bytes = 0;
  const auto add = [&](ColumnKind column, Direction direction) {
    if (blocks == nullptr) {
      bytes += store.column(column).payload_bytes +
               2 * StagingLayout::kAlignment * DeviceEdgesOf(store.info()).num_blocks();
      return;
    }
    const BlockRange& range = blocks->of(direction);
    for (uint64_t block = range.begin; block < range.end; ++block) {
      bytes += store.blocks(column)[block].payload_bytes + 2 * StagingLayout::kAlignment;
    }
  };
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (!lists.Has(direction)) continue;
    add(NeighborColumn(store.info(), direction), direction);
    if (lists.HasWeights(store, direction)) add(WeightColumn(store.info(), direction), direction);
  }
  return bytes;
}

uint64_t StagedNumbersBytes(uint32_t num_batches) {
  return num_batches * StagingLayout::kMaxBlocks * sizeof(uint32_t);
}

uint64_t MostStagedBlockBytes(const GraphInfo& info, bool with_weights) {
  return MostBlockBytes(info, with_weights) + 4 * StagingLayout::kAlignment;
}

StatusOr<DeviceShares> ShareOutDeviceMemory(const GraphStore& store, const ScannedLists& lists,
                                            const GpuRunOptions& options,
                                            const DeviceMemory& memory, uint64_t fixed_bytes) {
  const uint64_t max_block = MostStagedBlockBytes(store.info(), lists.weighted);
  const uint64_t available = (memory.bytes - std::min(memory.bytes, memory.used_bytes)) /
                             DeviceBuffer::kGranularity * DeviceBuffer::kGranularity;
  const uint64_t left = available > fixed_bytes ? available - fixed_bytes : 0;
  const uint64_t all = memory.part_bytes.value_or(ScannedBlocksBytes(store, lists) / memory.parts);
  const Transfer transfer = options.transfer;
  const bool wants_all = transfer == Transfer::kResident || transfer == Transfer::kManaged;
  const bool may_stay = wants_all || transfer == Transfer::kAuto;
  // Unified memory is a separate allocation.
  const auto footprint = [&](uint64_t edges) {
    return transfer == Transfer::kManaged
               ? DeviceBuffer::Footprint(fixed_bytes) + DeviceBuffer::Footprint(edges)
               : DeviceBuffer::Footprint(fixed_bytes + edges);
  };
  DeviceShares shares;
  shares.all_fits = may_stay && footprint(all) <= available;
  const uint64_t staging = transfer == Transfer::kZeroCopy || all == 0 ? 0 : max_block;
  if (!shares.all_fits && (left < staging || available < fixed_bytes || wants_all)) {
    const uint64_t edges = wants_all ? all : may_stay ? std::min(all, staging) : staging;
    const uint64_t least = memory.used_bytes + footprint(edges);
    return BudgetError(StrCat(
        store.path(), " needs at least --gpu-memory ", FormatMebibytesUp(least),
        wants_all ? " with all edges on the GPU" : "", ", and has ", FormatBytes(memory.bytes)));
  }
  if (shares.all_fits) {
    shares.resident_bytes = all;
  } else if (transfer != Transfer::kZeroCopy) {
    const uint64_t ample = options.num_batches * options.batch_bytes;
    shares.staging_bytes = std::max(
        {std::min(left / kStagingShare, ample), std::min(left / 2, kBusyStagingBytes), max_block});
    if (may_stay) CHECK_LE(shares.staging_bytes, left);
    if (may_stay) shares.resident_bytes = left - shares.staging_bytes;
  }
  return shares;
}

StagingSizes PlanStaging(const DeviceShares& shares, const GpuRunOptions& options,
                         uint64_t host_bytes, uint64_t max_block_bytes) {
  CHECK_GT(options.num_batches, 0u);
  CHECK_GT(max_block_bytes, 0u);
  const uint64_t ample = options.num_batches * options.batch_bytes;
  const uint64_t on_device = shares.staging_bytes > 0 ? shares.staging_bytes : ample;
  const uint64_t count = std::min({uint64_t{options.num_batches}, on_device / max_block_bytes,
                                   host_bytes / StagingLayout::HostBytes(max_block_bytes)});
  StagingSizes sizes;
  sizes.num_buffers = static_cast<uint32_t>(std::max<uint64_t>(1, count));
  const uint64_t overhead = StagingLayout::HostBytes(0);
  const uint64_t host_share = host_bytes / sizes.num_buffers;
  const uint64_t in_host = host_share > overhead ? host_share - overhead : 0;
  const uint64_t bytes = std::min({options.batch_bytes, on_device / sizes.num_buffers, in_host});
  sizes.buffer_bytes =
      std::max(max_block_bytes, bytes) / StagingLayout::kAlignment * StagingLayout::kAlignment;
  sizes.on_device = shares.staging_bytes > 0;
  return sizes;
}

}  // namespace edgemill

#include "engine/plan/staging_memory.h"

#include <algorithm>

#include "engine/plan/staging_layout.h"

namespace edgemill {

uint64_t MostBlockBytes(const GraphInfo& info, bool with_weights) {
  const uint64_t edges = info.block_edges;
  const uint64_t packed = StagingLayout::Aligned(MaxPackedBytes(info.block_edges));
  if (!with_weights) return packed;
  switch (info.weights) {
    case WeightType::kNone:
      return packed;
    case WeightType::kInt32:
      return 2 * packed;
    case WeightType::kFloat32:
      return packed + StagingLayout::Aligned(edges * 4);
    case WeightType::kFloat64:
      return packed + StagingLayout::Aligned(edges * 8);
  }
  return packed;
}

uint64_t ControlBitsBytes(const GraphInfo& info, Transfer transfer) {
  const uint64_t bits =
      transfer == Transfer::kSubCsr ? info.num_vertices : info.num_edges / kGroupSize + 1;
  return (bits + 63) / 64 * sizeof(uint64_t);
}

uint64_t ControlBytes(const GraphInfo& info, Transfer transfer) {
  return 2 * kCountersBytes + info.num_blocks() * sizeof(uint64_t) +
         ControlBitsBytes(info, transfer);
}

uint64_t ChoiceBytes(const GraphInfo& info) { return info.num_blocks() * kChoiceBytesABlock; }

uint64_t BookkeepingBytes(const GraphInfo& info, Transfer transfer) {
  return ControlBytes(info, transfer) + ChoiceBytes(info);
}

uint64_t SubCsrPartsBytes(const GraphInfo& info, bool with_weights, int threads) {
  // No SubCSR takes more bytes than its block: kMostSubCsrShare.
  return kSubCsrParts * StagingLayout::HostBytes(static_cast<uint64_t>(threads) *
                                                 MostBlockBytes(info, with_weights));
}

uint64_t MinStagingBytes(const GraphStore& store, bool with_weights, Transfer transfer) {
  return StagingLayout::HostBytes(MostBlockBytes(store.info(), with_weights) +
                                  4 * StagingLayout::kAlignment) +
         BookkeepingBytes(store.info(), transfer);
}

uint64_t MaxStagingBytes(const GraphStore& store, bool with_weights, const GpuRunOptions& options) {
  const uint64_t buffer = std::max(options.batch_bytes, MostBlockBytes(store.info(), with_weights));
  return options.num_batches * StagingLayout::HostBytes(buffer) +
         BookkeepingBytes(store.info(), options.transfer);
}

}  // namespace edgemill

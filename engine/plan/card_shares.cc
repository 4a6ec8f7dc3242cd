#include "engine/plan/card_shares.h"

#include <algorithm>

#include "common/units.h"
#include "engine/plan/direction_arrays.h"
#include "engine/plan/slot_layout.h"
#include "engine/plan/staging_memory.h"

namespace edgemill {
namespace {

/// The share of the card's memory for edges that slots take, as far as batches fill them: one in so
/// many.
constexpr uint64_t kSlotShare = 8;
/// But so many bytes, up to half: however small a batch is, it holds its slot for a tenth of a
/// millisecond (copy, kernel, and until the host sees its end), in which the link moves 6 MB.
constexpr uint64_t kBusySlotsBytes = uint64_t{12} << 20;

/// Bytes on the card of all blocks that are swept.
uint64_t AllBlocksBytes(const GraphStore& store, const IterationNeeds& needs) {
  const bool directed = store.info().directed;
  uint64_t bytes = 0;
  const auto add = [&](ColumnKind column) {
    bytes += store.column(column).payload_bytes +
             2 * SlotLayout::kAlignment * DeviceEdgesOf(store.info()).num_blocks();
  };
  if (needs.sweeps(directed, Direction::kOut)) {
    add(ColumnKind::kOutNeighbors);
    if (needs.weighted) add(ColumnKind::kOutWeights);
  }
  if (needs.sweeps(directed, Direction::kIn)) {
    add(ColumnKind::kInNeighbors);
    if (needs.weighted) add(ColumnKind::kInWeights);
  }
  return bytes;
}

}  // namespace

uint64_t SlotNumbersBytes(uint32_t streams) {
  return streams * SlotLayout::kMostBlocks * sizeof(uint32_t);
}

uint64_t MostSlotBlockBytes(const GraphInfo& info, bool with_weights) {
  return MostBlockBytes(info, with_weights) + 4 * SlotLayout::kAlignment;
}

StatusOr<CardShares> ShareOutCard(const GraphStore& store, const IterationNeeds& needs,
                                  const GpuRunOptions& options, const CardMemory& memory,
                                  uint64_t fixed_bytes) {
  const uint64_t most_block = MostSlotBlockBytes(store.info(), needs.weighted);
  const uint64_t card = (memory.bytes - std::min(memory.bytes, memory.used_bytes)) /
                        DeviceBuffer::kGranularity * DeviceBuffer::kGranularity;
  const uint64_t left = card > fixed_bytes ? card - fixed_bytes : 0;
  const uint64_t all = AllBlocksBytes(store, needs);
  const Transfer transfer = options.transfer;
  const bool wants_all = transfer == Transfer::kResident || transfer == Transfer::kManaged;
  const bool may_stay = wants_all || transfer == Transfer::kAuto;
  // Unified memory is an allocation of its own.
  const auto footprint = [&](uint64_t edges) {
    return transfer == Transfer::kManaged
               ? DeviceBuffer::Footprint(fixed_bytes) + DeviceBuffer::Footprint(edges)
               : DeviceBuffer::Footprint(fixed_bytes + edges);
  };
  CardShares shares;
  shares.all_fits = may_stay && footprint(all) <= card;
  const uint64_t slot = transfer == Transfer::kZeroCopy || all == 0 ? 0 : most_block;
  if (!shares.all_fits && (left < slot || card < fixed_bytes || wants_all)) {
    const uint64_t edges = wants_all ? all : may_stay ? std::min(all, slot) : slot;
    const uint64_t least = memory.used_bytes + footprint(edges);
    return BudgetError(StrCat(
        store.path(), " needs at least --gpu-memory ", FormatMebibytesUp(least),
        wants_all ? " with all edges on the card" : "", ", and has ", FormatBytes(memory.bytes)));
  }
  if (shares.all_fits) {
    shares.room = all;
  } else if (transfer != Transfer::kZeroCopy) {
    const uint64_t ample = options.streams * options.batch_bytes;
    shares.slots = std::max(
        {std::min(left / kSlotShare, ample), std::min(left / 2, kBusySlotsBytes), most_block});
    if (may_stay) shares.room = left - shares.slots;
  }
  return shares;
}

}  // namespace edgemill

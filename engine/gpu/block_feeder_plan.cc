// How a feeder shares out the card's memory and the host's, before the first iteration.
#include <algorithm>

#include "common/units.h"
#include "engine/gpu/block_feeder.h"
#include "engine/gpu_choice.h"

namespace edgemill {
namespace {

/// The share of the card's memory for edges that slots may take.
constexpr uint64_t kSlotShare = 8;
constexpr uint64_t kNumbersBytes = BlockSlot::kMostBlocks * sizeof(uint32_t);

}  // namespace

uint64_t BlockFeeder::AllBytes() const {
  uint64_t bytes = 0;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const Side& side = sides_[static_cast<size_t>(direction)];
    if (side.edges == nullptr) continue;
    const auto add = [&](ColumnKind column) {
      bytes += graph_.store().column(column).payload_bytes +
               2 * BlockSlots::kAlignment * graph_.num_blocks();
    };
    add(graph_.neighbors(direction));
    if (side.with_weights) add(graph_.weights(direction));
  }
  return bytes;
}

StatusOr<BlockFeeder::Shares> BlockFeeder::ShareOut(uint64_t fixed_bytes,
                                                    uint64_t most_block) const {
  const Gpu& gpu = run_.gpu;
  const uint64_t card = (gpu.memory_bytes() - std::min(gpu.memory_bytes(), gpu.used_bytes())) /
                        DeviceBuffer::kGranularity * DeviceBuffer::kGranularity;
  const uint64_t left = card > fixed_bytes ? card - fixed_bytes : 0;
  const uint64_t all = AllBytes();
  const Transfer transfer = run_.options.transfer;
  const bool wants_all = transfer == Transfer::kResident || transfer == Transfer::kManaged;
  const bool may_stay = wants_all || transfer == Transfer::kAuto;
  Shares shares;
  shares.all_fits = may_stay && all <= left;
  const uint64_t slot = transfer == Transfer::kZeroCopy ? 0 : most_block;
  if (!shares.all_fits && (left < slot || card < fixed_bytes || wants_all)) {
    const uint64_t least =
        gpu.used_bytes() + DeviceBuffer::Footprint(fixed_bytes + (wants_all  ? all
                                                                  : may_stay ? std::min(all, slot)
                                                                             : slot));
    return BudgetError(StrCat(graph_.store().path(), " needs at least --gpu-memory ",
                              FormatMebibytesUp(least),
                              wants_all ? " with all edges on the card" : "", ", and has ",
                              FormatBytes(gpu.memory_bytes())));
  }
  if (shares.all_fits) {
    shares.room = all;
  } else if (transfer != Transfer::kZeroCopy) {
    shares.slots = std::max(left / kSlotShare, most_block);
    if (may_stay) shares.room = left - shares.slots;
  }
  return shares;
}

/// As many slots as both memories hold, each of at least one block.
void BlockFeeder::PlanSlots(const Shares& shares, uint64_t most_block) {
  const uint64_t ample = run_.options.streams * run_.options.batch_bytes;
  const uint64_t on_card = shares.slots > 0 ? shares.slots : ample;
  const uint64_t host = run_.staging_bytes;
  const uint64_t count = std::min({uint64_t{run_.options.streams}, on_card / most_block,
                                   host / BlockSlots::HostBytes(most_block)});
  num_slots_ = static_cast<uint32_t>(std::max<uint64_t>(1, count));
  const uint64_t overhead = BlockSlots::HostBytes(0);
  const uint64_t host_slot = host / num_slots_ > overhead ? host / num_slots_ - overhead : 0;
  const uint64_t bytes = std::min({run_.options.batch_bytes, on_card / num_slots_, host_slot});
  slot_bytes_ = std::max(most_block, bytes) / BlockSlots::kAlignment * BlockSlots::kAlignment;
}

Status BlockFeeder::Plan(DeviceArena* arena) {
  if (graph_.num_blocks() == 0) return OkStatus();
  for (Side& side : sides_) {
    if (side.edges != nullptr) arena->Plan(&side.device_numbers, graph_.num_blocks());
  }
  const bool weights = sides_[0].with_weights || sides_[1].with_weights;
  const uint64_t most_block = MostBlockBytes(graph_.info(), weights) + 4 * BlockSlots::kAlignment;
  const uint64_t numbers = run_.options.streams * kNumbersBytes;
  ASSIGN_OR_RETURN(const Shares shares, ShareOut(arena->bytes() + numbers, most_block));
  PlanSlots(shares, most_block);
  slots_on_card_ = shares.slots > 0;
  room_bytes_ = shares.room;
  rest_bytes_ = numbers + (slots_on_card_ ? num_slots_ * slot_bytes_ : 0);
  const bool managed = run_.options.transfer == Transfer::kManaged;
  if (!managed) rest_bytes_ += room_bytes_;
  ASSIGN_OR_RETURN(slots_, BlockSlots::Create(run_.gpu, num_slots_, slot_bytes_, room_bytes_,
                                              graph_.threads(), graph_.budget()));
  ASSIGN_OR_RETURN(ready_, GpuEvent::Create(run_.gpu));
  KeepLeases();
  return OkStatus();
}

/// Has leases of registered blocks kept from one sweep to the next, where memory for that is left.
void BlockFeeder::KeepLeases() {
  constexpr uint64_t kLeaseBytes = 160;            // with what it holds on to
  if (room_bytes_ > 0 && !slots_on_card_) return;  // every block comes once
  uint64_t leases = 0;
  for (const Side& side : sides_) leases += side.resident.size();
  auto reservation = graph_.budget().Reserve(leases * kLeaseBytes, "leases of cached blocks");
  if (!reservation.ok()) return;
  kept_reservation_ = std::move(*reservation);
  for (Side& side : sides_) side.kept.resize(side.resident.size());
}

Status BlockFeeder::Start(std::byte* rest) {
  if (num_slots_ == 0) return OkStatus();
  for (BlockSlot& slot : slots_->slots()) {
    slot.device_numbers = reinterpret_cast<uint32_t*>(rest);
    rest += kNumbersBytes;
    if (!slots_on_card_) continue;
    slot.device = rest;
    rest += slot_bytes_;
  }
  room_ = rest;
  if (run_.options.transfer == Transfer::kManaged) {
    ASSIGN_OR_RETURN(managed_, DeviceBuffer::AllocateManaged(run_.gpu, room_bytes_, "edges"));
    slots_->SetManaged(managed_.data());
  }
  return OkStatus();
}

}  // namespace edgemill

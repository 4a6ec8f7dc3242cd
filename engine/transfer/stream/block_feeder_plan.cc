// How a feeder shares out the card's memory and the host's, before the first iteration.
#include <algorithm>

#include "engine/plan/card_shares.h"
#include "engine/plan/staging_memory.h"
#include "engine/transfer/stream/block_feeder.h"

namespace edgemill {

Status BlockFeeder::Plan(const IterationNeeds& needs, uint64_t fixed_bytes) {
  if (graph_.num_blocks() == 0) return OkStatus();
  const uint64_t most_block = MostStagedBlockBytes(graph_.info(), needs.weighted);
  const uint64_t numbers = StagedNumbersBytes(run_.options.streams);
  ASSIGN_OR_RETURN(const CardShares shares,
                   ShareOutCard(graph_.store(), needs, run_.options, CardMemoryOf(run_.gpu),
                                fixed_bytes + numbers));
  const StagingSizes staging = PlanStaging(shares, run_.options, run_.staging_bytes, most_block);
  num_slots_ = staging.num_buffers;
  slot_bytes_ = staging.buffer_bytes;
  slots_on_card_ = staging.on_card;
  room_bytes_ = shares.resident_bytes;
  rest_bytes_ = numbers + (slots_on_card_ ? num_slots_ * slot_bytes_ : 0);
  const bool managed = run_.options.transfer == Transfer::kManaged;
  if (!managed) rest_bytes_ += room_bytes_;
  const BlockSlots::Sizes sizes{.count = num_slots_,
                                .slot_bytes = slot_bytes_,
                                .room_bytes = room_bytes_,
                                .reach_bytes = run_.options.calibration.reach_bytes};
  ASSIGN_OR_RETURN(slots_, BlockSlots::Create(run_.gpu, sizes, graph_.threads(), graph_.budget()));
  ASSIGN_OR_RETURN(ready_, GpuEvent::Create(run_.gpu));
  ASSIGN_OR_RETURN(run_counts_,
                   PinnedBuffer::Allocate(run_.gpu, kCountedLaunches * sizeof(RunCounts), 1));
  ASSIGN_OR_RETURN(origin_, GpuEvent::Create(run_.gpu, true));
  PlanModel();
  ASSIGN_OR_RETURN(choice_reservation_, graph_.budget().Reserve(ChoiceBytes(graph_.info()),
                                                                "choices for the GPU's blocks"));
  batch_.Reserve(graph_.num_blocks());
  KeepLeases();  // with what is left
  return OkStatus();
}

/// Has leases of registered blocks kept from one sweep to the next, where memory for that is left.
void BlockFeeder::KeepLeases() {
  constexpr uint64_t kLeaseBytes = 160;  // with what it holds on to
  if (!run_.pins_cache) return;
  uint64_t leases = 0;
  for (const Side& side : sides_) leases += side.resident.size();
  auto reservation = graph_.budget().Reserve(leases * kLeaseBytes, "leases of cached blocks");
  if (!reservation.ok()) return;
  kept_reservation_ = std::move(*reservation);
  for (Side& side : sides_) {
    side.kept.resize(side.resident.size());
    side.is_kept.resize(side.resident.size());
  }
}

void BlockFeeder::Keep(Side& side, const BlockEdges& edges) {
  side.kept[edges.block] = std::move(*edges.lease);
  side.is_kept[edges.block] = 1;
}

Status BlockFeeder::KeepCached() {
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    if (direction == Direction::kIn && !graph_.info().directed) break;
    Side& side = this->side(direction);
    if (side.edges == nullptr || side.kept.empty()) continue;
    std::vector<ColumnKind> columns = {graph_.neighbors(direction)};
    if (side.with_weights) columns.push_back(graph_.weights(direction));
    std::vector<uint64_t> blocks = graph_.reader().CachedBlocks(columns);
    if (blocks.empty()) continue;
    RETURN_IF_ERROR(graph_.Sweep(direction, side.with_weights, std::move(blocks),
                                 [&](int, const BlockEdges& edges) -> StatusOr<bool> {
                                   if (edges.lease->registered() && edges.lease->cached()) {
                                     Keep(side, edges);
                                   }
                                   return true;
                                 }));
  }
  return OkStatus();
}

Status BlockFeeder::Start(std::byte* rest, GpuStream& main) {
  if (num_slots_ == 0) return OkStatus();
  for (BlockSlot& slot : slots_->slots()) {
    slot.device_numbers = reinterpret_cast<uint32_t*>(rest);
    rest += StagedNumbersBytes(1);
    if (!slots_on_card_) continue;
    slot.device = rest;
    rest += slot_bytes_;
  }
  room_begin_ = room_ = rest;
  if (run_.options.transfer == Transfer::kManaged) {
    ASSIGN_OR_RETURN(managed_, DeviceBuffer::AllocateManaged(run_.gpu, room_bytes_, "edges"));
    slots_->SetManaged(managed_.data());
  }
  RETURN_IF_ERROR(main.Record(origin_));
  RETURN_IF_ERROR(main.Synchronize());
  slots_->RestartClock();
  return OkStatus();
}

}  // namespace edgemill

// How a feeder has all blocks of a direction within the reach of kernels that no sweep brings them
// for: on the card, or where they are kept in the host's memory.
#include <algorithm>

#include "engine/transfer/stream/block_feeder.h"

namespace edgemill {

bool BlockFeeder::MayBringAll(Direction direction, double seconds) {
  if (slots_on_card_ || run_.options.transfer != Transfer::kAuto) return false;
  const Side& side = this->side(direction);
  const Curve& disk = run_.options.calibration.disk_rate;
  for (uint64_t block = 0; block < side.resident.size() && seconds >= 0; ++block) {
    if (side.resident[block] != 0) continue;
    const double bytes = side.group_bytes * side.edges->edges().block_groups(block);
    seconds -= IsKept(side, block) ? model_->BulkSeconds(bytes) : bytes / disk.At(bytes);
  }
  return seconds >= 0;
}

Status BlockFeeder::BringAll(Direction direction, GpuStream& main) {
  Side& side = this->side(direction);
  const uint64_t num_blocks = side.resident.size();
  if (side.num_resident == num_blocks) return OkStatus();
  record_.Start(num_slots_, slots_->Now());
  repeated_ = true;
  room_planned_ = room_used_;
  batch_.Clear();
  batch_.kernel = EdgeKernel::kPush;
  batch_.transfers.assign(num_blocks, Transfer::kResident);
  batch_.alike.assign(num_blocks, 0);
  batch_.wanted_groups = batch_.alike;
  size_t num_missing = 0;
  for (uint64_t block = 0; block < num_blocks; ++block) {
    if (side.resident[block] == 0) batch_.numbers[num_missing++] = block;
  }
  batch_.missing = std::span(batch_.numbers).first(num_missing);
  PutInOrder(side);
  RETURN_IF_ERROR(main.Record(ready_));
  return SweepOthers(direction, nullptr, nullptr,
                     [](const RunSource&, uint64_t, GpuStream&, uint32_t) { return OkStatus(); });
}

bool BlockFeeder::AllKept(Direction direction) const {
  const Transfer transfer = run_.options.transfer;
  if (transfer != Transfer::kAuto && transfer != Transfer::kZeroCopy) return false;
  const Side& side = sides_[SideNumber(direction)];
  return !side.is_kept.empty() &&
         (side.shown || std::all_of(side.is_kept.begin(), side.is_kept.end(),
                                    [](uint8_t kept) { return kept != 0; }));
}

Status BlockFeeder::ShowKept(Direction direction, DeviceBlock* places, GpuStream& main) {
  Side& side = this->side(direction);
  if (side.shown) return OkStatus();
  BlockSlot& slot = slots_->slots().front();
  auto* const host = reinterpret_cast<DeviceBlock*>(slot.bytes());
  const uint64_t most = slot_bytes_ / sizeof(DeviceBlock);
  const uint64_t num_blocks = side.kept.size();
  for (uint64_t begin = 0; begin < num_blocks; begin += most) {
    const uint64_t count = std::min(most, num_blocks - begin);
    for (uint64_t i = 0; i < count; ++i) host[i] = BlockSlots::PlaceOf(side.kept[begin + i]);
    RETURN_IF_ERROR(main.CopyToDevice(places + begin, host, count * sizeof(DeviceBlock)));
    RETURN_IF_ERROR(main.Synchronize());
  }
  side.shown = true;
  return OkStatus();
}

double BlockFeeder::CountAcross(Direction direction, uint64_t groups) {
  const double bytes = static_cast<double>(groups) * side(direction).group_bytes;
  across_bytes_ += static_cast<uint64_t>(bytes);
  const double seconds = model_->BulkSeconds(bytes);
  parts_seconds_ += seconds;
  return seconds;
}

}  // namespace edgemill

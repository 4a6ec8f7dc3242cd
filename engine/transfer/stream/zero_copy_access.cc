#include "engine/transfer/stream/zero_copy_access.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "engine/transfer/staging_writer.h"

namespace edgemill {

bool ZeroCopyAccess::MayReach(Direction direction) const {
  const Transfer transfer = options_.transfer;
  if (transfer != Transfer::kAuto && transfer != Transfer::kZeroCopy) return false;
  return is_filled_[places_.SideOf(direction)] || places_.AllPinned(direction);
}

Status ZeroCopyAccess::FillTable(Direction direction, DeviceBlock* table,
                                 std::span<std::byte> staging, GpuStream& main) {
  CHECK(MayReach(direction));
  const size_t side = places_.SideOf(direction);
  if (is_filled_[side]) return OkStatus();
  CHECK_GE(staging.size(), sizeof(DeviceBlock));
  auto* const host = reinterpret_cast<DeviceBlock*>(staging.data());
  const PinnedBlocks& pinned = places_.pinned();
  const uint64_t most = staging.size() / sizeof(DeviceBlock);
  const uint64_t num_blocks = pinned.is_pinned(side).size();
  for (uint64_t begin = 0; begin < num_blocks; begin += most) {
    const uint64_t count = std::min(most, num_blocks - begin);
    for (uint64_t i = 0; i < count; ++i) host[i] = PointersOf(pinned.lease(side, begin + i));
    RETURN_IF_ERROR(main.CopyToDevice(table + begin, host, count * sizeof(DeviceBlock)));
    RETURN_IF_ERROR(main.Synchronize());
  }
  is_filled_[side] = true;
  return OkStatus();
}

double ZeroCopyAccess::Count(Direction direction, uint64_t groups) {
  const double bytes = static_cast<double>(groups) * places_.of(direction).blocks.group_bytes;
  bytes_ += static_cast<uint64_t>(bytes);
  const double seconds = model_.BulkSeconds(bytes);
  places_.resident().ChargeParts(seconds);
  return seconds;
}

uint64_t ZeroCopyAccess::DrainBytes() { return std::exchange(bytes_, 0); }

}  // namespace edgemill

#include "engine/gpu/workspace/device_directions.h"

#include "common/check.h"

namespace edgemill {
namespace {

constexpr Direction kDirections[] = {Direction::kOut, Direction::kIn};

}  // namespace

Status DeviceDirections::Upload(Gpu& gpu, GpuStream& stream) {
  for (const Direction which : kDirections) {
    const DirectionArrays& planned = arrays_.directions[static_cast<size_t>(which)];
    if (!planned.planned) continue;
    CHECK(graph_.has_index(which));
    RETURN_IF_ERROR(of(which).Upload(graph_, which, planned, gpu, stream));
  }
  return OkStatus();
}

std::vector<IndexCopy> DeviceDirections::IndexCopies() const {
  std::vector<IndexCopy> copies;
  for (const Direction which : kDirections) {
    if (!has_index(which) || !graph_.has_index(which)) continue;
    copies.push_back({graph_.index(which), edges(which).index});
  }
  return copies;
}

Status DeviceDirections::CheckDamaged(const PassCounters& counters) const {
  for (const Direction which : kDirections) {
    const uint32_t block = counters.damaged[Side(which)];
    if (block == ~0u) continue;
    return Damaged(which, block);
  }
  return OkStatus();
}

Status DeviceDirections::Damaged(Direction direction, uint32_t block) const {
  return DamagedBlock(graph_.store(), graph_.neighbors(direction), block,
                      "a neighbour is not a vertex of the graph");
}

}  // namespace edgemill

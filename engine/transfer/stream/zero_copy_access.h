// Blocks that kernels read from the host's pinned memory by zero-copy, without a pass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/cost/cost_model.h"
#include "engine/device/gpu.h"
#include "engine/plan/gpu_run.h"
#include "engine/transfer/stream/block_locations.h"
#include "kernels/gpu/device_edges.h"

namespace edgemill {

/// Belongs to one run. One thread drives it.
class ZeroCopyAccess {
 public:
  /// All arguments must outlive it.
  ZeroCopyAccess(const GpuRunOptions& options, BlockLocations& places, const CostModel& model)
      : options_(options), places_(places), model_(model) {}

  /// Whether kernels may read all blocks of `direction` from pinned memory.
  bool MayReach(Direction direction) const;
  /// Call this after MayReach returned true. Fills `table`, on the GPU, with the addresses of the
  /// blocks by number. The first call waits; later calls do nothing. `staging`: pinned memory that
  /// no copy uses.
  Status FillTable(Direction direction, DeviceBlock* table, std::span<std::byte> staging,
                   GpuStream& main);
  /// Notes that a kernel has read `groups` groups. Returns the least time that the link took.
  double Count(Direction direction, uint64_t groups);
  /// Returns the bytes that crossed the link since the last call.
  uint64_t DrainBytes();

 private:
  const GpuRunOptions& options_;
  BlockLocations& places_;
  const CostModel& model_;
  std::array<bool, PinnedBlocks::kNumSides> is_filled_{};
  uint64_t bytes_ = 0;
};

}  // namespace edgemill

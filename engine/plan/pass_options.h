// The options for the edge passes of a run.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cost/calibration.h"
#include "engine/program/mode.h"

namespace edgemill {

struct PassOptions {
  Mode mode = Mode::kAuto;
  /// The most passes over a block while it is in memory. In these passes, vertices that become
  /// active emit at once. 0: passes are synchronous.
  uint32_t async_passes = 0;
  /// Blocks do not stay in memory: each pass reads the blocks that it needs again.
  bool from_disk = false;
  /// The disk's bytes per second, by the bytes of a read. Null: the built-in calibration's.
  const Curve* disk_rate = nullptr;
  /// With Mode::kAuto: passes pull where active vertices have more than this share of all edges
  /// (Garaph). Without it, predicted seconds decide.
  std::optional<double> pull_threshold = {};
  /// On the CPU: the bytes of the parts in which pushes take SubCSRs; 0: pushes take blocks.
  uint64_t sub_csr_bytes = 0;
  /// For Intersect: the bytes that lists in memory may take, and what goes with them.
  uint64_t list_bytes = 0;
};

}  // namespace edgemill

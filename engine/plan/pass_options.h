// How the edge passes of a run are to go.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cost/calibration.h"
#include "engine/program/mode.h"

namespace edgemill {

struct PassOptions {
  Mode mode = Mode::kAuto;
  /// Passes over a block while it is in memory, at most, in which what has become active emits at
  /// once; 0: passes are synchronous.
  uint32_t async_passes = 0;
  /// Blocks do not stay in memory: each pass reads those again that it needs.
  bool from_disk = false;
  /// Bytes a second of that, by the bytes of a read; null: the built-in calibration's.
  const Curve* disk_rate = nullptr;
  /// With Mode::kAuto: pull where active vertices have more than this share of all edges (Garaph).
  /// Else by predicted seconds.
  std::optional<double> pull_threshold = {};
};

}  // namespace edgemill

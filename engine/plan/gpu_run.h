// What a run has of its GPU, and how it is to use it.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cost/calibration.h"
#include "engine/cost/cost_model.h"
#include "engine/device/gpu.h"
#include "engine/device/transfer.h"

namespace edgemill {

/// How a run uses its GPU.
struct GpuRunOptions {
  GpuOptions gpu;
  Transfer transfer = Transfer::kAuto;
  /// How transfer engines are chosen, and by what figures.
  CostModelKind cost_model = CostModelKind::kCalibrated;
  Calibration calibration = BuiltInCalibration();
  /// Batches of blocks under way at a time, each with a stream and a buffer of its own.
  uint32_t num_batches = 4;
  /// Size of these buffers; smaller where the budgets are.
  uint64_t batch_bytes = uint64_t{16} << 20;
  /// Iterations of few vertices may be one launch together. Callers that measure single passes turn
  /// this off.
  bool loops = true;
  /// With Device::kAuto: a note says why no GPU is used, also on machines without a GPU's driver.
  bool expected = false;
};

/// A GPU in use by a run. `staging_bytes` of the host's budget are set aside for pinned buffers.
struct GpuRun {
  Gpu& gpu;
  const GpuRunOptions& options;
  uint64_t staging_bytes = 0;
  bool shared = false;                        // with the CPU
  uint32_t async_passes = 0;                  // PassOptions'
  std::optional<double> pull_threshold = {};  // PassOptions'
  bool pins_cache = false;                    // the block cache is in registered memory
  bool in_memory = false;                     // and holds all that is scanned
};

}  // namespace edgemill

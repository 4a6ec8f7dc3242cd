// Measures a machine for the cost model: its disk, its processor, and its GPU where there is one.
#pragma once

#include <cstdint>
#include <string>

#include "common/progress.h"
#include "common/status.h"
#include "engine/cost/calibration.h"
#include "engine/run/run.h"

namespace edgemill::bench {

struct CalibrationOptions {
  /// Where a graph of some hundred megabytes and a file to read are made, and removed again; runs'
  /// disk, if they are to be chosen for.
  std::string directory;
  Device device = Device::kAuto;  // kCpu leaves a GPU alone, kGpu must have one
  GpuOptions gpu;
  int threads = 1;
  uint64_t memory_bytes = 0;
  /// The scale of the graph that the processor runs on. A smaller one takes less time, and measures
  /// caches.
  int scale = 20;
};

/// Measures, in less than a minute: random reads through the I/O engine; loops by pull and by push
/// on generated Kronecker graphs, on the processor and on the GPU; the link; zero-copying by the
/// GPU's kernels. Needs `memory_bytes` of `budget` (256 MiB at least), and as much on the
/// disk. MissingError and PermissionError for the directory; BudgetError; errors of the GPU, unless
/// there is none. Leaves nothing behind but after a kill: the next time removes that.
StatusOr<Calibration> CalibrateMachine(const CalibrationOptions& options, Progress& progress);

}  // namespace edgemill::bench

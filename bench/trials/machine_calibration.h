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
  /// Where a graph of some hundred megabytes and a file to read are made, and removed at the end.
  /// The rates of the disk are those of this directory.
  std::string directory;
  Device device = Device::kAuto;  // kCpu does not use a GPU, kGpu requires one
  GpuOptions gpu;
  int threads = 1;
  uint64_t memory_bytes = 0;
  /// The scale of the graph that the processor runs on. A smaller graph takes less time, but
  /// measures caches.
  int scale = 20;
};

/// Measures the machine in less than a minute:
///
/// - random reads through the I/O engine;
/// - passes by pull and by push on generated Kronecker graphs, on the processor and on the GPU;
/// - the link;
/// - zero-copy reads by the GPU's kernels.
///
/// Needs options.memory_bytes of memory, which is at least 256 MiB, and 512 MiB on the disk.
/// Returns MissingError and PermissionError for the directory, BudgetError, and errors of the GPU
/// if there is one. Leaves nothing behind. After a kill, the next call removes what was left.
StatusOr<Calibration> CalibrateMachine(const CalibrationOptions& options, Progress& progress);

}  // namespace edgemill::bench

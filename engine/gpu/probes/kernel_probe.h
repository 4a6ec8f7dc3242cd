// Measures the engine's own kernels on a graph's packed blocks: the rate of zero-copy, and the
// fixed time of a batch.
#pragma once

#include "common/status.h"
#include "engine/cost/calibration.h"
#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

struct KernelFigures {
  double zero_copy_rate = 0;  // bytes a second of kernels that read all blocks across the link
  double batch_seconds = 0;   // fixed time of a batch: its launches and table entries
};

/// Reads all out-neighbours of `graph`, pins them and copies them to the GPU: both memories must be
/// large enough. Returns errors of the reader and the device.
StatusOr<KernelFigures> ProbeKernels(Gpu& gpu, LoadedGraph& graph);

}  // namespace edgemill

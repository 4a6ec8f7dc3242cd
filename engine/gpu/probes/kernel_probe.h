// Measures the engine's own kernels on a graph's packed blocks: zero-copying them, and what a
// launch takes.
#pragma once

#include "common/status.h"
#include "engine/cost/calibration.h"
#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

struct KernelFigures {
  double zero_copy_rate = 0;  // bytes a second of kernels that read all blocks across the link
  double batch_seconds = 0;   // launches and marks of one batch, however small
};

/// Reads all out-neighbours of `graph`, which are pinned and copied to the GPU: both must have
/// room. Errors of reader and device.
StatusOr<KernelFigures> ProbeKernels(Gpu& gpu, LoadedGraph& graph);

}  // namespace edgemill

// Measures the engine's own kernels on a graph's packed blocks: zero-copying wanted groups, and
// what a launch and a wait take.
#pragma once

#include "common/status.h"
#include "engine/cost/calibration.h"
#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Fills in batch_seconds, zero_copy_wait and zero_copy_rate. Reads all out-neighbours of `graph`,
/// which are pinned and copied to the card: both must have room. Errors of reader and device.
Status ProbeKernels(Gpu& gpu, LoadedGraph& graph, Calibration* calibration);

}  // namespace edgemill

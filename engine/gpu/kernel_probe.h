// Measures the engine's own kernels on a graph's packed blocks: decoding, reading wanted groups
// across the link, and what a launch and a wait take.
#pragma once

#include "common/status.h"
#include "engine/cost/calibration.h"
#include "engine/device/gpu.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Fills in decode_rate, batch_seconds, group_wait, zero_copy_wait and zero_copy_rate. Reads all
/// out-neighbours of `graph`, which are pinned and copied to the card: both must have room. Errors
/// of reader and device.
Status ProbeKernels(Gpu& gpu, LoadedGraph& graph, Calibration* calibration);

}  // namespace edgemill

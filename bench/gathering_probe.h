// How fast the host gathers wanted groups of blocks, for a calibration.
#pragma once

#include "common/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/cost/calibration.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// Fills in gather_rate, gather_block_seconds and gather_start_seconds, from two shares of wanted
/// groups of the blocks of `store`, which has out-columns: a block's own time on one thread, and
/// the rate of bytes, on one and on `threads`. Copies of its blocks take up to half of what is left
/// of `budget`.
Status ProbeGathering(const GraphStore& store, int threads, MemoryBudget& budget,
                      Progress& progress, Calibration* calibration);

}  // namespace edgemill::bench

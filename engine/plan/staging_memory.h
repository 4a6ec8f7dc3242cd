// What a GPU takes of the host's memory.
#pragma once

#include <cstdint>

#include "engine/plan/gpu_run.h"
#include "storage/format/graph_info.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The most bytes that a block of neighbours, and of weights with them, takes in memory.
uint64_t MostBlockBytes(const GraphInfo& info, bool with_weights);

/// Pinned memory for what an iteration counts: counters, then a word a block and a bit a group.
inline constexpr uint64_t kCountersBytes = 4096;
uint64_t ControlBytes(const GraphInfo& info);
/// Memory for what planning an edge pass chooses, block by block.
inline constexpr uint64_t kChoiceBytesABlock = 40;
uint64_t ChoiceBytes(const GraphInfo& info);
/// Both: of what a GPU's run is given for staging, that which is no buffer's.
uint64_t BookkeepingBytes(const GraphInfo& info);

/// Memory of the host that a GPU's feeder needs at least, and what it makes use of: staging
/// buffers, and BookkeepingBytes.
uint64_t LeastStagingBytes(const GraphStore& store, bool with_weights);
uint64_t AmpleStagingBytes(const GraphStore& store, bool with_weights,
                           const GpuRunOptions& options);

}  // namespace edgemill

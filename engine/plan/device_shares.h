// How a GPU's memory is shared out among a run's arrays, blocks on their way and blocks that stay.
#pragma once

#include <cstdint>

#include "common/status.h"
#include "engine/device/gpu.h"
#include "engine/graph/vertex_index.h"
#include "engine/plan/gpu_run.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Lists that passes read; of an undirected graph the out-lists.
struct ScannedLists {
  bool out = false;
  bool in = false;
  bool weighted = false;

  bool Has(Direction direction) const { return direction == Direction::kOut ? out : in; }
};

/// A GPU, as far as its memory goes.
struct DeviceMemory {
  uint64_t bytes = 0;  // --gpu-memory
  uint64_t used_bytes = 0;
  int multiprocessors = 0;
};

inline DeviceMemory DeviceMemoryOf(const Gpu& gpu) {
  return {gpu.memory_bytes(), gpu.used_bytes(), gpu.properties().multiprocessors};
}

/// How the memory that arrays leave is shared out.
struct DeviceShares {
  bool all_fits = false;
  uint64_t staging_bytes = 0;   // of staging buffers, for blocks on their way
  uint64_t resident_bytes = 0;  // for blocks that stay, or unified memory
};

/// Bytes of the block numbers of `streams` staging buffers.
uint64_t StagedNumbersBytes(uint32_t num_batches);
/// The most that a block takes in a staging buffer.
uint64_t MostStagedBlockBytes(const GraphInfo& info, bool with_weights);

/// Shares out the GPU's memory, of which arrays take `fixed_bytes`. BudgetError with the least
/// workable --gpu-memory.
StatusOr<DeviceShares> ShareOutDeviceMemory(const GraphStore& store, const ScannedLists& lists,
                                            const GpuRunOptions& options,
                                            const DeviceMemory& memory, uint64_t fixed_bytes);

/// A run's staging buffers: pinned memory of the host and, where edges do not all fit the GPU, as
/// much on the GPU.
struct StagingSizes {
  uint32_t num_buffers = 0;
  uint64_t buffer_bytes = 0;
  bool on_device = false;

  /// Bytes of the buffers on the GPU.
  uint64_t gpu_bytes() const { return on_device ? num_buffers * buffer_bytes : 0; }
};
/// As many as `shares` and `host_bytes` of pinned memory hold, each of at least one block, which
/// takes at most `max_block_bytes`.
StagingSizes PlanStaging(const DeviceShares& shares, const GpuRunOptions& options,
                         uint64_t host_bytes, uint64_t max_block_bytes);

}  // namespace edgemill

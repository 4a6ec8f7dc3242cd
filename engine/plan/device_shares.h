// Shares out a GPU's memory among a run's arrays, blocks on their way and blocks that stay.
#pragma once

#include <cstdint>
#include <optional>

#include "common/status.h"
#include "engine/device/gpu.h"
#include "engine/graph/vertex_index.h"
#include "engine/plan/gpu_run.h"
#include "engine/plan/vertex_shares.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The lists that passes read. An undirected graph has only out-lists.
struct ScannedLists {
  bool out = false;
  bool in = false;
  bool weighted = false;  // with weights, where the lists have any

  bool Has(Direction direction) const { return direction == Direction::kOut ? out : in; }
  bool HasWeights(const GraphStore& store, Direction direction) const {
    return weighted && !LacksWeights(store, direction);
  }
};

/// The figures of a GPU that decide how its memory is shared out.
struct DeviceMemory {
  uint64_t bytes = 0;  // --gpu-memory
  uint64_t used_bytes = 0;
  int multiprocessors = 0;
  /// The GPU keeps this part of the blocks: 1 / parts.
  uint32_t parts = 1;
  /// The bytes of that part, where they are known; else an estimate will do.
  std::optional<uint64_t> part_bytes = {};
};

inline DeviceMemory DeviceMemoryOf(const Gpu& gpu, uint32_t parts = 1) {
  return {gpu.memory_bytes(), gpu.used_bytes(), gpu.properties().multiprocessors, parts};
}

/// How the memory that arrays leave is shared out.
struct DeviceShares {
  bool all_fits = false;
  uint64_t staging_bytes = 0;   // of staging buffers, for blocks on their way
  uint64_t resident_bytes = 0;  // for blocks that stay, or unified memory
};

/// Bytes on the GPU of the blocks that are scanned: of those in `blocks`, by direction, or of all.
uint64_t ScannedBlocksBytes(const GraphStore& store, const ScannedLists& lists,
                            const PassBlocks* blocks = nullptr);
/// The bytes of the block numbers of `num_batches` staging buffers.
uint64_t StagedNumbersBytes(uint32_t num_batches);
/// The most bytes that a block takes in a staging buffer.
uint64_t MostStagedBlockBytes(const GraphInfo& info, bool with_weights);

/// Shares out the GPU's memory, of which arrays take `fixed_bytes`. Where it is too small, a
/// BudgetError names the least --gpu-memory.
StatusOr<DeviceShares> ShareOutDeviceMemory(const GraphStore& store, const ScannedLists& lists,
                                            const GpuRunOptions& options,
                                            const DeviceMemory& memory, uint64_t fixed_bytes);

/// A run's staging buffers: pinned memory of the host and, unless all edges fit on the GPU, the
/// same number of bytes there.
struct StagingSizes {
  uint32_t num_buffers = 0;
  uint64_t buffer_bytes = 0;
  bool on_device = false;

  /// Bytes of the buffers on the GPU.
  uint64_t gpu_bytes() const { return on_device ? num_buffers * buffer_bytes : 0; }
};
/// Plans as many buffers as fit into `shares` and `host_bytes` of pinned memory. Each has space for
/// at least one block, which takes at most `max_block_bytes`.
StagingSizes PlanStaging(const DeviceShares& shares, const GpuRunOptions& options,
                         uint64_t host_bytes, uint64_t max_block_bytes);

}  // namespace edgemill

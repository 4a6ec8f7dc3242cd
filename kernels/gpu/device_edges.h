// One direction's packed edges as kernels on a GPU find them: plain pointers, whichever object owns
// the memory.
//
// The unit of work is a run: up to 16 consecutive groups of one block, decoded by one warp, in
// order. A run's first owner is kept (4 bytes for 2,048 edges), so that a warp starts without a
// search. A bit for each group tells whether an iteration wants it: 1 bit for 128 edges. A block's
// bytes lie in the GPU's own memory or in the host's; kernels do not know which.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/portable_atomics.h"
#include "kernels/vertex_index_view.h"
#include "storage/format/graph_info.h"
#include "storage/format/group_codec.h"

namespace edgemill {

inline constexpr uint32_t kWarpSize = 32;
/// Warps of a thread block in a launch over runs: each warp takes a run.
inline constexpr uint32_t kVisitWarps = 8;
inline constexpr uint32_t kVisitThreads = kVisitWarps * kWarpSize;
/// The most groups a run has, log2.
inline constexpr uint32_t kMaxRunShift = 4;
/// Edges of a group, log2.
inline constexpr uint32_t kGroupShift = 7;
static_assert(1u << kGroupShift == kGroupSize);

/// A block's payloads, as the device reaches them. Checked (PackedView::Open) before they get here.
struct DeviceBlock {
  const uint64_t* neighbors = nullptr;  // PackedView's payload
  const void* weights = nullptr;        // packed like it, or raw values: DeviceEdges::weights
};

/// One direction.
struct DeviceEdges {
  VertexIndexView index;
  WeightType weights = WeightType::kNone;  // as stored: kInt32 packed, others raw values
  EdgeIndex num_edges = 0;
  uint32_t block_shift = 0;             // log2 of edges a block
  uint32_t run_shift = 0;               // log2 of groups a run
  const VertexId* run_owner = nullptr;  // of each run's first edge; at the end the last vertex
  const DeviceBlock* blocks = nullptr;  // by block number; those that a launch's runs lie in

  EM_HOST_DEVICE uint64_t num_blocks() const {
    return (num_edges + (EdgeIndex{1} << block_shift) - 1) >> block_shift;
  }
  EM_HOST_DEVICE uint64_t num_groups() const { return (num_edges + kGroupSize - 1) >> kGroupShift; }
  EM_HOST_DEVICE uint32_t run_edges_shift() const { return kGroupShift + run_shift; }
  EM_HOST_DEVICE uint64_t num_runs() const {
    return (num_edges + (EdgeIndex{1} << run_edges_shift()) - 1) >> run_edges_shift();
  }
  /// log2 of runs a block.
  EM_HOST_DEVICE uint32_t block_runs_shift() const { return block_shift - run_edges_shift(); }
  EM_HOST_DEVICE EdgeIndex run_begin(uint64_t run) const { return run << run_edges_shift(); }
  EM_HOST_DEVICE EdgeIndex run_end(uint64_t run) const {
    const EdgeIndex end = run_begin(run + 1);
    return end < num_edges ? end : num_edges;
  }
  /// Groups of the blocks before.
  EM_HOST_DEVICE uint64_t groups_before(uint64_t block) const {
    const uint64_t groups = block << (block_shift - kGroupShift);
    return groups < num_groups() ? groups : num_groups();
  }
  /// Groups of a block: fewer in the last.
  EM_HOST_DEVICE uint32_t block_groups(uint64_t block) const {
    return static_cast<uint32_t>(groups_before(block + 1) - groups_before(block));
  }
};

/// A direction's edges, all within the kernel's reach: blocks that are not on the GPU are read
/// across the link.
struct ReachedEdges {
  DeviceEdges edges;
  const DeviceBlock* pinned = nullptr;  // by block number: where those are
  /// The headers of all groups, on the GPU, so that one access less goes across the link; null:
  /// they are not there.
  const uint64_t* headers = nullptr;
};

struct BlockPlace;

/// Which runs a launch visits, and which of their groups.
struct RunSource {
  /// A list of runs, and where its length is; or, when null, all runs of `blocks`.
  const uint32_t* runs = nullptr;
  const uint32_t* num_runs = nullptr;
  const uint32_t* blocks = nullptr;  // rising block numbers; null: from first_block on
  uint32_t first_block = 0;
  uint32_t num_blocks = 0;
  /// A bit a group of the whole direction: those to visit; null: all.
  const uint32_t* groups = nullptr;
  /// Only for batches that leave the GPU again: each block's address there, and which of its groups
  /// were copied.
  const BlockPlace* places = nullptr;
};

}  // namespace edgemill

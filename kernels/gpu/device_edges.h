// One direction's packed edges for kernels on a GPU: plain pointers. Other objects own the memory.
//
// The unit of work is a warp tile: up to 16 consecutive groups of one block. One warp decodes them
// in order. The source vertex of a tile's first edge is stored (4 bytes for 2,048 edges), so that a
// warp starts without a search. A bit for each group (128 edges) says whether a pass wants the
// group. A block's bytes are in the GPU's memory or in the host's; kernels do not know which.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/portable_atomics.h"
#include "kernels/vertex_index_view.h"
#include "storage/format/graph_info.h"
#include "storage/format/group_codec.h"

namespace edgemill {

inline constexpr uint32_t kWarpSize = 32;
/// Warps of a thread block in a launch over warp tiles. Each warp takes one tile at a time.
inline constexpr uint32_t kVisitWarps = 8;
inline constexpr uint32_t kVisitThreads = kVisitWarps * kWarpSize;
/// log2 of the most groups in a warp tile.
inline constexpr uint32_t kMaxTileShift = 4;
/// log2 of the edges in a group.
inline constexpr uint32_t kGroupShift = 7;
static_assert(1u << kGroupShift == kGroupSize);

/// A block's payloads, at addresses that the device can read. They were checked before
/// (PackedView::Open).
struct DeviceBlock {
  const uint64_t* neighbors = nullptr;  // payload of a PackedView
  const void* weights = nullptr;        // packed or raw, as DeviceEdges::weights says
};

/// The edges of one direction.
struct DeviceEdges {
  VertexIndexView index;
  WeightType weights = WeightType::kNone;  // as stored: kInt32 packed, others raw values
  EdgeIndex num_edges = 0;
  uint32_t block_shift = 0;  // log2 of the edges in a block
  uint32_t tile_shift = 0;   // log2 of the groups in a warp tile
  /// The source vertex of the first edge of each warp tile, and then the last vertex.
  const VertexId* tile_source = nullptr;
  const DeviceBlock* blocks = nullptr;  // by block number; valid for visited blocks

  EM_HOST_DEVICE uint64_t num_blocks() const {
    return (num_edges + (EdgeIndex{1} << block_shift) - 1) >> block_shift;
  }
  EM_HOST_DEVICE uint64_t num_groups() const { return (num_edges + kGroupSize - 1) >> kGroupShift; }
  EM_HOST_DEVICE uint32_t tile_edges_shift() const { return kGroupShift + tile_shift; }
  EM_HOST_DEVICE uint64_t num_tiles() const {
    return (num_edges + (EdgeIndex{1} << tile_edges_shift()) - 1) >> tile_edges_shift();
  }
  /// log2 of the warp tiles in a block.
  EM_HOST_DEVICE uint32_t block_tiles_shift() const { return block_shift - tile_edges_shift(); }
  EM_HOST_DEVICE EdgeIndex tile_begin(uint64_t tile) const { return tile << tile_edges_shift(); }
  EM_HOST_DEVICE EdgeIndex tile_end(uint64_t tile) const {
    const EdgeIndex end = tile_begin(tile + 1);
    return end < num_edges ? end : num_edges;
  }
  /// Returns the groups of all blocks before `block`.
  EM_HOST_DEVICE uint64_t groups_before(uint64_t block) const {
    const uint64_t groups = block << (block_shift - kGroupShift);
    return groups < num_groups() ? groups : num_groups();
  }
  /// Returns the groups of a block. The last block may have fewer.
  EM_HOST_DEVICE uint32_t block_groups(uint64_t block) const {
    return static_cast<uint32_t>(groups_before(block + 1) - groups_before(block));
  }
};

/// A direction's edges, when kernels can read all of them: blocks that are not on the GPU are read
/// across the link.
struct ReachedEdges {
  DeviceEdges edges;
  const DeviceBlock* pinned = nullptr;  // by block number: addresses in pinned memory
  /// The headers of all groups, on the GPU, so that reading a group takes one access less across
  /// the link. May be null.
  const uint64_t* headers = nullptr;
};

struct BlockPlace;

/// The warp tiles that a launch visits, and which of their groups.
struct TileSelection {
  /// A list of tiles, and the address of its length. If null, all tiles of `blocks` are visited.
  const uint32_t* tiles = nullptr;
  const uint32_t* num_tiles = nullptr;
  const uint32_t* blocks = nullptr;  // in rising order; null: from first_block on
  uint32_t first_block = 0;
  uint32_t num_blocks = 0;
  /// A bit for each group of the whole direction: the groups to visit; null: all.
  const uint32_t* groups = nullptr;
  /// Set only for batches whose blocks do not stay: each block's address on the GPU, and which of
  /// its groups were copied.
  const BlockPlace* places = nullptr;
  /// Set only for batches of SubCSRs, which a launch visits in place of tiles. Each has its address
  /// on the GPU in BlockPlace::bytes.neighbors.
  const BlockPlace* sub_csrs = nullptr;
  uint32_t num_sub_csrs = 0;
};

}  // namespace edgemill

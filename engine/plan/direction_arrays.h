// One direction's arrays on the GPU, planned only from counts.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "engine/device/arena_plan.h"
#include "engine/graph/vertex_index.h"
#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/edge_kernels.h"
#include "storage/format/graph_info.h"

namespace edgemill {

/// The layout of a graph's blocks, groups and warp tiles, without any addresses.
DeviceEdges DeviceEdgesOf(const GraphInfo& info);

/// One direction's arrays on the GPU. They take 4 bytes for each vertex, 24 bytes for each block
/// and, for 2,048 edges, 8 bytes of tiles and 2 bytes of groups. The pointers lead into an arena:
/// this struct must not move until the arena is allocated.
struct DirectionArrays {
  bool planned = false;
  uint32_t* low = nullptr;
  VertexId* crossings = nullptr;
  VertexId* tile_sources = nullptr;
  DeviceBlock* blocks = nullptr;
  uint32_t* block_counts = nullptr;
  uint32_t* groups = nullptr;
  uint32_t* tiles = nullptr;
  uint32_t* num_listed_tiles = nullptr;  // in `tiles`
  uint32_t* resident = nullptr;          // numbers of the blocks that stay on the GPU

  /// `with_groups`: iterations choose groups. `scanned`: the direction's blocks come to the GPU.
  void Plan(const GraphInfo& info, Direction direction, bool with_groups, bool scanned,
            ArenaPlan* arena);
};

}  // namespace edgemill

#include "engine/plan/direction_arrays.h"

#include <algorithm>
#include <bit>

#include "common/check.h"

namespace edgemill {

DeviceEdges DeviceEdgesOf(const GraphInfo& info) {
  // Groups and tiles are found by shifts, so their sizes must be powers of two.
  CHECK(std::has_single_bit(info.block_edges));
  CHECK_GE(info.block_edges, kGroupSize);
  DeviceEdges edges;
  edges.num_edges = info.num_edges;
  edges.block_shift = static_cast<uint32_t>(std::countr_zero(info.block_edges));
  edges.tile_shift = std::min(kMaxTileShift, edges.block_shift - kGroupShift);
  return edges;
}

void DirectionArrays::Plan(const GraphInfo& info, Direction direction, bool with_groups,
                           bool scanned, ArenaPlan* arena) {
  CHECK(!planned);  // the arena keeps the addresses of these fields
  planned = true;
  const DeviceEdges edges = DeviceEdgesOf(info);
  arena->Plan(&low, info.num_vertices + 1);
  arena->Plan(&crossings, info.offset_crossings[static_cast<size_t>(direction)].size());
  arena->Plan(&tile_sources, edges.num_tiles() + 1);
  arena->Plan(&blocks, edges.num_blocks());
  arena->Plan(&block_counts, edges.num_blocks());
  if (with_groups) {
    arena->Plan(&groups, (edges.num_groups() + 31) / 32);
    arena->Plan(&tiles, edges.num_tiles());
  }
  arena->Plan(&num_listed_tiles, 1);
  if (scanned) arena->Plan(&resident, edges.num_blocks());
}

}  // namespace edgemill

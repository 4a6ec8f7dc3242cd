// The loop of every kernel over edges. It gives warp tiles to warps, and brings groups to
// registers. A visitor decides what to do with the edges. Gunrock separates load balancing and the
// functor on an edge in the same way.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/tile_reader.cuh"
#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// Tells a visitor where its warp is.
struct WarpPlace {
  uint32_t lane;
  uint64_t tile;
  EdgeIndex first;    // the group's first edge
  uint32_t size;      // the group's edges
  VertexId before;    // source vertex of `first`, if no list starts there
  VertexId previous;  // target of the edge before `first` in its list
  uint32_t* words;    // 8-byte aligned shared memory: the visitor's kScratchWords
};

/// Returns the warp tile of item number `item` of a launch. It may lie after the last tile.
__device__ inline uint64_t TileOf(const DeviceEdges& edges, const TileSelection& source,
                                  uint64_t item) {
  if (source.tiles != nullptr) return source.tiles[item];
  const uint64_t at = item >> edges.block_tiles_shift();
  const uint64_t block = source.blocks != nullptr ? source.blocks[at] : source.first_block + at;
  return (block << edges.block_tiles_shift()) +
         (item & ((uint64_t{1} << edges.block_tiles_shift()) - 1));
}

/// Returns a bit for each group of a warp tile: 1 if the group is wanted.
__device__ inline uint32_t WantedInTile(const DeviceEdges& edges, const TileSelection& source,
                                        uint64_t tile) {
  const uint32_t num_groups = static_cast<uint32_t>(
      (edges.tile_end(tile) - edges.tile_begin(tile) + kGroupSize - 1) >> kGroupShift);
  const uint32_t all = (1u << num_groups) - 1;
  if (source.groups == nullptr) return all;
  const uint64_t bit = tile << edges.tile_shift;
  return all & source.groups[bit / 32] >> (bit % 32);
}

/// Whether the target of one of the lane's edges is no vertex.
template <typename Weight>
__device__ inline bool HasDamage(const WarpPlace& place, const LaneEdges<Weight>& edges) {
  const uint32_t before = place.lane * kLaneEdges;
  const uint32_t size = place.size < before ? 0 : place.size - before;
  return edges.valid != (size >= kLaneEdges ? (1u << kLaneEdges) - 1 : (1u << size) - 1);
}

/// Returns the words of shared memory that a visitor needs.
template <typename Visitor>
__host__ __device__ constexpr uint32_t ScratchWords() {
  if constexpr (requires { Visitor::kScratchWords; }) {
    return Visitor::kScratchWords;
  } else {
    return 0;
  }
}

/// Visits the warp tiles of `source` with copies of `visitor`. A visitor has these functions:
///   void BeginTile(const WarpPlace&): `first` is the tile's first edge, `before` the source vertex
///     of that edge
///   void Group(const WarpPlace&, const LaneEdges<Weight>&, uint32_t* lanes): a group of the tile;
///     `lanes` are 128 words of scratch memory
///   void EndTile(const WarpPlace&)
///   void Finish(): once, at the end, by all threads of the thread block together
/// All lanes of a warp call them together. `Weight` is NoWeight, or the type to which weights are
/// converted. Edges whose target is no vertex are skipped. `*damaged` gets the least block with
/// such an edge.
template <typename Weight, typename Visitor>
__global__ void __launch_bounds__(kVisitThreads)
    VisitTilesKernel(DeviceEdges edges, TileSelection source, Visitor visitor, uint32_t* damaged) {
  constexpr uint32_t kWords = ScratchWords<Visitor>();
  __shared__ WarpScratch<Weight> scratches[kVisitWarps];
  __shared__ alignas(8) uint32_t words[kWords > 0 ? kWords * kVisitWarps : 1];
  const uint32_t warp = threadIdx.x / kWarpSize;
  WarpScratch<Weight>& scratch = scratches[warp];
  WarpPlace place{.lane = threadIdx.x % kWarpSize, .words = words + warp * kWords};
  const uint64_t num_items = source.tiles != nullptr
                                 ? uint64_t{*source.num_tiles}
                                 : uint64_t{source.num_blocks} << edges.block_tiles_shift();
  const uint64_t step = uint64_t{gridDim.x} * kVisitWarps;
  for (uint64_t item = uint64_t{blockIdx.x} * kVisitWarps + warp; item < num_items; item += step) {
    place.tile = TileOf(edges, source, item);
    place.first = edges.tile_begin(place.tile);
    if (place.first >= edges.num_edges) continue;
    const uint32_t wanted = WantedInTile(edges, source, place.tile);
    if (wanted == 0) continue;
    const uint64_t block = place.first >> edges.block_shift;
    const uint32_t first_group = static_cast<uint32_t>(place.tile << edges.tile_shift) &
                                 ((1u << (edges.block_shift - kGroupShift)) - 1);
    TileReader<Weight> reader(edges.blocks[block], edges.weights, edges.block_groups(block),
                              first_group, wanted, place.lane, scratch);
    place.before = edges.tile_source[place.tile];
    visitor.BeginTile(place);
    EdgeIndex reached = place.first;  // place.before has this edge or the one before in its list
    for (; reader.Await(); reader.Next()) {
      place.first = edges.tile_begin(place.tile) + (uint64_t{reader.group()} << kGroupShift);
      if (place.first != reached) {
        place.before =
            edges.index.OwnerOf(place.first, place.before, edges.tile_source[place.tile + 1] + 1);
      }
      const uint64_t left = edges.tile_end(place.tile) - place.first;
      place.size = left < kGroupSize ? static_cast<uint32_t>(left) : kGroupSize;
      place.previous = reader.header().base;
      LaneEdges<Weight> lane_edges;
      VertexId last_source = place.before;
      WarpNeighbors(edges.index, reader.header(), scratch.neighbors, reader.start(), place.first,
                    place.size, place.lane, scratch.lanes, &last_source, &lane_edges);
      if (HasDamage(place, lane_edges)) atomicMin(damaged, static_cast<uint32_t>(block));
      reader.Weights(place.size, &lane_edges);
      visitor.Group(place, lane_edges, scratch.lanes);
      place.before = last_source;
      reached = place.first + place.size;
    }
    visitor.EndTile(place);
  }
  visitor.Finish();
}

}  // namespace edgemill

// The loop that every kernel over edges shares: runs to warps, groups to registers, and what to do
// with them left to a visitor (Gunrock's split of a functor on an edge from its load balancing).
#pragma once

#include <cstdint>

#include "kernels/device_edges.h"
#include "kernels/warp_decode.cuh"

namespace edgemill {

inline constexpr uint32_t kVisitWarps = 8;  // a thread block
inline constexpr uint32_t kVisitThreads = kVisitWarps * kWarpSize;

/// Tells a visitor where its warp is.
struct WarpPlace {
  uint32_t lane;
  uint64_t run;
  EdgeIndex first;  // the group's first edge
  uint32_t size;    // the group's edges
  VertexId before;  // owner of `first`, if that is no head
};

/// Visits `source`'s runs of `edges` with `visitor`, a copy for each warp:
///   void BeginRun(const WarpPlace&): `first` is the run's first edge, `before` that edge's owner
///   void Group(const WarpPlace&, const LaneEdges<Weight>&, WarpScratch&): the scratch is its own
///   void EndRun(const WarpPlace&)
///   void Finish(): once, by all threads of the block together, at the end.
/// All are called by all lanes together. `Weight` is NoWeight, int32_t, float or double. Blocks
/// with a target that is no vertex are noted in `*damaged` (the least), and such edges left out.
template <typename Weight, typename Visitor>
__global__ void __launch_bounds__(kVisitThreads)
    VisitRunsKernel(DeviceEdges edges, RunSource source, Visitor visitor, uint32_t* damaged) {
  __shared__ WarpScratch scratches[kVisitWarps];
  WarpScratch& scratch = scratches[threadIdx.x / kWarpSize];
  WarpPlace place{.lane = threadIdx.x % kWarpSize};
  const uint64_t num_items = source.runs != nullptr
                                 ? uint64_t{*source.num_runs}
                                 : uint64_t{source.num_blocks} << edges.block_runs_shift();
  const uint64_t step = uint64_t{gridDim.x} * kVisitWarps;
  for (uint64_t item = uint64_t{blockIdx.x} * kVisitWarps + threadIdx.x / kWarpSize;
       item < num_items; item += step) {
    if (source.runs != nullptr) {
      place.run = source.runs[item];
    } else {
      const uint64_t at = item >> edges.block_runs_shift();
      const uint64_t block = source.blocks != nullptr ? source.blocks[at] : source.first_block + at;
      place.run = (block << edges.block_runs_shift()) +
                  (item & ((uint64_t{1} << edges.block_runs_shift()) - 1));
    }
    place.first = edges.run_begin(place.run);
    if (place.first >= edges.num_edges) continue;
    const uint32_t run_groups = 1u << edges.run_shift;
    uint32_t wanted = (1u << run_groups) - 1;
    if (source.groups != nullptr) {
      const uint64_t bit = place.run << edges.run_shift;
      wanted &= source.groups[bit / 32] >> (bit % 32);
      if (wanted == 0) continue;
    }
    const uint64_t block = place.first >> edges.block_shift;
    const DeviceBlock bytes = edges.blocks[block];
    const uint32_t block_groups = edges.block_groups(block);
    const EdgeIndex run_end = edges.run_end(place.run);
    const VertexId first_owner = edges.run_owner[place.run];
    place.before = first_owner;
    visitor.BeginRun(place);
    EdgeIndex reached = place.first;  // place.before owns this edge, or the one before
    for (; wanted != 0; wanted &= wanted - 1) {
      place.first =
          edges.run_begin(place.run) + (static_cast<uint64_t>(__ffs(wanted) - 1) << kGroupShift);
      if (place.first >= run_end) break;
      if (place.first != reached) {
        place.before =
            edges.index.OwnerOf(place.first, place.before, edges.run_owner[place.run + 1] + 1);
      }
      const uint64_t left = run_end - place.first;
      place.size = left < kGroupSize ? static_cast<uint32_t>(left) : kGroupSize;
      const uint32_t group = static_cast<uint32_t>(place.first >> kGroupShift) &
                             ((1u << (edges.block_shift - kGroupShift)) - 1);
      LaneEdges<Weight> lane_edges;
      VertexId last_owner = place.before;
      WarpNeighbors(edges.index, bytes.neighbors, block_groups, group, place.first, place.size,
                    place.lane, scratch, &last_owner, &lane_edges);
      WarpWeights(bytes.weights, block_groups, group, place.size, place.lane, scratch, &lane_edges);
      const uint32_t lane_size =
          place.size < place.lane * kLaneEdges ? 0 : place.size - place.lane * kLaneEdges;
      const uint32_t all = lane_size >= kLaneEdges ? (1u << kLaneEdges) - 1 : (1u << lane_size) - 1;
      if (lane_edges.valid != all) atomicMin(damaged, static_cast<uint32_t>(block));
      visitor.Group(place, lane_edges, scratch);
      place.before = last_owner;
      reached = place.first + place.size;
    }
    visitor.EndRun(place);
  }
  visitor.Finish();
}

}  // namespace edgemill

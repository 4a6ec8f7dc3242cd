// The loop that every kernel over edges shares: it gives runs to warps, and brings groups to
// registers. A visitor decides what to do with them. That is Gunrock's split of a functor on an
// edge from its load balancing.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/run_reader.cuh"
#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// Tells a visitor where its warp is.
struct WarpPlace {
  uint32_t lane;
  uint64_t run;
  EdgeIndex first;    // the group's first edge
  uint32_t size;      // the group's edges
  VertexId before;    // owner of `first`, if that is no head
  VertexId previous;  // target of the edge before `first`
  uint32_t* words;  // the visitor's kScratchWords of shared memory, 8-byte aligned; if it has that
};

/// The run of a launch's item number `item`; possibly one behind the last.
__device__ inline uint64_t RunOf(const DeviceEdges& edges, const RunSource& source, uint64_t item) {
  if (source.runs != nullptr) return source.runs[item];
  const uint64_t at = item >> edges.block_runs_shift();
  const uint64_t block = source.blocks != nullptr ? source.blocks[at] : source.first_block + at;
  return (block << edges.block_runs_shift()) +
         (item & ((uint64_t{1} << edges.block_runs_shift()) - 1));
}

/// A bit for each group of a run that is to be visited.
__device__ inline uint32_t WantedInRun(const DeviceEdges& edges, const RunSource& source,
                                       uint64_t run) {
  const uint32_t num_groups = static_cast<uint32_t>(
      (edges.run_end(run) - edges.run_begin(run) + kGroupSize - 1) >> kGroupShift);
  const uint32_t all = (1u << num_groups) - 1;
  if (source.groups == nullptr) return all;
  const uint64_t bit = run << edges.run_shift;
  return all & source.groups[bit / 32] >> (bit % 32);
}

/// Whether one of the lane's edges leads to no vertex.
template <typename Weight>
__device__ inline bool HasDamage(const WarpPlace& place, const LaneEdges<Weight>& edges) {
  const uint32_t before = place.lane * kLaneEdges;
  const uint32_t size = place.size < before ? 0 : place.size - before;
  return edges.valid != (size >= kLaneEdges ? (1u << kLaneEdges) - 1 : (1u << size) - 1);
}

/// Words of shared memory that a visitor needs.
template <typename Visitor>
__host__ __device__ constexpr uint32_t ScratchWords() {
  if constexpr (requires { Visitor::kScratchWords; }) {
    return Visitor::kScratchWords;
  } else {
    return 0;
  }
}

/// Visits `source`'s runs of `edges` with `visitor`, a copy for each warp:
///   void BeginRun(const WarpPlace&): `first` is the run's first edge, `before` that edge's owner
///   void Group(const WarpPlace&, const LaneEdges<Weight>&, uint32_t* lanes): a group of the run;
///     `lanes` are 128 words of scratch
///   void EndRun(const WarpPlace&)
///   void Finish(): once, at the end, by all threads of the thread block together
/// All lanes of a warp call them together. `Weight` is NoWeight, or the type that weights are
/// converted to. Blocks with a neighbour that is no vertex are noted in `*damaged` (the least), and
/// such edges left out.
template <typename Weight, typename Visitor>
__global__ void __launch_bounds__(kVisitThreads)
    VisitRunsKernel(DeviceEdges edges, RunSource source, Visitor visitor, uint32_t* damaged) {
  constexpr uint32_t kWords = ScratchWords<Visitor>();
  __shared__ WarpScratch<Weight> scratches[kVisitWarps];
  __shared__ alignas(8) uint32_t words[kWords > 0 ? kWords * kVisitWarps : 1];
  const uint32_t warp = threadIdx.x / kWarpSize;
  WarpScratch<Weight>& scratch = scratches[warp];
  WarpPlace place{.lane = threadIdx.x % kWarpSize, .words = words + warp * kWords};
  const uint64_t num_items = source.runs != nullptr
                                 ? uint64_t{*source.num_runs}
                                 : uint64_t{source.num_blocks} << edges.block_runs_shift();
  const uint64_t step = uint64_t{gridDim.x} * kVisitWarps;
  for (uint64_t item = uint64_t{blockIdx.x} * kVisitWarps + warp; item < num_items; item += step) {
    place.run = RunOf(edges, source, item);
    place.first = edges.run_begin(place.run);
    if (place.first >= edges.num_edges) continue;
    const uint32_t wanted = WantedInRun(edges, source, place.run);
    if (wanted == 0) continue;
    const uint64_t block = place.first >> edges.block_shift;
    const uint32_t first_group = static_cast<uint32_t>(place.run << edges.run_shift) &
                                 ((1u << (edges.block_shift - kGroupShift)) - 1);
    RunReader<Weight> reader(edges.blocks[block], edges.weights, edges.block_groups(block),
                             first_group, wanted, place.lane, scratch);
    place.before = edges.run_owner[place.run];
    visitor.BeginRun(place);
    EdgeIndex reached = place.first;  // place.before owns this edge, or the one before
    for (; reader.Await(); reader.Leave()) {
      place.first = edges.run_begin(place.run) + (uint64_t{reader.group()} << kGroupShift);
      if (place.first != reached) {
        place.before =
            edges.index.OwnerOf(place.first, place.before, edges.run_owner[place.run + 1] + 1);
      }
      const uint64_t left = edges.run_end(place.run) - place.first;
      place.size = left < kGroupSize ? static_cast<uint32_t>(left) : kGroupSize;
      place.previous = reader.header().base;
      LaneEdges<Weight> lane_edges;
      VertexId last_owner = place.before;
      WarpNeighbors(edges.index, reader.header(), scratch.neighbors, reader.start(), place.first,
                    place.size, place.lane, scratch.lanes, &last_owner, &lane_edges);
      if (HasDamage(place, lane_edges)) atomicMin(damaged, static_cast<uint32_t>(block));
      reader.Weights(place.size, &lane_edges);
      visitor.Group(place, lane_edges, scratch.lanes);
      place.before = last_owner;
      reached = place.first + place.size;
    }
    visitor.EndRun(place);
  }
  visitor.Finish();
}

}  // namespace edgemill

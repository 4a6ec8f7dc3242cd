// MultiGraph's sparse kernel (Hong et al., PACT 2017, section 5): active vertices in groups of a
// thread block's size, whose edges are taken in three stages, and targets of high in-degree in
// segments whose sums are in shared memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "bench/layouts/segments.h"
#include "bench/rivals/raw_kernels.cuh"
#include "bench/rivals/raw_layouts.h"

namespace edgemill::bench {

/// The vertices of a thread block, in shared memory: the edges that the block visits of each.
template <typename Mine>
struct StageLists {
  uint64_t* begin;
  uint64_t* end;
  Mine* mine;           // what Program::Begin returned
  uint32_t* for_warps;  // numbers of those with edges for stage 2
  uint32_t* for_block;  // and for stage 3
  uint32_t* counts;     // of these two

  static constexpr uint64_t Bytes(uint64_t num_vertices) {
    return num_vertices * (2 * sizeof(uint64_t) + sizeof(Mine) + 2 * sizeof(uint32_t)) +
           2 * sizeof(uint32_t);
  }
  __device__ static StageLists In(void* memory, uint32_t num_vertices) {
    static_assert(sizeof(Mine) == sizeof(uint32_t));
    auto* const words = static_cast<uint64_t*>(memory);
    auto* const halves = reinterpret_cast<uint32_t*>(words + 2 * num_vertices);
    return {words,
            words + num_vertices,
            reinterpret_cast<Mine*>(halves),
            halves + num_vertices,
            halves + 2 * num_vertices,
            halves + 3 * num_vertices};
  }
};

/// How many edges of a list of `size` edges stages 1 and 2 take. Stage 3 takes the rest, which
/// comes first in the list.
struct StageEdges {
  uint64_t by_lanes;
  uint64_t by_warp;

  __device__ StageEdges(const SparseBounds& bounds, uint64_t size)
      : by_lanes(size & (bounds.warp_edges - 1)),
        by_warp((size - by_lanes) & (bounds.block_edges - 1)) {}
};

/// Appends `number` to `list` if `wanted`. All lanes of a warp call it together, and one of them
/// adds to the count (warp aggregation).
__device__ inline void AppendTogether(bool wanted, uint32_t number, uint32_t* list,
                                      uint32_t* count) {
  const uint32_t all = __ballot_sync(kAllLanes, wanted);
  if (all == 0) return;
  const uint32_t lane = threadIdx.x % kWarpSize;
  uint32_t place = 0;
  if (lane == 0) place = atomicAdd(count, __popc(all));
  place = __shfl_sync(kAllLanes, place, 0);
  if (wanted) list[place + __popc(all & ((1u << lane) - 1))] = number;
}

/// Loads the first `count` vertices into `stage`. `range_of(i)` gives the edges of the i-th. All
/// threads of the block call it.
template <typename Program, typename Mine, typename RangeOf>
__device__ inline void LoadStages(const Program& program, const StageLists<Mine>& stage,
                                  const SparseBounds& bounds, uint32_t count, RangeOf range_of) {
  __syncthreads();  // the lists before may still be in use
  if (threadIdx.x < 2) stage.counts[threadIdx.x] = 0;
  __syncthreads();
  for (uint32_t first = 0; first < count; first += blockDim.x) {
    const uint32_t i = first + threadIdx.x;
    uint64_t size = 0;
    if (i < count) {
      const RawRange range = range_of(i);
      size = range.end - range.begin;
      stage.begin[i] = range.begin;
      stage.end[i] = range.end;
      if (size > 0) stage.mine[i] = program.Begin(range.vertex);
    }
    const StageEdges edges(bounds, size);
    AppendTogether(edges.by_warp > 0, i, stage.for_warps, &stage.counts[0]);
    AppendTogether(size > edges.by_lanes + edges.by_warp, i, stage.for_block, &stage.counts[1]);
  }
  __syncthreads();
}

/// Calls `visit(neighbor, weight)` for every `step`-th edge from `first` on, with four loads under
/// way at a time.
template <bool kWeighted, typename Visit>
__device__ inline void VisitEvery(const RawLists& lists, uint64_t first, uint64_t end,
                                  uint32_t step, Visit visit) {
  constexpr uint32_t kLoads = 4;
  const auto* const neighbors = static_cast<const VertexId*>(lists.neighbors);
  for (; first < end; first += kLoads * step) {
    VertexId targets[kLoads];
    int32_t weights[kLoads] = {};
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      const uint64_t edge = first + i * step;
      if (edge >= end) continue;
      targets[i] = neighbors[edge];
      if constexpr (kWeighted) weights[i] = lists.weights[edge];
    }
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      if (first + i * step < end) visit(targets[i], weights[i]);
    }
  }
}

/// Calls `visit(i, neighbor, weight)` for all edges of the first `count` vertices of `stage`: by
/// bounds.lanes lanes a vertex, by warps, and by the whole block. Stages take different edges, so
/// that no thread waits between them.
template <bool kWeighted, typename Mine, typename Visit>
__device__ inline void VisitStages(const RawLists& lists, const StageLists<Mine>& stage,
                                   const SparseBounds& bounds, uint32_t count, Visit visit) {
  const auto edges_of = [&](uint32_t i) {
    return StageEdges(bounds, stage.end[i] - stage.begin[i]);
  };
  for (uint32_t i = threadIdx.x / bounds.lanes; i < count; i += blockDim.x / bounds.lanes) {
    const uint64_t end = stage.end[i], first = end - edges_of(i).by_lanes;
    VisitEvery<kWeighted>(lists, first + threadIdx.x % bounds.lanes, end, bounds.lanes,
                          [&](VertexId neighbor, int32_t weight) { visit(i, neighbor, weight); });
  }
  for (uint32_t k = threadIdx.x / kWarpSize; k < stage.counts[0]; k += blockDim.x / kWarpSize) {
    const uint32_t i = stage.for_warps[k];
    const StageEdges edges = edges_of(i);
    const uint64_t end = stage.end[i] - edges.by_lanes, first = end - edges.by_warp;
    VisitEvery<kWeighted>(lists, first + threadIdx.x % kWarpSize, end, kWarpSize,
                          [&](VertexId neighbor, int32_t weight) { visit(i, neighbor, weight); });
  }
  for (uint32_t k = 0; k < stage.counts[1]; ++k) {
    const uint32_t i = stage.for_block[k];
    const StageEdges edges = edges_of(i);
    VisitEvery<kWeighted>(lists, stage.begin[i] + threadIdx.x,
                          stage.end[i] - edges.by_lanes - edges.by_warp, blockDim.x,
                          [&](VertexId neighbor, int32_t weight) { visit(i, neighbor, weight); });
  }
}

/// The edges before segment `segment` of a vertex's list end here; all edges of the list for the
/// number of segments.
__device__ inline uint64_t SplitOf(const RawLists& lists, const SegmentedPass& segments,
                                   uint64_t vertex, uint32_t segment) {
  if (segment == segments.num_segments) return lists.offsets[vertex + 1];
  return lists.offsets[vertex] + segments.splits[segment * segments.num_vertices + vertex];
}

/// Brings messages to targets by atomic operations on global memory: to those of low in-degree. If
/// `all`, also to the others.
template <typename Program>
__global__ void SparseKernel(Program program, RawLists lists, SegmentedPass segments,
                             SparseBounds bounds, bool all) {
  using Mine = decltype(program.Begin(VertexId{0}));
  const auto stage = StageLists<Mine>::In(raw_shared, bounds.vertices);
  const uint64_t first = uint64_t{blockIdx.x} * bounds.vertices;
  const auto count = static_cast<uint32_t>(min(uint64_t{bounds.vertices}, lists.num_items - first));
  const auto vertex_of = [&](uint32_t i) {
    return static_cast<VertexId>(VertexOf(lists, ItemAt(lists, first + i)));
  };
  LoadStages(program, stage, bounds, count, [&](uint32_t i) {
    const VertexId vertex = vertex_of(i);
    return RawRange{vertex, lists.offsets[vertex], SplitOf(lists, segments, vertex, 0)};
  });
  VisitStages<Program::kWeighted>(lists, stage, bounds, count,
                                  [&](uint32_t i, VertexId target, int32_t weight) {
                                    program.Settle(target, program.Message(stage.mine[i], weight));
                                  });
  if (!all || segments.num_segments == 0) return;
  LoadStages(program, stage, bounds, count, [&](uint32_t i) {
    const VertexId vertex = vertex_of(i);
    return RawRange{vertex, SplitOf(lists, segments, vertex, 0), lists.offsets[vertex + 1]};
  });
  VisitStages<Program::kWeighted>(
      lists, stage, bounds, count, [&](uint32_t i, uint32_t number, int32_t weight) {
        program.Settle(segments.targets[number], program.Message(stage.mine[i], weight));
      });
}

/// Brings messages to the targets of segment blockIdx.y. A block takes every gridDim.x-th
/// sub-segment of active vertices, and writes each target's sum once.
template <typename Program>
__global__ void __launch_bounds__(kSegmentThreads, 2)
    SegmentKernel(Program program, RawLists lists, SegmentedPass segments, SparseBounds bounds) {
  using Mine = decltype(program.Begin(VertexId{0}));
  using Sums = typename Program::Sums;
  auto* const sums = reinterpret_cast<typename Sums::Sum*>(raw_shared);
  const auto stage = StageLists<Mine>::In(sums + kSegmentTargets, kSubSegmentVertices);
  const uint32_t segment = blockIdx.y, base = segment * kSegmentTargets;
  const uint32_t num_targets = min(kSegmentTargets, segments.num_targets - base);
  for (uint32_t i = threadIdx.x; i < num_targets; i += blockDim.x) sums[i] = Sums::kNone;
  bounds.block_edges = max(bounds.block_edges, kSegmentThreads);
  for (uint64_t first = uint64_t{blockIdx.x} * kSubSegmentVertices; first < lists.num_items;
       first += uint64_t{gridDim.x} * kSubSegmentVertices) {
    const auto count =
        static_cast<uint32_t>(min(uint64_t{kSubSegmentVertices}, lists.num_items - first));
    LoadStages(program, stage, bounds, count, [&](uint32_t i) {
      const auto vertex = static_cast<VertexId>(VertexOf(lists, ItemAt(lists, first + i)));
      return RawRange{vertex, SplitOf(lists, segments, vertex, segment),
                      SplitOf(lists, segments, vertex, segment + 1)};
    });
    VisitStages<Program::kWeighted>(
        lists, stage, bounds, count, [&](uint32_t i, uint32_t number, int32_t weight) {
          Sums::Join(&sums[number - base], program.Message(stage.mine[i], weight));
        });
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < num_targets; i += blockDim.x) {
    if (sums[i] != Sums::kNone) program.Settle(segments.targets[base + i], sums[i]);
  }
}

/// The shared memory of SegmentKernel.
inline constexpr SharedMemoryNeed kSegmentNeed = {
    .values = kSegmentTargets,
    .value_bytes = sizeof(uint32_t),
    .other_bytes = StageLists<uint32_t>::Bytes(kSubSegmentVertices)};

/// Visits the active lists of a pass by MultiGraph's kernels.
template <typename Program>
Status LaunchSparse(const Program& program, const RawLists& lists, const SparseBounds& bounds,
                    Gpu& gpu, GpuStream& on) {
  if (lists.num_items == 0) return OkStatus();
  const SegmentedPass& segments = *lists.segments;
  const bool all = lists.num_items < kSubSegmentVertices;
  const auto grid =
      static_cast<uint32_t>((lists.num_items + bounds.vertices - 1) / bounds.vertices);
  SparseKernel<<<grid, bounds.threads(), StageLists<uint32_t>::Bytes(bounds.vertices),
                 on.handle()>>>(program, lists, segments, bounds, all);
  RETURN_IF_ERROR(gpu.AfterLaunch("sparse lists"));
  if (all || segments.num_segments == 0) return OkStatus();
  constexpr uint64_t kBytes = kSegmentNeed.bytes();
  (void)cudaFuncSetAttribute(SegmentKernel<Program>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes);
  const uint64_t sub_segments = (lists.num_items + kSubSegmentVertices - 1) / kSubSegmentVertices;
  // As many blocks as run at a time, so that each sum is written as few times as possible.
  const uint64_t resident = 2 * static_cast<uint64_t>(gpu.properties().multiprocessors);
  const uint64_t blocks = std::clamp<uint64_t>(resident / segments.num_segments, 1, sub_segments);
  SegmentKernel<<<dim3(static_cast<uint32_t>(blocks), segments.num_segments), kSegmentThreads,
                  kBytes, on.handle()>>>(program, lists, segments, bounds);
  return gpu.AfterLaunch("segments");
}

}  // namespace edgemill::bench

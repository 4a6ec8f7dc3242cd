// The kernels that all raw engines share. A worker, which is a warp or a thread (raw_reading.h),
// visits one list, and has four loads under way at a time.
#pragma once

#include <cstdint>

#include "bench/rivals/raw_lists.h"
#include "bench/rivals/raw_reading.h"
#include "engine/device/gpu.h"
#include "kernels/gpu/frontier_members.cuh"

namespace edgemill::bench {

inline constexpr uint32_t kRawThreads = 256;
/// Thread blocks of any launch: as many as the GPU runs at a time.
inline uint32_t RawGrid(const Gpu& gpu) {
  return static_cast<uint32_t>(gpu.properties().multiprocessors) * 8;
}

/// The dynamic shared memory of a thread block.
extern __shared__ uint64_t raw_shared[];

/// Adds the sum of a warp's `mine` to `*total`.
template <typename T>
__device__ inline void AddToTotal(T mine, T* total) {
  for (uint32_t step = kWarpSize / 2; step > 0; step /= 2) {
    mine += __shfl_down_sync(kAllLanes, mine, step);
  }
  if (threadIdx.x % kWarpSize == 0 && mine != 0) atomicAdd(total, mine);
}

/// The item that `lists` has at place `i`, and an item's vertex.
__device__ inline uint64_t ItemAt(const RawLists& lists, uint64_t i) {
  return lists.first_item + (lists.chosen == nullptr ? i : lists.chosen[i]);
}
__device__ inline uint64_t VertexOf(const RawLists& lists, uint64_t item) {
  return lists.vertices == nullptr ? item : lists.vertices[item];
}

/// The edges of one item that lie in [begin, end) of its RawLists.
struct RawRange {
  VertexId vertex;
  uint64_t begin;
  uint64_t end;
};

__device__ inline RawRange RangeOf(const RawLists& lists, uint64_t item) {
  const uint64_t vertex = VertexOf(lists, item);
  const uint64_t at = lists.offsets_by_item ? item - lists.first_item : vertex;
  return {static_cast<VertexId>(vertex), max(lists.offsets[at], lists.begin),
          min(lists.offsets[at + 1], lists.end)};
}

/// Gives `program` the edges [begin, end) of `vertex`'s list, on one worker.
template <typename Reading, typename Program>
__device__ inline void VisitRawEdges(const Program& program, const RawLists& lists, VertexId vertex,
                                     uint64_t begin, uint64_t end) {
  constexpr uint32_t kLoads = 4, kLanes = Reading::kLanes;
  const uint32_t lane = threadIdx.x % kLanes;
  const auto* const neighbors = static_cast<const typename Reading::Edge*>(lists.neighbors);
  auto value = program.Begin(vertex);
  for (uint64_t first = Reading::First(begin); first < end; first += kLoads * kLanes) {
    VertexId targets[kLoads];
    int32_t weights[kLoads];
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      const uint64_t edge = first + i * kLanes + lane;
      if (edge < begin || edge >= end) continue;
      targets[i] = static_cast<VertexId>(neighbors[edge - lists.base]);
      if constexpr (Program::kWeighted) weights[i] = lists.weights[edge - lists.base];
    }
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      const uint64_t edge = first + i * kLanes + lane;
      if (edge >= begin && edge < end) program.Edge(&value, targets[i], weights[i]);
    }
  }
  program.template End<kLanes>(vertex, value);
}

/// Visits each short item of `lists` with one worker. Cuts the long ones into slices for
/// RawSlicesKernel.
template <typename Reading, typename Program>
__global__ void RawListsKernel(Program program, RawLists lists) {
  constexpr uint32_t kLanes = Reading::kLanes;
  const uint32_t lane = threadIdx.x % kLanes;
  const uint64_t num_workers = NumThreads() / kLanes;
  for (uint64_t i = ThreadNumber() / kLanes; i < lists.num_items; i += num_workers) {
    const uint64_t item = ItemAt(lists, i);
    const RawRange range = RangeOf(lists, item);
    if (range.begin >= range.end) continue;
    const uint32_t count = static_cast<uint32_t>(NumRawSlices<Reading>(range.begin, range.end));
    if (count == 1) {
      VisitRawEdges<Reading>(program, lists, range.vertex, range.begin, range.end);
      continue;
    }
    uint32_t place = 0;
    if (lane == 0) place = atomicAdd(lists.num_slices, count);
    if constexpr (kLanes > 1) place = __shfl_sync(kAllLanes, place, 0);
    for (uint32_t number = lane; number < count; number += kLanes) {
      lists.slices[place + number] = {static_cast<uint32_t>(item - lists.first_item), number};
    }
  }
}

/// Visits each slice that RawListsKernel made with one worker.
template <typename Reading, typename Program>
__global__ void RawSlicesKernel(Program program, RawLists lists) {
  const uint32_t num_slices = *lists.num_slices;
  const uint64_t num_workers = NumThreads() / Reading::kLanes;
  for (uint64_t i = ThreadNumber() / Reading::kLanes; i < num_slices; i += num_workers) {
    const RawSlice slice = lists.slices[i];
    const RawRange range = RangeOf(lists, lists.first_item + slice.item);
    const uint64_t begin = Reading::First(range.begin) + slice.number * kRawSliceEdges;
    VisitRawEdges<Reading>(program, lists, range.vertex, max(begin, range.begin),
                           min(begin + kRawSliceEdges, range.end));
  }
}

}  // namespace edgemill::bench

// The kernels that all raw engines share. A warp visits one list, and reads four lines of edges at
// a time.
#pragma once

#include <cstdint>

#include "bench/rivals/raw_lists.h"
#include "engine/device/gpu.h"
#include "kernels/gpu/frontier_members.cuh"

namespace edgemill::bench {

inline constexpr uint32_t kRawThreads = 256;
/// Thread blocks of any launch: as many as the GPU runs at a time.
inline uint32_t RawGrid(const Gpu& gpu) {
  return static_cast<uint32_t>(gpu.properties().multiprocessors) * 8;
}

/// Adds the sum of a warp's `mine` to `*total`.
template <typename T>
__device__ inline void AddToTotal(T mine, T* total) {
  for (uint32_t step = kWarpSize / 2; step > 0; step /= 2) {
    mine += __shfl_down_sync(kAllLanes, mine, step);
  }
  if (threadIdx.x % kWarpSize == 0 && mine != 0) atomicAdd(total, mine);
}

/// The edges of one item that lie in [begin, end) of its RawLists.
struct RawRange {
  VertexId vertex;
  uint64_t begin;
  uint64_t end;
};

__device__ inline RawRange RangeOf(const RawLists& lists, uint64_t item) {
  const uint64_t vertex = lists.vertices == nullptr ? item : lists.vertices[item];
  const uint64_t at = lists.offsets_by_item ? item - lists.first_item : vertex;
  return {static_cast<VertexId>(vertex), max(lists.offsets[at], lists.begin),
          min(lists.offsets[at + 1], lists.end)};
}

/// Gives `program` the edges [begin, end) of `vertex`'s list, on one warp. Reads start at whole
/// 128-byte lines, and lanes before `begin` are idle (EMOGI's alignment).
template <typename Program>
__device__ inline void VisitRawEdges(const Program& program, const RawLists& lists, VertexId vertex,
                                     uint64_t begin, uint64_t end) {
  constexpr uint32_t kLines = 4;
  const uint32_t lane = threadIdx.x % kWarpSize;
  auto value = program.Begin(vertex);
  for (uint64_t line = begin / kWarpSize * kWarpSize; line < end; line += kLines * kWarpSize) {
    VertexId targets[kLines];
    int32_t weights[kLines];
#pragma unroll
    for (uint32_t i = 0; i < kLines; ++i) {
      const uint64_t edge = line + i * kWarpSize + lane;
      if (edge < begin || edge >= end) continue;
      targets[i] = lists.neighbors[edge - lists.base];
      if constexpr (Program::kWeighted) weights[i] = lists.weights[edge - lists.base];
    }
#pragma unroll
    for (uint32_t i = 0; i < kLines; ++i) {
      const uint64_t edge = line + i * kWarpSize + lane;
      if (edge >= begin && edge < end) program.Edge(&value, targets[i], weights[i]);
    }
  }
  program.End(vertex, value);
}

/// Visits each short item of `lists` with one warp. Cuts the long ones into slices for
/// RawSlicesKernel.
template <typename Program>
__global__ void RawListsKernel(Program program, RawLists lists) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t num_warps = NumThreads() / kWarpSize;
  for (uint64_t i = ThreadNumber() / kWarpSize; i < lists.num_items; i += num_warps) {
    const uint64_t item = lists.first_item + i;
    const RawRange range = RangeOf(lists, item);
    if (range.begin >= range.end) continue;
    const uint64_t size = range.end - range.begin;
    if (size <= kRawSliceEdges) {
      VisitRawEdges(program, lists, range.vertex, range.begin, range.end);
      continue;
    }
    const uint32_t count = static_cast<uint32_t>((size + kRawSliceEdges - 1) / kRawSliceEdges);
    uint32_t place = 0;
    if (lane == 0) place = atomicAdd(lists.num_slices, count);
    place = __shfl_sync(kAllLanes, place, 0);
    for (uint32_t number = lane; number < count; number += kWarpSize) {
      lists.slices[place + number] = {static_cast<uint32_t>(i), number};
    }
  }
}

/// Visits each slice that RawListsKernel made with one warp.
template <typename Program>
__global__ void RawSlicesKernel(Program program, RawLists lists) {
  const uint32_t num_slices = *lists.num_slices;
  const uint64_t num_warps = NumThreads() / kWarpSize;
  for (uint64_t i = ThreadNumber() / kWarpSize; i < num_slices; i += num_warps) {
    const RawSlice slice = lists.slices[i];
    const RawRange range = RangeOf(lists, lists.first_item + slice.item);
    const uint64_t begin = range.begin + slice.number * kRawSliceEdges;
    VisitRawEdges(program, lists, range.vertex, begin, min(begin + kRawSliceEdges, range.end));
  }
}

}  // namespace edgemill::bench

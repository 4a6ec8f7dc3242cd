// Kernels that call functions on vertices and on edges.
#pragma once

#include "engine/gpu/program/vertex_kernels.cuh"
#include "engine/program/operator_types.h"
#include "kernels/gpu/visit_tiles.cuh"

namespace edgemill {

template <typename F>
__global__ void __launch_bounds__(kProgramThreads)
    MapKernel(F function, const uint32_t* members, uint64_t num_vertices, std::byte* tallies) {
  ForEachMember(members, num_vertices, [&](VertexId vertex) { function(vertex); });
  AddTallies(function, tallies);
}

template <typename F>
__global__ void __launch_bounds__(kProgramThreads)
    FilterKernel(F function, const uint32_t* among, uint64_t num_vertices, uint32_t* selected,
                 std::byte* tallies) {
  WriteMembers(among, num_vertices, selected, [&](VertexId vertex) { return function(vertex); });
  AddTallies(function, tallies);
}

/// Combines function(vertex) of the members in each chunk of ReduceChunk vertices. Each thread
/// block has one chunk and always combines in the same order.
template <typename M, typename F>
__global__ void __launch_bounds__(kProgramThreads)
    ReduceKernel(F function, const uint32_t* members, uint64_t num_vertices,
                 typename M::Value* sums, std::byte* tallies) {
  using Value = typename M::Value;
  __shared__ alignas(16) unsigned char bytes[kVisitWarps * sizeof(Value)];
  Value* const warps = reinterpret_cast<Value*>(bytes);
  const uint64_t chunk = ReduceChunk(num_vertices);
  const uint64_t begin = blockIdx.x * chunk;
  const uint64_t end = begin + chunk < num_vertices ? begin + chunk : num_vertices;
  Value sum = M::identity();
  for (uint64_t i = begin + threadIdx.x; i < end; i += kProgramThreads) {
    const VertexId vertex = static_cast<VertexId>(i);
    if (members == nullptr || IsMember(members, vertex)) sum = M::Combine(sum, function(vertex));
  }
#pragma unroll
  for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) sum = M::Combine(sum, ShuffleDown(sum, by));
  if (threadIdx.x % kWarpSize == 0) warps[threadIdx.x / kWarpSize] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (uint32_t warp = 1; warp < kVisitWarps; ++warp) sum = M::Combine(sum, warps[warp]);
    sums[blockIdx.x] = sum;
  }
  AddTallies(function, tallies);
}

/// Calls function(edge) for each vertex and its neighbour in `neighbors`, or the vertex itself
/// where it has none. If `neighbors` is null, visits only vertices without edges, each with itself.
template <typename F>
__global__ void __launch_bounds__(kProgramThreads)
    VisitSampledKernel(F function, VertexIndexView index, const VertexId* neighbors,
                       std::byte* tallies) {
  ForEachMember(nullptr, index.num_vertices, [&](VertexId vertex) {
    if (neighbors == nullptr) {
      if (index.degree(vertex) == 0) function(Edge{vertex, vertex});
      return;
    }
    const VertexId sampled = __ldcs(neighbors + vertex);
    function(Edge{vertex, sampled == kInvalidVertex ? vertex : sampled});
  });
  AddTallies(function, tallies);
}

/// EdgeVisit: a function on each edge of a slice of the members' lists.
template <typename F>
struct FunctionVisitor {
  using Weight = WeightOfEdges<F>;

  F function;
  const uint32_t* members;  // null: all
  Slice slice;
  VertexIndexView index;
  std::byte* tallies;

  __device__ void BeginTile(const WarpPlace&) {}
  __device__ void Group(const WarpPlace& place, const LaneEdges<Weight>& edges, uint32_t*) {
    const bool whole = slice.skip == 0 && slice.count == ~uint64_t{0};
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0) continue;
      const VertexId from = edges.source[i], to = edges.neighbor[i];
      if (members != nullptr && !IsMember(members, from)) continue;
      if (!whole) {
        const uint64_t at = place.first + place.lane * kLaneEdges + i - index.first_edge(from);
        if (at < slice.skip || at - slice.skip >= slice.count) continue;
      }
      if constexpr (std::is_same_v<Weight, NoWeight>) {
        function(Edge{from, to});
      } else {
        function(WeightedEdge<Weight>{{from, to}, edges.weight[i]});
      }
    }
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() { AddTallies(function, tallies); }
};

}  // namespace edgemill

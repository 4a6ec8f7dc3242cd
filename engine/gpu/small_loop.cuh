// Many small iterations in one launch: while everything is on the card and few vertices are active,
// one thread block pushes level after level by itself. A road graph has thousands of levels of some
// dozens of vertices; to launch, wait and look for each from the host takes 20 times as long.
#pragma once

#include "engine/gpu/gpu_iteration.h"
#include "engine/gpu/program_kernels.cuh"

namespace edgemill {

inline constexpr uint32_t kSmallThreads = 512;

namespace internal {

/// One group of a list whose owner is known: calls `visit(place in the group, target)` for the
/// lane's edges of [begin, end), all of one list; `head` is the place of its head, or kGroupSize
/// when the list goes on from the group before.
template <typename Weight, typename Visit>
__device__ inline void VisitListGroup(const DeviceBlock& bytes, uint32_t num_groups, uint32_t group,
                                      VertexId owner, uint32_t head, uint32_t begin, uint32_t end,
                                      WarpScratch& scratch, Visit visit) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  uint32_t values[kLaneEdges];
  const GroupHeader header =
      WarpValues(bytes.neighbors, num_groups, group, lane, scratch.words[0], scratch.lanes, values);
  uint32_t sums[kLaneEdges];
  WarpSums(values, lane, sums);
  uint32_t constant = header.base;
  uint32_t mine = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    if (head % kLaneEdges == i) mine = owner + UnZigZag(values[i]) - sums[i];
  }
  if (head < kGroupSize) constant = __shfl_sync(kAllLanes, mine, head / kLaneEdges);
  LaneEdges<Weight> edges;
  WarpWeights(bytes.weights, num_groups, group, kGroupSize, lane, scratch.words[1], scratch.lanes,
              &edges);
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    const uint32_t place = lane * kLaneEdges + i;
    if (place >= begin && place < end) visit(sums[i] + constant, edges.weight[i]);
  }
}

}  // namespace internal

/// Sends along all edges of `vertex`, by one warp: `receive(target, message)` for each.
template <VertexProgram P, typename Receive>
__device__ inline void PushList(const P& program, const DeviceEdges& edges, VertexId vertex,
                                const typename P::Message& message, WarpScratch& scratch,
                                uint32_t* damaged, Receive receive) {
  const EdgeIndex first = edges.index.first_edge(vertex);
  const EdgeIndex last = edges.index.first_edge(vertex + 1);
  for (EdgeIndex at = first; at < last;) {
    const uint64_t block = at >> edges.block_shift;
    const EdgeIndex group_begin = at & ~EdgeIndex{kGroupSize - 1};
    const uint32_t group = static_cast<uint32_t>(group_begin >> kGroupShift) &
                           ((1u << (edges.block_shift - kGroupShift)) - 1);
    const EdgeIndex left = last - group_begin;
    internal::VisitListGroup<typename P::Weight>(
        edges.blocks[block], edges.block_groups(block), group, vertex,
        at == first ? static_cast<uint32_t>(first - group_begin) : kGroupSize,
        static_cast<uint32_t>(at - group_begin),
        left < kGroupSize ? static_cast<uint32_t>(left) : kGroupSize, scratch,
        [&](VertexId target, typename P::Weight weight) {
          if (target >= edges.index.num_vertices) {
            atomicMin(damaged, static_cast<uint32_t>(block));
          } else {
            receive(target, program.Along(message, weight));
          }
        });
    at = group_begin + kGroupSize;
  }
}

/// Pushes from the vertices of `loop.lists[0]`, then from those that become active, and so on,
/// until none is, or more than `loop.most_vertices` or `loop.most_edges`. `next`, clear at first,
/// has the active vertices at the end. One thread block.
template <VertexProgram P>
__global__ void __launch_bounds__(kSmallThreads)
    SmallLoopKernel(P program, Context context, DeviceEdges edges, SmallLoop loop, uint64_t* next,
                    uint32_t* damaged) {
  __shared__ WarpScratch scratches[kSmallThreads / kWarpSize];
  __shared__ uint32_t num_next;
  __shared__ unsigned long long next_edges;
  WarpScratch& scratch = scratches[threadIdx.x / kWarpSize];
  VertexId* list = loop.lists[0];
  VertexId* next_list = loop.lists[1];
  uint32_t count = loop.counters->count;
  SmallLoopCounters totals;
  const auto activate = [&](VertexId vertex) {
    if (!AtomicSetBit(next, vertex)) return;
    const uint32_t place = atomicAdd(&num_next, 1);
    if (place < loop.most_vertices) next_list[place] = vertex;
    atomicAdd(&next_edges, static_cast<unsigned long long>(edges.index.degree(vertex)));
  };
  while (true) {
    if (threadIdx.x == 0) {
      num_next = 0;
      next_edges = 0;
    }
    if constexpr (P::kTraits.consumes) {
      for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) program.Begin(list[i], context);
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x / kWarpSize; i < count; i += kSmallThreads / kWarpSize) {
      typename P::Message message;
      if (program.Send(list[i], context, &message)) {
        PushList(program, edges, list[i], message, scratch, damaged,
                 [&](VertexId target, typename P::Message sent) {
                   if (program.Receive(target, sent, context)) activate(target);
                 });
      } else if (threadIdx.x % kWarpSize == 0) {
        activate(list[i]);
      }
    }
    __syncthreads();
    count = num_next;
    const unsigned long long sent = next_edges;
    __syncthreads();  // before they are set to 0 again
    ++context.iteration;
    ++totals.iterations;
    if (count == 0 || count > loop.most_vertices || sent > loop.most_edges) break;
    totals.activations += count;
    totals.edges += sent;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      const VertexId vertex = next_list[i];
      atomicAnd(reinterpret_cast<unsigned int*>(next) + vertex / 32, ~(1u << (vertex % 32)));
    }
    VertexId* const swapped = list;
    list = next_list;
    next_list = swapped;
    __syncthreads();
  }
  totals.count = count;
  if (threadIdx.x == 0) *loop.counters = totals;
}

}  // namespace edgemill

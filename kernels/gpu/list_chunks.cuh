// Pushes along single lists whose source vertices are known. A warp takes a few groups of one list.
// This is for frontiers of few vertices: no kernel has to find their groups first.
#pragma once

#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// A warp's share of shared memory. It has no part for weights: they are decoded after the
/// neighbours, into the same memory.
using ListScratch = WarpScratch<NoWeight>;

namespace internal {

/// Calls `visit(targets, weights, valid)` once: bit i of `valid` says that the lane's edge i is at
/// one of the group's places [begin, end), all of the list of `owner`, and counts. `head` is the
/// place of the list start, or kGroupSize when the list began in an earlier group.
template <typename Weight, bool kSimple, typename Visit>
__device__ inline void VisitListGroup(const DeviceBlock& bytes, WeightType type,
                                      uint32_t num_groups, uint32_t group, VertexId owner,
                                      uint32_t head, uint32_t begin, uint32_t end,
                                      ListScratch& scratch, Visit visit) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  uint32_t values[kLaneEdges];
  const GroupHeader header = WarpValues(bytes.neighbors, num_groups, group, lane, scratch.neighbors,
                                        scratch.lanes, values);
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
  if constexpr (!std::is_same_v<Weight, NoWeight>) {
    if (type == WeightType::kInt32) {
      WarpValues(static_cast<const uint64_t*>(bytes.weights), num_groups, group, lane,
                 scratch.neighbors, scratch.lanes, values);
      SetWeights(values, &edges);
    } else {
      WarpRawWeights(type, bytes.weights, group, end, lane, &edges);
    }
  }
  VertexId before = header.base;  // target of the previous edge
  if constexpr (kSimple) {
    const VertexId below = __shfl_up_sync(kAllLanes, sums[kLaneEdges - 1] + constant, 1);
    if (lane > 0) before = below;
  }
  uint32_t valid = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    const uint32_t place = lane * kLaneEdges + i;
    const VertexId target = sums[i] + constant;
    const bool counts = !kSimple || (target != owner && (place == head || target != before));
    if (place >= begin && place < end && counts) valid |= 1u << i;
    edges.neighbor[i] = before = target;
  }
  visit(edges.neighbor, edges.weight, valid);
}

}  // namespace internal

/// Where several warps share a chunk, the groups of one of them: each `step`-th from `first` on.
struct ChunkPart {
  uint32_t first = 0;
  uint32_t step = 1;
};

/// Calls `visit(targets, weights, valid)` on all lanes together for each group of `part` of
/// `chunk`, by one warp: `valid` has a bit for each of the lane's edges that belongs to the chunk.
/// If a target is no vertex, writes its block to `*damaged` instead. Adds the groups that it read
/// across the link to `*zero_copy_groups`.
template <typename Weight, bool kSimple, typename Visit>
__device__ inline void VisitChunkTogether(const ReachedEdges& reached, const WarpChunk& chunk,
                                          const ChunkPart& part, ListScratch& scratch,
                                          uint32_t* damaged, uint32_t* zero_copy_groups,
                                          Visit visit) {
  const DeviceEdges& edges = reached.edges;
  const EdgeIndex first = edges.index.first_edge(chunk.source);
  const EdgeIndex last = edges.index.first_edge(chunk.source + 1);
  if (first == last) return;
  const uint64_t begin = (first >> kGroupShift) + uint64_t{chunk.number} * kWarpChunkGroups;
  const uint64_t end = min(begin + kWarpChunkGroups, ((last - 1) >> kGroupShift) + 1);
  const uint32_t block_groups_shift = edges.block_shift - kGroupShift;
  for (uint64_t group = begin + part.first; group < end; group += part.step) {
    const uint64_t block = group >> block_groups_shift;
    const EdgeIndex group_first = group << kGroupShift;
    const EdgeIndex left = last - group_first;
    const bool has_head = first >= group_first;
    const uint32_t head = has_head ? static_cast<uint32_t>(first - group_first) : kGroupSize;
    DeviceBlock bytes = edges.blocks[block];
    if (bytes.neighbors == nullptr) {
      bytes = reached.pinned[block];
      ++*zero_copy_groups;
    }
    internal::VisitListGroup<Weight, kSimple>(
        bytes, edges.weights, edges.block_groups(block),
        static_cast<uint32_t>(group & ((uint64_t{1} << block_groups_shift) - 1)), chunk.source,
        head, has_head ? head : 0, left < kGroupSize ? static_cast<uint32_t>(left) : kGroupSize,
        scratch,
        [&](const VertexId(&targets)[kLaneEdges], const Weight(&weights)[kLaneEdges],
            uint32_t valid) {
#pragma unroll
          for (uint32_t i = 0; i < kLaneEdges; ++i) {
            if ((valid >> i & 1) == 0 || targets[i] < edges.index.num_vertices) continue;
            atomicMin(damaged, static_cast<uint32_t>(block));
            valid &= ~(1u << i);
          }
          visit(targets, weights, valid);
        });
  }
}

/// Calls `visit(target, weight)` for each edge of the part of the chunk, by one warp. Otherwise as
/// VisitChunkTogether.
template <typename Weight, bool kSimple, typename Visit>
__device__ inline void VisitChunk(const ReachedEdges& reached, const WarpChunk& chunk,
                                  const ChunkPart& part, ListScratch& scratch, uint32_t* damaged,
                                  uint32_t* zero_copy_groups, Visit visit) {
  VisitChunkTogether<Weight, kSimple>(reached, chunk, part, scratch, damaged, zero_copy_groups,
                                      [&](const VertexId(&targets)[kLaneEdges],
                                          const Weight(&weights)[kLaneEdges], uint32_t valid) {
#pragma unroll
                                        for (uint32_t i = 0; i < kLaneEdges; ++i) {
                                          if ((valid >> i & 1) != 0) visit(targets[i], weights[i]);
                                        }
                                      });
}

}  // namespace edgemill

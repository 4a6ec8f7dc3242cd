// Collects a warp's vertices until there is one for each lane.
#pragma once

#include <cstdint>

#include "kernels/gpu/list_search.cuh"

namespace edgemill {

/// Its places are in shared memory. All lanes must call each function together.
class WaitingVertices {
 public:
  static constexpr uint32_t kMax = 4 * kWarpSize;

  /// `places` must have kMax elements.
  __device__ explicit WaitingVertices(VertexId* places)
      : places_(places), lane_(threadIdx.x % kWarpSize) {}

  /// Adds the vertices `bits` of the lane's word `word`. Calls `process(vertex)` on all lanes
  /// whenever 32 vertices wait. `last`: also processes the remaining vertices; lanes without one
  /// get kInvalidVertex.
  template <typename Process>
  __device__ void Add(uint64_t word, uint32_t bits, bool last, const VertexIndexView& index,
                      Process process) {
    do {
      const uint32_t count = __popc(bits);
      uint32_t end = count;
#pragma unroll
      for (uint32_t by = 1; by < kWarpSize; by *= 2) {
        const uint32_t below = __shfl_up_sync(kAllLanes, end, by);
        if (lane_ >= by) end += below;
      }
      for (uint32_t at = waiting_ + end - count; bits != 0 && at < kMax; bits &= bits - 1, ++at) {
        const auto vertex = static_cast<VertexId>(word * kWarpSize + __ffs(bits) - 1);
        places_[at] = vertex;
        PrefetchToL1(index.low + vertex);
      }
      waiting_ = min(waiting_ + __shfl_sync(kAllLanes, end, kWarpSize - 1), kMax);
      __syncwarp();
      while (waiting_ >= kWarpSize || (last && waiting_ > 0)) {
        const uint32_t now = min(waiting_, kWarpSize);
        waiting_ -= now;
        process(lane_ < now ? places_[waiting_ + lane_] : kInvalidVertex);
      }
      __syncwarp();
    } while (__any_sync(kAllLanes, bits != 0));
  }

 private:
  VertexId* const places_;
  const uint32_t lane_;
  uint32_t waiting_ = 0;
};

/// A whole warp searches lists with more edges than this.
inline constexpr uint32_t kThreadListEdges = 64;

/// Returns a member of `set` in the list of the lane's vertex; kInvalidVertex if there is none. All
/// lanes must call it together; each may have a set of its own. `leaves(vertex, degree)` returns
/// whether to skip a long list.
template <typename Leaves>
__device__ inline FoundNeighbor FindInLists(const ReachedEdges& reached, VertexId vertex,
                                            const uint32_t* set, uint32_t* damaged,
                                            WarpScratch<NoWeight>& scratch, Leaves leaves) {
  const VertexIndexView& index = reached.edges.index;
  FoundNeighbor found;
  bool is_long = false;
  if (vertex != kInvalidVertex) {
    const EdgeIndex first = index.first_edge(vertex);
    const EdgeIndex degree = index.first_edge(vertex + 1) - first;
    if (degree > kThreadListEdges) {
      is_long = !leaves(vertex, degree);
    } else if (degree > 0) {
      found = FindInList(reached, vertex, first, static_cast<uint32_t>(degree), set, damaged);
    }
  }
  for (uint32_t longs = __ballot_sync(kAllLanes, is_long); longs != 0; longs &= longs - 1) {
    const uint32_t whose = __ffs(longs) - 1;
    const VertexId owner = __shfl_sync(kAllLanes, vertex, whose);
    const auto* const members = reinterpret_cast<const uint32_t*>(
        __shfl_sync(kAllLanes, reinterpret_cast<unsigned long long>(set), whose));
    const EdgeIndex first = index.first_edge(owner);
    const FoundNeighbor one = WarpFindInList(
        reached, owner, first, first, index.first_edge(owner + 1), members, damaged, scratch);
    found.zero_copy_groups += one.zero_copy_groups;
    if (threadIdx.x % kWarpSize == whose) found.vertex = one.vertex;
  }
  return found;
}

}  // namespace edgemill

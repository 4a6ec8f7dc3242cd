// The loop of kernels over SubCSRs, which host threads have built from active lists. The visitors
// are those of packed blocks (visit_tiles.cuh).
#pragma once

#include "kernels/gpu/edge_kernels.h"
#include "kernels/gpu/visit_tiles.cuh"
#include "kernels/sub_csr.h"

namespace edgemill {

namespace internal {

/// Returns the list that has edge `edge`.
__device__ inline uint32_t ListOf(const uint32_t* offsets, uint32_t num_lists, uint32_t edge) {
  uint32_t begin = 0;
  for (uint32_t end = num_lists; end - begin > 1;) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (offsets[middle] <= edge) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace internal

/// Gets the lane's edges among those of `place`, of a SubCSR whose weights are stored as `type`.
template <typename Weight>
__device__ inline void GetEdges(const SubCsr& from, WeightType type, const WarpPlace& place,
                                LaneEdges<Weight>* edges) {
  const uint32_t first = static_cast<uint32_t>(place.first);
  const uint32_t* const offsets = from.offsets();
  const uint32_t mine = first + place.lane * kLaneEdges;
  uint32_t list = mine < from.num_edges ? internal::ListOf(offsets, from.num_lists, mine) : 0;
  edges->heads = edges->valid = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    const uint32_t edge = mine + i;
    edges->source[i] = edges->neighbor[i] = 0;
    if (edge >= first + place.size) continue;
    if (edge >= offsets[list + 1]) ++list;  // lists are not empty
    edges->source[i] = from.vertices()[list];
    edges->neighbor[i] = from.neighbors()[edge];
    if (from.is_head(list, edge)) edges->heads |= 1u << i;
    edges->valid |= 1u << i;
  }
  if constexpr (!std::is_same_v<Weight, NoWeight>) {
    const uint32_t group = first >> kGroupShift;
    if (type == WeightType::kInt32) {
      internal::RawWeights<int32_t>(from.weights(), group, place.size, place.lane, edges);
    } else {
      WarpRawWeights(type, from.weights(), group, place.size, place.lane, edges);
    }
  }
}

/// Visits the lists of the SubCSRs at `places` with copies of `visitor`, as VisitTilesKernel does.
/// Thread blocks take one SubCSR at a time, and warps 128 of its edges. `type`: of the weights; the
/// host has compared all targets with the number of vertices.
template <typename Weight, typename Visitor>
__global__ void __launch_bounds__(kVisitThreads)
    VisitSubCsrsKernel(const BlockPlace* places, uint32_t num_places, WeightType type,
                       Visitor visitor) {
  constexpr uint32_t kWords = ScratchWords<Visitor>();
  __shared__ alignas(16) uint32_t lanes[kVisitWarps][kGroupSize];
  __shared__ alignas(8) uint32_t words[kWords > 0 ? kWords * kVisitWarps : 1];
  const uint32_t warp = threadIdx.x / kWarpSize;
  WarpPlace place{.lane = threadIdx.x % kWarpSize, .words = words + warp * kWords};
  for (uint32_t i = blockIdx.x; i < num_places; i += gridDim.x) {
    const SubCsr& lists = *reinterpret_cast<const SubCsr*>(places[i].bytes.neighbors);
    const uint32_t num_edges = lists.num_edges;
    visitor.BeginTile(place);
    for (uint32_t first = warp * kGroupSize; first < num_edges;
         first += kVisitThreads * kLaneEdges) {
      place.first = first;
      place.size = num_edges - first < kGroupSize ? num_edges - first : kGroupSize;
      place.previous = first == 0 ? lists.previous : lists.neighbors()[first - 1];
      LaneEdges<Weight> edges;
      GetEdges(lists, type, place, &edges);
      visitor.Group(place, edges, lanes[warp]);
    }
    visitor.EndTile(place);
  }
  visitor.Finish();
}

}  // namespace edgemill

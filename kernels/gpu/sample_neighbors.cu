#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/sample_neighbors.h"
#include "kernels/gpu/visit_tiles.cuh"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kThreadBlocks = 2048;

/// Orders neighbours: the one with the greater worth is sampled.
using Worth = unsigned long long;

/// Samples a neighbour of each list, or part of a list, in a group. Each lane has four edges, in
/// the order of lists, so that a scan over the lanes finds the best neighbour of each list.
struct SampleVisitor {
  DeviceEdges edges;
  bool by_degree;
  VertexId* neighbor;
  uint64_t* headers;

  __device__ Worth WorthOf(VertexId vertex) const {
    // Degrees above 32 bits count as equal.
    const EdgeIndex degree = by_degree ? 1 : edges.index.degree(vertex);
    return (degree < ~0u ? degree : ~0u) << 32 | static_cast<uint32_t>(~vertex);
  }
  __device__ static VertexId VertexOf(Worth worth) { return ~static_cast<uint32_t>(worth); }

  __device__ void Offer(VertexId owner, Worth worth) const {
    if (worth == 0) return;
    VertexId before = LoadRelaxed(neighbor + owner);
    while (before == kInvalidVertex || WorthOf(before) < worth) {
      const VertexId found = atomicCAS(neighbor + owner, before, VertexOf(worth));
      if (found == before) return;
      before = found;
    }
  }

  __device__ void BeginTile(const WarpPlace& place) {
    if (headers == nullptr) return;
    const uint64_t block = place.first >> edges.block_shift;
    const uint64_t group = (place.first >> kGroupShift) + place.lane;
    if (group << kGroupShift >= edges.tile_end(place.tile)) return;
    headers[group] = edges.blocks[block].neighbors[group - edges.groups_before(block)];
  }
  __device__ void Group(const WarpPlace& place, const LaneEdges<NoWeight>& some, uint32_t*) {
    Worth worth[kLaneEdges];
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      const bool counts = (some.valid >> i & 1) != 0 && some.neighbor[i] != some.source[i];
      worth[i] = counts ? WorthOf(some.neighbor[i]) : 0;
    }
    // Lists inside the lane are complete. The lists at its two ends may go on in other lanes.
    Worth first = worth[0];  // of the lane's first list, if the lane has several
    Worth last = worth[0];   // of the lane's last list
    bool has_first = false;
#pragma unroll
    for (uint32_t i = 1; i < kLaneEdges; ++i) {
      if (some.source[i] == some.source[i - 1]) {
        last = max(last, worth[i]);
        continue;
      }
      if (has_first) {
        Offer(some.source[i - 1], last);
      } else {
        first = last;
        has_first = true;
      }
      last = worth[i];
    }
    const VertexId owner = some.source[kLaneEdges - 1];
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      const Worth other = __shfl_up_sync(kAllLanes, last, by);
      const VertexId whose = __shfl_up_sync(kAllLanes, owner, by);
      if (place.lane >= by && whose == owner) last = max(last, other);
    }
    const Worth before = __shfl_up_sync(kAllLanes, last, 1);
    const VertexId whose = __shfl_up_sync(kAllLanes, owner, 1);
    if (has_first) {
      const bool goes_on = place.lane > 0 && whose == some.source[0];
      Offer(some.source[0], goes_on ? max(first, before) : first);
    }
    const VertexId next = __shfl_down_sync(kAllLanes, some.source[0], 1);
    if (place.lane == kWarpSize - 1 || next != owner) Offer(owner, last);
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() {}
};

__global__ void SampledSetsKernel(VertexIndexView index, DeviceSampledNeighbors sampled) {
  const uint64_t rounded = (uint64_t{index.num_vertices} + 63) / 64 * 64;
  for (uint64_t i = ThreadNumber(); i < rounded; i += NumThreads()) {
    const auto vertex = static_cast<VertexId>(i);
    const bool exists = i < index.num_vertices;
    const EdgeIndex degree = exists ? index.degree(vertex) : 0;
    if (degree > 0 && sampled.neighbor[vertex] == kInvalidVertex) sampled.neighbor[vertex] = vertex;
    const uint32_t one = __ballot_sync(kAllLanes, degree > 0);
    const uint32_t more = __ballot_sync(kAllLanes, degree > 1);
    if (i % kWarpSize != 0) continue;
    sampled.has_one[i / kWarpSize] = one;
    sampled.has_more[i / kWarpSize] = more;
  }
}

}  // namespace

void LaunchSampleNeighbors(const DeviceEdges& edges, const TileSelection& source, bool by_degree,
                           VertexId* neighbor, uint64_t* headers, uint32_t* damaged,
                           uint32_t num_thread_blocks, CUstream_st* stream) {
  VisitTilesKernel<NoWeight><<<num_thread_blocks, kVisitThreads, 0, stream>>>(
      edges, source, SampleVisitor{edges, by_degree, neighbor, headers}, damaged);
}

void LaunchSampledSets(const VertexIndexView& index, const DeviceSampledNeighbors& sampled,
                       CUstream_st* stream) {
  SampledSetsKernel<<<kThreadBlocks, kThreads, 0, stream>>>(index, sampled);
}

}  // namespace edgemill

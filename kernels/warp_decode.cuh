// A group of packed edges to registers, by one warp: four edges a lane.
//
// The group's words come to shared memory in whole lines, each once, wherever they lie: in the
// GPU's memory, or across the link. Then every lane funnels its four values out of them, exceptions
// are put in their places, a scan over the lanes gives sums, and each list adds its constant (see
// kernels/decode.h). test/warp_model.h is the same in terms that a CPU can test.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/device_edges.h"
#include "kernels/weight.h"
#include "storage/group_codec.h"

namespace edgemill {

inline constexpr uint32_t kWarpSize = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;
/// Edges of a group that one lane has.
inline constexpr uint32_t kLaneEdges = kGroupSize / kWarpSize;
/// Words of the largest group (32 bits wide without, or 30 wide with 127 exceptions), and one more
/// that a lane may look at.
inline constexpr uint32_t kMaxGroupWords = 288;

/// A warp's share of shared memory.
struct alignas(16) WarpScratch {
  uint32_t words[kMaxGroupWords];
  uint32_t lanes[kGroupSize];
};

/// A decoded group, a lane's part of it: edges 4 * lane to 4 * lane + 3.
template <typename Weight>
struct LaneEdges {
  VertexId target[kLaneEdges];
  VertexId owner[kLaneEdges];  // whose list the edge is in
  Weight weight[kLaneEdges];
  uint32_t heads;  // bit i: edge i is the first of its list
  uint32_t valid;  // bit i: edge i exists, and its target is a vertex
};

namespace internal {

__device__ inline uint32_t Window(const uint32_t* words, uint32_t bit) {
  return __funnelshift_r(words[bit >> 5], words[(bit >> 5) + 1], bit);
}

}  // namespace internal

/// The lane's four values of group `group` of a packed payload of `num_groups` groups, exceptions
/// applied, before any sum. Returns the header. All lanes call it together.
__device__ inline GroupHeader WarpValues(const uint64_t* payload, uint32_t num_groups,
                                         uint32_t group, uint32_t lane, WarpScratch& scratch,
                                         uint32_t (&values)[kLaneEdges]) {
  const GroupHeader header = GroupHeader::Unpack(__ldg(payload + group));
  const uint32_t* const words =
      reinterpret_cast<const uint32_t*>(payload + num_groups) + header.word_offset;
  const uint32_t num_words = header.num_words();
  __syncwarp();
  for (uint32_t i = lane; i < num_words; i += kWarpSize) scratch.words[i] = __ldg(words + i);
  __syncwarp();
  const uint32_t mask = header.width == 32 ? ~0u : (1u << header.width) - 1;
  uint32_t bit = lane * kLaneEdges * header.width;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i, bit += header.width) {
    values[i] = internal::Window(scratch.words, bit) & mask;
  }
  if (header.exceptions == 0) return header;
  uint4* const mine = reinterpret_cast<uint4*>(scratch.lanes) + lane;
  *mine = make_uint4(values[0], values[1], values[2], values[3]);
  __syncwarp();
  const uint32_t entry_bits = 7 + header.high_bits;
  const uint32_t high_mask = header.high_bits == 32 ? ~0u : (1u << header.high_bits) - 1;
  for (uint32_t i = lane; i < header.exceptions; i += kWarpSize) {
    const uint32_t entry = kGroupSize * header.width + i * entry_bits;
    const uint32_t position = internal::Window(scratch.words, entry) & (kGroupSize - 1);
    const uint32_t high = internal::Window(scratch.words, entry + 7) & high_mask;
    // The encoder gives a position once; a payload that does not is wrong, but no race.
    atomicOr(&scratch.lanes[position], high << header.width);
  }
  __syncwarp();
  const uint4 whole = *mine;
  values[0] = whole.x;
  values[1] = whole.y;
  values[2] = whole.z;
  values[3] = whole.w;
  return header;
}

/// Writes to scratch.lanes, for each of the edges [first, first + size) that heads a list, whose;
/// kInvalidVertex for others. `hint` is a vertex whose list holds edge `first` or the one before.
/// Every lane reads the starts of other lists; runs of empty lists are jumped.
__device__ inline void WarpFindHeads(const VertexIndexView& index, EdgeIndex first, uint32_t size,
                                     VertexId hint, uint32_t lane, WarpScratch& scratch) {
  reinterpret_cast<uint4*>(scratch.lanes)[lane] =
      make_uint4(kInvalidVertex, kInvalidVertex, kInvalidVertex, kInvalidVertex);
  __syncwarp();
  if (lane == 0 && index.first_edge(hint) == first) scratch.lanes[0] = hint;
  constexpr uint32_t kBeyond = 2 * kGroupSize;
  const uint64_t num_vertices = index.num_vertices;
  const auto start_of = [&](uint64_t vertex) {  // relative to the group, capped
    if (vertex > num_vertices) return kBeyond;
    const EdgeIndex from = index.first_edge(static_cast<VertexId>(vertex)) - first;
    return from < kBeyond ? static_cast<uint32_t>(from) : kBeyond;
  };
  for (uint64_t base = uint64_t{hint} + 1; base < num_vertices;) {
    const uint32_t start = start_of(base + lane);
    uint32_t next = __shfl_down_sync(kAllLanes, start, 1);
    if (lane == kWarpSize - 1) next = start_of(base + kWarpSize);
    const bool head = start < size && next > start;
    if (head) scratch.lanes[start] = static_cast<VertexId>(base + lane);
    const uint32_t last = __shfl_sync(kAllLanes, start, kWarpSize - 1);
    if (last >= size) break;
    base += kWarpSize;
    if (!__any_sync(kAllLanes, head)) {
      // 32 empty lists: on to the one that has the edge they stand before.
      base = index.OwnerOf(first + last, static_cast<VertexId>(base - 1), index.num_vertices);
    }
  }
  __syncwarp();
}

/// Decodes group `group` of a block whose payload of neighbours is `payload`: the edges [first,
/// first + size) of the direction. `hint` as in WarpFindHeads; it becomes the owner of the last
/// edge. Fills in all of `edges` but weights. All lanes call it together.
template <typename Weight>
__device__ inline void WarpNeighbors(const VertexIndexView& index, const uint64_t* payload,
                                     uint32_t num_groups, uint32_t group, EdgeIndex first,
                                     uint32_t size, uint32_t lane, WarpScratch& scratch,
                                     VertexId* hint, LaneEdges<Weight>* edges) {
  uint32_t sums[kLaneEdges];
  const GroupHeader header = WarpValues(payload, num_groups, group, lane, scratch, sums);
  WarpFindHeads(index, first, size, *hint, lane, scratch);
  const uint4 four = reinterpret_cast<const uint4*>(scratch.lanes)[lane];
  const VertexId head_of[kLaneEdges] = {four.x, four.y, four.z, four.w};
  uint32_t values[kLaneEdges];
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    values[i] = sums[i];
    if (i > 0) sums[i] += sums[i - 1];
  }
  uint32_t total = sums[kLaneEdges - 1];
#pragma unroll
  for (uint32_t by = 1; by < kWarpSize; by *= 2) {
    const uint32_t below = __shfl_up_sync(kAllLanes, total, by);
    if (lane >= by) total += below;
  }
  const uint32_t before = total - sums[kLaneEdges - 1];
  // What the edges behind each head add to their sums, and whose they are.
  uint32_t constant = 0;
  VertexId owner = kInvalidVertex;
  uint32_t constants[kLaneEdges];
  edges->heads = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    sums[i] += before;
    if (head_of[i] != kInvalidVertex) {
      owner = head_of[i];
      constant = owner + UnZigZag(values[i]) - sums[i];
      edges->heads |= 1u << i;
    }
    constants[i] = constant;
    edges->owner[i] = owner;
  }
  // Edges before a lane's first head belong to the list of an earlier lane's last.
  const uint32_t below = __ballot_sync(kAllLanes, owner != kInvalidVertex) & ((1u << lane) - 1);
  const uint32_t from = below == 0 ? lane : 31 - __clz(below);
  uint32_t passed_constant = __shfl_sync(kAllLanes, constant, from);
  VertexId passed_owner = __shfl_sync(kAllLanes, owner, from);
  if (below == 0) {
    passed_constant = header.base;
    passed_owner = *hint;
  }
  edges->valid = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    if (edges->owner[i] == kInvalidVertex) {
      edges->owner[i] = passed_owner;
      constants[i] = passed_constant;
    }
    edges->target[i] = sums[i] + constants[i];
    const bool exists = lane * kLaneEdges + i < size;
    if (exists && edges->target[i] < index.num_vertices) edges->valid |= 1u << i;
  }
  *hint = __shfl_sync(kAllLanes, edges->owner[kLaneEdges - 1], kWarpSize - 1);
}

/// The lane's weights of the same group; `weights` is DeviceBlock's.
template <typename Weight>
__device__ inline void WarpWeights(const void* weights, uint32_t num_groups, uint32_t group,
                                   uint32_t size, uint32_t lane, WarpScratch& scratch,
                                   LaneEdges<Weight>* edges) {
  if constexpr (std::is_same_v<Weight, int32_t>) {
    uint32_t values[kLaneEdges];
    WarpValues(static_cast<const uint64_t*>(weights), num_groups, group, lane, scratch, values);
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      edges->weight[i] = static_cast<int32_t>(values[i]);
    }
  } else if constexpr (!std::is_same_v<Weight, NoWeight>) {
    const Weight* const raw = static_cast<const Weight*>(weights) + group * kGroupSize;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      const uint32_t place = lane * kLaneEdges + i;
      edges->weight[i] = place < size ? __ldg(raw + place) : Weight{};
    }
  }
}

}  // namespace edgemill

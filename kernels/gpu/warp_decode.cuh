// One warp decodes a group of packed edges to registers: four edges for each lane.
//
// The group's words are copied to a ring in shared memory (kernels/group_ring.h), from the GPU's
// memory or across the link. Then every lane takes its four values from the ring, and exceptions
// are put in their places. A scan over the lanes gives sums, and each list adds its constant (see
// kernels/cpu/decode.h). test/graphs/warp_model.h does the same in a form that a CPU can test.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/gpu/device_edges.h"
#include "kernels/group_ring.h"
#include "kernels/weight.h"
#include "storage/format/group_codec.h"

namespace edgemill {

inline constexpr uint32_t kAllLanes = 0xffffffffu;
/// The edges of a group in one lane.
inline constexpr uint32_t kLaneEdges = kGroupSize / kWarpSize;

/// Words of groups that are being fetched or in use.
struct alignas(kLineWords * sizeof(uint32_t)) LineRing {
  uint32_t words[kRingWords];
};

/// A warp's share of shared memory. Packed weights have a ring of their own.
template <typename Weight>
struct WarpScratch {
  LineRing neighbors;
  LineRing weights;
  alignas(16) uint32_t lanes[kGroupSize];
};
template <>
struct WarpScratch<NoWeight> {
  LineRing neighbors;
  alignas(16) uint32_t lanes[kGroupSize];
};

/// A lane's part of a decoded group: edges 4 * lane to 4 * lane + 3.
template <typename Weight>
struct LaneEdges {
  VertexId neighbor[kLaneEdges];
  VertexId source[kLaneEdges];  // source vertex of the edge's list
  Weight weight[kLaneEdges];
  uint32_t heads;  // bit i: edge i is the first of its list
  uint32_t valid;  // bit i: edge i exists, and its target is a vertex
};

namespace internal {

/// Returns bits number `bit` to `bit + last` of the ring; the bits above are undefined. Does not
/// use the next word unless it has one of these bits, because it may not have arrived yet.
__device__ inline uint32_t Window(const LineRing& ring, uint32_t bit, uint32_t last) {
  return __funnelshift_r(ring.words[(bit >> 5) % kRingWords],
                         ring.words[((bit + last) >> 5) % kRingWords], bit);
}

}  // namespace internal

/// The groups' data in a packed payload of `num_groups` groups. Words count from the line in which
/// the data begins.
struct GroupData {
  const uint32_t* line;
  uint32_t skew;  // words of that line before the data

  __device__ GroupData(const uint64_t* payload, uint32_t num_groups) {
    const auto begin = reinterpret_cast<uintptr_t>(payload + num_groups);
    skew = static_cast<uint32_t>(begin / sizeof(uint32_t)) % kLineWords;
    line = reinterpret_cast<const uint32_t*>(begin) - skew;
  }
  /// Returns the words of a group.
  __device__ WordRange WordsOf(const GroupHeader& header) const {
    const uint32_t begin = skew + header.word_offset;
    return {begin, begin + header.num_words()};
  }
};

/// Starts copying `size` words from `from` to place `to` of the ring, in whole sectors. All lanes
/// must call it together. CommitFetches ends a set of fetches, for which WarpAwait waits.
__device__ inline void WarpFetch(const uint32_t* from, uint32_t size, uint32_t to, uint32_t lane,
                                 LineRing& ring) {
  for (uint32_t i = lane * kLaneCopyWords; i < size; i += kWarpSize * kLaneCopyWords) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<uint32_t>(
                     __cvta_generic_to_shared(ring.words + (to + i) % kRingWords))),
                 "l"(from + i));
  }
}

__device__ inline void CommitFetches() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits for all committed sets of fetches but the last `left`, and makes their words visible to
/// all lanes.
template <int left>
__device__ inline void WarpAwait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
  __syncwarp();
}

/// Gets the lane's four values of a group, with exceptions applied, before any sum. The group's
/// words are in `ring` from place `start` on. `lanes` is scratch memory for 128 words. All lanes
/// must call it together.
__device__ inline void WarpUnpack(const GroupHeader& header, const LineRing& ring, uint32_t start,
                                  uint32_t* lanes, uint32_t lane, uint32_t (&values)[kLaneEdges]) {
  const uint32_t mask = header.width == 32 ? ~0u : (1u << header.width) - 1;
  const uint32_t first = start % kRingWords * 32;
  uint32_t bit = first + lane * kLaneEdges * header.width;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i, bit += header.width) {
    values[i] = header.width == 0 ? 0 : internal::Window(ring, bit, header.width - 1) & mask;
  }
  if (header.exceptions == 0) return;
  uint4* const mine = reinterpret_cast<uint4*>(lanes) + lane;
  *mine = make_uint4(values[0], values[1], values[2], values[3]);
  __syncwarp();
  const uint32_t entry_bits = 7 + header.high_bits;
  const uint32_t high_mask = header.high_bits == 32 ? ~0u : (1u << header.high_bits) - 1;
  for (uint32_t i = lane; i < header.exceptions; i += kWarpSize) {
    const uint32_t entry = first + kGroupSize * header.width + i * entry_bits;
    const uint32_t position = internal::Window(ring, entry, 6) & (kGroupSize - 1);
    const uint32_t high = internal::Window(ring, entry + 7, header.high_bits - 1) & high_mask;
    // The encoder writes a position once. If a wrong payload repeats one, the atomic operation
    // still avoids a race.
    atomicOr(&lanes[position], high << header.width);
  }
  __syncwarp();
  const uint4 whole = *mine;
  values[0] = whole.x;
  values[1] = whole.y;
  values[2] = whole.z;
  values[3] = whole.w;
}

/// Gets the lane's four values of group `group` of a packed payload, through `ring`. Returns the
/// header. All lanes must call it together.
__device__ inline GroupHeader WarpValues(const uint64_t* payload, uint32_t num_groups,
                                         uint32_t group, uint32_t lane, LineRing& ring,
                                         uint32_t* lanes, uint32_t (&values)[kLaneEdges]) {
  const GroupHeader header = GroupHeader::Unpack(__ldg(payload + group));
  const GroupData data(payload, num_groups);
  const WordRange words = data.WordsOf(header);
  const WordRange bring = WordsToBring(words, false, false);
  __syncwarp();
  WarpFetch(data.line + bring.begin, bring.end - bring.begin, bring.begin % kLineWords, lane, ring);
  CommitFetches();
  WarpAwait<0>();
  WarpUnpack(header, ring, words.begin % kLineWords, lanes, lane, values);
  return header;
}

/// Computes the lane's four prefix sums over the group's values. All lanes must call it together.
__device__ inline void WarpSums(const uint32_t (&values)[kLaneEdges], uint32_t lane,
                                uint32_t (&sums)[kLaneEdges]) {
  sums[0] = values[0];
#pragma unroll
  for (uint32_t i = 1; i < kLaneEdges; ++i) sums[i] = sums[i - 1] + values[i];
  uint32_t total = sums[kLaneEdges - 1];
#pragma unroll
  for (uint32_t by = 1; by < kWarpSize; by *= 2) {
    const uint32_t below = __shfl_up_sync(kAllLanes, total, by);
    if (lane >= by) total += below;
  }
  const uint32_t before = total - sums[kLaneEdges - 1];
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) sums[i] += before;
}

/// Finds the list starts among the edges [first, first + size). Writes to `lanes` the list's vertex
/// where an edge starts a list, else kInvalidVertex. The list of vertex `hint` has edge `first` or
/// the one before. Each lane reads the starts of different lists. Long sequences of empty lists are
/// skipped.
__device__ inline void WarpFindHeads(const VertexIndexView& index, EdgeIndex first, uint32_t size,
                                     VertexId hint, uint32_t lane, uint32_t* lanes) {
  reinterpret_cast<uint4*>(lanes)[lane] =
      make_uint4(kInvalidVertex, kInvalidVertex, kInvalidVertex, kInvalidVertex);
  __syncwarp();
  if (lane == 0 && index.first_edge(hint) == first) lanes[0] = hint;
  constexpr uint32_t kBeyond = 2 * kGroupSize;
  const uint64_t num_vertices = index.num_vertices;
  const auto start_of = [&](uint64_t vertex) {  // relative to `first`, at most kBeyond
    if (vertex > num_vertices) return kBeyond;
    const EdgeIndex from = index.first_edge(static_cast<VertexId>(vertex)) - first;
    return from < kBeyond ? static_cast<uint32_t>(from) : kBeyond;
  };
  for (uint64_t base = uint64_t{hint} + 1; base < num_vertices;) {
    const uint32_t start = start_of(base + lane);
    uint32_t next = __shfl_down_sync(kAllLanes, start, 1);
    if (lane == kWarpSize - 1) next = start_of(base + kWarpSize);
    const bool head = start < size && next > start;
    if (head) lanes[start] = static_cast<VertexId>(base + lane);
    const uint32_t last = __shfl_sync(kAllLanes, start, kWarpSize - 1);
    if (last >= size) break;
    base += kWarpSize;
    if (!__any_sync(kAllLanes, head)) {
      // No list starts with these 32 vertices: skip to the list with the next edge.
      base = index.OwnerOf(first + last, static_cast<VertexId>(base - 1), index.num_vertices);
    }
  }
  __syncwarp();
}

/// Decodes a group whose words are in `ring` from place `start` on: the edges [first, first + size)
/// of the direction. `lanes` is scratch memory for 128 words. `*hint` is as in WarpFindHeads, and
/// gets the source vertex of the last edge. Fills in all of `edges` but weights. All lanes must
/// call it together.
template <typename Weight>
__device__ inline void WarpNeighbors(const VertexIndexView& index, const GroupHeader& header,
                                     const LineRing& ring, uint32_t start, EdgeIndex first,
                                     uint32_t size, uint32_t lane, uint32_t* lanes, VertexId* hint,
                                     LaneEdges<Weight>* edges) {
  uint32_t values[kLaneEdges];
  WarpUnpack(header, ring, start, lanes, lane, values);
  __syncwarp();
  WarpFindHeads(index, first, size, *hint, lane, lanes);
  const uint4 four = reinterpret_cast<const uint4*>(lanes)[lane];
  const VertexId head_of[kLaneEdges] = {four.x, four.y, four.z, four.w};
  uint32_t sums[kLaneEdges];
  WarpSums(values, lane, sums);
  // The constant that edges after each list start add to their sums, and the list's vertex.
  uint32_t constant = 0;
  VertexId source = kInvalidVertex;
  uint32_t constants[kLaneEdges];
  edges->heads = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    if (head_of[i] != kInvalidVertex) {
      source = head_of[i];
      constant = source + UnZigZag(values[i]) - sums[i];
      edges->heads |= 1u << i;
    }
    constants[i] = constant;
    edges->source[i] = source;
  }
  // Edges before a lane's first list start belong to the last list that started in a lower lane.
  const uint32_t below = __ballot_sync(kAllLanes, source != kInvalidVertex) & ((1u << lane) - 1);
  const uint32_t from = below == 0 ? lane : 31 - __clz(below);
  uint32_t passed_constant = __shfl_sync(kAllLanes, constant, from);
  VertexId passed_source = __shfl_sync(kAllLanes, source, from);
  if (below == 0) {
    passed_constant = header.base;
    passed_source = *hint;
  }
  edges->valid = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    if (edges->source[i] == kInvalidVertex) {
      edges->source[i] = passed_source;
      constants[i] = passed_constant;
    }
    edges->neighbor[i] = sums[i] + constants[i];
    const bool exists = lane * kLaneEdges + i < size;
    if (exists && edges->neighbor[i] < index.num_vertices) edges->valid |= 1u << i;
  }
  *hint = __shfl_sync(kAllLanes, edges->source[kLaneEdges - 1], kWarpSize - 1);
}

/// Sets the lane's weights from packed `values`.
template <typename Weight>
__device__ inline void SetWeights(const uint32_t (&values)[kLaneEdges], LaneEdges<Weight>* edges) {
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    edges->weight[i] = static_cast<Weight>(static_cast<int32_t>(values[i]));
  }
}

namespace internal {

template <typename Stored, typename Weight>
__device__ inline void RawWeights(const void* weights, uint32_t group, uint32_t size, uint32_t lane,
                                  LaneEdges<Weight>* edges) {
  const Stored* const raw = static_cast<const Stored*>(weights) + group * kGroupSize;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    const uint32_t place = lane * kLaneEdges + i;
    edges->weight[i] = place < size ? static_cast<Weight>(__ldg(raw + place)) : Weight{};
  }
}

}  // namespace internal

/// Gets the lane's weights of a group of `size` edges, which are stored unpacked as `type`.
/// `weights` is that of DeviceBlock. In a graph without weights, all are 1.
template <typename Weight>
__device__ inline void WarpRawWeights(WeightType type, const void* weights, uint32_t group,
                                      uint32_t size, uint32_t lane, LaneEdges<Weight>* edges) {
  if (type == WeightType::kFloat32) {
    internal::RawWeights<float>(weights, group, size, lane, edges);
  } else if (type == WeightType::kFloat64) {
    internal::RawWeights<double>(weights, group, size, lane, edges);
  } else {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) edges->weight[i] = Weight{1};
  }
}

}  // namespace edgemill

// One block's edges as an algorithm sees them: lists, or parts of lists, of consecutive vertices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "common/types.h"
#include "engine/graph/vertex_index.h"
#include "kernels/cpu/block_ids.h"
#include "kernels/cpu/decode.h"
#include "kernels/weight.h"
#include "storage/format/graph_info.h"
#include "storage/format/group_codec.h"
#include "storage/read/block_reader.h"

namespace edgemill {

/// A block in memory with the vertices whose lists it holds. Views only.
struct BlockEdges {
  uint64_t block = 0;
  EdgeIndex begin = 0;  // its edges: [begin, end)
  EdgeIndex end = 0;
  PackedView neighbors;
  /// The weights' payload, when weights are read: packed for 32-bit integers, else raw.
  WeightType weights = WeightType::kNone;  // their type; kNone: weights are not read
  PackedView packed_weights;
  std::span<const std::byte> raw_weights;
  /// The payloads as they are stored in memory; weights_payload is empty when they are not read.
  std::span<const std::byte> payload;
  std::span<const std::byte> weights_payload;
  /// Keeps the payloads in memory. Code that needs them for longer moves the lease away.
  BlockLease* lease = nullptr;
  /// Vertices whose list starts in this block, empty lists included; those after the last edge
  /// belong to the last block.
  VertexId owned_begin = 0;
  VertexId owned_end = 0;
  /// Whether the list of vertex owned_begin - 1 continues in this block.
  bool continues = false;

  /// Its lists, for BlockIds.
  BlockLists lists(const VertexIndexView& index) const {
    const VertexId first = owned_begin - (continues ? 1 : 0);
    return {first, continues, owned_end - first, static_cast<uint32_t>(begin), index.low + first};
  }
  /// Whether decoding the whole block is faster than decoding only the first ids of `lists` of its
  /// lists.
  bool WholePays(uint64_t lists) const { return lists * kEdgesPerStart >= end - begin; }
  /// The part in this block of the list of `vertex`, which begins here.
  ListStart list_start(const VertexIndexView& index, VertexId vertex) const {
    const EdgeIndex first = index.first_edge(vertex);
    const EdgeIndex last = std::min(index.first_edge(vertex + 1), end);
    return {vertex, static_cast<uint32_t>(first - begin), static_cast<uint32_t>(last - first)};
  }
};

/// Weight `i`; empty for NoWeight.
template <typename Weight>
Weight WeightAt(const Weight* weights, size_t i) {
  if constexpr (std::is_same_v<Weight, NoWeight>) {
    return {};
  } else {
    return weights[i];
  }
}

/// Consecutive edges of one list inside one group.
template <typename Weight>
struct ListChunk {
  const uint32_t* sums;  // of the chunk's first edge
  uint32_t constant;
  uint32_t size;
  const Weight* weights;  // of the chunk's first edge; unused for NoWeight

  VertexId target(uint32_t i) const { return sums[i] + constant; }
  Weight weight(uint32_t i) const { return WeightAt(weights, i); }
};

/// The type as which graphs store W, which is int32_t, float or double.
template <typename W>
inline constexpr WeightType kStoredAs = std::is_same_v<W, int32_t> ? WeightType::kInt32
                                        : std::is_same_v<W, float> ? WeightType::kFloat32
                                                                   : WeightType::kFloat64;

/// The block's weights where the block holds them as an array of W; else null.
template <typename W>
const W* RawWeights(const BlockEdges& block) {
  const bool is_raw = !std::is_same_v<W, int32_t> && block.weights == kStoredAs<W>;
  return is_raw ? reinterpret_cast<const W*>(block.raw_weights.data()) : nullptr;
}

/// Writes `count` weights of `block`, from edge `first` on, as W: 1 where the block has none. For
/// stored types that are not packed.
template <typename W>
void ConvertWeights(const BlockEdges& block, uint32_t first, uint32_t count, W* out) {
  const auto convert = [&](const auto* stored) {
    for (uint32_t i = 0; i < count; ++i) out[i] = static_cast<W>(stored[i]);
  };
  const std::byte* const raw = block.raw_weights.data();
  switch (block.weights) {
    case WeightType::kFloat32:
      return convert(reinterpret_cast<const float*>(raw) + first);
    case WeightType::kFloat64:
      return convert(reinterpret_cast<const double*>(raw) + first);
    case WeightType::kInt32:
    case WeightType::kNone:
      break;
  }
  std::fill_n(out, count, W{1});
}

/// Writes the weights of a group as W: 1 where the block has none. `out` has room for kGroupSize.
template <typename W>
void DecodeGroupWeights(const BlockEdges& block, uint32_t group, W* out) {
  if (block.weights != WeightType::kInt32) {
    const uint32_t first = group * kGroupSize;
    const uint32_t left = static_cast<uint32_t>(block.end - block.begin) - first;
    return ConvertWeights(block, first, std::min(left, kGroupSize), out);
  }
  if constexpr (std::is_same_v<W, int32_t>) {
    DecodeGroupValues(block.packed_weights, group, reinterpret_cast<uint32_t*>(out));
  } else {
    alignas(64) std::array<uint32_t, kGroupSize> packed;
    DecodeGroupValues(block.packed_weights, group, packed.data());
    for (uint32_t i = 0; i < kGroupSize; ++i)
      out[i] = static_cast<W>(static_cast<int32_t>(packed[i]));
  }
}

/// The weights of all edges of a block, in order: in the block itself, or written to `scratch`,
/// which has space for whole groups. Null for NoWeight.
template <typename W>
const W* DecodeWeights(const BlockEdges& block, [[maybe_unused]] std::byte* scratch) {
  if constexpr (std::is_same_v<W, NoWeight>) {
    return nullptr;
  } else {
    if (const W* const raw = RawWeights<W>(block)) return raw;
    W* const out = reinterpret_cast<W*>(scratch);
    for (uint32_t group = 0; group < block.neighbors.num_groups(); ++group) {
      DecodeGroupWeights(block, group, out + group * kGroupSize);
    }
    return out;
  }
}

/// Decodes lists of one block, each group at most once when lists are visited in order. Weight:
/// NoWeight, int32_t, float or double; what the graph stores is converted to it.
template <typename Weight>
class ListCursor {
 public:
  ListCursor(const BlockEdges& block, uint64_t num_vertices)
      : block_(block), num_vertices_(num_vertices) {
    if constexpr (!std::is_same_v<Weight, NoWeight>) raw_weights_ = RawWeights<Weight>(block);
  }

  EdgeIndex block_begin() const { return block_.begin; }
  /// Whether group `group` is the one decoded last.
  bool holds(uint32_t group) const { return group == group_; }

  /// Calls `visit(ListChunk)` for each chunk of the list of `source` that lies in this block, in
  /// order, until it returns false. The list is edges [first, last) of the graph. False when an id
  /// is out of bounds: the block is damaged.
  template <typename Visit>
  bool VisitList(VertexId source, EdgeIndex first, EdgeIndex last, Visit visit) {
    uint32_t edge = static_cast<uint32_t>(std::max(first, block_.begin) - block_.begin);
    const uint32_t end = static_cast<uint32_t>(std::min(last, block_.end) - block_.begin);
    bool is_head = first >= block_.begin;
    while (edge < end) {
      const uint32_t group = edge / kGroupSize;
      const uint32_t chunk_begin = edge % kGroupSize;
      const uint32_t chunk_end = std::min(end - group * kGroupSize, kGroupSize);
      Decode(group);
      ListChunk<Weight> chunk;
      if (!ListConstant(prefix_, source, chunk_begin, chunk_end, is_head, num_vertices_,
                        &chunk.constant)) [[unlikely]] {
        return false;
      }
      chunk.sums = prefix_.sums() + chunk_begin;
      chunk.size = chunk_end - chunk_begin;
      if constexpr (!std::is_same_v<Weight, NoWeight>) chunk.weights = Weights(edge);
      if (!visit(chunk)) return true;
      edge += chunk.size;
      is_head = false;
    }
    return true;
  }

 private:
  void Decode(uint32_t group) {
    if (group == group_) return;
    group_ = group;
    DecodeGroupPrefix(block_.neighbors, group, &prefix_);
    if constexpr (!std::is_same_v<Weight, NoWeight>) {
      if (raw_weights_ == nullptr) DecodeGroupWeights(block_, group, values_);
    }
  }
  const Weight* Weights(uint32_t edge) const {
    return raw_weights_ == nullptr ? values_ + edge % kGroupSize : raw_weights_ + edge;
  }

  const BlockEdges& block_;
  const uint64_t num_vertices_;
  uint32_t group_ = ~uint32_t{0};
  GroupPrefix prefix_;
  const Weight* raw_weights_ = nullptr;
  alignas(64) Weight values_[std::is_same_v<Weight, NoWeight> ? 1 : kGroupSize];
};

/// Calls `visit(vertex, first, last)` for each vertex with a list, or part of one, in `block`, in
/// order, until it returns false. [first, last) is the list's whole extent. Vertices without edges
/// are left out. Returns false if a visit did.
template <typename Visit>
bool VisitVertices(const BlockEdges& block, const VertexIndexView& index, Visit visit) {
  VertexId vertex = block.owned_begin - (block.continues ? 1 : 0);
  EdgeIndex first = vertex < block.owned_end ? index.first_edge(vertex) : 0;
  for (; vertex < block.owned_end; ++vertex) {
    const EdgeIndex last = index.first_edge(vertex + 1);
    if (last > first && !visit(vertex, first, last)) return false;
    first = last;
  }
  return true;
}

}  // namespace edgemill

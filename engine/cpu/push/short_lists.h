// Lists of a few edges, decoded edge by edge, many lists at a time.
//
// Few of a group's edges may be wanted. Then decoding the group takes longer than using them, and
// the next list's memory is fetched only when this list's work is done. Here memory is fetched
// ahead.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/graph/block_edges.h"
#include "kernels/cpu/decode.h"

namespace edgemill {

/// Short lists of one block and what their source vertices send. Large: some 24 KiB.
template <typename Weight, typename Message>
class ShortLists {
 public:
  /// Edges of a group up to which they are decoded one by one: a group costs as much as these.
  static constexpr uint32_t kFewEdges = 16;

  uint32_t num_lists() const { return num_lists_; }
  bool HasRoom(uint32_t edges) const { return num_edges_ + edges <= kCapacity; }
  /// Adds the whole list of `source`, whose edges are [first, first + size) of the block, 0 < size.
  void Add(VertexId source, uint32_t first, uint32_t size, Message message) {
    sources_[num_lists_] = source;
    messages_[num_lists_] = message;
    num_edges_ += size;
    ends_[num_lists_++] = static_cast<uint16_t>(num_edges_);
    for (uint32_t edge = num_edges_ - size; edge < num_edges_; ++edge) places_[edge] = first++;
  }

  void Clear() { num_lists_ = num_edges_ = 0; }
  /// Pops all but the first `lists`. Calls `visit(source, first, size, message)` for each
  /// taken out, in order, until it returns false. Returns what the last visit did.
  template <typename Visit>
  bool PopFrom(uint32_t lists, Visit visit) {
    const uint32_t end = std::exchange(num_lists_, lists);
    num_edges_ = begin(lists);
    for (uint32_t list = lists; list < end; ++list) {
      const uint32_t size = ends_[list] - begin(list);
      if (!visit(sources_[list], places_[begin(list)], size, messages_[list])) return false;
    }
    return true;
  }

  /// Decodes all lists. False when an id is out of bounds: the block is damaged.
  bool Decode(const BlockEdges& block, uint64_t num_vertices) {
    const std::span<const uint32_t> places(places_.data(), num_edges_);
    DecodeValuesAt(block.neighbors, places, targets_.data());
    if constexpr (!std::is_same_v<Weight, NoWeight>) DecodeWeights(block, places);
    bool sound = true;
    for (uint32_t list = 0, edge = 0; list < num_lists_; ++list) {
      uint64_t id = sources_[list] + UnZigZag(targets_[edge]);
      id = static_cast<VertexId>(id);
      while (true) {
        sound &= id < num_vertices;
        targets_[edge] = static_cast<VertexId>(id);
        if (++edge == ends_[list]) break;
        id += targets_[edge];  // of 64 bits: what passes 2^32 is out of bounds
      }
    }
    return sound;
  }

  /// Calls `visit(source, target, message, weight)` for each edge.
  template <typename Visit>
  void VisitEdges(Visit visit) const {
    for (uint32_t list = 0, edge = 0; list < num_lists_; ++list) {
      for (; edge < ends_[list]; ++edge) {
        visit(sources_[list], targets_[edge], messages_[list], weight(edge));
      }
    }
  }

 private:
  static constexpr uint32_t kCapacity = 1024;

  uint32_t begin(uint32_t list) const { return list == 0 ? 0 : ends_[list - 1]; }
  void DecodeWeights(const BlockEdges& block, std::span<const uint32_t> places) {
    if (block.weights == WeightType::kInt32) {
      std::array<int32_t, std::is_same_v<Weight, int32_t> ? 1 : kCapacity> integers;
      auto* const values = std::is_same_v<Weight, int32_t>
                               ? reinterpret_cast<uint32_t*>(weights_.data())
                               : reinterpret_cast<uint32_t*>(integers.data());
      DecodeValuesAt(block.packed_weights, places, values);
      if constexpr (!std::is_same_v<Weight, int32_t>) {
        std::copy_n(integers.begin(), num_edges_, weights_.begin());
      }
    } else {
      for (uint32_t edge = 0; edge < num_edges_; ++edge) {
        ConvertWeights(block, places[edge], 1, &weights_[edge]);
      }
    }
  }
  Weight weight(uint32_t edge) const {
    if constexpr (std::is_same_v<Weight, NoWeight>) {
      return {};
    } else {
      return weights_[edge];
    }
  }

  uint32_t num_lists_ = 0;
  uint32_t num_edges_ = 0;
  std::array<VertexId, kCapacity> sources_;
  std::array<Message, kCapacity> messages_;
  std::array<uint16_t, kCapacity> ends_;  // of each list, in the arrays of edges
  std::array<uint32_t, kCapacity> places_;
  std::array<VertexId, kCapacity> targets_;
  std::array<Weight, std::is_same_v<Weight, NoWeight> ? 1 : kCapacity> weights_;
};

/// Short lists by their groups. Those of one group are given back once they have so many edges that
/// the group is decoded as a whole faster.
template <typename Weight, typename Message>
class GroupedShortLists {
 public:
  /// The edges of a group that its short lists may have.
  static constexpr uint32_t kFewEdges = ShortLists<Weight, Message>::kFewEdges;

  bool empty() const { return lists_.num_lists() == 0; }
  /// Whether there is room for the list that begins with edge `first` of the block.
  bool HasRoom(uint32_t first) const {
    return first / kGroupSize == group_ || lists_.HasRoom(kFewEdges);
  }
  /// As ShortLists::Add, of a list within one group that has room. False where the lists of the
  /// group have too many edges: the list is not added.
  bool Add(VertexId source, uint32_t first, uint32_t size, Message message) {
    if (first / kGroupSize != group_) {
      group_ = first / kGroupSize;
      group_begin_ = lists_.num_lists();
      group_edges_ = 0;
    }
    group_edges_ += size;
    if (group_edges_ > kFewEdges) return false;
    lists_.Add(source, first, size, message);
    return true;
  }
  /// Takes out the lists of the last group, as ShortLists::PopFrom.
  template <typename Visit>
  bool PopGroup(Visit visit) {
    return lists_.PopFrom(group_begin_, visit);
  }
  bool Decode(const BlockEdges& block, uint64_t num_vertices) {
    return lists_.Decode(block, num_vertices);
  }
  template <typename Visit>
  void VisitEdges(Visit visit) const {
    lists_.VisitEdges(visit);
  }
  void Clear() {
    lists_.Clear();
    group_ = kNoGroup;
  }

 private:
  static constexpr uint32_t kNoGroup = ~uint32_t{0};

  ShortLists<Weight, Message> lists_;
  uint32_t group_ = kNoGroup;  // whose lists are the last
  uint32_t group_begin_ = 0;   // the first of them
  uint32_t group_edges_ = 0;   // of theirs
};

}  // namespace edgemill

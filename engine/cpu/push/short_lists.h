// Lists of a few edges, decoded edge by edge, many lists at a time.
//
// Often few of a group's edges are wanted. Then decoding the whole group takes longer than using
// these edges, and the next list's memory is fetched only after this list. Here the memory of many
// lists is fetched at the same time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/graph/block_edges.h"
#include "kernels/cpu/decode.h"

namespace edgemill {

/// Short lists of one block, and the messages of their source vertices. Large: about 24 KiB.
template <typename Weight, typename Message>
class ShortLists {
 public:
  /// The most edges of a group that are decoded one by one: a whole group takes as long.
  static constexpr uint32_t kFewEdges = 16;

  uint32_t num_lists() const { return num_lists_; }
  bool HasSpace(uint32_t edges) const { return num_edges_ + edges <= kCapacity; }
  /// Adds the whole list of `source`: the edges [first, first + size) of the block, 0 < size.
  void Add(VertexId source, uint32_t first, uint32_t size, Message message) {
    sources_[num_lists_] = source;
    messages_[num_lists_] = message;
    num_edges_ += size;
    ends_[num_lists_++] = static_cast<uint16_t>(num_edges_);
    for (uint32_t edge = num_edges_ - size; edge < num_edges_; ++edge) places_[edge] = first++;
  }

  void Clear() { num_lists_ = num_edges_ = 0; }
  /// Removes all but the first `lists`. Calls `visit(source, first, size, message)` for each list
  /// that it removes, in order, until `visit` returns false. Returns false in that case.
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
        id += targets_[edge];  // in 64 bits: an id above 2^32 is out of bounds
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
  std::array<uint16_t, kCapacity> ends_;  // the end of each list in the arrays of edges
  std::array<uint32_t, kCapacity> places_;
  std::array<VertexId, kCapacity> targets_;
  std::array<Weight, std::is_same_v<Weight, NoWeight> ? 1 : kCapacity> weights_;
};

/// Short lists by their groups. Once the lists of a group have so many edges that decoding the
/// whole group is faster, the caller takes them out (PopGroup).
template <typename Weight, typename Message>
class GroupedShortLists {
 public:
  /// The most edges of a group in short lists.
  static constexpr uint32_t kFewEdges = ShortLists<Weight, Message>::kFewEdges;

  bool empty() const { return lists_.num_lists() == 0; }
  /// Whether there is space for the list that begins with edge `first` of the block.
  bool HasSpace(uint32_t first) const {
    return first / kGroupSize == group_ || lists_.HasSpace(kFewEdges);
  }
  /// Adds a list that lies within one group, as ShortLists::Add. HasSpace must be true. Does not
  /// add it, and returns false, where the lists of the group would have too many edges.
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
  /// Removes the lists of the last group, as ShortLists::PopFrom does.
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
  uint32_t group_ = kNoGroup;  // the group of the last lists
  uint32_t group_begin_ = 0;   // the first list of the group
  uint32_t group_edges_ = 0;   // the edges of the group's lists
};

}  // namespace edgemill

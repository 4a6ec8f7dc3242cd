// Lists of a block of which a pull first looks at the first neighbours alone, many lists at a time:
// it waits for memory once for all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/cpu/pull/pull_target.h"
#include "engine/cpu/pull/sampled_neighbor_pull.h"
#include "kernels/cpu/block_ids.h"
#include "kernels/cpu/members.h"

namespace edgemill {

/// The lists of one block, and whether looking has paid. Some 4 KiB; on the stack of its thread.
template <typename P>
class PeekedLists {
 public:
  PeekedLists(PullTarget<P>& target, SampledNeighborPull<P>& sampled, const BlockEdges& edges,
              PulledBlock<P>& pulled)
      : target_(target), sampled_(sampled), edges_(edges), pulled_(pulled) {}

  /// Whether looking at first neighbours has paid so far.
  bool Pays() const { return peeks_ < 16 || 2 * hits_ > peeks_; }
  /// Whether 64 more lists have no room.
  bool IsFull() const { return size_ + 64 > kCapacity; }
  /// Adds the list of `vertex`, which begins in the block. There must be room.
  void Add(VertexId vertex) { lists_[size_++] = edges_.list_start(target_.index(), vertex); }
  /// Pulls the lists that were added, and forgets them. Calls `pull(vertex)` for those whose first
  /// neighbours do not decide; it is false when the block is damaged. False when the block is
  /// damaged.
  template <typename PullOne>
  bool Pull(PullOne pull);

 private:
  static constexpr uint32_t kCapacity = 256;  // enough that memory is waited for seldom

  /// Whether to look at the very first neighbours before the first sixteen.
  bool FirstPays() const {
    return !sampled_.has_tested_firsts() && (first_peeks_ < 64 || 3 * first_hits_ > first_peeks_);
  }
  bool PullFirstIds();
  void Take(VertexId sender, VertexId vertex) {
    PartialSum<P> partial;
    target_.PullFrom(pulled_.program, sender, vertex, WeightAsked<P>(), &partial);
    sampled_.LearnFound(vertex, sender);
    target_.Take(pulled_.program, vertex, partial, pulled_.active);
  }
  const uint64_t* emitting() const { return target_.pass().from()->words().data(); }

  PullTarget<P>& target_;
  SampledNeighborPull<P>& sampled_;
  const BlockEdges& edges_;
  PulledBlock<P>& pulled_;
  std::array<ListStart, kCapacity> lists_;
  uint32_t size_ = 0;
  uint32_t peeks_ = 0;
  uint32_t hits_ = 0;
  uint32_t first_peeks_ = 0;
  uint32_t first_hits_ = 0;
};

/// Pulls those of the lists whose first neighbour decides, and leaves the others. Looking at a
/// first neighbour takes a third of the time that decoding sixteen does. Where a pull pays, the
/// first neighbour decides most of the lists that have not been looked at.
template <typename P>
bool PeekedLists<P>::PullFirstIds() {
  const std::span<const ListStart> lists = std::span(lists_).first(size_);
  alignas(64) std::array<VertexId, kCapacity> senders{};
  if (!DecodeFirstIds(edges_.neighbors, lists, target_.index().num_vertices, senders.data())) {
    return false;
  }
  std::array<uint64_t, kCapacity / 64> members;
  FindMembers(senders.data(), (size_ + 63) / 64 * 64, emitting(), members.data());
  // Which are active cannot be predicted: their numbers are gathered first.
  std::array<VertexId, kCapacity> found;
  uint32_t num_found = 0, num_left = 0;
  for (uint32_t i = 0; i < size_; ++i) {
    const ListStart list = lists[i];
    const bool is_member = (members[i / 64] >> i % 64 & 1) != 0;
    sampled_.LearnFirst(list.source, senders[i]);
    found[num_found] = list.source;
    senders[num_found] = senders[i];
    num_found += is_member;
    lists_[num_left] = list;
    num_left += !is_member;
  }
  for (uint32_t i = 0; i < num_found; ++i) Take(senders[i], found[i]);
  first_peeks_ += size_;
  first_hits_ += num_found;
  size_ = num_left;
  return true;
}

template <typename P>
template <typename PullOne>
bool PeekedLists<P>::Pull(PullOne pull) {
  if (FirstPays() && !PullFirstIds()) return false;
  const std::span<const ListStart> lists = std::span(lists_).first(size_);
  alignas(64) std::array<VertexId, kCapacity * kStartIds> senders;
  const uint32_t end = size_ * kStartIds;
  std::fill(senders.begin() + end, senders.begin() + (end + 63) / 64 * 64, VertexId{0});
  if (!DecodeListStarts(edges_.neighbors, lists, target_.index().num_vertices, senders.data())) {
    return false;
  }
  std::array<uint64_t, kCapacity * kStartIds / 64 + 1> members;
  FindMembers(senders.data(), end, emitting(), members.data());
  // Which lists have an active sender cannot be predicted: their numbers are gathered first.
  std::array<uint16_t, kCapacity> found, missed;
  uint32_t num_found = 0, num_missed = 0;
  std::array<uint32_t, kCapacity> edges_found;
  for (uint32_t i = 0; i < size_; ++i) {
    const uint32_t none = i * kStartIds + lists[i].num_ids();
    sampled_.LearnFirst(lists[i].source, senders[i * kStartIds]);
    const uint32_t edge = FirstMember(members.data(), i * kStartIds, none);
    edges_found[num_found] = edge;
    found[num_found] = static_cast<uint16_t>(i);
    missed[num_missed] = static_cast<uint16_t>(i);
    num_found += edge != none;
    num_missed += edge == none && lists[i].num_ids() < lists[i].size;
  }
  for (uint32_t i = 0; i < num_found; ++i) {
    Take(senders[edges_found[i]], lists[found[i]].source);
  }
  if (sampled_.samples_highest()) {
    for (uint32_t i = 0; i < size_; ++i) {
      const uint32_t first = i * kStartIds, none = first + lists[i].num_ids();
      const bool all_seen = lists[i].num_ids() == lists[i].size;
      if (all_seen && sampled_.lacks_highest(lists[i].source) &&
          FirstMember(members.data(), first, none) == none) {
        typename SampledNeighborPull<P>::Highest highest(target_.index());
        for (uint32_t at = first; at < none; ++at) highest.Add(senders[at]);
        sampled_.LearnHighest(lists[i].source, highest);
      }
    }
  }
  for (uint32_t i = 0; i < num_missed; ++i) {
    if (!pull(lists[missed[i]].source)) return false;
  }
  peeks_ += size_;
  hits_ += size_ - num_missed;
  size_ = 0;
  return true;
}

}  // namespace edgemill

// Lists of a block, of which a pull first reads only the first neighbours. It does this for many
// lists at a time, so that it waits for memory only once.
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

/// The lists of one block, and counts of whether their first neighbours were enough. About 4 KiB;
/// on the stack of its thread.
template <typename P>
class PeekedLists {
 public:
  PeekedLists(PullTarget<P>& target, SampledNeighborPull<P>& sampled, const BlockEdges& edges,
              PulledBlock<P>& pulled)
      : target_(target), sampled_(sampled), edges_(edges), pulled_(pulled) {}

  /// Whether first neighbours were enough for most lists so far.
  bool Pays() const { return peeks_ < 16 || 2 * hits_ > peeks_; }
  /// Whether there is no space for 64 more lists.
  bool IsFull() const { return size_ + 64 > kCapacity; }
  /// Adds the list of `vertex`, which begins in the block. There must be space.
  void Add(VertexId vertex) { lists_[size_++] = edges_.list_start(target_.index(), vertex); }
  /// Pulls from the lists that were added, and removes them. Calls `pull(vertex)` for lists whose
  /// first neighbours do not decide. Returns false, as `pull` does, when the block is damaged.
  template <typename PullOne>
  bool Pull(PullOne pull);

 private:
  static constexpr uint32_t kCapacity = 256;  // so many that waits for memory are rare

  /// Whether to look at only the first neighbour of each list before the first sixteen.
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

/// Pulls from the lists whose very first neighbour emits, and keeps the others. To look at one
/// neighbour takes a third of the time for decoding sixteen. Where a pull pays, the first neighbour
/// is enough for most lists that were not looked at before.
template <typename P>
bool PeekedLists<P>::PullFirstIds() {
  const std::span<const ListStart> lists = std::span(lists_).first(size_);
  alignas(64) std::array<VertexId, kCapacity> senders{};
  if (!DecodeFirstIds(edges_.neighbors, lists, target_.index().num_vertices, senders.data())) {
    return false;
  }
  std::array<uint64_t, kCapacity / 64> members;
  FindMembers(senders.data(), (size_ + 63) / 64 * 64, emitting(), members.data());
  // Without branches, because nothing predicts which senders are active: lists are gathered first.
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
  // Without branches, because nothing predicts which lists have an active sender: the numbers of
  // such lists are gathered first.
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

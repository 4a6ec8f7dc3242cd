// Pull from the lists of a block one by one. Only the groups that are needed are decoded.
#pragma once

#include <bit>
#include <utility>

#include "engine/cpu/pull/peeked_lists.h"
#include "engine/cpu/pull/pull_target.h"
#include "engine/cpu/pull/sampled_neighbor_pull.h"

namespace edgemill {

/// The pull of one block. On the stack of its thread.
template <typename P>
class ListPull {
 public:
  ListPull(PullTarget<P>& target, SampledNeighborPull<P>& sampled, const BlockEdges& edges,
           PulledBlock<P>& pulled)
      : target_(target),
        sampled_(sampled),
        edges_(edges),
        index_(target.index()),
        pulled_(pulled),
        cursor_(edges, index_.num_vertices) {}

  /// False when the block is damaged.
  bool Pull();

 private:
  using Weight = WeightAsked<P>;
  using Partial = PartialSum<P>;

  // All return false when the block is damaged.
  /// Pulls from the block's part of one list, up to the first message where that is enough.
  /// `before`: for programs with kSimple, the neighbour before this part.
  bool PullList(VertexId vertex, VertexId before, Partial* partial);
  /// Pulls from the list that goes on from the block before.
  bool PullContinued();
  /// Pulls from the list of a receiver that begins in the block.
  bool PullOwned(VertexId vertex);
  /// Pulls for the vertices 64 * word + i whose bits i are set.
  bool PullWord(uint64_t word, uint64_t receivers);
  /// Pulls from all lists that begin in the block. Looks only at the first neighbours while most
  /// lists have a message there.
  bool PullPeeking();
  uint64_t Receivers(uint64_t word) const {
    return target_.Receivers(pulled_.program, word, edges_.owned_begin, edges_.owned_end);
  }

  PullTarget<P>& target_;
  SampledNeighborPull<P>& sampled_;
  const BlockEdges& edges_;
  const VertexIndexView index_;
  PulledBlock<P>& pulled_;
  ListCursor<Weight> cursor_;
};

template <typename P>
bool ListPull<P>::Pull() {
  if (edges_.continues && !PullContinued()) return false;
  if constexpr (kTestsSampled<P>) {
    if (target_.pass().from() != nullptr) return PullPeeking();
  }
  for (uint64_t word = edges_.owned_begin / 64; word * 64 < edges_.owned_end; ++word) {
    if (!PullWord(word, Receivers(word))) return false;
  }
  return true;
}

template <typename P>
bool ListPull<P>::PullPeeking() {
  PeekedLists<P> peeked(target_, sampled_, edges_, pulled_);
  const auto pull = [this](VertexId vertex) { return PullOwned(vertex); };
  // The last list is not peeked if it goes on in the next block: this block has only a part of it.
  const bool ends_here = index_.first_edge(edges_.owned_end) <= edges_.end;
  const VertexId peek_end = edges_.owned_end - (ends_here ? 0 : 1);
  for (uint64_t word = edges_.owned_begin / 64; word * 64 < edges_.owned_end; ++word) {
    uint64_t receivers = Receivers(word);
    if (peeked.IsFull() && !peeked.Pull(pull)) return false;
    if (peeked.Pays()) {
      uint64_t alone = receivers & BitsWithin(word, edges_.owned_begin, peek_end);
      receivers ^= alone;
      for (; alone != 0; alone &= alone - 1) {
        peeked.Add(static_cast<VertexId>(word * 64) + std::countr_zero(alone));
      }
    }
    if (!PullWord(word, receivers)) return false;
  }
  return peeked.Pull(pull);
}

template <typename P>
bool ListPull<P>::PullWord(uint64_t word, uint64_t receivers) {
  for (; receivers != 0; receivers &= receivers - 1) {
    if (!PullOwned(static_cast<VertexId>(word * 64) + std::countr_zero(receivers))) return false;
  }
  return true;
}

template <typename P>
bool ListPull<P>::PullContinued() {
  const VertexId vertex = edges_.owned_begin - 1;
  if (!target_.Receives(pulled_.program, vertex)) return true;
  const VertexId before =
      target_.pass().graph().neighbor_memory().LastNeighborBefore(target_.lists(), edges_.block);
  return PullList(vertex, before, &pulled_.begins_before);
}

template <typename P>
bool ListPull<P>::PullOwned(VertexId vertex) {
  const bool crosses = index_.first_edge(vertex + 1) > edges_.end;
  const bool is_empty = index_.degree(vertex) == 0;
  Partial whole;
  Partial* const partial = crosses ? &pulled_.ends_after : &whole;
  if (!is_empty && !PullList(vertex, kInvalidVertex, partial)) return false;
  if (!crosses) target_.Take(pulled_.program, vertex, whole, pulled_.active);
  return true;
}

template <typename P>
bool ListPull<P>::PullList(VertexId vertex, [[maybe_unused]] VertexId before, Partial* partial) {
  const EdgeIndex first = index_.first_edge(vertex), last = index_.first_edge(vertex + 1);
  // If a list is in several blocks, only the thread that has the list's start learns.
  const bool begins_here = first >= edges_.begin;
  bool is_head = begins_here;
  bool found = false;
  const bool sound = cursor_.VisitList(vertex, first, last, [&](const ListChunk<Weight>& chunk) {
    if (is_head) sampled_.LearnFirst(vertex, chunk.target(0));
    is_head = false;
    for (uint32_t i = 0; i < chunk.size; ++i) {
      const VertexId sender = chunk.target(i);
      if constexpr (kIsSimpleOf<P>) {
        if (sender == vertex || std::exchange(before, sender) == sender) continue;
      }
      if (target_.PullFrom(pulled_.program, sender, vertex, chunk.weight(i), partial)) continue;
      if (begins_here) sampled_.LearnFound(vertex, sender);
      found = true;
      return false;
    }
    return true;
  });
  if (!sound || found || !begins_here || !sampled_.lacks_highest(vertex)) return sound;
  typename SampledNeighborPull<P>::Highest highest(index_);
  const bool again = cursor_.VisitList(vertex, first, last, [&](const ListChunk<Weight>& chunk) {
    for (uint32_t i = 0; i < chunk.size; ++i) highest.Add(chunk.target(i));
    return true;
  });
  sampled_.LearnHighest(vertex, highest);
  return again;
}

}  // namespace edgemill

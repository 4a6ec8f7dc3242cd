// Pull where all vertices emit: blocks are decoded whole, ids and weights. Every list is summed,
// and vertices take their sums afterwards.
#pragma once

#include <array>

#include "common/check.h"
#include "engine/cpu/pull/list_ends.h"
#include "kernels/cpu/block_ids.h"

namespace edgemill {

/// Pulls blocks of the lists of one direction. Threads pull different blocks.
template <typename P>
class DensePull {
 public:
  using Sum = SumOfProgram<P>;
  using Partial = PartialSum<P>;
  /// Whether a DensePull can pull for P.
  static constexpr bool kSupports =
      !kTakesFirst<P> && !HasEnough<P> && !kIsSimpleOf<P> && !kHasLanes<P>;
  /// Whether pulls decode blocks whole, into DecodeScratch.
  static constexpr bool kDecodesWhole = true;

  explicit DensePull(PullTarget<P>& target)
      : target_(target), pass_(target.pass()), index_(target.index()), ends_(target) {
    CHECK(pass_.from() == nullptr);  // it does not test which vertices emit
  }

  /// False when the block is damaged.
  bool PullBlock(const BlockEdges& edges, int thread);
  /// Gives sums to the vertices of lists across blocks, and to the vertices after the last list.
  /// Call it last.
  void End(std::span<const uint64_t> blocks) {
    ends_.Take(blocks);
    if (kAppliesToAllOf<P> && pass_.blocks().end >= pass_.graph().num_blocks()) TakeBeyondLists();
  }

 private:
  /// How many sums are computed before their vertices take them. So the loop of random reads does
  /// nothing else, and the loop over the vertices has no branches.
  static constexpr uint64_t kAtOnce = 1024;

  using Weight = WeightAsked<P>;
  /// A block's edges, decoded.
  struct Lists {
    const BlockIds& ids;
    const Weight* weights;  // of its edges in order; null for NoWeight

    VertexId source(uint32_t list) const { return ids.source(list); }
  };

  Sum SumOf(P& program, const Lists& lists, uint32_t list) const;
  Sum SumOfChunk(P& program, VertexId vertex, std::span<const VertexId> senders,
                 const Weight* weights) const;
  void TakeAll(P& program, const Lists& lists, VertexRange vertices, ListRange whole);
  void TakeReceivers(P& program, const Lists& lists, ListRange whole);
  void TakeBeyondLists();

  PullTarget<P>& target_;
  EdgePass<P>& pass_;
  const VertexIndexView index_;
  ListEnds<P> ends_;
};

/// The sum of a list, or of its part in the block. Its order depends only on the list: chunks of
/// kChunkMessages messages are summed first.
template <typename P>
typename DensePull<P>::Sum DensePull<P>::SumOf(P& program, const Lists& lists,
                                               uint32_t list) const {
  constexpr size_t kChunkMessages = 32;
  const VertexId vertex = lists.source(list);
  std::span<const VertexId> senders = lists.ids.ids(list);
  const Weight* weights = lists.weights;
  if constexpr (kIsWeighted<P>) weights += lists.ids.begin(list);
  Sum sum = P::Monoid::identity();
  for (; senders.size() > kChunkMessages; senders = senders.subspan(kChunkMessages)) {
    sum = P::Monoid::Combine(sum,
                             SumOfChunk(program, vertex, senders.first(kChunkMessages), weights));
    if constexpr (kIsWeighted<P>) weights += kChunkMessages;
  }
  return P::Monoid::Combine(sum, SumOfChunk(program, vertex, senders, weights));
}

/// The sum of a few messages. Where messages and sums are numbers, it is added up in the type of
/// messages, else in the type of sums.
template <typename P>
typename DensePull<P>::Sum DensePull<P>::SumOfChunk(P& program, VertexId vertex,
                                                    std::span<const VertexId> senders,
                                                    const Weight* weights) const {
  using Message = MessageOfProgram<P>;
  constexpr bool kAsSent = std::is_arithmetic_v<Message> && std::is_arithmetic_v<Sum>;
  using Few = std::conditional_t<kAsSent, Message, Sum>;
  const auto combine = [](Few a, Few b) {
    return static_cast<Few>(P::Monoid::Combine(static_cast<Few>(a), static_cast<Few>(b)));
  };
  // Four sums, so that four additions are under way at the same time.
  std::array<Few, 4> sums;
  sums.fill(static_cast<Few>(P::Monoid::identity()));
  const VertexId* const first = senders.data();
  const auto add = [&](const VertexId* sender, size_t i) {
    pass_.PrefetchSent(program, sender[BlockIds::kAhead]);
    const Message sent = pass_.Sent(program, *sender);
    const Message arrives =
        CallAlong(program, sent, *sender, vertex, WeightAt(weights, sender - first));
    if constexpr (kAsSent && !std::is_same_v<Message, Sum>) {
      sums[i] = sums[i] + arrives;
    } else {
      sums[i] = combine(sums[i], static_cast<Few>(arrives));
    }
  };
  const VertexId* next = first;
  const VertexId* const end = first + senders.size();
  for (; next + 4 <= end; next += 4) {
    for (size_t i = 0; i < 4; ++i) add(next + i, i);
  }
  for (size_t i = 0; i < 3 && next + i < end; ++i) add(next + i, i);
  if constexpr (kAsSent && !std::is_same_v<Message, Sum>) {
    return static_cast<Sum>((sums[0] + sums[1]) + (sums[2] + sums[3]));
  } else {
    return static_cast<Sum>(combine(combine(sums[0], sums[1]), combine(sums[2], sums[3])));
  }
}

template <typename P>
bool DensePull<P>::PullBlock(const BlockEdges& edges, int thread) {
  BlockIds& ids = pass_.graph().decode_scratch().ids(thread);
  if (!ids.Decode(edges.neighbors, edges.lists(index_), index_.num_vertices)) return false;
  std::byte* const room = kIsWeighted<P> ? pass_.graph().decode_scratch().weights(thread) : nullptr;
  const Lists lists{ids, DecodeWeights<Weight>(edges, room)};
  P program = pass_.copies().CopyFor(thread);
  Partial begins_before;
  Partial ends_after;
  uint32_t list = 0, end_list = ids.num_lists();
  if (edges.continues) {
    if (target_.Receives(program, ids.source(0))) {
      begins_before = {SumOf(program, lists, 0), true};
    }
    ++list;
  }
  // The vertices after the last one with edges are left to TakeBeyondLists.
  const bool is_last = edges.end == pass_.graph().num_edges();
  uint64_t end = is_last ? index_.LowerBound(edges.end) : edges.owned_end;
  if (list < end_list && index_.first_edge(ids.source(end_list - 1) + 1) > edges.end) {
    end = ids.source(--end_list);
    if (target_.Receives(program, static_cast<VertexId>(end))) {
      ends_after = {SumOf(program, lists, end_list), true};
    }
  }
  if constexpr (kAppliesToAllOf<P>) {
    TakeAll(program, lists, {edges.owned_begin, end}, {list, end_list});
  } else {
    TakeReceivers(program, lists, {list, end_list});
  }
  ends_.Store(edges.block, begins_before, ends_after);
  pass_.copies().CopyFor(thread) = program;
  return true;
}

/// Gives all of `vertices` the sums of the `whole` lists, or identities.
template <typename P>
void DensePull<P>::TakeAll(P& program, const Lists& lists, VertexRange vertices, ListRange whole) {
  auto [begin, end] = vertices;
  auto [list, end_list] = whole;
  FrontierBatch active(pass_.next());
  std::array<Sum, kAtOnce> sums;
  for (; begin < end; begin += kAtOnce) {
    const uint64_t stop = std::min(end, begin + kAtOnce);
    std::fill_n(sums.begin(), stop - begin, P::Monoid::identity());
    for (; list < end_list && lists.source(list) < stop; ++list) {
      sums[lists.source(list) - begin] = SumOf(program, lists, list);
    }
    if (target_.keeps_sums()) {
      for (uint64_t vertex = begin; vertex < stop; ++vertex) {
        target_.Take(program, static_cast<VertexId>(vertex), {sums[vertex - begin], true}, active);
      }
      continue;
    }
    for (uint64_t vertex = begin; vertex < stop; ++vertex) {
      if (CallTake(program, static_cast<VertexId>(vertex), sums[vertex - begin])) {
        active.Add(static_cast<VertexId>(vertex));
      }
    }
  }
}

/// Gives the vertices of the `whole` lists their sums.
template <typename P>
void DensePull<P>::TakeReceivers(P& program, const Lists& lists, ListRange whole) {
  auto [list, end_list] = whole;
  FrontierBatch active(pass_.next());
  std::array<Partial, kAtOnce> sums;
  while (list < end_list) {
    const uint32_t first = list;
    const uint32_t stop = std::min<uint32_t>(end_list, first + kAtOnce);
    for (; list < stop; ++list) {
      const VertexId vertex = lists.source(list);
      const bool receives = target_.Receives(program, vertex);
      sums[list - first] = receives ? Partial{SumOf(program, lists, list), true} : Partial{};
    }
    for (uint32_t i = first; i < stop; ++i) {
      target_.Take(program, lists.source(i), sums[i - first], active);
    }
  }
}

/// Makes the vertices after the last one with edges take an empty sum. In order of degree, they may
/// be as many as all others, so all threads share them, not only the thread of the last block.
template <typename P>
void DensePull<P>::TakeBeyondLists() {
  const size_t first = index_.LowerBound(pass_.graph().num_edges());
  CHECK_LE(first, pass_.graph().num_vertices());
  ForEachChunk(pass_.graph().num_vertices() - first, kVertexChunk, pass_.graph().threads(),
               [&](size_t begin, size_t end) {
                 P program = pass_.program();
                 FrontierBatch active(pass_.next());
                 for (size_t i = begin; i < end; ++i) {
                   target_.Take(program, static_cast<VertexId>(first + i), Partial(), active);
                 }
                 pass_.copies().AddTallies(program);
               });
}

}  // namespace edgemill

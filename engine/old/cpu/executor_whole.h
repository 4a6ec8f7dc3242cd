// Executor's pull of blocks that are decoded whole: all ids first, then the lists. Included by
// engine/old/cpu/executor.h.
#pragma once

#include "engine/old/cpu/executor.h"

namespace edgemill {

/// What `senders`, one list or a part of one, send to its owner, where all are active. A tree of
/// sums that the list alone decides: kPiece messages at a time, as partial messages.
template <VertexProgram P>
typename P::Message Executor<P>::SumOf(const P& program, std::span<const VertexId> senders) const {
  constexpr size_t kPiece = 32;
  Message sum = P::Identity();
  for (; senders.size() > kPiece; senders = senders.subspan(kPiece)) {
    sum = P::Combine(sum, PieceOf(program, senders.first(kPiece)));
  }
  return P::Combine(sum, PieceOf(program, senders));
}

template <VertexProgram P>
typename P::Message Executor<P>::PieceOf(const P& program,
                                         std::span<const VertexId> senders) const {
  using Partial = PartialMessage<P>;
  // Four sums side by side: four additions under way at once.
  std::array<Partial, 4> sums;
  sums.fill(static_cast<Partial>(P::Identity()));
  const auto add = [&](const VertexId* sender, size_t i) {
    program.Prefetch(sender[BlockIds::kAhead]);
    Message sent = P::Identity();
    program.Send(*sender, context_, &sent);
    sums[i] = P::Combine(sums[i], static_cast<Partial>(program.Along(sent, Weight())));
  };
  const VertexId* next = senders.data();
  const VertexId* const end = next + senders.size();
  for (; next + 4 <= end; next += 4) {
    for (size_t i = 0; i < 4; ++i) add(next + i, i);
  }
  for (size_t i = 0; i < 3 && next + i < end; ++i) add(next + i, i);
  return static_cast<Message>(
      P::Combine(P::Combine(sums[0], sums[1]), P::Combine(sums[2], sums[3])));
}

/// Whether so many of the block's lists are wanted that all of its edges are decoded faster than
/// the group of each list.
template <VertexProgram P>
bool Executor<P>::WholePays(const P& program, bool notified, const BlockEdges& edges) const {
  uint64_t receivers = 0;
  for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
    receivers += static_cast<uint64_t>(
        std::popcount(Receivers(program, notified, word, edges.owned_begin, edges.owned_end)));
  }
  return edges.WholePays(receivers);
}

/// A block most of whose lists are wanted: all ids first.
template <VertexProgram P>
bool Executor<P>::PullWhole(const P& program, bool notified, const BlockEdges& edges, BlockIds& ids,
                            Aggregate* aggregate) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  if (!ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices)) return false;
  Aggregate block_aggregate{};  // in registers
  FrontierBatch active(next_);
  Partial begins_before;
  Partial ends_after;
  std::array<uint64_t, kMaxBlockValues / 64 + 1> members;  // and what FirstMember reads beyond
  FindMembers(ids.ids().data(), static_cast<uint32_t>(ids.ids().size()), current_.words().data(),
              members.data());
  const auto pull = [&](uint32_t list, uint32_t edge, Partial* partial) {
    for (const VertexId sender : ids.ids(list).subspan(edge - ids.begin(list))) {
      PullFrom(program, sender, Weight(), partial);
      if (kTraits.early_exit && partial->any) break;
    }
  };
  uint32_t list = 0, end_list = ids.num_lists();
  if (edges.continues) {
    if (Receives(program, notified, ids.source(0))) pull(0, 0, &begins_before);
    ++list;
  }
  if (list < end_list && index.first_edge(ids.source(end_list - 1) + 1) > edges.end) {
    --end_list;
    LearnFirst(ids.source(end_list), ids.ids(end_list)[0]);
    if (Receives(program, notified, ids.source(end_list))) {
      pull(end_list, ids.begin(end_list), &ends_after);
    }
  }
  // Which lists have an active sender nobody can predict: these are put together first.
  constexpr uint32_t kAtOnce = 256;
  std::array<uint32_t, kAtOnce> found_lists, found_edges;
  uint64_t word = ~uint64_t{0};
  uint64_t receivers = 0;
  while (list < end_list) {
    uint32_t found = 0;
    for (const uint32_t stop = std::min(end_list, list + kAtOnce); list < stop; ++list) {
      const VertexId vertex = ids.source(list);
      if (vertex / 64 != word) {
        word = vertex / 64;
        receivers = Receivers(program, notified, word, word * 64, word * 64 + 64);
      }
      const uint32_t end = ids.begin(list + 1);
      LearnFirst(vertex, ids.ids(list)[0]);
      const uint32_t edge = FirstMember(members.data(), ids.begin(list), end);
      found_lists[found] = list;
      found_edges[found] = edge;
      found += static_cast<uint32_t>(receivers >> vertex % 64) & 1 & (edge != end);
    }
    for (uint32_t i = 0; i < found; ++i) {
      Partial whole;
      pull(found_lists[i], found_edges[i], &whole);
      ApplyTo(program, ids.source(found_lists[i]), whole, &block_aggregate, active);
    }
  }
  StorePartials(edges.block, begins_before, ends_after);
  aggregate->Merge(block_aggregate);
  return true;
}

/// A block of a program where all are active, and all are applied. Some vertices' sums first, then
/// these vertices: the loop of random reads has nothing else to do, and the other no branches.
template <VertexProgram P>
bool Executor<P>::PullAll(const P& program, const BlockEdges& edges, BlockIds& ids,
                          Aggregate* aggregate) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  if (!ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices)) return false;
  const auto sum_of = [&](uint32_t list) { return SumOf(program, ids.ids(list)); };
  Partial begins_before;
  Partial ends_after;
  uint32_t list = 0, end_list = ids.num_lists();
  if (edges.continues) begins_before = {sum_of(list++), true};
  // Vertices without edges after the last that has some: ApplyBeyondLists.
  uint64_t end = edges.end == graph_.num_edges() ? index.LowerBound(edges.end) : edges.owned_end;
  if (list < end_list && index.first_edge(ids.source(end_list - 1) + 1) > edges.end) {
    ends_after = {sum_of(--end_list), true};
    end = ids.source(end_list);
  }
  Aggregate block_aggregate{};  // in registers
  constexpr uint64_t kAtOnce = 1024;
  std::array<Message, kAtOnce> sums;
  for (uint64_t begin = edges.owned_begin; begin < end; begin += kAtOnce) {
    const uint64_t stop = std::min(end, begin + kAtOnce);
    std::fill_n(sums.begin(), stop - begin, P::Identity());
    for (; list < end_list && ids.source(list) < stop; ++list) {
      sums[ids.source(list) - begin] = sum_of(list);
    }
    for (uint64_t vertex = begin; vertex < stop; ++vertex) {
      program.Apply(static_cast<VertexId>(vertex), sums[vertex - begin], context_,
                    &block_aggregate);
    }
  }
  StorePartials(edges.block, begins_before, ends_after);
  aggregate->Merge(block_aggregate);
  return true;
}

}  // namespace edgemill

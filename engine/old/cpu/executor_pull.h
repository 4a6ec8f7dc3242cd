// Executor's pull: every receiver reads its in-edges. Included by engine/cpu/executor.h.
#pragma once

#include "engine/old/cpu/executor.h"

namespace edgemill {

template <VertexProgram P>
StatusOr<BlockPlan> Executor<P>::PlanReceivers(const P& program, bool notified) {
  BlockPlan plan = NewPlan();
  if constexpr (kTraits.apply_to_all) {
    plan.AddEdges(0, graph_.num_edges());
    return plan;
  }
  const VertexIndexView index = graph_.index(Direction::kIn);
  const auto add = [&](VertexId vertex) {
    if (program.Wants(vertex))
      plan.AddEdges(index.first_edge(vertex), index.first_edge(vertex + 1));
  };
  if (notified) {
    RETURN_IF_ERROR(notified_.ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
      for (const VertexId vertex : members) add(vertex);
    }));
  } else {
    RETURN_IF_ERROR(ParallelFor(graph_.num_vertices(), kVertexChunk, graph_.threads(),
                                [&](size_t begin, size_t end) {
                                  AddReceivers(program, begin, end, &plan);
                                  return OkStatus();
                                }));
  }
  return plan;
}

/// Has those receive their message whose first neighbour is known, and active: they want nothing
/// from the sweep any more.
template <VertexProgram P>
Status Executor<P>::PullFirsts(const P& program) {
  RETURN_IF_ERROR(graph_.KeepFirstNeighbors(Direction::kIn));
  firsts_ = graph_.first_neighbors(Direction::kIn);
  if (firsts_ == nullptr) return OkStatus();
  const bool notified = notified_only();
  return ParallelFor(
      graph_.num_vertices(), kVertexChunk, graph_.threads(), [&](size_t begin, size_t end) {
        FrontierBatch active(next_);
        for (uint64_t word = begin / 64; word * 64 < end; ++word) {
          uint64_t found = Receivers(program, notified, word, begin, end);
          if (found != 0) found &= firsts_->Members(word, current_.words());
          if (found == 0) continue;
          active.AddWord(word, found);
          program.MarkSettled(word, found);
          for (; found != 0; found &= found - 1) {
            const auto vertex = static_cast<VertexId>(word * 64 + std::countr_zero(found));
            Message sent = P::Identity();
            program.Send(firsts_->of(vertex), context_, &sent);
            program.Settle(vertex, program.Along(sent, Weight()), context_);
          }
        }
        return OkStatus();
      });
}

/// Of the vertices 64 * word + i in [begin, end), those that may receive something: bits i.
template <VertexProgram P>
uint64_t Executor<P>::Receivers(const P& program, bool notified, uint64_t word, uint64_t begin,
                                uint64_t end) const {
  uint64_t bits = BitsWithin(word, begin, end);
  if constexpr (!kTraits.apply_to_all) {
    if (notified) bits &= notified_.words()[word];
    if constexpr (kWantsBits) bits &= program.WantsBits(word);
    if (bits != 0) bits &= graph_.HaveEdges(Direction::kIn, word);
    if constexpr (!kWantsBits) {
      for (uint64_t rest = bits; rest != 0; rest &= rest - 1) {
        const uint64_t vertex = word * 64 + static_cast<uint64_t>(std::countr_zero(rest));
        if (!program.Wants(static_cast<VertexId>(vertex))) bits ^= rest & -rest;
      }
    }
  }
  return bits;
}

/// Adds the blocks of those of the vertices [begin, end) that want messages. One vertex a block
/// decides: those whose lists end in a block that has been added are passed over.
template <VertexProgram P>
void Executor<P>::AddReceivers(const P& program, size_t begin, size_t end, BlockPlan* plan) const {
  const VertexIndexView index = graph_.index(Direction::kIn);
  while (begin < end) {
    const uint64_t bits = Receivers(program, false, begin / 64, begin, end);
    if (bits == 0) {
      begin = (begin / 64 + 1) * 64;
      continue;
    }
    const size_t vertex = begin / 64 * 64 + static_cast<size_t>(std::countr_zero(bits));
    const EdgeIndex first = index.first_edge(static_cast<VertexId>(vertex));
    const EdgeIndex last = index.first_edge(static_cast<VertexId>(vertex + 1));
    plan->AddEdges(first, last);
    // The list before the first that starts beyond the block is the first that may end there.
    const size_t beyond = graph_.FirstOfBlock(Direction::kIn, plan->BlockOf(last - 1) + 1);
    begin = std::max(vertex + 1, beyond - 1);
  }
}

template <VertexProgram P>
void Executor<P>::PullFrom(const P& program, VertexId sender, Weight weight, Partial* partial) {
  if (!current_.Test(sender)) return;
  Message sent;
  if (!program.Send(sender, context_, &sent)) {
    next_.Add(sender);
    return;
  }
  partial->message = P::Combine(partial->message, program.Along(sent, weight));
  partial->any = true;
}

/// A list of a program with a frontier: only the groups needed, up to the first message where that
/// is enough.
template <VertexProgram P>
bool Executor<P>::PullList(const P& program, PullCursor& cursor, VertexId vertex, EdgeIndex first,
                           EdgeIndex last, Partial* partial) {
  bool is_head = first >= cursor.block_begin();
  return cursor.VisitList(vertex, first, last, [&](const ListPiece<Weight>& piece) {
    if (is_head) LearnFirst(vertex, piece.target(0));
    is_head = false;
    for (uint32_t i = 0; i < piece.size && !(kTraits.early_exit && partial->any); ++i) {
      PullFrom(program, piece.target(i), piece.weight(i), partial);
    }
    return !(kTraits.early_exit && partial->any);
  });
}

template <VertexProgram P>
bool Executor<P>::PullBlock(const P& program, bool notified, const BlockEdges& edges, int thread) {
  Aggregate* const aggregate = &aggregates_[static_cast<size_t>(thread)];
  if constexpr (kTraits.all_active) {
    return PullAll(program, edges, graph_.block_ids(thread), aggregate);
  } else {
    if constexpr (kWhole) {
      if (WholePays(program, notified, edges)) {
        return PullWhole(program, notified, edges, graph_.block_ids(thread), aggregate);
      }
    }
    return PullLists(program, notified, edges, aggregate);
  }
}

/// Pulls those of the lists that `peeks` holds whose first neighbour says all, and leaves the
/// others there. A first neighbour takes a third of the time that decoding sixteen does, and of
/// lists of which none is known yet it says all for most, where a pull pays.
template <VertexProgram P>
bool Executor<P>::PullFirstIds(const P& program, const BlockEdges& edges, PullCursor& cursor,
                               Peeks* peeks, Aggregate* aggregate, FrontierBatch& active) {
  const std::span<const ListStart> lists = std::span(peeks->lists).first(peeks->size);
  alignas(64) std::array<VertexId, Peeks::kCapacity> senders{};
  if (!DecodeFirstIds(edges.neighbors, lists, graph_.num_vertices(), senders.data())) return false;
  std::array<uint64_t, Peeks::kCapacity / 64> members;
  FindMembers(senders.data(), (peeks->size + 63) / 64 * 64, current_.words().data(),
              members.data());
  // Which are active nobody can predict: these are put together first.
  std::array<VertexId, Peeks::kCapacity> found;
  uint32_t num_found = 0, num_left = 0;
  for (uint32_t i = 0; i < peeks->size; ++i) {
    const ListStart list = lists[i];
    const bool is_member = (members[i / 64] >> i % 64 & 1) != 0;
    LearnFirst(list.source, senders[i]);
    found[num_found] = list.source;
    senders[num_found] = senders[i];
    num_found += is_member;
    peeks->lists[num_left] = list;
    num_left += !is_member;
  }
  for (uint32_t i = 0; i < num_found; ++i) {
    Partial partial;
    PullFrom(program, senders[i], Weight(), &partial);
    ApplyTo(program, found[i], partial, aggregate, active);
  }
  cursor.CountFirsts(peeks->size, num_found);
  peeks->size = num_left;
  return true;
}

/// Pulls the lists that `peeks` holds: `pull` gets those whose first neighbours do not say all.
/// Memory is waited for once for all of them: for the lists, then for the frontier.
template <VertexProgram P>
template <typename PullOne>
bool Executor<P>::PullPeeked(const P& program, const BlockEdges& edges, PullCursor& cursor,
                             Peeks* peeks, Aggregate* aggregate, FrontierBatch& active,
                             PullOne pull) {
  if ((firsts_ == nullptr || firsts_->is_new()) && cursor.FirstPays() &&
      !PullFirstIds(program, edges, cursor, peeks, aggregate, active)) {
    return false;
  }
  const std::span<const ListStart> lists = std::span(peeks->lists).first(peeks->size);
  alignas(64) std::array<VertexId, Peeks::kCapacity * kStartIds> senders;
  const uint32_t end = peeks->size * kStartIds;
  std::fill(senders.begin() + end, senders.begin() + (end + 63) / 64 * 64, VertexId{0});
  if (!DecodeListStarts(edges.neighbors, lists, graph_.num_vertices(), senders.data())) {
    return false;
  }
  std::array<uint64_t, Peeks::kCapacity * kStartIds / 64 + 1> members;
  FindMembers(senders.data(), end, current_.words().data(), members.data());
  // Which lists have an active sender nobody can predict: these are put together first.
  std::array<uint16_t, Peeks::kCapacity> found, missed;
  uint32_t num_found = 0, num_missed = 0;
  std::array<uint32_t, Peeks::kCapacity> firsts;
  for (uint32_t i = 0; i < peeks->size; ++i) {
    const uint32_t none = i * kStartIds + lists[i].num_ids();
    LearnFirst(lists[i].source, senders[i * kStartIds]);
    const uint32_t first = FirstMember(members.data(), i * kStartIds, none);
    firsts[num_found] = first;
    found[num_found] = static_cast<uint16_t>(i);
    missed[num_missed] = static_cast<uint16_t>(i);
    num_found += first != none;
    num_missed += first == none && lists[i].num_ids() < lists[i].size;
  }
  for (uint32_t i = 0; i < num_found; ++i) {
    Partial partial;
    PullFrom(program, senders[firsts[i]], Weight(), &partial);
    ApplyTo(program, lists[found[i]].source, partial, aggregate, active);
  }
  for (uint32_t i = 0; i < num_missed; ++i) {
    if (!pull(lists[missed[i]].source)) return false;
  }
  cursor.Count(peeks->size, peeks->size - num_missed);
  peeks->size = 0;
  return true;
}

/// Calls `pull(vertex)`, which is false when the block is damaged, for the block's vertices that
/// want messages. Where most find a message among their first neighbours, these are looked at
/// alone, those of many lists at a time, and `pull` gets the other vertices.
template <VertexProgram P>
template <typename PullOne>
bool Executor<P>::PullReceivers(const P& program, bool notified, PullCursor& cursor,
                                const BlockEdges& edges, Aggregate* aggregate,
                                FrontierBatch& active, PullOne pull) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  Peeks peeks;
  // The last list may go on in the next block: what is here does not say all.
  const bool ends_here = index.first_edge(edges.owned_end) <= edges.end;
  const VertexId peek_end = edges.owned_end - (ends_here ? 0 : 1);
  for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
    uint64_t receivers = Receivers(program, notified, word, edges.owned_begin, edges.owned_end);
    if constexpr (kPeeks) {
      if (peeks.size + 64 > Peeks::kCapacity &&
          !PullPeeked(program, edges, cursor, &peeks, aggregate, active, pull)) {
        return false;
      }
      if (cursor.PeekPays()) {
        uint64_t alone = receivers & BitsWithin(word, edges.owned_begin, peek_end);
        receivers ^= alone;
        for (; alone != 0; alone &= alone - 1) {
          const VertexId vertex = static_cast<VertexId>(word * 64) + std::countr_zero(alone);
          peeks.lists[peeks.size++] = edges.list_start(index, vertex);
        }
      }
    }
    for (; receivers != 0; receivers &= receivers - 1) {
      if (!pull(static_cast<VertexId>(word * 64) + std::countr_zero(receivers))) return false;
    }
  }
  if constexpr (kPeeks) {
    return PullPeeked(program, edges, cursor, &peeks, aggregate, active, pull);
  }
  return true;
}

template <VertexProgram P>
bool Executor<P>::PullLists(const P& program, bool notified, const BlockEdges& edges,
                            Aggregate* aggregate) {
  Aggregate block_aggregate{};  // in registers
  FrontierBatch active(next_);
  const VertexIndexView index = graph_.index(Direction::kIn);
  PullCursor cursor(edges, graph_.num_vertices());
  Partial begins_before;
  Partial ends_after;
  if (edges.continues) {
    const VertexId vertex = edges.owned_begin - 1;
    if (Receives(program, notified, vertex) &&
        !PullList(program, cursor, vertex, index.first_edge(vertex),
                  index.first_edge(edges.owned_begin), &begins_before)) {
      return false;
    }
  }
  const auto pull = [&](VertexId vertex) {
    const EdgeIndex first = index.first_edge(vertex), last = index.first_edge(vertex + 1);
    const bool crosses = last > edges.end;
    Partial whole;
    Partial* partial = crosses ? &ends_after : &whole;
    if (last > first && !PullList(program, cursor, vertex, first, last, partial)) return false;
    if (!crosses) ApplyTo(program, vertex, whole, &block_aggregate, active);
    return true;
  };
  if (!PullReceivers(program, notified, cursor, edges, &block_aggregate, active, pull)) {
    return false;
  }
  StorePartials(edges.block, begins_before, ends_after);
  aggregate->Merge(block_aggregate);
  return true;
}

/// Applies what lists that cross block borders have received.
template <VertexProgram P>
void Executor<P>::FoldPartials(const P& program, uint64_t first_block, Aggregate* total) {
  constexpr size_t kChunkBlocks = 512;
  const std::vector<uint64_t> blocks = plan_.Blocks(first_block);
  std::vector<Aggregate> aggregates(blocks.size() / kChunkBlocks + 1);
  ForEachChunk(blocks.size(), kChunkBlocks, graph_.threads(), [&](size_t begin, size_t end) {
    Aggregate aggregate{};
    FoldLists(program, blocks, begin, end, &aggregate);
    aggregates[begin / kChunkBlocks] = aggregate;
  });
  for (const Aggregate& aggregate : aggregates) total->Merge(aggregate);
}

/// FoldPartials of the lists that begin in blocks[begin, end), or before all of `blocks`: up to
/// their ends, which may lie in later blocks.
template <VertexProgram P>
void Executor<P>::FoldLists(const P& program, std::span<const uint64_t> blocks, size_t begin,
                            size_t end, Aggregate* aggregate) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  Partial pending;         // of the list that goes on
  bool mine = begin == 0;  // it is one of these lists
  bool goes_on = false;    // beyond the block before
  for (size_t i = begin; i < end || (goes_on && i < blocks.size()); ++i) {
    const BlockEdges edges = graph_.Extent(Direction::kIn, blocks[i]);
    const bool begins = edges.owned_end > edges.owned_begin;
    const bool crosses = index.first_edge(edges.owned_end) > edges.end;
    if (mine && edges.continues) {
      pending.Add(LoadPartial(blocks[i], 0));
      if (begins || !crosses) ApplyTo(program, edges.owned_begin - 1, pending, aggregate, next_);
    }
    if (begins || !crosses) pending = Partial();
    mine |= begins || !crosses;
    goes_on = mine && crosses && (i < end || !begins);
    if (begins && goes_on) pending = LoadPartial(blocks[i], 1);
  }
}

/// Applies nothing received to the vertices after the last that has edges: as many as all others,
/// where vertices are in order of degree, so not left to the one thread that has the last block.
template <VertexProgram P>
Status Executor<P>::ApplyBeyondLists(const P& program, Aggregate* total) {
  const size_t first = graph_.index(Direction::kIn).LowerBound(graph_.num_edges());
  const size_t size = graph_.num_vertices() - first;
  std::vector<Aggregate> aggregates(size / kVertexChunk + 1);
  RETURN_IF_ERROR(ParallelFor(size, kVertexChunk, graph_.threads(), [&](size_t begin, size_t end) {
    Aggregate aggregate{};
    for (size_t i = begin; i < end; ++i) {
      ApplyTo(program, static_cast<VertexId>(first + i), Partial(), &aggregate, next_);
    }
    aggregates[begin / kVertexChunk] = aggregate;
    return OkStatus();
  }));
  for (const Aggregate& aggregate : aggregates) total->Merge(aggregate);
  return OkStatus();
}

template <VertexProgram P>
Status Executor<P>::SweepPull(const P& program, std::vector<uint64_t> blocks) {
  return graph_.Sweep(Direction::kIn, kWeighted, std::move(blocks),
                      [&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
                        return PullBlock(program, notified_only(), edges, thread);
                      });
}

}  // namespace edgemill

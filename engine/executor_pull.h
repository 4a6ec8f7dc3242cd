// Executor's pull: every receiver reads its in-edges. Included by engine/executor.h.
#pragma once

#include "engine/executor.h"

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

/// Of the vertices 64 * word + i in [begin, end), those that may receive something: bits i.
template <VertexProgram P>
uint64_t Executor<P>::Receivers(const P& program, bool notified, uint64_t word, uint64_t begin,
                                uint64_t end) const {
  uint64_t bits = ~uint64_t{0};
  if (word == begin / 64) bits <<= begin % 64;
  if (word == end / 64) bits &= (uint64_t{1} << end % 64) - 1;
  if constexpr (!kTraits.apply_to_all) {
    if (notified) bits &= notified_.words()[word];
    if constexpr (kWantsBits) bits &= program.WantsBits(word);
    if (bits != 0) bits &= graph_.index(Direction::kIn).HaveEdges(word);
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

/// A list of a program where all are active: its ids are decoded already.
template <VertexProgram P>
bool Executor<P>::PullList(const P& program, const BlockIds& ids, VertexId, EdgeIndex first,
                           EdgeIndex last, const BlockEdges& edges, Partial* partial) {
  // Four sums side by side: a fixed tree, and four additions under way at once.
  Message sum0 = P::Identity(), sum1 = P::Identity(), sum2 = P::Identity(), sum3 = P::Identity();
  const auto add = [&](VertexId sender, VertexId ahead, Message* sum) {
    program.Prefetch(ahead);
    Message sent = P::Identity();
    program.Send(sender, context_, &sent);
    *sum = P::Combine(*sum, program.Along(sent, Weight()));
  };
  // Two ids a load: loads are what a core runs out of.
  const auto add_two = [&](const VertexId* senders, Message* even, Message* odd) {
    uint64_t two, two_ahead;
    std::memcpy(&two, senders, sizeof(two));
    std::memcpy(&two_ahead, senders + BlockIds::kAhead, sizeof(two));
    add(static_cast<VertexId>(two), static_cast<VertexId>(two_ahead), even);
    add(static_cast<VertexId>(two >> 32), static_cast<VertexId>(two_ahead >> 32), odd);
  };
  const VertexId* senders =
      ids.from(static_cast<uint32_t>(std::max(first, edges.begin) - edges.begin));
  const VertexId* const end =
      ids.from(static_cast<uint32_t>(std::min(last, edges.end) - edges.begin));
  for (; senders + 4 <= end; senders += 4) {
    add_two(senders, &sum0, &sum1);
    add_two(senders + 2, &sum2, &sum3);
  }
  if (senders + 2 <= end) {
    add_two(senders, &sum0, &sum1);
    senders += 2;
  }
  if (senders < end) add(*senders, senders[BlockIds::kAhead], &sum2);
  partial->message =
      P::Combine(partial->message, P::Combine(P::Combine(sum0, sum1), P::Combine(sum2, sum3)));
  partial->any = true;
  return true;
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
                           EdgeIndex last, const BlockEdges&, Partial* partial) {
  return cursor.VisitList(vertex, first, last, [&](const ListPiece<Weight>& piece) {
    for (uint32_t i = 0; i < piece.size && !(kTraits.early_exit && partial->any); ++i) {
      PullFrom(program, piece.target(i), piece.weight(i), partial);
    }
    return !(kTraits.early_exit && partial->any);
  });
}

/// Decodes the first neighbours alone of the lists that `peeks` holds, and asks for what comes
/// next: whether these are active, and the receivers' state. Memory is waited for once for all of
/// them. False when a neighbour is no vertex.
template <VertexProgram P>
bool Executor<P>::Peek(const P& program, const BlockEdges& edges, Peeks* peeks) const {
  const std::span<const uint32_t> places(peeks->places.data(), peeks->size);
  DecodeValuesAt(edges.neighbors, places, peeks->senders.data());
  for (uint32_t i = 0; i < peeks->size; ++i) {
    peeks->senders[i] = peeks->vertices[i] + UnZigZag(peeks->senders[i]);
    if (peeks->senders[i] >= graph_.num_vertices()) return false;
    current_.Prefetch(peeks->senders[i]);
    program.PrefetchState(peeks->vertices[i]);
  }
  return true;
}

template <VertexProgram P>
bool Executor<P>::PullBlock(const P& program, bool notified, const BlockEdges& edges,
                            Aggregate* aggregate) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  if constexpr (kTraits.all_active) {
    BlockIds ids;
    return ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices) &&
           PullLists(program, notified, ids, edges, aggregate);
  } else {
    PullCursor cursor(edges, graph_.num_vertices());
    return PullLists(program, notified, cursor, edges, aggregate);
  }
}

/// Calls `pull(vertex, first, last)`, which is false when the block is damaged, for the lists of
/// the block's vertices that want messages, [first, last). Where most vertices find a message at
/// their first neighbour, these are looked at alone, many at a time, and `pull` gets the others.
template <VertexProgram P>
template <typename PullOne>
bool Executor<P>::PullReceivers(const P& program, bool notified, PullCursor& cursor,
                                const BlockEdges& edges, Aggregate* aggregate,
                                FrontierBatch& active, PullOne pull) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  Peeks peeks;
  const auto pull_peeked = [&] {
    if constexpr (kPeeks) {
      if (!Peek(program, edges, &peeks)) return false;
      for (uint32_t i = 0; i < peeks.size; ++i) {
        const VertexId vertex = peeks.vertices[i];
        Partial first;
        PullFrom(program, peeks.senders[i], Weight(), &first);
        cursor.Count(first.any);
        if (first.any) {
          ApplyTo(program, vertex, first, aggregate, active);
        } else if (!pull(vertex, index.first_edge(vertex), index.first_edge(vertex + 1))) {
          return false;
        }
      }
      peeks.size = 0;
    }
    return true;
  };
  for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
    uint64_t receivers = Receivers(program, notified, word, edges.owned_begin, edges.owned_end);
    for (; receivers != 0; receivers &= receivers - 1) {
      const VertexId vertex = static_cast<VertexId>(word * 64) + std::countr_zero(receivers);
      const EdgeIndex first = index.first_edge(vertex), last = index.first_edge(vertex + 1);
      if (!kPeeks || last > edges.end || !cursor.PeekPays()) {
        if (!pull(vertex, first, last)) return false;
        continue;
      }
      if (peeks.full() && !pull_peeked()) return false;
      peeks.Add(vertex, static_cast<uint32_t>(first - edges.begin));
    }
  }
  return pull_peeked();
}

template <VertexProgram P>
template <typename Ids>
bool Executor<P>::PullLists(const P& program, bool notified, Ids& ids, const BlockEdges& edges,
                            Aggregate* aggregate) {
  Aggregate block_aggregate{};  // in registers
  FrontierBatch active(next_);
  const VertexIndexView index = graph_.index(Direction::kIn);
  Partial begins_before;
  Partial ends_after;
  if (edges.continues) {
    const VertexId vertex = edges.owned_begin - 1;
    if (Receives(program, notified, vertex) &&
        !PullList(program, ids, vertex, index.first_edge(vertex),
                  index.first_edge(edges.owned_begin), edges, &begins_before)) {
      return false;
    }
  }
  const auto pull = [&](VertexId vertex, EdgeIndex first, EdgeIndex last) {
    const bool crosses = last > edges.end;
    Partial whole;
    Partial* partial = crosses ? &ends_after : &whole;
    if (last > first && !PullList(program, ids, vertex, first, last, edges, partial)) return false;
    if (!crosses) ApplyTo(program, vertex, whole, &block_aggregate, active);
    return true;
  };
  if constexpr (kTraits.all_active) {
    const VertexId owned_end =
        edges.end == graph_.num_edges() ? index.LowerBound(edges.end) : edges.owned_end;
    EdgeIndex last = edges.owned_begin < owned_end ? index.first_edge(edges.owned_begin) : 0;
    for (VertexId vertex = edges.owned_begin; vertex < owned_end; ++vertex) {
      const EdgeIndex first = last;
      last = index.first_edge(vertex + 1);
      if (Receives(program, notified, vertex) && !pull(vertex, first, last)) return false;
    }
  } else if (!PullReceivers(program, notified, ids, edges, &block_aggregate, active, pull)) {
    return false;
  }
  StorePartials(edges.block, begins_before, ends_after);
  aggregate->Merge(block_aggregate);
  return true;
}

template <VertexProgram P>
void Executor<P>::FoldPartials(const P& program, uint64_t first_block, Aggregate* total) {
  const VertexIndexView index = graph_.index(Direction::kIn);
  Partial pending;  // of the list that the block before ended in
  const auto fold = [&](uint64_t block) {
    const BlockEdges edges = graph_.Extent(Direction::kIn, block);
    if (edges.continues) {
      pending.Add(LoadPartial(block, 0));
      const VertexId vertex = edges.owned_begin - 1;
      if (index.first_edge(edges.owned_begin) <= edges.end) {
        ApplyTo(program, vertex, pending, total, next_);
        pending = Partial();
      }
    }
    if (edges.owned_end > edges.owned_begin && index.first_edge(edges.owned_end) > edges.end) {
      pending = LoadPartial(block, 1);
    } else if (!edges.continues) {
      pending = Partial();
    }
  };
  plan_.Visit(fold, first_block);
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
                        return PullBlock(program, notified_only(), edges,
                                         &aggregates_[static_cast<size_t>(thread)]);
                      });
}

}  // namespace edgemill

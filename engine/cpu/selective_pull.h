// Pull where some vertices emit, or some receive: each receiver looks through its list, and where
// one message is enough stops at the first.
#pragma once

#include <array>
#include <bit>

#include "engine/cpu/edge_pass.h"
#include "engine/cpu/list_ends.h"
#include "engine/program/pass_coverage.h"
#include "kernels/block_ids.h"
#include "kernels/members.h"

namespace edgemill {

/// Pulls blocks of the lists of one direction. Threads pull different blocks.
template <typename P>
class SelectivePull {
 public:
  using Weight = typename EdgePass<P>::Weight;
  using Partial = PartialSum<P>;

  /// `notified`: null, or who may receive.
  SelectivePull(EdgePass<P>& pass, Direction lists, const Frontier* notified)
      : pass_(pass),
        lists_(lists),
        notified_(notified),
        index_(pass.graph().index(lists)),
        ends_(pass, lists) {}

  /// Whether pulls decode blocks whole, into LoadedGraph::block_ids.
  static constexpr bool kDecodesWhole = !kIsWeighted<P> && !kIsSimpleOf<P> && !kAppliesToAllOf<P>;

  /// Has those receive their message whose first neighbour is known, and emits: they want nothing
  /// from the pass any more. First thing.
  Status PullFirsts();
  /// The blocks that receivers have edges in.
  StatusOr<BlockPlan> Plan() const;
  /// False when the block is damaged.
  bool PullBlock(const BlockEdges& edges, int thread);
  /// Last: what lists across blocks have received. `blocks`: those that were pulled.
  void End(std::span<const uint64_t> blocks) {
    if (firsts_ != nullptr) firsts_->EndSweep();
    ends_.Take(blocks);
  }

 private:
  /// Lists whose first neighbours are to be looked at: enough that memory is waited for seldom.
  struct Peeks {
    static constexpr uint32_t kCapacity = 256;

    std::array<ListStart, kCapacity> lists;
    uint32_t size = 0;
  };
  /// Most vertices find an active neighbour soon, and a list's first ones cost less than its group.
  static constexpr bool kPeeks = kTakesFirst<P> && !kIsWeighted<P> && !kIsSimpleOf<P>;

  /// A block's lists one at a time, and whether it has paid to look at their first neighbours
  /// alone.
  class Cursor : public ListCursor<Weight> {
   public:
    using ListCursor<Weight>::ListCursor;
    bool PeekPays() const { return peeks_ < 16 || 2 * hits_ > peeks_; }
    /// The same of looking at their very first before that.
    bool FirstPays() const { return first_peeks_ < 64 || 3 * first_hits_ > first_peeks_; }
    void CountFirsts(uint32_t peeks, uint32_t hits) {
      first_peeks_ += peeks;
      first_hits_ += hits;
    }
    void Count(uint32_t peeks, uint32_t hits) {
      peeks_ += peeks;
      hits_ += hits;
    }

   private:
    uint32_t peeks_ = 0;
    uint32_t hits_ = 0;
    uint32_t first_peeks_ = 0;
    uint32_t first_hits_ = 0;
  };

  /// One block's pull: the thread's program, and what becomes active.
  struct Work {
    P program;
    FrontierBatch active;
    Partial begins_before;
    Partial ends_after;
  };

  uint64_t Receivers(const P& program, uint64_t word, uint64_t begin, uint64_t end) const {
    return pass_.Receivers(program, notified_, lists_, word, begin, end);
  }
  void AddReceivers(size_t begin, size_t end, BlockPlan* plan) const;
  void LearnFirst(VertexId vertex, VertexId first) {
    if constexpr (kPeeks) {
      if (firsts_ != nullptr) firsts_->Learn(vertex, first);
    }
  }
  /// Looks at an edge from `sender`; whether the rest of the list is needed.
  bool PullFrom(P& program, VertexId sender, VertexId vertex, Weight weight, Partial* partial);
  bool PullList(P& program, Cursor& cursor, VertexId vertex, Partial* partial, VertexId before);
  bool WholePays(const P& program, const BlockEdges& edges) const;
  bool PullWhole(const BlockEdges& edges, BlockIds& ids, Work& work);
  uint32_t FindLists(const P& program, const BlockIds& ids, const uint64_t* members, uint32_t* list,
                     uint32_t end_list, std::span<uint32_t> found_lists,
                     std::span<uint32_t> found_edges);
  bool PullLists(const BlockEdges& edges, Work& work);
  bool PullFirstIds(const BlockEdges& edges, Cursor& cursor, Peeks* peeks, Work& work);
  template <typename PullOne>
  bool PullPeeked(const BlockEdges& edges, Cursor& cursor, Peeks* peeks, Work& work, PullOne pull);
  template <typename PullOne>
  bool PullReceivers(const BlockEdges& edges, Cursor& cursor, Work& work, PullOne pull);

  EdgePass<P>& pass_;
  const Direction lists_;
  const Frontier* const notified_;
  const VertexIndexView index_;
  ListEnds<P> ends_;
  FirstNeighbors* firsts_ = nullptr;  // where they are kept
};

template <typename P>
Status SelectivePull<P>::PullFirsts() {
  if constexpr (!kPeeks) return OkStatus();
  if (pass_.from() == nullptr) return OkStatus();
  LoadedGraph& graph = pass_.graph();
  RETURN_IF_ERROR(graph.KeepFirstNeighbors(lists_));
  firsts_ = graph.first_neighbors(lists_);
  if (firsts_ == nullptr) return OkStatus();
  const std::span<uint64_t> closed = pass_.closed();
  return ParallelFor(
      graph.num_vertices(), kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
        P program = pass_.program();
        FrontierBatch active(pass_.next());
        for (uint64_t word = begin / 64; word * 64 < end; ++word) {
          uint64_t found = Receivers(program, word, begin, end);
          // Of those that emit themselves the first neighbour may be unknown.
          found &= ~pass_.from()->words()[word];
          if (found != 0) found &= firsts_->Members(word, pass_.from()->words());
          closed[word] |= found;
          for (; found != 0; found &= found - 1) {
            const auto vertex = static_cast<VertexId>(word * 64 + std::countr_zero(found));
            Partial partial;
            PullFrom(program, firsts_->of(vertex), vertex, Weight(), &partial);
            pass_.Take(program, vertex, partial, active);
          }
        }
        pass_.KeepTallies(program);
        return OkStatus();
      });
}

template <typename P>
StatusOr<BlockPlan> SelectivePull<P>::Plan() const {
  const LoadedGraph& graph = pass_.graph();
  BlockPlan plan(graph.num_blocks(), graph.info().block_edges);
  if constexpr (kAppliesToAllOf<P>) {
    plan.AddEdges(0, graph.num_edges());
    return plan;
  }
  if (notified_ != nullptr) {
    RETURN_IF_ERROR(notified_->ForEach(graph.threads(), [&](std::span<const VertexId> members) {
      for (const VertexId vertex : members) {
        if (!pass_.Receives(pass_.program(), nullptr, vertex)) continue;
        plan.AddEdges(index_.first_edge(vertex), index_.first_edge(vertex + 1));
      }
    }));
  } else {
    RETURN_IF_ERROR(ParallelFor(graph.num_vertices(), kVertexChunk, graph.threads(),
                                [&](size_t begin, size_t end) {
                                  AddReceivers(begin, end, &plan);
                                  return OkStatus();
                                }));
  }
  return plan;
}

/// Adds the blocks of those of the vertices [begin, end) that may receive. One vertex a block
/// decides: those whose lists end in a block that has been added are passed over.
template <typename P>
void SelectivePull<P>::AddReceivers(size_t begin, size_t end, BlockPlan* plan) const {
  while (begin < end) {
    const uint64_t bits = Receivers(pass_.program(), begin / 64, begin, end);
    if (bits == 0) {
      begin = (begin / 64 + 1) * 64;
      continue;
    }
    const size_t vertex = begin / 64 * 64 + static_cast<size_t>(std::countr_zero(bits));
    const EdgeIndex first = index_.first_edge(static_cast<VertexId>(vertex));
    const EdgeIndex last = index_.first_edge(static_cast<VertexId>(vertex + 1));
    plan->AddEdges(first, last);
    // The list before the first that starts beyond the block is the first that may end there.
    const size_t beyond = pass_.graph().FirstOfBlock(lists_, plan->BlockOf(last - 1) + 1);
    begin = std::max(vertex + 1, beyond - 1);
  }
}

template <typename P>
bool SelectivePull<P>::PullFrom(P& program, VertexId sender, VertexId vertex, Weight weight,
                                Partial* partial) {
  if (!pass_.Emits(sender)) return true;
  const auto sent = pass_.Sent(program, sender);
  partial->Add(CallAlong(program, sent, sender, vertex, weight));
  const bool enough = kTakesFirst<P> || CallEnough(program, vertex, partial->sum);
  if (enough && index_.degree(vertex) > 1) EM_COVER(early_exits, 1);
  return !enough;
}

/// A list's edges in the block: only the groups needed, up to the first message where that is
/// enough. `before`: the neighbour before the first of them, of programs for simple graphs.
template <typename P>
bool SelectivePull<P>::PullList(P& program, Cursor& cursor, VertexId vertex, Partial* partial,
                                VertexId before) {
  const EdgeIndex first = index_.first_edge(vertex), last = index_.first_edge(vertex + 1);
  bool is_head = first >= cursor.block_begin();
  return cursor.VisitList(vertex, first, last, [&](const ListPiece<Weight>& piece) {
    if (is_head) LearnFirst(vertex, piece.target(0));
    is_head = false;
    for (uint32_t i = 0; i < piece.size; ++i) {
      const VertexId sender = piece.target(i);
      if constexpr (kIsSimpleOf<P>) {
        if (sender == vertex || std::exchange(before, sender) == sender) continue;
      }
      if (!PullFrom(program, sender, vertex, piece.weight(i), partial)) return false;
    }
    return true;
  });
}

template <typename P>
bool SelectivePull<P>::PullBlock(const BlockEdges& edges, int thread) {
  Work work{.program = pass_.program(thread), .active = FrontierBatch(pass_.next())};
  bool sound;
  if constexpr (kDecodesWhole) {
    sound = WholePays(work.program, edges) && pass_.from() != nullptr
                ? PullWhole(edges, pass_.graph().block_ids(thread), work)
                : PullLists(edges, work);
  } else {
    sound = PullLists(edges, work);
  }
  if (!sound) return false;
  ends_.Store(edges.block, work.begins_before, work.ends_after);
  pass_.program(thread) = work.program;
  return true;
}

/// Pulls those of the lists that `peeks` holds whose first neighbour says all, and leaves the
/// others there. A first neighbour takes a third of the time that decoding sixteen does, and of
/// lists of which none is known yet it says all for most, where a pull pays.
template <typename P>
bool SelectivePull<P>::PullFirstIds(const BlockEdges& edges, Cursor& cursor, Peeks* peeks,
                                    Work& work) {
  const std::span<const ListStart> lists = std::span(peeks->lists).first(peeks->size);
  alignas(64) std::array<VertexId, Peeks::kCapacity> senders{};
  if (!DecodeFirstIds(edges.neighbors, lists, index_.num_vertices, senders.data())) return false;
  std::array<uint64_t, Peeks::kCapacity / 64> members;
  FindMembers(senders.data(), (peeks->size + 63) / 64 * 64, pass_.from()->words().data(),
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
    PullFrom(work.program, senders[i], found[i], Weight(), &partial);
    pass_.Take(work.program, found[i], partial, work.active);
  }
  cursor.CountFirsts(peeks->size, num_found);
  peeks->size = num_left;
  return true;
}

/// Pulls the lists that `peeks` holds: `pull` gets those whose first neighbours do not say all.
/// Memory is waited for once for all of them: for the lists, then for the frontier.
template <typename P>
template <typename PullOne>
bool SelectivePull<P>::PullPeeked(const BlockEdges& edges, Cursor& cursor, Peeks* peeks, Work& work,
                                  PullOne pull) {
  if ((firsts_ == nullptr || firsts_->is_new()) && cursor.FirstPays() &&
      !PullFirstIds(edges, cursor, peeks, work)) {
    return false;
  }
  const std::span<const ListStart> lists = std::span(peeks->lists).first(peeks->size);
  alignas(64) std::array<VertexId, Peeks::kCapacity * kStartIds> senders;
  const uint32_t end = peeks->size * kStartIds;
  std::fill(senders.begin() + end, senders.begin() + (end + 63) / 64 * 64, VertexId{0});
  if (!DecodeListStarts(edges.neighbors, lists, index_.num_vertices, senders.data())) return false;
  std::array<uint64_t, Peeks::kCapacity * kStartIds / 64 + 1> members;
  FindMembers(senders.data(), end, pass_.from()->words().data(), members.data());
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
    const VertexId vertex = lists[found[i]].source;
    PullFrom(work.program, senders[firsts[i]], vertex, Weight(), &partial);
    pass_.Take(work.program, vertex, partial, work.active);
  }
  for (uint32_t i = 0; i < num_missed; ++i) {
    if (!pull(lists[missed[i]].source)) return false;
  }
  cursor.Count(peeks->size, peeks->size - num_missed);
  peeks->size = 0;
  return true;
}

/// Calls `pull(vertex)`, which is false when the block is damaged, for the block's vertices that
/// may receive. Where most find a message among their first neighbours, these are looked at
/// alone, those of many lists at a time, and `pull` gets the other vertices.
template <typename P>
template <typename PullOne>
bool SelectivePull<P>::PullReceivers(const BlockEdges& edges, Cursor& cursor, Work& work,
                                     PullOne pull) {
  Peeks peeks;
  // The last list may go on in the next block: what is here does not say all.
  const bool ends_here = index_.first_edge(edges.owned_end) <= edges.end;
  const VertexId peek_end = edges.owned_end - (ends_here ? 0 : 1);
  const bool may_peek = kPeeks && pass_.from() != nullptr;
  for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
    uint64_t receivers = Receivers(work.program, word, edges.owned_begin, edges.owned_end);
    if constexpr (kPeeks) {
      if (peeks.size + 64 > Peeks::kCapacity && !PullPeeked(edges, cursor, &peeks, work, pull)) {
        return false;
      }
      if (may_peek && cursor.PeekPays()) {
        uint64_t alone = receivers & BitsWithin(word, edges.owned_begin, peek_end);
        receivers ^= alone;
        for (; alone != 0; alone &= alone - 1) {
          const VertexId vertex = static_cast<VertexId>(word * 64) + std::countr_zero(alone);
          peeks.lists[peeks.size++] = edges.list_start(index_, vertex);
        }
      }
    }
    for (; receivers != 0; receivers &= receivers - 1) {
      if (!pull(static_cast<VertexId>(word * 64) + std::countr_zero(receivers))) return false;
    }
  }
  if constexpr (kPeeks) {
    if (may_peek) return PullPeeked(edges, cursor, &peeks, work, pull);
  }
  return true;
}

template <typename P>
bool SelectivePull<P>::PullLists(const BlockEdges& edges, Work& work) {
  Cursor cursor(edges, index_.num_vertices);
  if (edges.continues) {
    const VertexId vertex = edges.owned_begin - 1;
    const VertexId before = pass_.LastNeighborBefore(lists_, edges.block);
    if (pass_.Receives(work.program, notified_, vertex) &&
        !PullList(work.program, cursor, vertex, &work.begins_before, before)) {
      return false;
    }
  }
  const auto pull = [&](VertexId vertex) {
    const bool crosses = index_.first_edge(vertex + 1) > edges.end;
    const bool is_empty = index_.degree(vertex) == 0;
    Partial whole;
    Partial* const partial = crosses ? &work.ends_after : &whole;
    if (!is_empty && !PullList(work.program, cursor, vertex, partial, kInvalidVertex)) {
      return false;
    }
    if (!crosses) pass_.Take(work.program, vertex, whole, work.active);
    return true;
  };
  return PullReceivers(edges, cursor, work, pull);
}

/// Whether so many of the block's lists are wanted that all of its edges are decoded faster than
/// the group of each list.
template <typename P>
bool SelectivePull<P>::WholePays(const P& program, const BlockEdges& edges) const {
  uint64_t receivers = 0;
  for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
    receivers += static_cast<uint64_t>(
        std::popcount(Receivers(program, word, edges.owned_begin, edges.owned_end)));
  }
  return edges.WholePays(receivers);
}

/// Of the lists [*list, end_list), at most as many as `found_lists` has room for, those that
/// receive something; `*list` is the first that was not looked at. `found_edges`: where.
template <typename P>
uint32_t SelectivePull<P>::FindLists(const P& program, const BlockIds& ids, const uint64_t* members,
                                     uint32_t* list, uint32_t end_list,
                                     std::span<uint32_t> found_lists,
                                     std::span<uint32_t> found_edges) {
  uint64_t word = ~uint64_t{0};
  uint64_t receivers = 0;
  uint32_t found = 0;
  const uint32_t stop = std::min(end_list, *list + static_cast<uint32_t>(found_lists.size()));
  for (; *list < stop; ++*list) {
    const VertexId vertex = ids.source(*list);
    if (vertex / 64 != word) {
      word = vertex / 64;
      receivers = Receivers(program, word, word * 64, word * 64 + 64);
    }
    const uint32_t end = ids.begin(*list + 1);
    LearnFirst(vertex, ids.ids(*list)[0]);
    const uint32_t edge = FirstMember(members, ids.begin(*list), end);
    found_lists[found] = *list;
    found_edges[found] = edge;
    found += static_cast<uint32_t>(receivers >> vertex % 64) & 1 & (edge != end);
  }
  return found;
}

/// A block most of whose lists are wanted: all ids first.
template <typename P>
bool SelectivePull<P>::PullWhole(const BlockEdges& edges, BlockIds& ids, Work& work) {
  if (!ids.Decode(edges.neighbors, edges.lists(index_), index_.num_vertices)) return false;
  std::array<uint64_t, kMaxBlockValues / 64 + 1> members;  // and what FirstMember reads beyond
  FindMembers(ids.ids().data(), static_cast<uint32_t>(ids.ids().size()),
              pass_.from()->words().data(), members.data());
  const auto pull = [&](uint32_t list, uint32_t edge, Partial* partial) {
    for (const VertexId sender : ids.ids(list).subspan(edge - ids.begin(list))) {
      if (!PullFrom(work.program, sender, ids.source(list), Weight(), partial)) break;
    }
  };
  uint32_t list = 0, end_list = ids.num_lists();
  if (edges.continues) {
    if (pass_.Receives(work.program, notified_, ids.source(0))) pull(0, 0, &work.begins_before);
    ++list;
  }
  if (list < end_list && index_.first_edge(ids.source(end_list - 1) + 1) > edges.end) {
    --end_list;
    LearnFirst(ids.source(end_list), ids.ids(end_list)[0]);
    if (pass_.Receives(work.program, notified_, ids.source(end_list))) {
      pull(end_list, ids.begin(end_list), &work.ends_after);
    }
  }
  // Which lists have an active sender nobody can predict: these are put together first.
  constexpr uint32_t kAtOnce = 256;
  std::array<uint32_t, kAtOnce> found_lists, found_edges;
  while (list < end_list) {
    const uint32_t found =
        FindLists(work.program, ids, members.data(), &list, end_list, found_lists, found_edges);
    for (uint32_t i = 0; i < found; ++i) {
      Partial whole;
      pull(found_lists[i], found_edges[i], &whole);
      pass_.Take(work.program, ids.source(found_lists[i]), whole, work.active);
    }
  }
  return true;
}

}  // namespace edgemill

// Calls a function for each triangle, on all threads.
#pragma once

#include <atomic>
#include <concepts>
#include <vector>

#include "common/cancel.h"
#include "common/threads/parallel.h"
#include "engine/cpu/intersect/list_pairs.h"
#include "engine/cpu/intersect/marked_list.h"
#include "engine/cpu/pass/thread_copies.h"
#include "engine/program/functions/triangle.h"
#include "engine/program/program_calls.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// Finds the triangles of one vertex u: for each v in its list, the vertices w that its list shares
/// with the list of v. What triangles tell w is added up while u has its turn, so that memory is
/// written once an edge, not once a triangle.
template <typename F>
class TriangleVisit {
 public:
  using M = typename F::Monoid;
  using Value = typename M::Value;

  TriangleVisit(const VertexOrder& order, const ListPair& pair, MarkedList<M>& marked, F& function)
      : order_(order), pair_(pair), marked_(marked), function_(function) {}

  void Visit(VertexId u) {
    const OrientedLists::List list = pair_.from.of(u);
    const bool pairs = kTakesPairs<F> && pair_.is_first;
    if (list.ranks.size() < (pairs ? 1 : 2)) return;
    marked_.Set(list);
    Value sum = M::identity();
    bool found = false;
    for (size_t i = 0; i < list.ranks.size(); ++i) {
      const uint8_t arcs = list.arcs == nullptr ? 2 : list.arcs[i];
      Value sum_v = M::identity();
      const uint32_t rank = list.ranks[i];
      const VertexId v = order_.VertexAt(rank);
      const bool found_here = pair_.to.has(v) && VisitPair({u, v, arcs}, rank, &sum, &sum_v);
      if constexpr (kTakesPairs<F>) {
        if (pairs) {
          EM_ACCESS(kInvalidVertex, u, v);
          const Ends<Value> ends = function_.Pair(ArcPair{u, v, arcs});
          sum = M::Combine(sum, ends.u);
          sum_v = M::Combine(sum_v, ends.v);
        }
      }
      if (found_here || pairs) Take(v, sum_v);
      found |= found_here;
    }
    if (found || pairs) Take(u, sum);
    if (found) {
      for (uint32_t i = 0; i < list.ranks.size(); ++i) {
        Take(order_.VertexAt(list.ranks[i]), marked_.sum(i));
      }
    }
    marked_.Clear();
  }

 private:
  /// Finds the triangles of u and v, whose rank is `rank`. Returns whether there are any.
  bool VisitPair(const ArcPair& pair, uint32_t rank, Value* sum_u, Value* sum_v) {
    bool found = false;
    const auto visit = [&](uint32_t rank_w, uint32_t uw, uint32_t vw, Value& sum_w) {
      const Corners<Value> corners = Call(pair, order_.VertexAt(rank_w), uw, vw);
      *sum_u = M::Combine(*sum_u, corners.u);
      *sum_v = M::Combine(*sum_v, corners.v);
      sum_w = M::Combine(sum_w, corners.w);
      found = true;
    };
    if (pair_.rows.row(rank) != nullptr) {
      marked_.Intersect(pair_.rows, rank, visit);
    } else {
      marked_.Intersect(pair_.to.of(pair.v), visit);
    }
    return found;
  }
  Corners<Value> Call(const ArcPair& pair, VertexId w, [[maybe_unused]] uint32_t uw,
                      [[maybe_unused]] uint32_t vw) const {
    EM_ACCESS(kInvalidVertex, pair.u, pair.v, w);
    if constexpr (kAsksForArcs<F>) {
      return function_(ArcTriangle{
          {pair.u, pair.v, w}, pair.arcs, static_cast<uint8_t>(uw), static_cast<uint8_t>(vw)});
    } else {
      return function_(Triangle{pair.u, pair.v, w});
    }
  }
  void Take(VertexId vertex, Value sum) {
    if constexpr (std::equality_comparable<Value>) {
      if (sum == M::identity()) return;
    }
    EM_ACCESS(vertex);
    function_.Take(vertex, sum);
  }

  const VertexOrder& order_;
  const ListPair& pair_;
  MarkedList<M>& marked_;
  F& function_;
};

/// Calls `function` for each triangle of the simple undirected graph, once. Takes at most `bytes`
/// of the budget. The errors of reading; BudgetError.
template <typename F>
Status IntersectLists(LoadedGraph& graph, Recorder& recorder, uint64_t bytes, const F& function) {
  constexpr size_t kVerticesAtOnce = 64;
  constexpr uint64_t kEntriesAThread = uint64_t{1} << 10;
  const bool arcs = kAsksForArcs<F> && graph.info().directed;
  ASSIGN_OR_RETURN(ListPairs pairs, ListPairs::Create(graph, bytes, arcs));
  const int threads = graph.threads();
  ASSIGN_OR_RETURN(const MemoryReservation reservation,
                   graph.budget().Reserve(static_cast<uint64_t>(threads) *
                                              MarkedListBytes(pairs.longest(), pairs.num_hubs()),
                                          "marks of lists to intersect"));
  std::vector<MarkedList<typename F::Monoid>> marked;
  for (int thread = 0; thread < threads; ++thread) {
    ASSIGN_OR_RETURN(marked.emplace_back(), MarkedList<typename F::Monoid>::Create(
                                                pairs.longest(), pairs.num_hubs(), arcs));
  }
  ThreadCopies<F> copies(function, threads);
  RETURN_IF_ERROR(pairs.ForEach(recorder, [&](const ListPair& pair) {
    std::atomic<size_t> next{pair.from.begin()};
    const int team = TeamFor(pair.from.num_entries(), kEntriesAThread, threads);
    return ShareWork(team, [&](int thread) -> Status {
      F copy = copies.CopyFor(thread);
      TriangleVisit<F> visit(pairs.order(), pair, marked[static_cast<size_t>(thread)], copy);
      while (true) {
        RETURN_IF_ERROR(CheckCancelled());
        const size_t begin = next.fetch_add(kVerticesAtOnce, std::memory_order_relaxed);
        if (begin >= pair.from.end()) break;
        const size_t end = std::min<size_t>(begin + kVerticesAtOnce, pair.from.end());
        uint64_t entries = 0;
        for (size_t u = begin; u < end; ++u) {
          visit.Visit(static_cast<VertexId>(u));
          entries += pair.from.of(static_cast<VertexId>(u)).ranks.size();
        }
        graph.progress().Advance(entries);
      }
      copies.CopyFor(thread) = copy;
      return OkStatus();
    });
  }));
  copies.End();
  return OkStatus();
}

}  // namespace edgemill

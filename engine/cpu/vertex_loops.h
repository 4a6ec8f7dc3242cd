// Loops over sets of vertices and over their edges, on the CPU.
//
// A function on vertices or edges is a struct of views with an operator(), const or not. Reflection
// finds its views. Threads call copies of it, and the tallies of the copies are merged.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "common/check.h"
#include "engine/cpu/pass/active_sets.h"
#include "engine/cpu/pass/thread_copies.h"
#include "engine/graph/loaded_graph.h"
#include "engine/plan/block_plan.h"
#include "engine/program/edge.h"
#include "engine/program/operator_types.h"
#include "engine/report/recorder.h"
#include "kernels/cpu/block_ids.h"

namespace edgemill {

/// Calls `visit(function, members)` for chunks of the members of `from` (null: all), with a copy of
/// `function` for each chunk. Merges the copies' tallies.
template <typename F, typename Visit>
Status VisitWithCopies(const LoadedGraph& graph, const Frontier* from, const F& function,
                       Visit visit) {
  ThreadCopies<F> copies(function, 0);
  RETURN_IF_ERROR(ForEachMember(graph, from, [&](const MemberChunk& members) {
    F copy = function;
    visit(copy, members);
    copies.AddTallies(copy);
  }));
  copies.End();
  return OkStatus();
}

/// Collects many edges before a thread's copy of a function is called for them. Meanwhile the
/// elements of its Shared views for these edges are prefetched.
template <typename F>
class VisitBatch {
 public:
  using Weight = WeightOfEdges<F>;

  explicit VisitBatch(const F& function) : function_(function) {}

  void Add(VertexId from, VertexId to, Weight weight) {
    if constexpr (kHasShared) {
      if (size_ == edges_.size()) CallAll();
      VisitFields(function_, [to](auto& field) {
        if constexpr (kIsSharedView<std::remove_cvref_t<decltype(field)>>) field.Prefetch(to);
      });
      edges_[size_++] = {{from, to}, weight};
    } else {
      Call(from, to, weight);
      ++count_;
    }
  }
  /// The number of edges that were added.
  EdgeIndex count() const { return count_ + size_; }
  /// Calls the function for the edges that are left. Returns it, with its tallies.
  const F& Finish() {
    CallAll();
    return function_;
  }

 private:
  static constexpr bool kHasShared = [] {
    bool has = false;
    F function{};
    VisitFields(function,
                [&](auto& field) { has |= kIsSharedView<std::remove_cvref_t<decltype(field)>>; });
    return has;
  }();

  void Call(VertexId from, VertexId to, [[maybe_unused]] Weight weight) {
    EM_ACCESS(kInvalidVertex, from, to);
    if constexpr (std::is_same_v<Weight, NoWeight>) {
      function_(Edge{from, to});
    } else {
      function_(WeightedEdge<Weight>{{from, to}, weight});
    }
  }
  void CallAll() {
    for (uint32_t i = 0; i < size_; ++i) Call(edges_[i].from, edges_[i].to, edges_[i].weight);
    count_ += std::exchange(size_, 0);
  }

  F function_;
  EdgeIndex count_ = 0;  // edges for which the function was called
  uint32_t size_ = 0;
  std::array<WeightedEdge<Weight>, kHasShared ? 512 : 1> edges_;
};

/// Calls a function for each edge of the members' lists, or of the same slice of each list.
template <typename F>
class EdgeVisitor {
 public:
  using Weight = WeightOfEdges<F>;
  static constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;

  EdgeVisitor(LoadedGraph& graph, const Frontier* from, const Slice& slice, const F& function)
      : graph_(graph), from_(from), slice_(slice), copies_(function, graph.threads()) {
    if (from != nullptr) CHECK_EQ(from->num_vertices(), graph.num_vertices());
  }

  Status Visit(Direction lists, Recorder& recorder) {
    ASSIGN_OR_RETURN(std::vector<uint64_t> blocks, Blocks(lists));
    recorder.AddBlocks(blocks.size());
    if constexpr (!kWeighted) RETURN_IF_ERROR(graph_.decode_scratch().Reserve(/*weights=*/false));
    const bool weights = kWeighted && graph_.info().weights != WeightType::kNone;
    std::atomic<EdgeIndex> visited{0};
    RETURN_IF_ERROR(
        graph_.blocks().Visit(lists, weights, std::move(blocks),
                              [&](int thread, const BlockEdges& edges) -> StatusOr<bool> {
                                return VisitBlock(lists, edges, thread, visited);
                              }));
    CHECK_LE(visited.load(), graph_.num_edges());  // each edge is in one list of a direction
    recorder.AddEdges(visited);
    return OkStatus();
  }
  /// Merges the tallies of all threads.
  void End() { copies_.End(); }

 private:
  static constexpr uint32_t kAtOnce = 256;  // list starts that are decoded together

  StatusOr<std::vector<uint64_t>> Blocks(Direction lists) const {
    BlockPlan plan(graph_.num_blocks(), graph_.info().block_edges);
    if (from_ == nullptr && slice_.skip == 0) {
      plan.AddEdges(0, graph_.num_edges());
      return plan.Blocks();
    }
    const VertexIndexView index = graph_.index(lists);
    RETURN_IF_ERROR(ParallelFor(
        graph_.num_vertices(), kVertexChunk, graph_.threads(), [&](size_t begin, size_t end) {
          for (uint64_t word = begin / 64; word * 64 < end; ++word) {
            for (uint64_t bits = MembersWithEdges(lists, begin, end, word); bits != 0;
                 bits &= bits - 1) {
              const auto vertex = static_cast<VertexId>(word * 64 + std::countr_zero(bits));
              const auto [first, last] = Extent(index, vertex);
              if (first < last) plan.AddEdges(first, last);
            }
          }
          return OkStatus();
        }));
    return plan.Blocks();
  }
  std::pair<EdgeIndex, EdgeIndex> Extent(const VertexIndexView& index, VertexId vertex) const {
    const EdgeIndex begin = index.first_edge(vertex), end = index.first_edge(vertex + 1);
    const EdgeIndex first = slice_.skip < end - begin ? begin + slice_.skip : end;
    return {first, slice_.count < end - first ? first + slice_.count : end};
  }
  bool VisitBlock(Direction lists, const BlockEdges& edges, int thread,
                  std::atomic<EdgeIndex>& visited) {
    VisitBatch<F> batch(copies_.CopyFor(thread));
    ListCursor<Weight> cursor(edges, graph_.num_vertices());
    bool sound = true;
    if constexpr (kWeighted) {
      sound = VisitLists(lists, edges, cursor, batch);
    } else if (WholePays(lists, edges)) {
      sound = VisitWhole(graph_.index(lists), edges, graph_.decode_scratch().ids(thread), batch);
    } else if (slice_.skip > 0 || slice_.count > kStartIds) {
      sound = VisitLists(lists, edges, cursor, batch);
    } else {
      sound = VisitStarts(lists, edges, cursor, batch);
    }
    visited.fetch_add(batch.count(), std::memory_order_relaxed);
    copies_.CopyFor(thread) = batch.Finish();
    return sound;
  }

  /// Bit i says whether vertex 64 * word + i is in [begin, end), and a member with edges.
  uint64_t MembersWithEdges(Direction lists, uint64_t begin, uint64_t end, uint64_t word) const {
    uint64_t bits = BitsWithin(word, begin, end);
    if (from_ != nullptr) bits &= from_->words()[word];
    return bits == 0 ? 0 : bits & graph_.indexes().HaveEdges(lists, word);
  }
  /// Whether decoding all ids of the block takes less time than decoding the members' lists alone.
  bool WholePays(Direction lists, const BlockEdges& edges) const {
    if (slice_.count == 1) return false;
    uint64_t count = 0;
    for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
      count += static_cast<uint64_t>(
          std::popcount(MembersWithEdges(lists, edges.owned_begin, edges.owned_end, word)));
    }
    return edges.WholePays(count);
  }
  bool VisitWhole(const VertexIndexView& index, const BlockEdges& edges, BlockIds& ids,
                  VisitBatch<F>& batch) const {
    if (!ids.Decode(edges.neighbors, edges.lists(index), index.num_vertices)) return false;
    for (uint32_t list = 0; list < ids.num_lists(); ++list) {
      const VertexId vertex = ids.source(list);
      if (from_ != nullptr && !from_->Test(vertex)) continue;
      // How many edges of the list lie in earlier blocks.
      const bool continues = list == 0 && edges.continues;
      const uint64_t before = continues ? edges.begin - index.first_edge(vertex) : 0;
      const std::span<const VertexId> here = ids.ids(list);
      const uint64_t first = slice_.skip - std::min(slice_.skip, before);
      const uint64_t taken = before - std::min(slice_.skip, before);  // edges of the slice there
      if (first >= here.size() || taken >= slice_.count) continue;
      const uint64_t count = std::min<uint64_t>(slice_.count - taken, here.size() - first);
      for (const VertexId to : here.subspan(first, count)) batch.Add(vertex, to, NoWeight());
    }
    return true;
  }

  /// Calls `visit(vertex)` for members with a list, or a part of one, in the block, until `visit`
  /// returns false.
  template <typename Visit>
  bool ForEachList(Direction lists, const BlockEdges& edges, Visit visit) const {
    if (edges.continues) {
      const VertexId vertex = edges.owned_begin - 1;
      if ((from_ == nullptr || from_->Test(vertex)) && !visit(vertex)) return false;
    }
    for (uint64_t word = edges.owned_begin / 64; word * 64 < edges.owned_end; ++word) {
      for (uint64_t bits = MembersWithEdges(lists, edges.owned_begin, edges.owned_end, word);
           bits != 0; bits &= bits - 1) {
        if (!visit(static_cast<VertexId>(word * 64) + std::countr_zero(bits))) return false;
      }
    }
    return true;
  }
  bool VisitLists(Direction lists, const BlockEdges& edges, ListCursor<Weight>& cursor,
                  VisitBatch<F>& batch) const {
    const VertexIndexView index = graph_.index(lists);
    return ForEachList(lists, edges, [&](VertexId vertex) {
      return VisitList(index, edges, cursor, vertex, batch);
    });
  }
  /// Visits short slices at the start of many lists together. Only the ids of the slices are
  /// decoded.
  bool VisitStarts(Direction lists_read, const BlockEdges& edges, ListCursor<Weight>& cursor,
                   VisitBatch<F>& batch) const {
    const VertexIndexView index = graph_.index(lists_read);
    std::array<ListStart, kAtOnce> lists;
    uint32_t count = 0;
    const auto visit = [&] {
      const std::span<const ListStart> some = std::span(lists).first(std::exchange(count, 0));
      return slice_.count == 1 ? VisitFirsts(edges, some, batch)
                               : VisitFew(index, edges, some, cursor, batch);
    };
    const bool sound = ForEachList(lists_read, edges, [&](VertexId vertex) {
      if (vertex < edges.owned_begin) return VisitList(index, edges, cursor, vertex, batch);
      lists[count++] = edges.list_start(index, vertex);
      return count < kAtOnce || visit();
    });
    return sound && visit();
  }
  bool VisitFirsts(const BlockEdges& edges, std::span<const ListStart> lists,
                   VisitBatch<F>& batch) const {
    alignas(64) std::array<VertexId, kAtOnce> ids{};
    if (!DecodeFirstIds(edges.neighbors, lists, graph_.num_vertices(), ids.data())) return false;
    for (size_t i = 0; i < lists.size(); ++i) batch.Add(lists[i].source, ids[i], NoWeight());
    return true;
  }
  bool VisitFew(const VertexIndexView& index, const BlockEdges& edges,
                std::span<const ListStart> lists, ListCursor<Weight>& cursor,
                VisitBatch<F>& batch) const {
    alignas(64) std::array<VertexId, kAtOnce * kStartIds> ids;
    if (!DecodeListStarts(edges.neighbors, lists, graph_.num_vertices(), ids.data())) return false;
    for (size_t i = 0; i < lists.size(); ++i) {
      const uint64_t wanted = std::min<uint64_t>(lists[i].size, slice_.count);
      if (lists[i].num_ids() < wanted) {  // the list goes on in the next group
        if (!VisitList(index, edges, cursor, lists[i].source, batch)) return false;
        continue;
      }
      for (uint64_t j = 0; j < wanted; ++j) {
        batch.Add(lists[i].source, ids[i * kStartIds + j], NoWeight());
      }
    }
    return true;
  }
  /// Visits the slice of one list, as far as it lies in the block. Decodes from the start of the
  /// list, because ids are differences.
  bool VisitList(const VertexIndexView& index, const BlockEdges& edges, ListCursor<Weight>& cursor,
                 VertexId vertex, VisitBatch<F>& batch) const {
    const auto [first, last] = Extent(index, vertex);
    if (first >= edges.end || last <= edges.begin || first == last) return true;
    const EdgeIndex begin = index.first_edge(vertex);
    EdgeIndex at = std::max(begin, edges.begin);
    return cursor.VisitList(vertex, begin, last, [&, first = first](const auto& chunk) {
      for (uint32_t i = 0; i < chunk.size; ++i, ++at) {
        if (at >= first) batch.Add(vertex, chunk.target(i), chunk.weight(i));
      }
      return true;
    });
  }

  LoadedGraph& graph_;
  const Frontier* const from_;
  const Slice slice_;
  ThreadCopies<F> copies_;
};

}  // namespace edgemill

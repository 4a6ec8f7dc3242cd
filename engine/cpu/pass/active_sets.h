// The sets of an operator: vertices that emit in the next pass, that became active, and that wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/check.h"
#include "engine/graph/loaded_graph.h"
#include "engine/program/backend.h"
#include "engine/program/sets/frontier.h"
#include "engine/program/sets/vertex_set.h"

namespace edgemill {

/// Some members of a set, in rising order: all vertices of a range, or those of a list.
class MemberChunk {
 public:
  MemberChunk(uint64_t begin, uint64_t end) : begin_(begin), end_(end) {}
  explicit MemberChunk(std::span<const VertexId> list) : list_(list) {}

  /// Calls `visit(vertex)` for each. Has two loops, so that the one over a range reads no memory.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint64_t vertex = begin_; vertex < end_; ++vertex) visit(static_cast<VertexId>(vertex));
    for (const VertexId vertex : list_) visit(vertex);
  }
  /// Adds to `batch` the members for which `test(vertex)` is true. Branches on the test cannot be
  /// predicted, so a range is tested without branches, 64 vertices at a time.
  template <typename Test>
  void AddWhere(FrontierBatch& batch, Test test) const {
    for (uint64_t vertex = begin_; vertex < end_;) {
      const uint64_t word = vertex / 64;
      uint64_t bits = 0;
      for (const uint64_t stop = std::min(end_, word * 64 + 64); vertex < stop; ++vertex) {
        bits |= uint64_t{test(static_cast<VertexId>(vertex))} << vertex % 64;
      }
      if (bits != 0) batch.AddWord(word, bits);
    }
    for (const VertexId vertex : list_) {
      if (test(vertex)) batch.Add(vertex);
    }
  }

 private:
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  std::span<const VertexId> list_;
};

/// Calls `visit(members)`, on all threads, for chunks of the members of `from`. Null: all vertices
/// of the graph.
Status ForEachMember(const LoadedGraph& graph, const Frontier* from,
                     const std::function<void(const MemberChunk&)>& visit);

/// The number of edges of the members of `set`, if it has a short list of members: the calling
/// thread adds up their degrees. For sealed sets only.
std::optional<EdgeIndex> EdgesOfFew(const VertexIndexView& index, const Frontier& set);

/// The sets of one operator, from a pool. One thread uses it, between passes.
class ActiveSets {
 public:
  /// `lists`: the lists that a push reads. Edges of members are counted in these.
  ActiveSets(const LoadedGraph& graph, SetPool& pool, const std::vector<Direction>& lists);
  /// Returns all sets to the pool, also after an error.
  ~ActiveSets();
  ActiveSets(const ActiveSets&) = delete;
  ActiveSets& operator=(const ActiveSets&) = delete;

  /// The members of `from`, which must stay until Advance, emit first.
  Status Begin(const VertexSet& from);
  /// The vertices that emit in the next pass; null: all.
  const Frontier* from() const { return current_ != nullptr ? current_.get() : given_; }
  ActiveCounts active() const { return active_; }
  /// Whether the vertices that emit have all edges. Then no test of whether a sender emits is
  /// needed.
  bool has_all_edges() const { return active_.edges == max_edges_; }
  /// The vertices that the current pass makes active.
  Frontier& next() { return *next_; }
  /// Starts the next pass: the members of next() emit in it. Afterwards next() is empty.
  Status Advance();
  /// Ends the operator. Returns the vertices that would emit in the next pass.
  VertexSet End();

  // Buckets: `priority(vertex)`. See OperatorPasses.
  template <typename Priority>
  Status Split(double bound, Priority priority);
  template <typename Priority>
  StatusOr<double> LeastWaiting(double bound, Priority priority);
  template <typename Priority>
  Status ActivateWaiting(double before, double bound, Priority priority);
  /// Call it before ActivateWaiting, unless LeastWaiting was called.
  void SealWaiting() {
    CHECK(waiting_ != nullptr);  // after Split
    waiting_->Seal(graph_.threads());
  }

 private:
  using Members = std::unique_ptr<Frontier>;

  Status Count();
  /// The edges of the members of `set`, which has a list.
  StatusOr<EdgeIndex> EdgesOf(const VertexIndexView& index, const Frontier& set) const;

  const LoadedGraph& graph_;
  SetPool& pool_;
  std::vector<VertexIndexView> indexes_;
  EdgeIndex max_edges_ = 0;
  const Frontier* given_ = nullptr;  // emits in the first pass; belongs to the caller
  Members current_;                  // emits in later passes
  Members next_;
  Members waiting_;
  ActiveCounts active_;
};

template <typename Priority>
Status ActiveSets::Split(double bound, Priority priority) {
  if (waiting_ == nullptr) {
    ASSIGN_OR_RETURN(waiting_, pool_.Acquire());
  }
  RETURN_IF_ERROR(ForEachMember(graph_, from(), [&](const MemberChunk& members) {
    FrontierBatch due(*next_), later(*waiting_);
    members.ForEach([&](VertexId vertex) { (priority(vertex) < bound ? due : later).Add(vertex); });
  }));
  return Advance();
}

template <typename Priority>
StatusOr<double> ActiveSets::LeastWaiting(double bound, Priority priority) {
  CHECK(waiting_ != nullptr);  // after Split
  std::atomic<double> least{kNoBound};
  waiting_->Seal(graph_.threads());
  RETURN_IF_ERROR(waiting_->ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    double local = kNoBound;
    for (const VertexId vertex : members) {
      const double found = priority(vertex);
      if (found >= bound) local = std::min(local, found);
    }
    double seen = least.load(std::memory_order_relaxed);
    while (local < seen && !least.compare_exchange_weak(seen, local)) {
    }
  }));
  return least.load();
}

template <typename Priority>
Status ActiveSets::ActivateWaiting(double before, double bound, Priority priority) {
  CHECK(waiting_ != nullptr && current_ != nullptr);  // after Split
  CHECK_LT(before, bound);                            // bounds rise
  RETURN_IF_ERROR(waiting_->ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
    FrontierBatch due(*current_), later(*next_);
    for (const VertexId vertex : members) {
      const double found = priority(vertex);
      if (found >= before) (found < bound ? due : later).Add(vertex);
    }
  }));
  current_->Seal(graph_.threads());
  std::swap(waiting_, next_);
  next_->Clear(graph_.threads());
  return Count();
}

}  // namespace edgemill

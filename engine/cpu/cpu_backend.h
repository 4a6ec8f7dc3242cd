// The passes of one operator on the CPU.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/cpu/dense_pull.h"
#include "engine/cpu/edge_pass.h"
#include "engine/cpu/push.h"
#include "engine/cpu/repeated_push.h"
#include "engine/cpu/selective_pull.h"
#include "engine/plan/direction_policy.h"
#include "engine/program/edge_backend.h"
#include "engine/report/recorder.h"
#include "kernels/members.h"

namespace edgemill {

/// The directions of lists that messages going `directions` are pushed along; of symmetric graphs
/// one. `reversed`: those that they are pulled from.
inline std::vector<Direction> ListsOf(Directions directions, bool directed, bool reversed) {
  if (!directed) return {Direction::kOut};
  if (directions == Directions::kBoth) return {Direction::kOut, Direction::kIn};
  const bool out = (directions == Directions::kOut) != reversed;
  return {out ? Direction::kOut : Direction::kIn};
}

template <typename P>
class CpuBackend final : public EdgeBackend<P> {
 public:
  CpuBackend(LoadedGraph& graph, Workspace& workspace, Recorder& recorder, Directions directions)
      : graph_(graph),
        workspace_(workspace),
        recorder_(recorder),
        policy_(PassTraitsOf<P>(directions), workspace.lists(), workspace.options().mode,
                workspace.options().async_passes > 0, graph.num_vertices(), graph.num_edges()) {}
  ~CpuBackend() override;

  Status Begin(const VertexSet& from) override;
  ActiveCounts active() const override { return active_; }
  ActiveCounts emitted() const override { return emitted_; }
  Status Pass(const P& program, bool asynchronous, double bound) override;
  Status Advance() override;
  Status Split(const P& program, double bound) override;
  StatusOr<double> LeastWaiting(const P& program, double bound) override;
  Status TakeWaiting(const P& program, double before, double bound) override;
  StatusOr<VertexSet> End() override;

 private:
  using Members = std::unique_ptr<Frontier>;
  using Sum = SumOfProgram<P>;

  std::vector<Direction> PushLists() const {
    return ListsOf(policy_.traits().directions, workspace_.lists().directed, false);
  }
  std::vector<Direction> PullLists() const {
    return ListsOf(policy_.traits().directions, workspace_.lists().directed, true);
  }
  /// Who emits in the next pass; null: all.
  const Frontier* from() const { return current_ != nullptr ? current_.get() : given_; }
  /// The same for a pass: null also where those beside the members have no edges.
  const Frontier* Emitting() const {
    const bool all = !kTakesFirst<P> && active_.edges == graph_.num_edges() * PushLists().size();
    return all ? nullptr : from();
  }
  Status CountActive();
  /// What is in next_ emits next.
  Status TurnOver();
  /// Has the closed bits be those of Cond, where they are not yet.
  void KnowClosed(const P& program);
  /// Has the closed bits of what the pass made active set, or, where they say nothing beyond the
  /// pass, clear.
  void KeepClosed(const EdgePass<P>& pass);
  /// Sets the closed bits of what has become active.
  void CloseTaken();
  void ClearClosed();
  StatusOr<BlockPlan> PlanPush(Direction lists);
  Status Sweep(Direction lists, bool with_weights, std::vector<uint64_t> blocks,
               const LoadedGraph::SweepBody& body);
  Status Push(EdgePass<P>& pass, const P& program, bool asynchronous, double bound);
  Status PushAlong(EdgePass<P>& pass, Direction lists, bool tells, bool asynchronous, double bound);
  Status Pull(EdgePass<P>& pass, const P& program, bool notify);
  template <typename Puller>
  Status PullFrom(Puller& puller, Direction lists, std::vector<uint64_t> blocks);
  Status Notify(EdgePass<P>& pass, Frontier& notified);
  /// Gives what sums a vertex have to these vertices.
  Status TakeSums(EdgePass<P>& pass);
  Status TakeNothing(EdgePass<P>& pass);
  Status PrepareSums();

  LoadedGraph& graph_;
  Workspace& workspace_;
  Recorder& recorder_;
  const DirectionPolicy policy_;
  const Frontier* given_ = nullptr;  // emits in the first pass; the caller's
  Members current_;                  // emits in later ones
  Members next_;
  Members waiting_;
  ActiveCounts active_;
  ActiveCounts emitted_;
  bool knows_closed_ = false;
  /// What has closed bits, while it is little; none: all bits have to be cleared in the end.
  std::optional<std::vector<VertexId>> closed_;
};

template <typename P>
CpuBackend<P>::~CpuBackend() {
  // After an error: the workspace's sets and bits are clear between operators.
  for (Members* members : {&current_, &next_, &waiting_}) {
    if (*members != nullptr) workspace_.sets().Return(std::move(*members));
  }
  if constexpr (kTakesFirst<P>) ClearClosed();
}

template <typename P>
Status CpuBackend<P>::Begin(const VertexSet& from) {
  given_ = from.frontier();
  closed_.emplace();
  RETURN_IF_ERROR(policy_.Check(graph_.store().path()));
  ASSIGN_OR_RETURN(next_, workspace_.sets().Take());
  if (from.empty()) {
    ASSIGN_OR_RETURN(current_, workspace_.sets().Take());
  }
  return CountActive();
}

template <typename P>
Status CpuBackend<P>::CountActive() {
  active_ = {};
  const Frontier* const members = from();
  if (members == nullptr) {
    active_ = {graph_.num_vertices(), graph_.num_edges() * PushLists().size()};
    return OkStatus();
  }
  std::atomic<uint64_t> vertices{0};
  std::atomic<uint64_t> edges{0};
  std::vector<VertexIndexView> indexes;
  for (const Direction lists : PushLists()) {
    if (graph_.has_index(lists)) indexes.push_back(graph_.index(lists));
  }
  if (members->is_sparse()) {
    vertices = members->members().size();
    RETURN_IF_ERROR(members->ForEach(graph_.threads(), [&](std::span<const VertexId> some) {
      EdgeIndex degrees = 0;
      for (const VertexIndexView& index : indexes) {
        for (const VertexId vertex : some) degrees += index.degree(vertex);
      }
      edges.fetch_add(degrees, std::memory_order_relaxed);
    }));
  } else {
    const std::span<const uint64_t> words = members->words();
    RETURN_IF_ERROR(ParallelFor(
        words.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
          const std::span<const uint64_t> some = words.subspan(begin, end - begin);
          uint64_t count = 0;
          for (const uint64_t word : some) count += static_cast<uint64_t>(std::popcount(word));
          vertices.fetch_add(count, std::memory_order_relaxed);
          for (const VertexIndexView& index : indexes) {
            edges.fetch_add(DegreesOf(index, begin, some), std::memory_order_relaxed);
          }
          return OkStatus();
        }));
  }
  active_ = {vertices, edges};
  return OkStatus();
}

template <typename P>
Status CpuBackend<P>::Advance() {
  emitted_.vertices += active_.vertices;
  emitted_.edges += active_.edges;
  return TurnOver();
}

template <typename P>
Status CpuBackend<P>::TurnOver() {
  next_->Seal(graph_.threads());
  given_ = nullptr;
  std::swap(current_, next_);
  if (next_ == nullptr) {
    ASSIGN_OR_RETURN(next_, workspace_.sets().Take());
  } else {
    next_->Clear(graph_.threads());
  }
  return CountActive();
}

template <typename P>
StatusOr<VertexSet> CpuBackend<P>::End() {
  if constexpr (kTakesFirst<P>) ClearClosed();
  for (Members* members : {&next_, &waiting_}) {
    if (*members != nullptr) workspace_.sets().Return(std::move(*members));
  }
  return workspace_.sets().Seal(std::exchange(current_, nullptr));
}

// ---- Buckets.

template <typename P>
Status CpuBackend<P>::Split(const P& program, double bound) {
  if constexpr (HasPriority<P>) {
    if (waiting_ == nullptr) {
      ASSIGN_OR_RETURN(waiting_, workspace_.sets().Take());
    }
    RETURN_IF_ERROR(ForEachMember(graph_, from(), [&](std::span<const VertexId> members) {
      FrontierBatch due(*next_), later(*waiting_);
      for (const VertexId vertex : members) {
        (CallPriority(program, vertex) < bound ? due : later).Add(vertex);
      }
    }));
    return TurnOver();
  }
  return OkStatus();
}

template <typename P>
StatusOr<double> CpuBackend<P>::LeastWaiting(const P& program, double bound) {
  std::atomic<double> least{kNoBound};
  if constexpr (HasPriority<P>) {
    waiting_->Seal(graph_.threads());
    RETURN_IF_ERROR(waiting_->ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
      double local = kNoBound;
      for (const VertexId vertex : members) {
        const double priority = CallPriority(program, vertex);
        if (priority >= bound) local = std::min(local, priority);
      }
      double seen = least.load(std::memory_order_relaxed);
      while (local < seen && !least.compare_exchange_weak(seen, local)) {
      }
    }));
  }
  return least.load();
}

template <typename P>
Status CpuBackend<P>::TakeWaiting(const P& program, double before, double bound) {
  if constexpr (HasPriority<P>) {
    RETURN_IF_ERROR(waiting_->ForEach(graph_.threads(), [&](std::span<const VertexId> members) {
      FrontierBatch due(*current_), later(*next_);
      for (const VertexId vertex : members) {
        const double priority = CallPriority(program, vertex);
        if (priority >= before) (priority < bound ? due : later).Add(vertex);
      }
    }));
    current_->Seal(graph_.threads());
    std::swap(waiting_, next_);
    next_->Clear(graph_.threads());
    return CountActive();
  }
  return OkStatus();
}

// ---- Closed bits.

template <typename P>
void CpuBackend<P>::KnowClosed(const P& program) {
  if constexpr (kTakesFirst<P> && HasCond<P>) {
    if (std::exchange(knows_closed_, true)) return;
    closed_.reset();
    const std::span<uint64_t> closed = workspace_.closed();
    const uint64_t num_vertices = graph_.num_vertices();
    ForEachChunk(closed.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
      for (size_t word = begin; word < end; ++word) {
        uint64_t bits = 0;
        const uint64_t first = word * 64;
        const uint64_t last = std::min(num_vertices, first + 64);
        for (uint64_t vertex = first; vertex < last; ++vertex) {
          const bool open = CallCond(program, static_cast<VertexId>(vertex));
          bits |= uint64_t{!open} << vertex % 64;
        }
        closed[word] |= bits;
      }
    });
  }
}

template <typename P>
void CpuBackend<P>::KeepClosed(const EdgePass<P>& pass) {
  constexpr size_t kMostListed = 4096;
  if (pass.has_unlisted() || !next_->is_sparse()) closed_.reset();
  if (closed_.has_value()) {
    const std::span<const VertexId> members = next_->members();
    closed_->insert(closed_->end(), members.begin(), members.end());
    if (closed_->size() > kMostListed) closed_.reset();
  }
  if (!HasCond<P> || pass.reopens()) return ClearClosed();
  CloseTaken();
}

template <typename P>
void CpuBackend<P>::CloseTaken() {
  const std::span<uint64_t> closed = workspace_.closed();
  if (next_->is_sparse()) {
    for (const VertexId vertex : next_->members()) {
      closed[vertex / 64] |= uint64_t{1} << vertex % 64;
    }
    return;
  }
  const std::span<const uint64_t> words = std::as_const(*next_).words();
  ForEachChunk(closed.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
    for (size_t word = begin; word < end; ++word) closed[word] |= words[word];
  });
}

template <typename P>
void CpuBackend<P>::ClearClosed() {
  const std::span<uint64_t> closed = workspace_.closed();
  if (closed_.has_value()) {
    for (const VertexId vertex : *closed_) closed[vertex / 64] = 0;
    closed_->clear();
  } else {
    ForEachChunk(closed.size(), kVertexChunk / 64, graph_.threads(), [&](size_t begin, size_t end) {
      std::fill(closed.begin() + begin, closed.begin() + end, uint64_t{0});
    });
    closed_.emplace();
  }
  knows_closed_ = false;
}

}  // namespace edgemill

#include "engine/cpu/cpu_passes.h"

// A model of the engine, which is exact but slow. It does to a program all that the engine may do.
// A program that gives right answers here in every mode may run on the engine:
//   - Lists lie in blocks with random borders, visited in random order. The parts of a list give
//     partial sums, which are combined in random order; an early exit may or may not happen.
//   - Push, pull and notify-pull, chosen at random where not forced. Push relaxes the state itself
//     or adds up first. In asynchronous passes a changed vertex may emit before the pass ends.
//   - Two processors, with a copy of the state each. Every vertex has an owner for a pass. The
//     other processor sends a combined message to the owner, and gets the owner's values back.
// The answers to hints are random too, and so are the columns that a directed graph seems to have.
// An AccessGuard checks that functions touch only the state of their own vertex. Operators return
// InternalError when a program broke a rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/graph/loaded_graph.h"
#include "engine/model/model_pass.h"
#include "engine/model/model_replay.h"
#include "engine/model/model_trace.h"
#include "engine/model/model_triangles.h"
#include "engine/program/operator_types.h"
#include "engine/program/sets/vertex_set.h"
#include "kernels/vertex_index_view.h"

namespace edgemill::model {

inline constexpr uint64_t kAllPasses = ~uint64_t{0};
/// The sets that an engine's passes hold beside those that a state declares.
inline constexpr uint64_t kSetsOfPasses = 2;

static_assert(EDGEMILL_CHECK_VIEWS, "compile the model with -DEDGEMILL_CHECK_VIEWS=1");

class Engine {
 public:
  static constexpr uint64_t kMaxSets = 1000;

  /// At most `max_sets` sets with memory may exist at once. `loaded` is the same graph, for drivers
  /// that need a LoadedGraph.
  Engine(const Graph& graph, Mode mode, uint64_t max_sets = kMaxSets, LoadedGraph* loaded = nullptr)
      : graph_(graph),
        loaded_(loaded),
        mode_(mode),
        chance_(mode.seed),
        lists_(graph.directed() ? SomeLists() : std::vector{kOut}),
        sets_(graph.num_vertices(), max_sets, 1, budget_) {
    AccessGuard::handler() = RecordViolation;
    violation.clear();
    called = {};
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// From here on, `replay` records the operators or answers them. It must outlive the engine.
  void Keep(Replay& replay) { replay_ = &replay; }
  /// From here on, `trace` gets the operators. It must outlive the engine.
  void Keep(Trace& trace) { trace_ = &trace; }

  LoadedGraph& graph() {
    CHECK(loaded_ != nullptr);
    return *loaded_;
  }
  uint64_t num_vertices() const { return graph_.num_vertices(); }
  int threads() const { return 1; }
  SetPool& sets() { return sets_; }
  MemoryBudget& budget() { return budget_; }

  /// Degrees that count loops and duplicates. `directions` is not kBoth for directed graphs.
  DegreeView Degrees(Directions directions) const {
    const auto lists = graph_.lists(directions);
    CHECK_EQ(lists.size(), size_t{1});
    return DegreeView(VertexIndexView{.low = lists[0]->offsets.data(),
                                      .num_vertices = static_cast<VertexId>(num_vertices())});
  }

  template <typename P>
  StatusOr<VertexSet> EdgeMap(Directions directions, const VertexSet& from, P program) {
    VertexSet next;
    RETURN_IF_ERROR(Call(program, [&]() -> Status {
      Operation<P> operation(program);
      Bits closed(num_vertices());
      const Bits members = BitsOf(from);
      ASSIGN_OR_RETURN(PassResult result,
                       OnePass({graph_, mode_, directions, members, false}, operation, closed));
      operation.End();
      ASSIGN_OR_RETURN(next, SetOf(result.next));
      return OkStatus();
    }));
    return sets_.Kept(std::move(next));
  }
  /// Repeats EdgeMap until no vertex is active, at most `max_passes` times. Calls program.Next()
  /// after each pass. Programs without Next may run asynchronously.
  template <typename P>
  StatusOr<FixpointTotals> Fixpoint(Directions directions, VertexSet from, P program,
                                    uint64_t max_passes = kAllPasses) {
    FixpointTotals totals;
    RETURN_IF_ERROR(
        Call(program, [&] { return RunFixpoint(directions, from, program, max_passes, &totals); }));
    return KeptTotals(std::move(totals));
  }
  /// A Fixpoint in the order of program.Priority. A vertex that becomes active again emits again.
  /// Vertices with infinite priority do not emit.
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    const Buckets& buckets) {
    FixpointTotals totals;
    RETURN_IF_ERROR(
        Call(program, [&] { return RunBucketed(directions, from, program, buckets, &totals); }));
    return KeptTotals(std::move(totals));
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    double width) {
    return Bucketed(directions, std::move(from), program, Buckets{.width = width});
  }

  /// Calls f(v) for each member.
  template <typename F>
  Status VertexMap(const VertexSet& set, F f) {
    return Call(
        f, [&] { return Each(set, f, [](VertexId v, F& call) { static_cast<void>(call(v)); }); });
  }
  /// The members for which f(v) is true.
  template <typename F>
  StatusOr<VertexSet> VertexFilter(const VertexSet& set, F f) {
    VertexSet some;
    RETURN_IF_ERROR(Call(f, [&]() -> Status {
      Bits kept(num_vertices());
      RETURN_IF_ERROR(Each(set, f, [&](VertexId v, F& call) { kept[v] = call(v) ? 1 : 0; }));
      ASSIGN_OR_RETURN(some, SetOf(kept));
      return OkStatus();
    }));
    return sets_.Kept(std::move(some));
  }
  /// Combines the values f(v) of all members, in the order of the vertices.
  template <typename M, typename F>
  StatusOr<typename M::Value> Reduce(const VertexSet& set, F f) {
    typename M::Value total = M::identity();
    RETURN_IF_ERROR(Call(f, [&]() -> Status {
      std::vector<typename M::Value> values(num_vertices(), M::identity());
      RETURN_IF_ERROR(Each(set, f, [&](VertexId v, F& call) { values[v] = call(v); }));
      for (const VertexId v : MembersIn(set)) total = M::Combine(total, values[v]);
      return OkStatus();
    }));
    if (replay_ != nullptr) replay_->journal().Pass(JournalTag::kNumber, &total);
    return total;
  }

  /// Calls f(edge) for the edges in the lists of members, or in the same slice of each list.
  /// edge.from is the member. F takes an Edge or a WeightedEdge<W>.
  template <typename F>
  Status EdgeVisit(Directions directions, const VertexSet& set, Slice slice, F f) {
    return Call(f, [&] { return VisitEdges(directions, set, slice, f); });
  }
  template <typename F>
  Status EdgeVisit(Directions directions, const VertexSet& set, F f) {
    return EdgeVisit(directions, set, Slice{}, f);
  }

  /// The directions that the graph seems to have. For a directed graph they are a random choice of
  /// out, in or both.
  const std::vector<Directions>& lists() const { return lists_; }
  template <typename F>
  Status VisitIncident(Directions lists, const VertexSet& set, Slice slice, F f) {
    if (graph_.directed() && lists_.size() == 1 && !set.empty()) {
      return EdgeVisit(lists, sets_.All(), slice, f);
    }
    return EdgeVisit(lists, set, slice, f);
  }
  /// Calls f(edge) for one random edge of each vertex.
  template <typename F>
  Status VisitSampled(F f) {
    return Call(f, [&] { return VisitSomeEdges(f); });
  }
  /// True in every second run on undirected graphs, so that drivers are tested both ways.
  bool samples_hubs() const { return !graph_.directed() && mode_.seed % 2 == 0; }

  /// Calls f(triangle) for each triangle of the simple undirected graph, its corners in random
  /// order. What a corner is told comes in parts, or combined.
  template <typename F>
  Status Intersect(F f) {
    static_assert(CheckTriangleFunction<F>());
    return Call(f, [&] { return VisitTriangles(graph_, mode_.two_processors, chance_, f); });
  }

 private:
  static constexpr uint64_t kBudgetBytes = uint64_t{256} << 20;

  /// Calls run(), unless the journal answers the call.
  template <typename P, typename Run>
  Status Call(const P& program, Run run) {
#if defined(EDGEMILL_COMPILED_TWICE)
    static_assert(IsOfFile<P>(),
                  "put programs and functions into a namespace without a name: `namespace {`");
#endif
    RETURN_IF_ERROR(CheckCancelled());
    if (replay_ == nullptr) {
      RETURN_IF_ERROR(run());
      if (trace_ != nullptr) trace_->Add(TypeName<P>());
      return OkStatus();
    }
    ASSIGN_OR_RETURN(const bool answered, replay_->Begin());
    if (!answered) RETURN_IF_ERROR(run());
    return replay_->End(program);
  }
  StatusOr<FixpointTotals> KeptTotals(FixpointTotals totals) {
    if (replay_ != nullptr) {
      replay_->journal().PassNumber(JournalTag::kNumber, &totals.passes);
      replay_->journal().PassNumber(JournalTag::kNumber, &totals.emitted);
    }
    ASSIGN_OR_RETURN(totals.left, sets_.Kept(std::move(totals.left)));
    return totals;
  }
  template <typename P>
  Status RunFixpoint(Directions directions, const VertexSet& from, P& program, uint64_t max_passes,
                     FixpointTotals* totals) {
    Operation<P> operation(program);
    Bits closed(num_vertices());
    Bits active = BitsOf(from);
    for (; CountOf(active) > 0 && totals->passes < max_passes; ++totals->passes) {
      ASSIGN_OR_RETURN(PassResult result,
                       OnePass({graph_, mode_, directions, active, true}, operation, closed));
      totals->emitted += CountOf(active) + CountOf(result.taken);
      active = std::move(result.next);
      CallNext(operation);
    }
    operation.End();
    ASSIGN_OR_RETURN(totals->left, SetOf(active));
    return OkStatus();
  }
  template <typename P>
  Status RunBucketed(Directions directions, const VertexSet& from, P& program,
                     const Buckets& buckets, FixpointTotals* totals) {
    static_assert(HasPriority<P>);
    Operation<P> operation(program);
    Bits closed(num_vertices());
    Bits waiting = BitsOf(from);
    while (true) {
      const double least = LeastPriority(waiting, operation.at(0));
      if (least == kNoBound) break;
      double width = buckets.width;
      while (buckets.adaptive && chance_.Coin()) width *= 2;
      double bound = (std::floor(least / width) + 1) * width;
      if (!(bound > least)) bound = std::nextafter(least, kNoBound);
      for (Bits due; CountOf(due = Due(waiting, operation.at(0), bound)) > 0; ++totals->passes) {
        ASSIGN_OR_RETURN(PassResult result,
                         OnePass({graph_, mode_, directions, due, true, bound}, operation, closed));
        totals->emitted += CountOf(due) + CountOf(result.taken);
        for (VertexId v = 0; v < waiting.size(); ++v) {
          // A vertex that became active and emitted in the same pass no longer waits.
          const bool took = result.taken[v] != 0 && mode_.fault != Fault::kTakenStillWaits;
          if (due[v] != 0 || took) waiting[v] = 0;
          waiting[v] |= result.next[v];
        }
        CallNext(operation);
      }
      if (!violation.empty()) return InternalError(violation);
    }
    operation.End();
    return OkStatus();
  }
  template <typename F>
  Status VisitEdges(Directions directions, const VertexSet& set, Slice slice, F& f) {
    Operation<F> operation(f);
    RETURN_IF_ERROR(operation.BeginPass(mode_.two_processors));
    for (Block& block : chance_.Blocks(graph_.lists(directions), operation.two())) {
      chance_.Shuffle(block.parts);
      for (const ListPart& part : block.parts) {
        if (!set.Has(part.vertex)) continue;
        const uint64_t first = part.lists->offsets[part.vertex] + slice.skip;
        for (uint64_t i = std::max(first, part.begin); i < part.end; ++i) {
          if (i - first >= slice.count) break;
          if (Omits(slice, part)) break;
          VisitOne(operation.at(block.processor), part.lists->edges[i]);
        }
      }
    }
    RETURN_IF_ERROR(operation.EndPass(Bits(num_vertices()), Bits(num_vertices())));
    operation.End();
    return OkStatus();
  }
  template <typename F>
  Status VisitSomeEdges(F& f) {
    Operation<F> operation(f);
    RETURN_IF_ERROR(operation.BeginPass(mode_.two_processors));
    const Lists& lists = *graph_.lists(lists_[0])[0];
    for (VertexId v = 0; v < num_vertices(); ++v) {
      std::vector<InputEdge> edges;
      for (const InputEdge& edge : lists.of(v)) {
        if (edge.to != v || !samples_hubs()) edges.push_back(edge);
      }
      VisitOne(operation.at(operation.two() && chance_.Coin() ? 1 : 0),
               edges.empty() ? InputEdge{v, v} : edges[chance_.Next() % edges.size()]);
    }
    RETURN_IF_ERROR(operation.EndPass(Bits(num_vertices()), Bits(num_vertices())));
    operation.End();
    return OkStatus();
  }
  std::vector<Directions> SomeLists() {
    switch (chance_.Next() % 3) {
      case 0:
        return {kOut, kIn};
      case 1:
        return {kOut};
      default:
        return {kIn};
    }
  }
  /// Whether to leave out a list that may be left out. The answer is the same for all its parts.
  bool Omits(const Slice& slice, const ListPart& part) const {
    const uint64_t length = part.lists->of(part.vertex).size();
    return length <= slice.may_omit && (part.vertex + mode_.seed) % 2 == 0;
  }
  Bits BitsOf(const VertexSet& set) const {
    Bits bits(num_vertices());
    for (const VertexId v : MembersIn(set)) bits[v] = 1;
    return bits;
  }
  // What the engine itself asks of sets, and makes of them, is not in the journal.
  static std::vector<VertexId> MembersIn(const VertexSet& set) {
    std::vector<VertexId> members(set.size());
    set.CopyMembers(members);
    return members;
  }
  StatusOr<VertexSet> SetOf(const Bits& bits) {
    ASSIGN_OR_RETURN(std::unique_ptr<Frontier> members, sets_.Acquire());
    for (const VertexId v : MembersOf(bits)) members->Add(v);
    return sets_.Seal(std::move(members));
  }
  static uint64_t CountOf(const Bits& bits) {
    return static_cast<uint64_t>(std::count(bits.begin(), bits.end(), 1));
  }
  template <typename P>
  StatusOr<PassResult> OnePass(const PassInput& input, Operation<P>& operation, Bits& closed) {
    static_assert(CheckEdgeProgram<P>());
    RETURN_IF_ERROR(CheckCancelled());
    return Pass<P>(input, operation, closed, chance_).Run();
  }
  template <typename P>
  static void CallNext(Operation<P>& operation) {
    if constexpr (HasNext<P>) {
      operation.at(0).Next();
      operation.at(1).Next();
    }
  }
  template <typename F, typename Visit>
  Status Each(const VertexSet& set, const F& f, Visit visit) {
    Operation<F> operation(f);
    RETURN_IF_ERROR(operation.BeginPass(mode_.two_processors));
    const Bits owners = chance_.Owners(num_vertices(), operation.two());
    std::vector<VertexId> members = MembersIn(set);
    chance_.Shuffle(members);
    for (const VertexId v : members) {
      const CallScope<F> scope({}, v);
      visit(v, operation.at(owners[v]));
    }
    RETURN_IF_ERROR(operation.EndPass(BitsOf(set), owners));
    operation.End();
    return OkStatus();
  }
  template <typename F>
  static void VisitOne(F& f, const InputEdge& edge) {
    const CallScope<F> scope({}, kInvalidVertex, edge.from, edge.to);
    if constexpr (std::is_invocable_v<F&, Edge>) {
      f(Edge{edge.from, edge.to});
    } else if constexpr (std::is_invocable_v<F&, WeightedEdge<int32_t>>) {
      f(WeightedEdge<int32_t>{{edge.from, edge.to}, static_cast<int32_t>(edge.weight)});
    } else if constexpr (std::is_invocable_v<F&, WeightedEdge<float>>) {
      f(WeightedEdge<float>{{edge.from, edge.to}, static_cast<float>(edge.weight)});
    } else {
      f(WeightedEdge<double>{{edge.from, edge.to}, edge.weight});
    }
  }

  const Graph& graph_;
  LoadedGraph* const loaded_;
  const Mode mode_;
  Chance chance_;
  const std::vector<Directions> lists_;
  MemoryBudget budget_{kBudgetBytes};
  SetPool sets_;
  Replay* replay_ = nullptr;  // null: no journal is kept
  Trace* trace_ = nullptr;    // null: none is kept
};

}  // namespace edgemill::model

#if defined(EDGEMILL_ENGINE)  // an algorithm's file is compiled for the model: compiled_for_model.h
namespace edgemill {
using Engine = model::Engine;
}  // namespace edgemill
#endif

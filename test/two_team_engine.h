// An engine whose passes are shared by two teams of CPU threads, each with a copy of the state: the
// second in other memory of the host.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/hybrid/cpu_leader.h"
#include "engine/hybrid/hybrid_backend.h"
#include "test/fake_home.h"
#include "test/operator_testing.h"

namespace edgemill {

/// How two teams share passes. The leader's threads are the operators' setting's.
struct TwoTeamSetting {
  OperatorSetting operators;
  int helper_threads = 1;
  HybridOptions shares;
};

/// Takes an Engine's place in drivers. Functions on vertices and edges run on the host's memory, on
/// one team.
class TwoTeamEngine {
 public:
  TwoTeamEngine(const InMemoryGraph& graph, const TwoTeamSetting& setting)
      : setting_(setting),
        host_(graph, WithThreads(setting.operators, setting.helper_threads)),
        other_(graph, setting.operators) {}

  /// Allocates `state`, which must outlive this, with a second memory.
  Status Start(State& state) {
    ASSIGN_OR_RETURN(engine_, host_.Start(state));
    copies_ = std::make_unique<StateCopies>(state);
    copies_->Plan(&arena_);
    arena_.Allocate();
    RETURN_IF_ERROR(copies_->Begin(home_, FirstElements::kZeros));
    const PassOptions options{.mode = setting_.operators.mode,
                              .async_passes = setting_.operators.async_passes};
    ASSIGN_OR_RETURN(workspace_, Workspace::Create(other_.graph(), state.needs(), options,
                                                   state.most_sets() + 1));
    const LoadedGraph& graph = host_.graph();
    const Dispatcher dispatcher({.num_vertices = graph.num_vertices(),
                                 .num_edges = graph.num_edges(),
                                 .num_blocks = graph.num_blocks()},
                                BuiltInCalibration(), setting_.shares);
    ASSIGN_OR_RETURN(run_, HybridRun::Create(host_.graph(), state.needs(), options, dispatcher));
    for (const Direction lists : {Direction::kOut, Direction::kIn}) {
      if (!graph.has_index(lists)) continue;
      indexes_.push_back({graph.index(lists), other_.graph().index(lists)});
    }
    return OkStatus();
  }
  HybridRun& run() { return *run_; }
  FakeHome& home() { return home_; }

  // What drivers call.
  LoadedGraph& graph() { return host_.graph(); }
  MemoryBudget& budget() { return engine_->budget(); }
  uint64_t num_vertices() const { return engine_->num_vertices(); }
  int threads() const { return engine_->threads(); }
  SetPool& sets() { return engine_->sets(); }
  DegreeView Degrees(OneDirection direction) const { return engine_->Degrees(direction); }
  template <typename P>
  StatusOr<VertexSet> EdgeMap(Directions directions, const VertexSet& from, P program) {
    const auto backend = MakeBackend<P>(directions);
    return RunEdgeMap<P>(*backend, from, program);
  }
  template <typename P>
  StatusOr<FixpointTotals> Fixpoint(Directions directions, VertexSet from, P program,
                                    uint64_t most_passes = ~uint64_t{0}) {
    const auto backend = MakeBackend<P>(directions);
    return RunFixpoint<P>(*backend, std::move(from), &program, most_passes);
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    const Buckets& buckets) {
    const auto backend = MakeBackend<P>(directions);
    return RunBucketed<P>(*backend, std::move(from), &program, buckets);
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    double width) {
    return Bucketed(directions, std::move(from), program, Buckets{.width = width});
  }
  template <typename F>
  Status VertexMap(const VertexSet& set, F function) {
    return engine_->VertexMap(set, function);
  }
  template <typename F>
  StatusOr<VertexSet> VertexFilter(const VertexSet& set, F function) {
    return engine_->VertexFilter(set, function);
  }
  template <typename M, typename F>
  StatusOr<typename M::Value> Reduce(const VertexSet& set, F function) {
    return engine_->Reduce<M>(set, function);
  }
  template <typename... Arguments>
  Status EdgeVisit(Directions directions, Arguments&&... arguments) {
    return engine_->EdgeVisit(directions, std::forward<Arguments>(arguments)...);
  }

 private:
  static OperatorSetting WithThreads(OperatorSetting setting, int threads) {
    setting.threads = threads;
    return setting;
  }
  template <typename P>
  std::unique_ptr<HybridBackend<P>> MakeBackend(Directions directions) {
    return std::make_unique<HybridBackend<P>>(
        std::make_unique<CpuLeader<P>>(other_.graph(), *workspace_, other_.recorder(), directions,
                                       indexes_),
        *run_, other_.recorder(), directions);
  }

  const TwoTeamSetting setting_;
  OperatorFixture host_;
  OperatorFixture other_;
  FakeArena arena_;
  FakeHome home_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<StateCopies> copies_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<HybridRun> run_;
  std::vector<IndexCopy> indexes_;
};

}  // namespace edgemill

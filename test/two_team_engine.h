// An engine whose passes are shared by two teams of CPU threads, each with a copy of the state: the
// second in other memory of the host.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/driver/operators.h"
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
    const WorkspaceNeeds needs =
        WorkspaceNeedsOf(state.programs(), options, ListColumnsOf(other_.graph()));
    ASSIGN_OR_RETURN(workspace_,
                     Workspace::Create(other_.graph(), needs, options, state.most_sets() + 1));
    const LoadedGraph& graph = host_.graph();
    const Dispatcher dispatcher({.num_vertices = graph.num_vertices(),
                                 .num_edges = graph.num_edges(),
                                 .num_blocks = graph.num_blocks()},
                                BuiltInCalibration(), setting_.shares);
    ASSIGN_OR_RETURN(run_, HybridRun::Create(host_.graph(), state.programs(), options, dispatcher));
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
    const SharedOperator<P> shared(*this, directions, program);
    return RunEdgeMap(*shared.passes, shared.program, from);
  }
  template <typename P>
  StatusOr<FixpointTotals> Fixpoint(Directions directions, VertexSet from, P program,
                                    uint64_t most_passes = ~uint64_t{0}) {
    const SharedOperator<P> shared(*this, directions, program);
    return RunFixpoint(*shared.passes, shared.program, std::move(from), most_passes);
  }
  template <typename P>
  StatusOr<FixpointTotals> Bucketed(Directions directions, VertexSet from, P program,
                                    const Buckets& buckets) {
    const SharedOperator<P> shared(*this, directions, program);
    return RunBucketed(*shared.passes, shared.program, std::move(from), buckets);
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
  /// The passes of an operator, shared where the program may be.
  template <typename P>
  struct SharedOperator {
    SharedOperator(TwoTeamEngine& engine, Directions directions, P& given)
        : program{&given, ProgramTraitsOf<P>(directions), &ProgramCallsOf<P>()} {
      Recorder& recorder = engine.other_.recorder();
      auto leader = std::make_unique<CpuLeader<P>>(engine.other_.graph(), *engine.workspace_,
                                                   recorder, program, engine.indexes_);
      if (program.calls->team == nullptr) {
        alone = std::move(leader);
        passes = &alone->alone();
        return;
      }
      together = std::make_unique<HybridPasses>(std::move(leader), *engine.run_, recorder, program);
      passes = together.get();
    }

    const ProgramRef program;
    std::unique_ptr<LeadingTeam> alone;
    std::unique_ptr<OperatorPasses> together;
    OperatorPasses* passes = nullptr;
  };

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

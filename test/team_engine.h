// An engine whose passes are shared by teams of CPU threads, each with a copy of the state: the
// first host team in the host's memory, the main team and the others in copies elsewhere in RAM.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/driver/operators.h"
#include "engine/hybrid/cpu_main_team.h"
#include "engine/hybrid/hybrid_backend.h"
#include "test/fake_home.h"
#include "test/operator_testing.h"

namespace edgemill {

/// How teams share passes. The main team's threads are the operators' setting's.
struct TeamSetting {
  OperatorSetting operators;
  std::vector<int> host_team_threads = {1};  // of each host team
  HybridOptions shares = {};
};

/// Takes an Engine's place in drivers. Functions on vertices and edges run on the host's memory, on
/// one team.
class TeamEngine {
 public:
  TeamEngine(const InMemoryGraph& graph, const TeamSetting& setting)
      : setting_(setting), main_team_(graph, setting.operators) {
    for (const int threads : setting.host_team_threads) {
      host_teams_.push_back(
          std::make_unique<OperatorFixture>(graph, WithThreads(setting.operators, threads)));
    }
  }

  /// Allocates `state`, which must outlive this, with a memory for each team.
  Status Start(State& state) {
    RETURN_IF_ERROR(state.Allocate(StateBudget()));
    ASSIGN_OR_RETURN(engine_, host().Make(state));
    const auto count = static_cast<MemoryId>(host_teams_.size());  // one team has the host's
    copies_ = std::make_unique<StateCopies>(state, count);
    std::vector<ArrayHome*> homes;
    for (MemoryId memory = kFirstOtherMemory; memory <= count; ++memory) {
      memories_.push_back(std::make_unique<Memory>());
      homes.push_back(&memories_.back()->home);
      copies_->Plan(&memories_.back()->arena, memory);
      memories_.back()->arena.Allocate();
    }
    RETURN_IF_ERROR(copies_->Begin(homes, FirstElements::kZeros));
    const PassOptions options{.mode = setting_.operators.mode,
                              .async_passes = setting_.operators.async_passes};
    const WorkspaceNeeds needs =
        WorkspaceNeedsOf(state.programs(), options, ListColumnsOf(main_team_.graph()));
    ASSIGN_OR_RETURN(workspace_,
                     Workspace::Create(main_team_.graph(), needs, options, state.max_sets() + 1));
    const LoadedGraph& graph = host().graph();
    const Dispatcher dispatcher({.num_vertices = graph.num_vertices(),
                                 .num_edges = graph.num_edges(),
                                 .num_blocks = graph.num_blocks()},
                                BuiltInCalibration(), setting_.shares);
    ASSIGN_OR_RETURN(run_, HybridRun::Create(host().graph(), dispatcher));
    main_memory_ = MemoryOf(kFirstOtherMemory, main_team_.graph());
    RETURN_IF_ERROR(run_->AddHostTeam(host().graph(), state.programs(), options));
    for (size_t i = 1; i < host_teams_.size(); ++i) {
      LoadedGraph& seen = host_teams_[i]->graph();
      RETURN_IF_ERROR(
          run_->AddHostTeam(seen, state.programs(), options,
                            MemoryOf(kFirstOtherMemory + static_cast<MemoryId>(i), seen)));
    }
    return OkStatus();
  }
  HybridRun& run() { return *run_; }
  /// The home of the main team.
  FakeHome& home() { return memories_[0]->home; }

  // What drivers call.
  LoadedGraph& graph() { return host().graph(); }
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
                                    uint64_t max_passes = ~uint64_t{0}) {
    const SharedOperator<P> shared(*this, directions, program);
    return RunFixpoint(*shared.passes, shared.program, std::move(from), max_passes);
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
  /// A copy of the arrays, and of the indexes that its team reads.
  struct Memory {
    FakeArena arena;
    FakeHome home;
    std::vector<IndexCopy> indexes;
  };

  /// The memory of states, which outlive their engines: it must outlive the states.
  static MemoryBudget& StateBudget() {
    static MemoryBudget budget(uint64_t{1} << 30);
    return budget;
  }
  OperatorFixture& host() { return *host_teams_[0]; }
  /// That of a team which sees `graph`.
  OtherMemory MemoryOf(MemoryId memory, const LoadedGraph& graph) {
    std::vector<IndexCopy>& indexes = memories_[memory - kFirstOtherMemory]->indexes;
    for (const Direction lists : {Direction::kOut, Direction::kIn}) {
      if (graph.has_index(lists))
        indexes.push_back({host().graph().index(lists), graph.index(lists)});
    }
    return {memory, indexes};
  }
  static OperatorSetting WithThreads(OperatorSetting setting, int threads) {
    setting.threads = threads;
    return setting;
  }
  /// The passes of an operator, shared where the program may be.
  template <typename P>
  struct SharedOperator {
    SharedOperator(TeamEngine& engine, Directions directions, P& given)
        : program{&given, ProgramTraitsOf<P>(directions), &ProgramCallsOf<P>()} {
      Recorder& recorder = engine.main_team_.recorder();
      auto main_team = std::make_unique<CpuMainTeam<P>>(
          engine.main_team_.graph(), *engine.workspace_, recorder, program, engine.main_memory_);
      if (program.calls->team == nullptr) {
        alone = std::move(main_team);
        passes = &alone->alone();
        return;
      }
      together =
          std::make_unique<HybridPasses>(std::move(main_team), *engine.run_, recorder, program);
      passes = together.get();
    }

    const ProgramRef program;
    std::unique_ptr<MainTeam> alone;
    std::unique_ptr<OperatorPasses> together;
    OperatorPasses* passes = nullptr;
  };

  const TeamSetting setting_;
  OperatorFixture main_team_;
  std::vector<std::unique_ptr<OperatorFixture>> host_teams_;
  std::vector<std::unique_ptr<Memory>> memories_;
  OtherMemory main_memory_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<StateCopies> copies_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<HybridRun> run_;
};

}  // namespace edgemill

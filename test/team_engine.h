// An engine whose passes are shared by teams of CPU threads, each with a copy of the state. The
// first host team works on the host's copy. All other teams have copies elsewhere in RAM.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/cpu/cpu_backend.h"
#include "engine/hybrid/cpu_main_team.h"
#include "engine/hybrid/hybrid_backend.h"
#include "engine/hybrid/team_calls.h"
#include "test/fake_home.h"
#include "test/operator_testing.h"

namespace edgemill {

/// How teams share passes. `operators` has the number of threads of the main team.
struct TeamSetting {
  OperatorSetting operators;
  std::vector<int> host_team_threads = {1};  // of each host team
  HybridOptions shares = {};
};

/// Runs operators on teams, and functions on the host's memory.
class TeamBackend final : public Backend {
 public:
  /// What the main team works with. `workspace` belongs to `graph`; `memory` holds the team's
  /// arrays.
  struct MainTeamParts {
    LoadedGraph& graph;
    Workspace& workspace;
    Recorder& recorder;
    OtherMemory memory;
  };

  TeamBackend(std::unique_ptr<Backend> host, HybridRun& run, MainTeamParts main_team)
      : host_(std::move(host)), run_(run), main_team_(std::move(main_team)) {}

  SetPool& sets() override { return host_->sets(); }
  /// The passes of a program are shared where teams have calls for it.
  StatusOr<std::unique_ptr<OperatorPasses>> MakePasses(const ProgramRef& program) override {
    auto& [graph, workspace, recorder, memory] = main_team_;
    const TeamProgramCalls* const calls = program.calls->team;
    if (calls == nullptr) {
      return std::make_unique<OtherMemoryPasses>(graph, workspace, recorder, program, memory);
    }
    auto team = calls->make_cpu_main_team(graph, workspace, recorder, program, memory);
    return std::make_unique<HybridPasses>(HybridPasses::Teams{std::move(team), {}}, run_, recorder,
                                          program);
  }
  Status Map(const FunctionRef& function, const VertexSet& set) override {
    return host_->Map(function, set);
  }
  StatusOr<VertexSet> Filter(const FunctionRef& function, const VertexSet& set) override {
    return host_->Filter(function, set);
  }
  Status Reduce(const FunctionRef& function, const VertexSet& set, void* total) override {
    return host_->Reduce(function, set, total);
  }
  Status VisitEdges(const FunctionRef& function, Directions directions, const VertexSet& set,
                    const Slice& slice) override {
    return host_->VisitEdges(function, directions, set, slice);
  }
  Status VisitSampled(const FunctionRef& function, Directions lists) override {
    return host_->VisitSampled(function, lists);
  }

 private:
  const std::unique_ptr<Backend> host_;
  HybridRun& run_;
  MainTeamParts main_team_;
};

/// An Engine whose operators run on teams.
class TeamEngine {
 public:
  TeamEngine(const InMemoryGraph& graph, const TeamSetting& setting)
      : setting_(setting), main_team_(graph, setting.operators) {
    for (const int threads : setting.host_team_threads) {
      host_teams_.push_back(
          std::make_unique<OperatorFixture>(graph, WithThreads(setting.operators, threads)));
    }
  }

  /// Allocates `state`, with a memory for each team. `state` must outlive this engine.
  Status Start(State& state) {
    RETURN_IF_ERROR(state.Allocate(StateBudget()));
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
    RETURN_IF_ERROR(run_->AddHostTeam(host().graph(), state.programs(), options));
    for (size_t i = 1; i < host_teams_.size(); ++i) {
      LoadedGraph& seen = host_teams_[i]->graph();
      RETURN_IF_ERROR(
          run_->AddHostTeam(seen, state.programs(), options,
                            MemoryOf(kFirstOtherMemory + static_cast<MemoryId>(i), seen)));
    }
    ASSIGN_OR_RETURN(std::unique_ptr<Backend> backend,
                     CpuBackend::Create(host().graph(), state.programs(), options, state.max_sets(),
                                        host().recorder()));
    backend = std::make_unique<TeamBackend>(
        std::move(backend), *run_,
        TeamBackend::MainTeamParts{main_team_.graph(), *workspace_, main_team_.recorder(),
                                   MemoryOf(kFirstOtherMemory, main_team_.graph())});
    engine_ = std::make_unique<Engine>(host().graph(), state, std::move(backend));
    return OkStatus();
  }
  /// May be called after Start only.
  Engine& engine() { return *engine_; }
  HybridRun& run() { return *run_; }
  /// The home of the main team.
  FakeHome& home() { return memories_[0]->home; }

 private:
  /// A copy of the arrays, and of the indexes that its team reads.
  struct Memory {
    FakeArena arena;
    FakeHome home;
    std::vector<IndexCopy> indexes;
  };

  /// The budget for states. States outlive their engines, and the budget outlives the states.
  static MemoryBudget& StateBudget() {
    static MemoryBudget budget(uint64_t{1} << 30);
    return budget;
  }
  OperatorFixture& host() { return *host_teams_[0]; }
  /// The memory of a team that reads `graph`.
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
  const TeamSetting setting_;
  OperatorFixture main_team_;
  std::vector<std::unique_ptr<OperatorFixture>> host_teams_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::unique_ptr<StateCopies> copies_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<HybridRun> run_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace edgemill

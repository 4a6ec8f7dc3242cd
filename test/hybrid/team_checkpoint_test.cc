// Checkpoints of runs whose passes two and three teams share, each with a copy of the state. A run
// goes on from each boundary, on teams and on the CPU alone.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/checkpoint/checkpoints.h"
#include "test/engine/checkpoint/checkpoint_runs.h"
#include "test/team_engine.h"

namespace edgemill {
namespace {

struct LeastHops {
  using Monoid = Min<uint32_t>;
  View<uint32_t> level;
  uint32_t Emit(VertexId u) const { return level[u] + 1; }
  bool Relax(VertexId v, uint32_t hops) { return AtomicMin(level[v], hops); }
};
struct ShortestWay {
  using Monoid = Min<uint64_t>;
  View<uint64_t> distance;
  uint64_t Emit(VertexId u) const { return distance[u]; }
  uint64_t Along(uint64_t length, const WeightedEdge<int32_t>& edge) const {
    return length + static_cast<uint64_t>(edge.weight);
  }
  bool Relax(VertexId v, uint64_t length) { return AtomicMin(distance[v], length); }
  double Priority(VertexId v) const { return static_cast<double>(distance[v]); }
};
/// Adds up what vertices have, and counts vertices by a tally and into an array.
struct Gather {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kAppliesToAll = true;
  View<const uint64_t> before;
  View<uint64_t> now;
  Into<Sum<uint64_t>> counts;
  TallyView<Sum<uint64_t>> total;
  uint64_t Emit(VertexId u) const { return before[u]; }
  bool Apply(VertexId v, uint64_t sum) {
    now[v] = sum % 1000;
    counts.Add(sum % 3, 1);
    total.Add(sum % 1000);
    return sum % 2 == 0;
  }
};

struct TeamState : State {
  TeamState(uint64_t num_vertices, int threads) : State(num_vertices, threads) { HoldSets(3); }
  VertexArray<uint32_t> level{*this, "level"};
  VertexArray<uint64_t> distance{*this, "distance"}, before{*this, "before"}, now{*this, "now"};
  Counters<Sum<uint64_t>> counts{*this, "counts", 3};
  Programs<LeastHops, ShortestWay, Gather> programs{*this, kOut};
};

/// What the driver computes.
struct Found {
  std::vector<uint32_t> level;
  std::vector<uint64_t> distance, now, counts;
  uint64_t totals = 0, passes = 0, sizes = 0;
  bool operator==(const Found&) const = default;
};

Status Drive(Engine& engine, TeamState& state, Found* found) {
  state.level.Fill(~0u);
  state.level.Set(0, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  ASSIGN_OR_RETURN(const FixpointTotals hops,
                   engine.Fixpoint(kOut, std::move(from), LeastHops{state.level.view()}, 6));
  state.distance.Fill(~uint64_t{0});
  state.distance.Set(3, 0);
  ASSIGN_OR_RETURN(VertexSet second, engine.sets().Of({3}));
  ASSIGN_OR_RETURN(const FixpointTotals ways,
                   engine.Bucketed(kOut, std::move(second), ShortestWay{state.distance.view()}, 4));
  found->passes = hops.passes + ways.passes;
  found->sizes = hops.left.size();
  state.before.Fill(1);
  state.counts.Reset();
  Tally<Sum<uint64_t>> total("sums");
  VertexSet set = engine.sets().All();
  for (int round = 0; round < 5 && !set.empty(); ++round) {
    const Gather gather{state.before.read(), state.now.view(), state.counts.view(), total.view()};
    ASSIGN_OR_RETURN(VertexSet even, engine.EdgeMap(kOut, set, gather));
    ASSIGN_OR_RETURN(set, engine.sets().Union(even, hops.left));
    found->sizes = 31 * found->sizes + set.size();
    state.before.Swap(state.now);
    if (round % 2 == 0) {
      ASSIGN_OR_RETURN(const uint64_t sum, total.Take());
      found->totals = 31 * found->totals + sum + state.counts.Get(1) + state.now.Get(5);
    }
  }
  return OkStatus();
}

/// Runs on teams, or on the CPU alone where `teams` is 0.
StatusOr<Found> RunOn(const InMemoryGraph& graph, int teams, const CheckpointOptions& options) {
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  std::unique_ptr<Checkpoints> checkpoints;
  if (options.wanted()) {
    ASSIGN_OR_RETURN(MemoryReservation memory,
                     budget.Reserve(Checkpoints::kMinMemoryBytes, "checkpoints"));
    ASSIGN_OR_RETURN(checkpoints, Checkpoints::Open({.options = options,
                                                     .identity = {graph.info().uuid, "teams", ""},
                                                     .graph_path = options.directory,
                                                     .threads = 2,
                                                     .progress = progress,
                                                     .memory = std::move(memory)}));
  }
  TeamState state(graph.info().num_vertices, 2);
  Found found;
  const auto run = [&](Engine& engine) -> Status {
    if (checkpoints != nullptr) {
      checkpoints->Start(state, engine.sets());
      engine.Keep(*checkpoints);
    }
    const Status driven = Drive(engine, state, &found);
    const Status finished = checkpoints == nullptr ? OkStatus() : checkpoints->Finish();
    RETURN_IF_ERROR(driven);
    RETURN_IF_ERROR(finished);
    RETURN_IF_ERROR(state.CopyResultsToHost());
    const auto copy = [](auto* to, const auto& array) {
      to->assign(array.span().begin(), array.span().end());
    };
    copy(&found.level, state.level);
    copy(&found.distance, state.distance);
    copy(&found.now, state.now);
    copy(&found.counts, state.counts);
    return state.status();
  };
  if (teams == 0) {
    OperatorFixture fixture(graph, {.threads = 2});
    ASSIGN_OR_RETURN(const auto engine, fixture.Start(state));
    RETURN_IF_ERROR(run(*engine));
  } else {
    TeamSetting setting{.operators = {.threads = 2}};
    setting.host_team_threads.assign(static_cast<size_t>(teams), 1);
    setting.shares.random_seed = 7;
    TeamEngine engine(graph, setting);
    RETURN_IF_ERROR(engine.Start(state));
    RETURN_IF_ERROR(run(engine.engine()));
  }
  return found;
}

TEST(TeamCheckpointTest, ResumedFromEachBoundaryOnTeamsAndAlone) {
  const auto edges = RandomTestEdges(12, 300, 2500, 3);
  TestGraphOptions shape{.weights = WeightType::kInt32};
  const auto graph = InMemoryGraph::Dense(300, edges, shape);
  const auto want = RunOn(*graph, 0, {});
  ASSERT_TRUE(want.ok()) << want.status().message();
  uint64_t resumed = 0;
  for (const int teams : {0, 1, 2}) {
    SCOPED_TRACE(StrCat(teams, " host teams"));
    const ScratchInMemory scratch;
    const auto copies = CopiesAtBoundaries(scratch, [&](const CheckpointOptions& options) {
      const auto got = RunOn(*graph, teams, options);
      ASSERT_TRUE(got.ok()) << got.status().message();
      EXPECT_TRUE(*got == *want);
    });
    EXPECT_GT(copies.size(), 10u);
    for (const std::string& copy : copies) {
      for (const int others : {0, 1, 2}) {
        const auto got = RunOn(*graph, others, {.directory = copy, .resume = true});
        ASSERT_TRUE(got.ok()) << copy << ": " << got.status().message();
        EXPECT_TRUE(*got == *want) << copy << ", " << others << " host teams";
        ++resumed;
      }
    }
  }
  std::printf("resumed %llu times\n", static_cast<unsigned long long>(resumed));
}

}  // namespace
}  // namespace edgemill

// The memory that a run is planned to take, computed from counts, against what it takes.
#include "engine/run/run_plan.h"

#include <gtest/gtest.h>

#include "engine/api/algorithm.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// Counts edges, or different neighbours if kInSimpleGraph is true.
template <bool kInSimpleGraph>
struct PlannedCount {
  using Monoid = Sum<uint64_t>;
  static constexpr bool kSimple = kInSimpleGraph;
  View<uint64_t> value;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return false;
  }
};

template <bool kInSimpleGraph, Directions kDirections>
struct PlannedCountState : RunState {
  using RunState::RunState;
  Programs<PlannedCount<kInSimpleGraph>> programs{*this, kDirections};
};

template <bool kInSimpleGraph, Directions kDirections>
RunNeeds PlannedNeeds(const GraphStore& store, ResultType type) {
  using S = PlannedCountState<kInSimpleGraph, kDirections>;
  const Algorithm algorithm{.name = "count",
                            .results = {{.name = "count", .type = type}},
                            .driver = {internal::MakeState<S>, nullptr},
                            .verifier = {internal::MakeState<S>, nullptr}};
  MemoryBudget budget(uint64_t{256} << 20);
  const RunOptions options{.algorithm = "count", .threads = 2};
  const PreparedRun run(algorithm, store, options);
  return CountRun(run, budget, Processors::kCpu, PassOptions()).needs;
}

template <bool kInSimpleGraph, Directions kDirections>
uint64_t PlannedBytes(const GraphStore& store) {
  return PlannedNeeds<kInSimpleGraph, kDirections>(store, ResultType::kCount).state_bytes;
}

/// A table of ids is needed to write vertices, also where a function computes them.
TEST(RunPlan, HasIdsForColumnsOfVertices) {
  const auto graph = InMemoryGraph::Dense(50, {{0, 1}, {1, 2}}, {});
  for (const ResultType type : {ResultType::kCount, ResultType::kReal, ResultType::kId}) {
    const RunNeeds needs = PlannedNeeds<false, kOut>(*graph, type);
    EXPECT_EQ(needs.answers_vertices, type == ResultType::kId);
  }
}

/// The planned bytes of the program with kSimple, minus those of the program on all edges.
template <Directions kDirections>
uint64_t MoreOfSimplePrograms(const GraphStore& store) {
  return PlannedBytes<true, kDirections>(store) - PlannedBytes<false, kDirections>(store);
}

TEST(RunPlan, HasLastNeighborsOfBlocksForSimplePrograms) {
  const auto edges = RandomTestEdges(4, 50, 3000);  // many are duplicates
  const auto directed = InMemoryGraph::Dense(50, edges, {});
  const auto symmetric = InMemoryGraph::Dense(50, edges, {.directed = false});
  const uint64_t bytes = NeighborMemory::LastNeighborsBytes(directed->info());
  EXPECT_EQ(bytes, 4 * directed->info().num_blocks());
  EXPECT_EQ(MoreOfSimplePrograms<kBoth>(*directed), 2 * bytes);
  EXPECT_EQ(MoreOfSimplePrograms<kBoth>(*symmetric), 4 * symmetric->info().num_blocks());
  const auto simple = InMemoryGraph::Dense(50, {{0, 1}, {1, 2}}, {});
  EXPECT_EQ(MoreOfSimplePrograms<kBoth>(*simple), 0u);
}

TEST(RunPlan, LastNeighborsTakeWhatIsPlanned) {
  const auto graph = InMemoryGraph::Dense(50, RandomTestEdges(4, 50, 3000), {});
  InMemoryReader reader(*graph, 0);
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  auto loaded = LoadedGraph::Load({*graph, reader, 2, budget, progress},
                                  {.out_index = true, .in_index = true});
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  const uint64_t before = budget.available_bytes();
  for (int times = 1; times <= 2; ++times) {
    ASSERT_TRUE((*loaded)->neighbor_memory().FindLastNeighbors(Direction::kOut).ok());
    ASSERT_TRUE((*loaded)->neighbor_memory().FindLastNeighbors(Direction::kIn).ok());
    EXPECT_EQ(before - budget.available_bytes(),
              2 * NeighborMemory::LastNeighborsBytes(graph->info()));
  }
  (*loaded)->ReleaseAllButDegrees(true, true);
  EXPECT_EQ(before, budget.available_bytes());
}

TEST(RunPlan, LastNeighborsBeyondTheBudgetAreRefused) {
  const auto graph = InMemoryGraph::Dense(50, RandomTestEdges(4, 50, 3000), {});
  InMemoryReader reader(*graph, 0);
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  auto loaded = LoadedGraph::Load({*graph, reader, 1, budget, progress}, {.out_index = true});
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  const auto rest = budget.Reserve(budget.available_bytes(), "the rest");
  ASSERT_TRUE(rest.ok());
  EXPECT_EQ(Code::kBudget, (*loaded)->neighbor_memory().FindLastNeighbors(Direction::kOut).code());
}

}  // namespace
}  // namespace edgemill

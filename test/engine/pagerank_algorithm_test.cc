// PageRank against power iteration in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

std::vector<long double> PowerIteration(const TestCase& graph, bool directed, uint32_t iterations,
                                        long double damping, bool spread) {
  std::vector<TestEdge> edges = graph.edges;
  if (!directed) {
    for (const TestEdge& edge : graph.edges) {
      if (edge.source != edge.target) edges.push_back({edge.target, edge.source});
    }
  }
  std::vector<uint64_t> degree(graph.num_vertices, 0);
  for (const TestEdge& edge : edges) ++degree[edge.source];
  const long double n = graph.num_vertices;
  std::vector<long double> rank(graph.num_vertices, 1 / n);
  for (uint32_t i = 0; i < iterations; ++i) {
    long double dangling = 0;
    for (uint64_t v = 0; v < graph.num_vertices; ++v) dangling += degree[v] == 0 ? rank[v] : 0;
    std::vector<long double> next(graph.num_vertices,
                                  (1 - damping + (spread ? damping * dangling : 0)) / n);
    for (const TestEdge& edge : edges) {
      next[edge.target] += damping * rank[edge.source] / degree[edge.source];
    }
    rank = next;
  }
  return rank;
}

/// The top list holds the greatest ranks, of equal ones the least ids.
void ExpectTopRanks(const Outcome& outcome) {
  std::vector<VertexValue> values = outcome.values;
  std::stable_sort(values.begin(), values.end(),
                   [](const VertexValue& a, const VertexValue& b) { return a.real > b.real; });
  values.resize(std::min<size_t>(values.size(), 5));
  std::vector<TopEntry> want;
  for (const VertexValue& value : values) want.push_back({value.id, value.real});
  EXPECT_EQ(outcome.top, want);
}

void ExpectRanks(const Outcome& outcome, const std::vector<long double>& expected,
                 double tolerance) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  ExpectTopRanks(outcome);
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(v, outcome.values[v].id);
    ASSERT_NEAR(1, outcome.values[v].real / static_cast<double>(expected[v]), tolerance)
        << "vertex " << v;
  }
}

class PageRankModes : public testing::TestWithParam<std::tuple<Mode, int>> {};

TEST_P(PageRankModes, FixedIterationsMatchPowerIteration) {
  const auto [mode, threads] = GetParam();
  for (const TestCase& graph : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const bool spread : {true, false}) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric"));
        const auto store =
            InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                 {.directed = directed, .renumber_seed = directed ? 3ull : 0ull});
        RunOptions options{.algorithm = "pagerank", .values = {{"--iterations", 14}}};
        options.mode = mode;
        options.threads = threads;
        options.verify = true;
        options.values.Set("--dangling", spread ? "spread" : "drop");
        ExpectRanks(RunInMemory(*store, options), PowerIteration(graph, directed, 14, .85L, spread),
                    1e-6);
      }
    }
  }
}

TEST_P(PageRankModes, DeltasConverge) {
  const auto [mode, threads] = GetParam();
  for (const TestCase& graph : HardGraphs()) {
    for (const bool spread : {true, false}) {
      SCOPED_TRACE(graph.name);
      const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
      RunOptions options{.algorithm = "pagerank",
                         .values = {{"--tolerance", 1e-10}, {"--method", "delta"}}};
      options.values.Set("--iterations", 300);
      options.mode = mode;
      options.threads = threads;
      options.verify = true;
      options.values.Set("--dangling", spread ? "spread" : "drop");
      ExpectRanks(RunInMemory(*store, options), PowerIteration(graph, true, 300, .85L, spread),
                  1e-5);
    }
  }
}

TEST_P(PageRankModes, DeltasKeepTheirToleranceWhereMostRankDangles) {
  const auto [mode, threads] = GetParam();
  const auto store = InMemoryGraph::Dense(20000, RandomTestEdges(9, 20000, 9000, 3), {});
  for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-5}) {
    RunOptions options{.algorithm = "pagerank",
                       .values = {{"--tolerance", tolerance}, {"--method", "delta"}}};
    options.mode = mode;
    options.threads = threads;
    options.verify = true;
    const Outcome outcome = RunInMemory(*store, options);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.message();
  }
}

INSTANTIATE_TEST_SUITE_P(All, PageRankModes,
                         testing::Combine(testing::Values(Mode::kAuto, Mode::kPull, Mode::kPush),
                                          testing::ValuesIn(ThreadCounts({1, 3}))));

TEST(PageRank, PullGivesTheSameBitsWhateverTheThreadsAndOrder) {
  const auto edges = RandomTestEdges(11, 2000, 30000, 3);
  const auto store = InMemoryGraph::Dense(2000, edges, {});
  std::vector<VertexValue> first;
  for (const int threads : {1, 2, 3, 4}) {
    for (const uint64_t shuffle : {0, 1, 99}) {
      RunOptions options{.algorithm = "pagerank", .values = {{"--iterations", 5}}};
      options.threads = threads;
      const Outcome outcome = RunInMemory(*store, options, shuffle);
      ASSERT_TRUE(outcome.status.ok());
      if (first.empty()) first = outcome.values;
      for (size_t v = 0; v < first.size(); ++v) {
        ASSERT_EQ(0, std::memcmp(&first[v].real, &outcome.values[v].real, sizeof(double)));
      }
    }
  }
}

/// Lists from a few edges to some 1,500 blocks: parts are folded by several threads, some of whose
/// shares end in the middle of a list.
TEST(PageRank, ListsOverManyBlocksAreFoldedOnce) {
  TestCase graph{"hubs", 3000, {}};
  Random random(5);
  for (VertexId hub = 0; hub < 60; ++hub) {
    const uint64_t size = hub % 20 == 7 ? 190'000 : random.Below(2) == 0 ? 128 : random.Below(4000);
    for (uint64_t i = 0; i < size; ++i) {
      graph.edges.push_back({random.Below(3000), hub * uint64_t{50}});
    }
  }
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
  const auto expected = PowerIteration(graph, true, 3, .85L, true);
  for (const int threads : ThreadCounts({1, 2, 5})) {
    RunOptions options{.algorithm = "pagerank", .values = {{"--iterations", 3}}};
    options.mode = Mode::kPull;
    options.threads = threads;
    ExpectRanks(RunInMemory(*store, options), expected, 1e-6);
  }
}

TEST(PageRank, StopsAtToleranceAndSumsToOne) {
  const TestCase graph{"random", 1000, RandomTestEdges(12, 1000, 5000)};
  const auto store = InMemoryGraph::Dense(1000, graph.edges, {});
  RunOptions options{.algorithm = "pagerank"};
  options.verify = true;
  const Outcome outcome = RunInMemory(*store, options);
  ExpectRanks(outcome, PowerIteration(graph, true, 200, .85L, true), 1e-3);
  EXPECT_GT(outcome.report.num_iterations, 10u);
  EXPECT_LT(outcome.report.num_iterations, 100u);
  double sum = 0;
  for (const VertexValue& value : outcome.values) sum += value.real;
  EXPECT_NEAR(1, sum, 1e-7);
}

TEST(PageRank, SecondRunsFindTheSame) {
  const auto graph = InMemoryGraph::Dense(500, RandomTestEdges(3, 500, 3000), {});
  for (const char* method : {"jacobi", "delta"}) {
    RunOptions options{.algorithm = "pagerank",
                       .values = {{"--method", method}, {"--dangling", "drop"}}};
    const Outcome first = RunInMemory(*graph, options);
    options.warm = true;
    options.verify = true;
    const Outcome second = RunInMemory(*graph, options);
    ASSERT_TRUE(second.status.ok()) << method << ": " << second.status.message();
    ASSERT_EQ(first.values.size(), second.values.size());
    for (size_t v = 0; v < first.values.size(); ++v) {
      ASSERT_EQ(first.values[v].real, second.values[v].real) << method << ": vertex " << v;
    }
  }
}

TEST(PageRank, OneDirectionOfOutColumnsIsEnough) {
  const TestCase graph{"random", 300, RandomTestEdges(13, 300, 2000)};
  const auto store = InMemoryGraph::Dense(300, graph.edges, {.in_columns = false});
  RunOptions options{.algorithm = "pagerank", .values = {{"--iterations", 10}}};
  options.verify = true;
  ExpectRanks(RunInMemory(*store, options), PowerIteration(graph, true, 10, .85L, true), 1e-6);
}

TEST(PageRank, RefusesOddOptions) {
  const auto store = InMemoryGraph::Dense(3, {{0, 1}}, {});
  RunOptions options{.algorithm = "pagerank"};
  for (const double damping : {-0.1, 1.0, 2.0, std::nan("")}) {
    options.values.Set("--damping", damping);
    EXPECT_EQ(Code::kUsage, RunInMemory(*store, options).status.code());
  }
  options.values.Set("--damping", .5);
  options.values.Set("--tolerance", -1);
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, options).status.code());
}

}  // namespace
}  // namespace edgemill

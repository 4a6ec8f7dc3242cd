// PageRank against power iteration in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

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

/// Checks that the top list holds the greatest ranks, and the least ids of equal ranks.
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
                         .values = {{"--tolerance", 1e-7}, {"--method", "delta"}}};
      options.values.Set("--iterations", 300);
      options.mode = mode;
      options.threads = threads;
      options.verify = true;
      options.values.Set("--dangling", spread ? "spread" : "drop");
      ExpectRanks(RunInMemory(*store, options), PowerIteration(graph, true, 300, .85L, spread),
                  1e-3);
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

/// The linear equations of ranks, A * rank = b.
struct RankEquations {
  std::vector<std::vector<long double>> a;
  std::vector<long double> b;

  RankEquations(const TestCase& graph, long double damping, bool spread)
      : a(graph.num_vertices, std::vector<long double>(graph.num_vertices)),
        b(graph.num_vertices, (1 - damping) / static_cast<long double>(graph.num_vertices)) {
    std::vector<uint64_t> degree(graph.num_vertices, 0);
    for (const TestEdge& edge : graph.edges) ++degree[edge.source];
    for (const TestEdge& edge : graph.edges) {
      a[edge.target][edge.source] -= damping / static_cast<long double>(degree[edge.source]);
    }
    for (uint64_t v = 0; v < graph.num_vertices; ++v) {
      a[v][v] += 1;
      for (uint64_t u = 0; u < graph.num_vertices; ++u) {
        if (spread && degree[u] == 0) {
          a[v][u] -= damping / static_cast<long double>(graph.num_vertices);
        }
      }
    }
  }
  /// Solves them by Gaussian elimination. The columns are diagonally dominant, so any pivot works.
  std::vector<long double> Solve() const {
    auto left = a;
    auto right = b;
    const size_t size = b.size();
    for (size_t pivot = 0; pivot < size; ++pivot) {
      for (size_t row = 0; row < size; ++row) {
        const long double factor = left[row][pivot] / left[pivot][pivot];
        if (row == pivot || factor == 0) continue;
        for (size_t i = pivot; i < size; ++i) left[row][i] -= factor * left[pivot][i];
        right[row] -= factor * right[pivot];
      }
    }
    for (size_t v = 0; v < size; ++v) right[v] /= left[v][v];
    return right;
  }
  /// The sum of all changes that one more iteration makes.
  long double Change(const std::vector<VertexValue>& rank) const {
    long double change = 0;
    for (size_t v = 0; v < b.size(); ++v) {
      long double sum = b[v];
      for (size_t u = 0; u < b.size(); ++u) sum -= a[v][u] * static_cast<long double>(rank[u].real);
      change += std::abs(sum);
    }
    return change;
  }
};

double LastChange(const Outcome& outcome) {
  const ResultFact* const fact = FindFact(outcome, "last change");
  return fact == nullptr ? NAN : std::get<double>(fact->numbers[0].second);
}

/// Directed graphs with vertices without out-edges, without in-edges, loops, hubs and cycles.
std::vector<TestCase> SmallGraphs() {
  std::vector<TestCase> graphs = {{"two", 2, {{0, 1}}}, {"star", 30, {}}, {"tail", 30, {}}};
  for (uint64_t v = 1; v < 30; ++v) graphs[1].edges.push_back({v, 0});
  for (uint64_t v = 0; v < 20; ++v) graphs[2].edges.push_back({v, (v + 1) % 20});
  for (uint64_t v = 20; v < 29; ++v) graphs[2].edges.push_back({v, v + 1});
  graphs[2].edges.push_back({5, 20});
  for (uint64_t seed = 0; seed < 4; ++seed) {
    graphs.push_back({StrCat("random ", seed), 40, RandomTestEdges(seed, 40, 30 + 60 * seed, 3)});
  }
  return graphs;
}

/// Exact ranks are as near as a run says, however small the tolerance is.
TEST(PageRank, IsAsNearToExactRanksAsItSays) {
  for (const TestCase& graph : SmallGraphs()) {
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
    for (const double damping : {0.0, 0.5, 0.85, 0.99, 0.999}) {
      for (const bool spread : {true, false}) {
        const RankEquations equations(graph, damping, spread);
        const std::vector<long double> exact = equations.Solve();
        for (const auto& [method, tolerance] :
             {std::pair{"jacobi", 1e-5}, {"jacobi", 1e-7}, {"delta", 1e-5}, {"delta", 1e-7}}) {
          SCOPED_TRACE(StrCat(graph.name, ", ", method, " ", tolerance, ", damping ", damping,
                              spread ? "" : ", drop"));
          RunOptions options{.algorithm = "pagerank",
                             .values = {{"--tolerance", tolerance}, {"--method", method}}};
          options.values.Set("--damping", damping);
          options.values.Set("--dangling", spread ? "spread" : "drop");
          options.values.Set("--iterations", 100'000);
          options.verify = true;
          const Outcome outcome = RunInMemory(*store, options);
          ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
          const bool settled = outcome.warnings.empty();
          // Sums of floats may oscillate by more than the least tolerance. Then the run says so.
          const bool may_swing = std::string_view(method) == "jacobi" && tolerance < 1e-6;
          EXPECT_TRUE(settled || may_swing) << outcome.warnings[0];
          const double says = LastChange(outcome);
          EXPECT_EQ(settled, says <= tolerance) << says;
          constexpr double rounding = 3e-7;  // rounding of sums of floats in one iteration
          EXPECT_LE(static_cast<double>(equations.Change(outcome.values)), says + rounding);
          double apart = 0;
          for (size_t v = 0; v < exact.size(); ++v) {
            apart += std::abs(outcome.values[v].real - static_cast<double>(exact[v]));
          }
          EXPECT_LE(apart, (says + rounding) / (1 - damping));
        }
      }
    }
  }
}

/// Checks that the ranks of a run with `options` are as near to the exact ones as the run says.
void ExpectNearExact(const InMemoryGraph& store, const TestCase& graph, bool spread,
                     RunOptions options, uint64_t* iterations) {
  const RankEquations equations(graph, .85L, spread);
  const std::vector<long double> exact = equations.Solve();
  options.values.Set("--dangling", spread ? "spread" : "drop");
  options.verify = true;
  const Outcome outcome = RunInMemory(store, options);
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_TRUE(outcome.warnings.empty()) << outcome.warnings[0];
  double apart = 0;
  for (size_t v = 0; v < exact.size(); ++v) {
    apart += std::abs(outcome.values[v].real - static_cast<double>(exact[v]));
  }
  EXPECT_LE(apart, (LastChange(outcome) + 3e-7) / .15);
  *iterations = outcome.report.num_iterations;
}

/// Draws a graph. Sparse graphs have vertices without edges and several components.
TestCase DrawnGraph(uint64_t seed, bool directed) {
  Random random(seed);
  const uint64_t vertices = 1 + random.Below(40);
  const uint64_t edges = random.Below(vertices * (1 + random.Below(5)));
  TestCase graph{StrCat("drawn ", seed), vertices, {}};
  for (uint64_t i = 0; i < edges; ++i) {
    const VertexId u = random.Below(1 + random.Below(vertices)), v = random.Below(vertices);
    graph.edges.push_back({u, v});
    if (!directed && u != v) graph.edges.push_back({v, u});
  }
  return graph;
}

TEST(PageRank, EveryStartEndsAtTheExactRanks) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const bool directed = seed % 2 == 0, spread = seed % 3 != 0;
    const TestCase graph = DrawnGraph(seed, directed);
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
    const auto drawn = std::make_shared<std::vector<InputValues::Row>>();
    Random random(seed);
    for (uint64_t v = 0; v < graph.num_vertices; ++v) {
      drawn->emplace_back(v, v > 0 && random.Below(4) == 0 ? 0 : random.Unit() + .01);
    }
    for (const char* const start : {"degree", "uniform", "zero", ""}) {
      for (const auto& [method, tolerance] :
           {std::pair{"jacobi", 1e-4}, {"delta", 1e-2}, {"delta", 1e-6}}) {
        if (*start == 'z' && *method == 'j') continue;
        SCOPED_TRACE(StrCat(graph.name, ", ", method, " to ", tolerance, ", start ", start));
        RunOptions options{.algorithm = "pagerank",
                           .values = {{"--tolerance", tolerance}, {"--method", method}}};
        options.threads = 1 + static_cast<int>(seed % 2);
        if (*start == 0) {
          options.values.Set("--values", InputValues{"drawn", drawn});
        } else {
          options.values.Set("--initial", start);
        }
        uint64_t iterations = 0;
        ExpectNearExact(*store, graph, spread, options, &iterations);
      }
    }
  }
}

/// A start from in-degrees saves iterations on undirected graphs. A start from the ranks of an
/// earlier run takes one iteration.
TEST(PageRank, AGoodStartSavesIterations) {
  const TestCase skewed = [] {
    TestCase graph{"skewed", 3000, {}};
    Random random(3);
    for (int i = 0; i < 30'000; ++i) {
      const VertexId u = random.Below(1 + random.Below(3000)), v = random.Below(3000);
      graph.edges.push_back({u, v});
    }
    return graph;
  }();
  const auto store = InMemoryGraph::Dense(skewed.num_vertices, skewed.edges, {.directed = false});
  for (const char* const method : {"jacobi", "delta"}) {
    RunOptions options{.algorithm = "pagerank",
                       .values = {{"--tolerance", 1e-2}, {"--method", method}}};
    const Outcome by_degree = RunInMemory(*store, options);
    options.values.Set("--initial", *method == 'd' ? "zero" : "uniform");
    const Outcome from_zero = RunInMemory(*store, options);
    ASSERT_TRUE(by_degree.status.ok() && from_zero.status.ok());
    EXPECT_LE(by_degree.report.num_iterations, 4u) << method;
    EXPECT_GT(from_zero.report.num_iterations, by_degree.report.num_iterations) << method;
    const auto ranks = std::make_shared<std::vector<InputValues::Row>>();
    for (const VertexValue& value : from_zero.values) ranks->emplace_back(value.id, value.real);
    options.values.Remove("--initial");
    options.values.Set("--values", InputValues{"ranks", ranks});
    const Outcome warm = RunInMemory(*store, options);
    ASSERT_TRUE(warm.status.ok()) << warm.status.message();
    EXPECT_LE(warm.report.num_iterations, 2u) << method;
  }
}

TEST(PageRank, RefusesStartsThatItCannotTake) {
  const auto small = InMemoryGraph::Dense(3, {{0, 1}}, {});
  EXPECT_EQ(Code::kUsage,
            RunInMemory(*small, {.algorithm = "pagerank", .values = {{"--initial", "zero"}}})
                .status.code());
  const auto out_only = InMemoryGraph::Dense(3, {{0, 1}}, {.in_columns = false});
  RunOptions options{.algorithm = "pagerank", .values = {{"--initial", "degree"}}};
  EXPECT_EQ(Code::kUsage, RunInMemory(*out_only, options).status.code());
  const auto graph = InMemoryGraph::Dense(3, {{0, 1}}, {});
  const auto two = std::make_shared<std::vector<InputValues::Row>>(
      std::vector<InputValues::Row>{{0, .5}, {1, .5}});
  options.values.Set("--values", InputValues{"two", two});
  EXPECT_EQ(Code::kUsage, RunInMemory(*graph, options).status.code());  // and --initial
  options.values.Remove("--initial");
  const Status lacks = RunInMemory(*graph, options).status;
  EXPECT_EQ(Code::kBadData, lacks.code());
  EXPECT_NE(std::string::npos, lacks.message().find("has no value for vertex 2"))
      << lacks.message();
  const auto zeros = std::make_shared<std::vector<InputValues::Row>>(
      std::vector<InputValues::Row>{{0, 0}, {1, 0}, {2, 0}});
  options.values.Set("--values", InputValues{"zeros", zeros});
  EXPECT_EQ(Code::kBadData, RunInMemory(*graph, options).status.code());
}

/// A run that ends before it reaches its tolerance warns, unless the options give the number of
/// iterations.
TEST(PageRank, WarnsBeforeItsTolerance) {
  const auto store = InMemoryGraph::Dense(30, SmallGraphs()[2].edges, {});
  for (const char* method : {"jacobi", "delta"}) {
    RunOptions options{.algorithm = "pagerank", .values = {{"--method", method}}};
    options.verify = true;
    const auto warnings = [&](OptionValues values) {
      options.values = std::move(values);
      options.values.Set("--method", method);
      const Outcome outcome = RunInMemory(*store, options);
      EXPECT_TRUE(outcome.status.ok()) << outcome.status.message();
      return outcome.warnings;
    };
    EXPECT_TRUE(warnings({}).empty());
    EXPECT_TRUE(warnings({{"--iterations", 3}}).empty());
    EXPECT_TRUE(warnings({{"--iterations", 3}, {"--damping", .99}}).empty());
    for (OptionValues values :
         {OptionValues{{"--damping", .999}}, {{"--iterations", 3}, {"--tolerance", 1e-7}}}) {
      const std::vector<std::string> said = warnings(values);
      ASSERT_EQ(1u, said.size());
      EXPECT_NE(std::string::npos, said[0].find("ranks have not settled: ")) << said[0];
    }
  }
}

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

/// Lists have from a few edges to some 1,500 blocks. Several threads combine the parts of a list,
/// and the shares of some threads end in the middle of a list.
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

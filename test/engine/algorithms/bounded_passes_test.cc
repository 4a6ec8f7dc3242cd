// Searches that -i stops, against textbook versions with the same number of rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr uint64_t kBounds[] = {1, 2, 3, 7, 1000};

/// The least sums over paths of at most `rounds` edges.
std::vector<double> LeastSums(const TestCase& graph, std::vector<double> sums, uint64_t rounds,
                              bool directed, double weight_factor) {
  for (uint64_t round = 0; round < std::min(rounds, graph.num_vertices); ++round) {
    const std::vector<double> before = sums;
    const auto relax = [&](uint64_t from, uint64_t to, double weight) {
      sums[to] = std::min(sums[to], before[from] + weight * weight_factor);
    };
    for (const TestEdge& edge : graph.edges) {
      relax(edge.source, edge.target, edge.weight);
      if (!directed) relax(edge.target, edge.source, edge.weight);
    }
  }
  return sums;
}

double ValueOf(const VertexValue& value) {
  return value.reached ? static_cast<double>(value.integer) + value.real : INFINITY;
}

class BoundedPasses : public testing::TestWithParam<std::tuple<Mode, int>> {
 protected:
  RunOptions OptionsOf(std::string algorithm, OptionValues values, uint64_t bound) const {
    RunOptions options{.algorithm = std::move(algorithm), .values = std::move(values)};
    options.values.Set("--iterations", bound);
    std::tie(options.mode, options.threads) = GetParam();
    options.verify = true;
    return options;
  }
};

TEST_P(BoundedPasses, BfsFindsAllVerticesWithinTheBound) {
  for (TestCase graph : HardGraphs()) {
    for (TestEdge& edge : graph.edges) edge.weight = 1;
    const uint64_t source = graph.num_vertices / 2;
    std::vector<double> start(graph.num_vertices, INFINITY);
    start[source] = 0;
    for (const bool directed : {true, false}) {
      const auto store =
          InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.directed = directed});
      for (const uint64_t bound : kBounds) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : "", " within ", bound));
        const Outcome outcome =
            RunInMemory(*store, OptionsOf("bfs", {{"--source", source}}, bound));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        const std::vector<double> levels = LeastSums(graph, start, bound, directed, 1);
        for (uint64_t v = 0; v < graph.num_vertices; ++v) {
          ASSERT_EQ(ValueOf(outcome.values[v]), levels[v]) << "vertex " << v;
        }
      }
    }
  }
}

/// Each distance is that of a path, and no path with at most `rounds` edges is shorter.
TEST_P(BoundedPasses, SsspFindsShortestPathsWithinTheBound) {
  for (const TestCase& graph : HardGraphs()) {
    const uint64_t source = graph.num_vertices / 2;
    std::vector<double> start(graph.num_vertices, INFINITY);
    start[source] = 0;
    for (const bool directed : {true, false}) {
      const auto store = InMemoryGraph::Dense(
          graph.num_vertices, graph.edges, {.directed = directed, .weights = WeightType::kInt32});
      const std::vector<double> least = LeastSums(graph, start, graph.num_vertices, directed, 1);
      for (const uint64_t bound : kBounds) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : "", " within ", bound));
        const Outcome outcome =
            RunInMemory(*store, OptionsOf("sssp", {{"--source", source}}, bound));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        const std::vector<double> most = LeastSums(graph, start, bound, directed, 1);
        for (uint64_t v = 0; v < graph.num_vertices; ++v) {
          ASSERT_GE(ValueOf(outcome.values[v]), least[v]) << "vertex " << v;
          ASSERT_LE(ValueOf(outcome.values[v]), most[v]) << "vertex " << v;
        }
      }
    }
  }
}

/// Vertices with the same label are connected, and the label is the least of them. Within `bound`
/// edges of a component's least vertex, all vertices have its label.
TEST_P(BoundedPasses, LabelsSpreadAsFarAsTheBound) {
  for (const TestCase& graph : HardGraphs()) {
    std::vector<double> start(graph.num_vertices);
    for (uint64_t v = 0; v < graph.num_vertices; ++v) start[v] = static_cast<double>(v);
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.directed = false});
    const std::vector<double> least = LeastSums(graph, start, graph.num_vertices, false, 0);
    for (const uint64_t bound : kBounds) {
      SCOPED_TRACE(StrCat(graph.name, " within ", bound));
      const Outcome outcome = RunInMemory(*store, OptionsOf("cc", {{"--method", "labels"}}, bound));
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
      const std::vector<double> most = LeastSums(graph, start, bound, false, 0);
      for (uint64_t v = 0; v < graph.num_vertices; ++v) {
        const uint64_t label = outcome.values[v].integer;
        ASSERT_LE(label, v);
        ASSERT_EQ(outcome.values[label].integer, label) << "vertex " << v;
        ASSERT_EQ(least[label], least[v]) << "vertex " << v;
        if (most[v] == least[v]) {
          ASSERT_EQ(static_cast<double>(label), least[v]) << "vertex " << v;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BoundedPasses,
                         testing::Combine(testing::Values(Mode::kAuto, Mode::kPull, Mode::kPush),
                                          testing::ValuesIn(ThreadCounts({1, 4}))));

/// The run reports what is left. A path of 100 vertices takes 99 passes, and one without a find.
TEST(StoppedSearches, WarnOfWhatIsLeft) {
  std::vector<TestEdge> path;
  for (uint64_t v = 0; v + 1 < 100; ++v) path.push_back({v, v + 1});
  const auto store =
      InMemoryGraph::Dense(100, path, {.directed = false, .weights = WeightType::kInt32});
  for (const auto& [algorithm, values] :
       {std::pair<std::string, OptionValues>{"sssp", {{"--source", 0}}},
        {"sswp", {{"--source", 0}}},
        {"cc", {{"--method", "labels"}}}}) {
    RunOptions options{.algorithm = algorithm, .values = values};
    options.mode = Mode::kPush;
    options.threads = 1;
    options.verify = true;
    for (const uint64_t bound : {uint64_t{1}, uint64_t{100}}) {
      options.values.Set("--iterations", bound);
      const Outcome outcome = RunInMemory(*store, options);
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
      ASSERT_EQ(outcome.warnings.size(), bound == 1 ? 1u : 0u) << algorithm;
      if (bound > 1) continue;
      EXPECT_TRUE(outcome.warnings[0].starts_with("stopped by -i 1 (active vertices: "))
          << outcome.warnings[0];
    }
  }
}

TEST(StoppedSearches, AreForMethodsThatHavePasses) {
  const auto store = InMemoryGraph::Dense(3, {{0, 1}}, {.directed = false});
  RunOptions options{.algorithm = "cc", .values = {{"--iterations", 2}}};
  const Status status = RunInMemory(*store, options).status;
  EXPECT_EQ(Code::kUsage, status.code());
  EXPECT_NE(status.message().find("--method labels"), std::string_view::npos) << status.message();
  options.values.Set("--method", "labels");
  EXPECT_TRUE(RunInMemory(*store, options).status.ok());
  options.values.Set("--iterations", 0);
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, options).status.code());
}

}  // namespace
}  // namespace edgemill

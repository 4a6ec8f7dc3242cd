// Widest paths against searches by definition, one for each threshold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr double kNoPath = -1;
constexpr double kGreatestWhole = 2147483647;

/// The vertices to which a path of edges with weight `least` or more leads from `source`.
std::vector<bool> ReachedOver(double least, const TestCase& graph, uint64_t source, bool directed) {
  std::vector<std::vector<uint64_t>> neighbors(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    if (edge.weight < least) continue;
    neighbors[edge.source].push_back(edge.target);
    if (!directed) neighbors[edge.target].push_back(edge.source);
  }
  std::vector<bool> reached(graph.num_vertices);
  std::vector<uint64_t> stack = {source};
  reached[source] = true;
  while (!stack.empty()) {
    const uint64_t vertex = stack.back();
    stack.pop_back();
    for (const uint64_t target : neighbors[vertex]) {
      if (reached[target]) continue;
      reached[target] = true;
      stack.push_back(target);
    }
  }
  return reached;
}

/// The greatest threshold at which each vertex is reached, or kNoPath without one.
std::vector<double> Widths(const TestCase& graph, uint64_t source, bool directed, double widest) {
  std::set<double> thresholds;
  for (const TestEdge& edge : graph.edges) thresholds.insert(edge.weight);
  std::vector<double> width(graph.num_vertices, kNoPath);
  for (const double least : thresholds) {
    const std::vector<bool> reached = ReachedOver(least, graph, source, directed);
    for (uint64_t v = 0; v < graph.num_vertices; ++v) {
      if (reached[v]) width[v] = least;
    }
  }
  width[source] = widest;
  return width;
}

void ExpectWidths(const Outcome& outcome, const std::vector<double>& expected) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(expected[v] != kNoPath, outcome.values[v].reached) << "vertex " << v;
    if (expected[v] == kNoPath) continue;
    const double got = static_cast<double>(outcome.values[v].integer) + outcome.values[v].real;
    ASSERT_EQ(expected[v], got) << "vertex " << v;
  }
}

RunOptions WidestFrom(uint64_t source) {
  RunOptions options{.algorithm = "sswp", .values = {{"--source", source}}};
  options.verify = true;
  return options;
}

double GreatestOf(WeightType weights) {
  const bool real = weights == WeightType::kFloat32 || weights == WeightType::kFloat64;
  return real ? std::numeric_limits<double>::max() : kGreatestWhole;
}

/// `graph` with weights that the type can hold.
TestCase Weighted(TestCase graph, WeightType weights) {
  for (TestEdge& edge : graph.edges) {
    if (weights == WeightType::kNone) edge.weight = 1;
    if (weights == WeightType::kFloat32) edge.weight = static_cast<float>(edge.weight / 8);
    if (weights == WeightType::kFloat64) edge.weight = edge.weight / 7;
  }
  return graph;
}

class SswpModes : public testing::TestWithParam<std::tuple<Mode, WeightType, int>> {};

TEST_P(SswpModes, WidthsAreWhatThresholdsGive) {
  const auto [mode, weights, threads] = GetParam();
  for (const TestCase& hard : HardGraphs()) {
    const TestCase graph = Weighted(hard, weights);
    const uint64_t source = graph.num_vertices / 2;
    for (const bool directed : {true, false}) {
      const std::vector<double> expected = Widths(graph, source, directed, GreatestOf(weights));
      const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                              {.directed = directed, .weights = weights});
      for (const double delta : {0.0, 1.0, 1e6}) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric", " delta ", delta));
        RunOptions options = WidestFrom(source);
        if (delta != 0) options.values.Set("--delta", delta);
        options.mode = mode;
        options.threads = threads;
        ExpectWidths(RunInMemory(*store, options), expected);
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SswpModes,
    testing::Combine(testing::Values(Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull),
                     testing::Values(WeightType::kNone, WeightType::kInt32, WeightType::kFloat32,
                                     WeightType::kFloat64),
                     testing::ValuesIn(ThreadCounts({1, 3}))));

/// Small graphs with few different weights, so that many paths are equally wide. Weights include 0
/// and the greatest number. There are duplicates, loops and isolated vertices.
TEST(Sswp, RandomGraphsOfFewWeights) {
  const std::vector<std::vector<double>> choices = {
      {0}, {0, 1}, {5}, {0, 1, 2, 3}, {kGreatestWhole, 0, kGreatestWhole - 1}, {7, 7, 7, 8}};
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    TestCase graph{"random", 1 + random.Below(60), {}};
    const std::vector<double>& weights = choices[random.Below(choices.size())];
    for (uint64_t edge = random.Below(4 * graph.num_vertices); edge > 0; --edge) {
      graph.edges.push_back({random.Below(graph.num_vertices), random.Below(graph.num_vertices),
                             weights[random.Below(weights.size())]});
      if (random.Below(5) == 0) graph.edges.push_back(graph.edges.back());
    }
    const bool directed = random.Below(2) == 0;
    const uint64_t source = random.Below(graph.num_vertices);
    const WeightType type = random.Below(2) == 0 ? WeightType::kInt32 : WeightType::kFloat64;
    const auto store = InMemoryGraph::Dense(
        graph.num_vertices, graph.edges,
        {.directed = directed, .weights = type, .renumber_seed = random.Below(3)});
    SCOPED_TRACE(StrCat("seed ", seed));
    RunOptions options = WidestFrom(source);
    options.threads = 1 + static_cast<int>(random.Below(3));
    options.async_passes = random.Below(2) == 0 ? 0 : 4;
    ExpectWidths(RunInMemory(*store, options, seed),
                 Widths(graph, source, directed, GreatestOf(type)));
    if (HasFatalFailure()) return;
  }
}

/// A path of equal weights against the order of ids, with ever narrower edges that lead to it.
TEST(Sswp, PlateausAgainstTheOrderOfEdges) {
  constexpr uint64_t kLength = 600;
  TestCase graph{"plateau", kLength + 2, {}};
  for (uint64_t v = kLength; v > 0; --v) {
    graph.edges.push_back({v, v - 1, 9});
    graph.edges.push_back({kLength, v, static_cast<double>(v % 9)});
    graph.edges.push_back({v - 1, v, 100});
  }
  for (const WeightType weights : {WeightType::kInt32, WeightType::kFloat32}) {
    const TestCase weighted = Weighted(graph, weights);
    const auto store =
        InMemoryGraph::Dense(graph.num_vertices, weighted.edges, {.weights = weights});
    ExpectWidths(RunInMemory(*store, WidestFrom(kLength)),
                 Widths(weighted, kLength, true, GreatestOf(weights)));
  }
}

/// The widths of a stopped search are at least those of paths with as many edges as there were
/// passes. They are at most those of the widest paths.
TEST(Sswp, StoppedSearches) {
  for (const TestCase& graph : HardGraphs()) {
    const uint64_t source = graph.num_vertices / 2;
    const std::vector<double> most = Widths(graph, source, true, kGreatestWhole);
    const auto store =
        InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.weights = WeightType::kInt32});
    std::vector<double> least(graph.num_vertices, kNoPath);
    least[source] = kGreatestWhole;
    for (uint64_t bound = 1; bound <= 5; ++bound) {
      const std::vector<double> before = least;
      for (const TestEdge& edge : graph.edges) {
        least[edge.target] =
            std::max(least[edge.target], std::min(before[edge.source], edge.weight));
      }
      for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush}) {
        SCOPED_TRACE(StrCat(graph.name, " within ", bound, ", ", ModeName(mode)));
        RunOptions options = WidestFrom(source);
        options.values.Set("--iterations", bound);
        options.mode = mode;
        const Outcome outcome = RunInMemory(*store, options);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        for (uint64_t v = 0; v < graph.num_vertices; ++v) {
          const VertexValue& value = outcome.values[v];
          const double width = value.reached ? static_cast<double>(value.integer) : kNoPath;
          ASSERT_GE(width, least[v]) << "vertex " << v;
          ASSERT_LE(width, most[v]) << "vertex " << v;
        }
      }
    }
  }
}

/// Infinite weights act as the greatest number. Answers do not distinguish -0 from 0.
TEST(Sswp, OddRealWeights) {
  const TestCase graph{"odd", 5, {{0, 1, INFINITY}, {1, 2, 0.5}, {1, 3, -0.0}, {0, 3, 0.0}}};
  const auto store =
      InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.weights = WeightType::kFloat64});
  const Outcome outcome = RunInMemory(*store, WidestFrom(0));
  constexpr double kGreatest = std::numeric_limits<double>::max();
  ExpectWidths(outcome, {kGreatest, kGreatest, 0.5, 0, kNoPath});
  EXPECT_FALSE(std::signbit(outcome.values[3].real));
}

TEST(Sswp, TellsTheNarrowest) {
  const auto fact = [](const std::vector<TestEdge>& edges, WeightType weights) {
    const auto store = InMemoryGraph::Dense(4, edges, {.weights = weights});
    const Outcome outcome = RunInMemory(*store, WidestFrom(0));
    const ResultFact* const found = FindFact(outcome, "narrowest width");
    return found == nullptr ? std::string("none") : found->text;
  };
  EXPECT_EQ("3", fact({{0, 1, 3}, {1, 2, 7}}, WeightType::kInt32));
  EXPECT_EQ("0", fact({{0, 1, 3}, {1, 2, 0}}, WeightType::kInt32));
  EXPECT_EQ("0.5", fact({{0, 1, 3}, {1, 2, 0.5}}, WeightType::kFloat32));
  EXPECT_EQ("1", fact({{0, 1, 3}}, WeightType::kNone));
  EXPECT_EQ("none", fact({{1, 0, 3}}, WeightType::kInt32));
}

TEST(Sswp, RefusesNegativeWeightsAndOddDelta) {
  const auto negative =
      InMemoryGraph::Dense(3, {{0, 1, 2}, {1, 2, -1}}, {.weights = WeightType::kInt32});
  const Outcome outcome = RunInMemory(*negative, WidestFrom(0));
  EXPECT_EQ(Code::kUsage, outcome.status.code());
  EXPECT_NE(std::string::npos, outcome.status.message().find("negative"));
  const auto positive = InMemoryGraph::Dense(2, {{0, 1, 2}}, {.weights = WeightType::kInt32});
  for (const double delta : {0.0, -1.0, double(INFINITY)}) {
    RunOptions options = WidestFrom(0);
    options.values.Set("--delta", delta);
    EXPECT_EQ(Code::kUsage, RunInMemory(*positive, options).status.code());
  }
  EXPECT_EQ(Code::kUsage, RunInMemory(*positive, WidestFrom(7)).status.code());
  EXPECT_EQ(Code::kUsage, RunInMemory(*positive, {.algorithm = "sswp"}).status.code());
}

}  // namespace
}  // namespace edgemill

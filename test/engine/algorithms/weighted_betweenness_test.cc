// Betweenness by weights against the textbook version of Brandes' algorithm, with lists in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();

/// The graph with the first of parallel edges alone. Weights are those that `weigh(number)` gives.
template <typename Weigh>
TestCase Simple(const TestCase& graph, bool directed, Weigh weigh) {
  TestCase simple{graph.name, graph.num_vertices, {}};
  std::set<std::pair<uint64_t, uint64_t>> seen;
  for (const TestEdge& edge : graph.edges) {
    auto ends = std::pair(edge.source, edge.target);
    if (!directed) ends = std::minmax(edge.source, edge.target);
    if (!seen.insert(ends).second) continue;
    simple.edges.push_back({edge.source, edge.target, weigh(seen.size())});
  }
  return simple;
}

/// Dijkstra's search with the nearest vertex first, and Brandes' sums in its order. For weights
/// above 0.
std::vector<double> BrandesByWeight(const TestCase& graph, bool directed,
                                    const std::vector<uint64_t>& sources) {
  std::vector<std::map<uint64_t, double>> out(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    if (edge.source == edge.target) continue;
    out[edge.source][edge.target] = edge.weight;
    if (!directed) out[edge.target][edge.source] = edge.weight;
  }
  std::vector<double> score(graph.num_vertices);
  for (const uint64_t source : sources) {
    std::vector<double> distance(graph.num_vertices, kNoWay), paths(graph.num_vertices);
    std::vector<double> dependency(graph.num_vertices);
    std::set<std::pair<double, uint64_t>> waiting = {{0, source}};
    std::vector<uint64_t> order;
    distance[source] = 0;
    while (!waiting.empty()) {
      const uint64_t from = waiting.begin()->second;
      waiting.erase(waiting.begin());
      order.push_back(from);
      for (const auto& [to, weight] : out[from]) {
        const double length = distance[from] + weight;
        if (length >= distance[to]) continue;
        waiting.erase({distance[to], to});
        waiting.insert({distance[to] = length, to});
      }
    }
    paths[source] = 1;
    for (const uint64_t from : order) {
      for (const auto& [to, weight] : out[from]) {
        if (distance[from] + weight == distance[to]) paths[to] += paths[from];
      }
    }
    for (size_t i = order.size(); i-- > 1;) {
      const uint64_t from = order[i];
      for (const auto& [to, weight] : out[from]) {
        if (distance[from] + weight != distance[to]) continue;
        dependency[from] += paths[from] / paths[to] * (1 + dependency[to]);
      }
      score[from] += dependency[from];
    }
  }
  return score;
}

RunOptions WeightedFrom(const std::vector<uint64_t>& sources) {
  RunOptions options{.algorithm = "betweenness", .values = {{"--weighted", true}}, .verify = true};
  if (!sources.empty()) options.values.Set("--source", InputVertices{sources});
  return options;
}

Outcome RunOn(const TestCase& graph, const RunOptions& options, const TestGraphOptions& how) {
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, how);
  return RunInMemory(*store, options, how.renumber_seed);
}

/// Weights from few values make many paths equally long, those of many values few.
TEST(WeightedBetweenness, IsWhatTheTextbookGives) {
  std::vector<TestCase> graphs = HardGraphs();
  for (uint64_t seed = 1; seed <= 9; ++seed) {
    graphs.push_back({"random", 150, RandomTestEdges(seed, 150, 60 * seed, 1 + 2 * (seed % 2))});
  }
  uint64_t number = 0;
  for (const TestCase& graph : graphs) {
    if (graph.num_vertices == 0) continue;
    std::vector<uint64_t> sources = {0, graph.num_vertices / 2, graph.num_vertices - 1};
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    for (const bool directed : {true, false}) {
      constexpr WeightType kTypes[] = {WeightType::kInt32, WeightType::kFloat32,
                                       WeightType::kFloat64};
      const WeightType type = kTypes[++number % 3];
      const uint64_t most = number % 2 == 0 ? 3 : 1000;
      const double unit = type == WeightType::kInt32 ? 1 : 0.25;
      const TestCase simple = Simple(graph, directed, [&](uint64_t edge) {
        return unit * static_cast<double>(1 + Mix64(edge) % most);
      });
      const std::vector<double> expected = BrandesByWeight(simple, directed, sources);
      for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed " : " ", ModeName(mode)));
        RunOptions options = WeightedFrom(sources);
        options.mode = mode;
        options.threads = mode == Mode::kPush ? 3 : 1;
        const uint64_t seed = mode == Mode::kPull ? 5 : 0;
        ExpectReals(
            RunOn(simple, options, {.directed = directed, .weights = type, .renumber_seed = seed}),
            expected, 1e-9);
      }
    }
  }
}

/// Equal weights give the paths of fewest edges.
TEST(WeightedBetweenness, EqualWeightsAreHops) {
  const TestCase graph{"random", 300, RandomTestEdges(3, 300, 1500)};
  const TestCase simple = Simple(graph, false, [](uint64_t) { return 7.0; });
  RunOptions by_hops = WeightedFrom({1, 2, 250});
  by_hops.values.Remove("--weighted");
  const TestGraphOptions how{.directed = false, .weights = WeightType::kInt32};
  const Outcome hops = RunOn(simple, by_hops, how);
  ASSERT_TRUE(hops.status.ok()) << hops.status.message();
  std::vector<double> expected;
  for (const VertexValue& value : hops.values) expected.push_back(value.real);
  ExpectReals(RunOn(simple, WeightedFrom({1, 2, 250}), how), expected, 1e-9);
}

/// Diamonds one after the other, with sides of different lengths that are equally long in all. A
/// way of few paths, as long as the diamonds, ends where these end.
TEST(WeightedBetweenness, MorePathsThanDoublesCount) {
  for (const uint64_t count : {1, 959, 961, 1100}) {
    TestCase graph{"diamonds", 3 * count + 1, {}};
    for (uint64_t i = 0; i < count; ++i) {
      graph.edges.push_back({3 * i, 3 * i + 1, 1});
      graph.edges.push_back({3 * i + 1, 3 * i + 3, 4});
      graph.edges.push_back({3 * i, 3 * i + 2, 3});
      graph.edges.push_back({3 * i + 2, 3 * i + 3, 2});
    }
    std::vector<double> expected(graph.num_vertices + 2);
    for (uint64_t i = 0; i < count; ++i) {
      const double beyond = double(3 * (count - i) - 3) + 1;  // with the last vertex
      expected[3 * i + 1] = expected[3 * i + 2] = (beyond + 1) / 2;
      expected[3 * i + 3] = beyond;
    }
    // From vertex 0 to the last one: 2^count paths by the diamonds, and one by the vertex between.
    const uint64_t between = graph.num_vertices++, last = graph.num_vertices++;
    graph.edges.push_back({3 * count, last, 5});
    graph.edges.push_back({0, between, 2});
    graph.edges.push_back({between, last, static_cast<double>(5 * count + 3)});
    const double rest = count > 60 ? 0 : 1 / (std::exp2(static_cast<double>(count)) + 1);
    expected[between] = rest;
    for (uint64_t i = 0; i < count; ++i) {
      expected[3 * i + 1] -= rest / 2;
      expected[3 * i + 2] -= rest / 2;
      expected[3 * i + 3] -= rest;
    }
    for (const bool directed : {true, false}) {
      for (const Mode mode : {Mode::kPush, Mode::kPull}) {
        SCOPED_TRACE(StrCat(count, directed ? " directed " : " ", ModeName(mode)));
        RunOptions options = WeightedFrom({0});
        options.mode = mode;
        ExpectReals(RunOn(graph, options, {.directed = directed, .weights = WeightType::kInt32}),
                    expected, 1e-9);
      }
    }
  }
}

TEST(WeightedBetweenness, OneColumnIsEnough) {
  const TestCase graph = Simple({"random", 200, RandomTestEdges(3, 200, 900)}, true,
                                [](uint64_t edge) { return double(1 + edge % 4); });
  const std::vector<double> expected = BrandesByWeight(graph, true, {1, 2});
  TestGraphOptions how{.weights = WeightType::kInt32, .in_columns = false};
  ExpectReals(RunOn(graph, WeightedFrom({1, 2}), how), expected, 1e-9);
  how = {.weights = WeightType::kInt32, .out_columns = false};
  ExpectReals(RunOn(graph, WeightedFrom({1, 2}), how), expected, 1e-9);
  how = {.weights = WeightType::kInt32, .in_weights = false};
  ExpectReals(RunOn(graph, WeightedFrom({1, 2}), how), expected, 1e-9);
}

TEST(WeightedBetweenness, FromAllVerticesNormalized) {
  constexpr uint64_t kVertices = 80;
  std::vector<uint64_t> all(kVertices);
  std::iota(all.begin(), all.end(), uint64_t{0});
  for (const bool directed : {true, false}) {
    const TestCase graph = Simple({"random", kVertices, RandomTestEdges(8, kVertices, 200)},
                                  directed, [](uint64_t edge) { return double(1 + edge % 3); });
    std::vector<double> expected = BrandesByWeight(graph, directed, all);
    for (double& share : expected) share /= double{kVertices - 1} * double{kVertices - 2};
    RunOptions options = WeightedFrom({});
    options.values.Set("--normalized", true);
    ExpectReals(RunOn(graph, options, {.directed = directed, .weights = WeightType::kInt32}),
                expected, 1e-9);
  }
}

/// Weights of 0 are taken as they are, if edges of weight 0 make no circle.
TEST(WeightedBetweenness, WeightsOfZero) {
  const TestGraphOptions directed{.weights = WeightType::kInt32};
  const TestGraphOptions undirected{.directed = false, .weights = WeightType::kInt32};
  // Two ways from 0 to 3, by 1 and 2 or by 2 alone, and a loop of weight 0.
  TestCase graph{"zero", 5, {{0, 1, 1}, {1, 2, 0}, {0, 2, 1}, {2, 3, 0}, {3, 4, 2}, {2, 2, 0}}};
  ExpectReals(RunOn(graph, WeightedFrom({0}), directed), {0, 1.5, 2, 1, 0}, 1e-12);
  const auto endless = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.status.code(), Code::kBadData);
    EXPECT_NE(outcome.status.message().find("infinitely many shortest paths"), std::string::npos)
        << outcome.status.message();
  };
  endless(RunOn(graph, WeightedFrom({0}), undirected));
  graph.edges.push_back({3, 1, 0});
  endless(RunOn(graph, WeightedFrom({0}), directed));
  endless(RunOn(graph, WeightedFrom({1}), directed));
  ExpectReals(RunOn(graph, WeightedFrom({4}), directed), {0, 0, 0, 0, 0},
              0);  // does not reach the circle
  // A weight that is lost beside the distance.
  const TestCase lost{"lost", 3, {{0, 1, 1e20}, {1, 2, 1}}};
  endless(RunOn(lost, WeightedFrom({0}), {.directed = false, .weights = WeightType::kFloat64}));
  ExpectReals(RunOn(lost, WeightedFrom({0}), {.weights = WeightType::kFloat64}), {0, 1, 0}, 0);
}

TEST(WeightedBetweenness, RefusesWhatItCannotCount) {
  const auto code = [](const TestCase& graph, const TestGraphOptions& how) {
    return RunOn(graph, WeightedFrom({0}), how).status.code();
  };
  const TestGraphOptions ints{.weights = WeightType::kInt32};
  EXPECT_EQ(code({"none", 2, {{0, 1}}}, {}), Code::kUsage);
  EXPECT_EQ(code({"negative", 2, {{0, 1, -1}}}, ints), Code::kUsage);
  EXPECT_EQ(code({"duplicates", 2, {{0, 1, 1}, {0, 1, 2}}}, ints), Code::kUsage);
  EXPECT_EQ(code({"right", 2, {{0, 1, 1}}}, ints), Code::kOk);
  const TestCase far{"far", 3, {{0, 1, 1.7e308}, {1, 2, 1.7e308}}};
  EXPECT_EQ(code(far, {.weights = WeightType::kFloat64}), Code::kBadData);
}

}  // namespace
}  // namespace edgemill

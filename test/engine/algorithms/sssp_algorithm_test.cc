// SSSP against Dijkstra's algorithm.
#include <gtest/gtest.h>

#include <cmath>
#include <queue>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

std::vector<double> Dijkstra(const TestCase& graph, uint64_t source, bool directed) {
  std::vector<std::vector<std::pair<uint64_t, double>>> neighbors(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    neighbors[edge.source].push_back({edge.target, edge.weight});
    if (!directed) neighbors[edge.target].push_back({edge.source, edge.weight});
  }
  std::vector<double> distance(graph.num_vertices, INFINITY);
  using Entry = std::pair<double, uint64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [length, vertex] = queue.top();
    queue.pop();
    if (length > distance[vertex]) continue;
    for (const auto& [target, weight] : neighbors[vertex]) {
      if (length + weight < distance[target]) {
        distance[target] = length + weight;
        queue.push({distance[target], target});
      }
    }
  }
  return distance;
}

void ExpectDistances(const Outcome& outcome, const std::vector<double>& expected) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(expected[v] != INFINITY, outcome.values[v].reached) << "vertex " << v;
    if (expected[v] == INFINITY) continue;
    const double got = static_cast<double>(outcome.values[v].integer) + outcome.values[v].real;
    ASSERT_NEAR(expected[v], got, 1e-9 * expected[v]) << "vertex " << v;
  }
}

/// Checks that parents are a tree of shortest paths: each leads over an edge of the right weight,
/// and all lead to the source.
void ExpectTree(const Outcome& outcome, const TestCase& graph, uint64_t source, bool directed) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  const std::vector<double> distance = Dijkstra(graph, source, directed);
  std::vector<bool> shown(graph.num_vertices);
  shown[source] = true;
  const auto show = [&](uint64_t from, uint64_t to, double weight) {
    const bool is_parent = outcome.values[to].reached && outcome.values[to].integer == from;
    if (is_parent && distance[from] + weight == distance[to]) shown[to] = true;
  };
  for (const TestEdge& edge : graph.edges) {
    show(edge.source, edge.target, edge.weight);
    if (!directed) show(edge.target, edge.source, edge.weight);
  }
  ASSERT_EQ(source, outcome.values[source].integer);
  for (uint64_t v = 0; v < graph.num_vertices; ++v) {
    ASSERT_EQ(distance[v] != INFINITY, outcome.values[v].reached) << "vertex " << v;
    if (distance[v] == INFINITY) continue;
    ASSERT_TRUE(shown[v]) << "vertex " << v;
    uint64_t at = v, steps = 0;
    for (; at != source && steps < graph.num_vertices; ++steps) at = outcome.values[at].integer;
    ASSERT_EQ(source, at) << "a cycle above vertex " << v;
  }
}

class SsspModes : public testing::TestWithParam<std::tuple<Mode, WeightType, int>> {};

TEST_P(SsspModes, DistancesMatchDijkstra) {
  const auto [mode, weights, threads] = GetParam();
  for (TestCase graph : HardGraphs()) {
    for (TestEdge& edge : graph.edges) {
      if (weights == WeightType::kNone) edge.weight = 1;
      if (weights == WeightType::kFloat32) edge.weight = static_cast<float>(edge.weight / 8);
      if (weights == WeightType::kFloat64) edge.weight = edge.weight / 7;
    }
    for (const bool directed : {true, false}) {
      for (const double delta : {0.0, 1.0, 1e6}) {
        SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric", " delta ", delta));
        const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                {.directed = directed, .weights = weights});
        const uint64_t source = graph.num_vertices / 2;
        RunOptions options{.algorithm = "sssp", .values = {{"--source", source}}};
        if (delta != 0) options.values.Set("--delta", delta);
        options.mode = mode;
        options.threads = threads;
        options.verify = true;
        ExpectDistances(RunInMemory(*store, options), Dijkstra(graph, source, directed));
        options.values.Set("--parents", true);
        ExpectTree(RunInMemory(*store, options), graph, source, directed);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SsspModes,
    testing::Combine(testing::Values(Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull),
                     testing::Values(WeightType::kNone, WeightType::kInt32, WeightType::kFloat32,
                                     WeightType::kFloat64),
                     testing::ValuesIn(ThreadCounts({1, 3}))));

/// Random graphs where many edges weigh nothing, or too little to change a distance: most parents
/// are as near as their children.
TEST(Sssp, TreesOverEdgesWithoutLengthHaveNoCycle) {
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    Random random(seed);
    const bool light = seed % 3 == 0, directed = seed % 2 == 0;
    TestCase graph{"zeros", 40 + random.Below(200), {}};
    for (uint64_t i = 0; i < 3 * graph.num_vertices; ++i) {
      const double weight = random.Below(5) > 0 ? 0 : light ? 1e8 : 1;
      graph.edges.push_back({random.Below(graph.num_vertices), random.Below(graph.num_vertices),
                             weight == 0 && light ? 1e-9 : weight});
    }
    // A ring of zeros with one way in, and a path of zeros.
    for (uint64_t v = 0; v < 20; ++v) graph.edges.push_back({v, (v + 1) % 20, 0});
    for (uint64_t v = 20; v + 1 < 40; ++v) graph.edges.push_back({v, v + 1, 0});
    const auto store = InMemoryGraph::Dense(
        graph.num_vertices, graph.edges,
        {.directed = directed, .weights = light ? WeightType::kFloat64 : WeightType::kInt32});
    const uint64_t source = random.Below(graph.num_vertices);
    for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull, Mode::kNotifyPull}) {
      for (const uint32_t async : {0u, kAsyncPasses}) {
        if (async > 0 && (mode == Mode::kPull || mode == Mode::kNotifyPull)) continue;
        SCOPED_TRACE(StrCat(seed, " ", ModeName(mode), " ", async));
        RunOptions options{.algorithm = "sssp",
                           .values = {{"--source", source}, {"--parents", true}}};
        options.mode = mode;
        options.async_passes = async;
        options.threads = 3;
        options.verify = true;
        ExpectTree(RunInMemory(*store, options), graph, source, directed);
      }
    }
  }
}

/// A long path of zeros, and distances of 64 bits.
TEST(Sssp, TreesOfLongPaths) {
  for (const double weight : {0.0, 2147483647.0}) {
    TestCase graph{"path", 3000, {}};
    for (uint64_t v = 0; v + 1 < 3000; ++v) graph.edges.push_back({v, v + 1, weight});
    const auto store = InMemoryGraph::Dense(3000, graph.edges, {.weights = WeightType::kInt32});
    RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}, {"--parents", true}}};
    options.verify = true;
    ExpectTree(RunInMemory(*store, options), graph, 0, true);
  }
}

/// Of several nearer vertices the first is the parent, in every mode and with any threads.
TEST(Sssp, TreesDoNotDependOnThreads) {
  TestCase graph{"layers", 900, {}};
  for (uint64_t v = 0; v < 800; ++v) {
    for (uint64_t w = 0; w < 5; ++w) graph.edges.push_back({v, v + 100 - v % 100 + w * 7, 1});
  }
  const auto store = InMemoryGraph::Dense(900, graph.edges, {.weights = WeightType::kInt32});
  for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
    for (const int threads : {1, 2, 5}) {
      RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}, {"--parents", true}}};
      options.mode = mode;
      options.threads = threads;
      const Outcome outcome = RunInMemory(*store, options);
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
      for (uint64_t v = 200; v < 900; ++v) {
        if (!outcome.values[v].reached) continue;
        ASSERT_EQ(v / 100 * 100 - 100, outcome.values[v].integer) << "vertex " << v;
      }
      EXPECT_TRUE(outcome.values[828].reached);
    }
  }
}

/// Blocks of which a pass wants a few edges of some groups, and long lists in others.
TEST(Sssp, ShortAndLongListsOfOneBlock) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    TestCase graph{"stretches", 20'000, {}};
    for (uint64_t vertex = 1; vertex < graph.num_vertices; ++vertex) {
      const bool is_long = vertex % 256 < 3;
      if (is_long || random.Below(14) == 0) graph.edges.push_back({0, vertex, 1e6});
      for (uint64_t edge = is_long ? 100 + random.Below(28) : 4; edge > 0; --edge) {
        graph.edges.push_back({vertex, random.Below(graph.num_vertices),
                               static_cast<double>(1'000'000 + random.Below(1000))});
      }
    }
    const auto store = InMemoryGraph::Dense(
        graph.num_vertices, graph.edges, {.weights = WeightType::kInt32, .block_edges = 1 << 15});
    RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}}};
    options.values.Set("--delta", 1e9);
    ExpectDistances(RunInMemory(*store, options), Dijkstra(graph, 0, true));
  }
}

TEST(Sssp, DistancesBeyond32BitsAreExact) {
  TestCase graph{"heavy path", 100, {}};
  for (uint64_t v = 0; v + 1 < 100; ++v) graph.edges.push_back({v, v + 1, 2147483647.0});
  const auto store = InMemoryGraph::Dense(100, graph.edges, {.weights = WeightType::kInt32});
  RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}}};
  const Outcome outcome = RunInMemory(*store, options);
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(99 * uint64_t{2147483647}, outcome.values[99].integer);
}

/// Infinity means that no path leads to a vertex, so a distance that is too large is an error.
TEST(Sssp, DistancesBeyondDoublesAreErrors) {
  constexpr double kLarge = 1.7e308;
  // One of two paths to vertex 2 is short enough. No path leads to vertex 4.
  std::vector<TestEdge> edges = {{0, 1, kLarge}, {1, 2, kLarge}, {0, 3, 1}, {3, 2, 1}, {4, 2, 1}};
  for (const bool beyond : {false, true}) {
    if (beyond) edges.push_back({1, 5, 1e308});
    const auto store = InMemoryGraph::Dense(6, edges, {.weights = WeightType::kFloat64});
    for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
      for (const uint32_t async : {0u, kAsyncPasses}) {
        for (const int iterations : {0, 2, 9}) {
          for (const double delta : {0.0, 1e308}) {
            if (iterations > 0 && delta > 0) continue;
            SCOPED_TRACE(StrCat(beyond, " ", ModeName(mode), " ", async, " ", iterations));
            RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}}};
            if (iterations > 0) options.values.Set("--iterations", iterations);
            if (delta > 0) options.values.Set("--delta", delta);
            options.mode = mode;
            options.async_passes = async;
            options.verify = true;
            const Outcome outcome = RunInMemory(*store, options);
            if (beyond) {
              EXPECT_EQ(Code::kBadData, outcome.status.code());
              EXPECT_NE(std::string::npos,
                        outcome.status.message().find("the distance of vertex 5 is above 1.79"))
                  << outcome.status.message();
              continue;
            }
            ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
            EXPECT_EQ(kLarge, outcome.values[1].real);
            EXPECT_EQ(2, outcome.values[2].real);
            EXPECT_FALSE(outcome.values[4].reached);
            EXPECT_FALSE(outcome.values[5].reached);
          }
        }
      }
    }
  }
}

TEST(Sssp, RefusesNegativeWeightsAndOddDelta) {
  const auto negative =
      InMemoryGraph::Dense(3, {{0, 1, 2}, {1, 2, -1}}, {.weights = WeightType::kInt32});
  RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}}};
  const Outcome outcome = RunInMemory(*negative, options);
  EXPECT_EQ(Code::kUsage, outcome.status.code());
  EXPECT_NE(std::string::npos, outcome.status.message().find("negative"));
  const auto positive = InMemoryGraph::Dense(2, {{0, 1, 2}}, {.weights = WeightType::kInt32});
  for (const double delta : {0.0, -1.0, double(INFINITY)}) {
    options.values.Set("--delta", delta);
    EXPECT_EQ(Code::kUsage, RunInMemory(*positive, options).status.code());
  }
}

}  // namespace
}  // namespace edgemill

// Closeness against searches from each vertex, with lists in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "test/engine/algorithms/hops.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

struct Centralities {
  std::vector<double> closeness, harmonic;
};
/// The centralities as NetworkX 3 defines them.
Centralities CentralitiesOf(const TestCase& graph, bool directed) {
  const uint64_t n = graph.num_vertices;
  const auto out = OutNeighbors(graph, directed);
  Centralities result{std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> total(n), reached(n);
  for (uint64_t source = 0; source < n; ++source) {
    const std::vector<int> level = HopsFrom(out, source);
    for (uint64_t v = 0; v < n; ++v) {
      if (level[v] <= 0) continue;
      total[v] += level[v];
      reached[v] += 1;
      result.harmonic[v] += 1.0 / level[v];
    }
  }
  for (uint64_t v = 0; v < n; ++v) {
    if (reached[v] == 0) continue;
    result.closeness[v] = reached[v] / total[v] * reached[v] / static_cast<double>(n - 1);
  }
  return result;
}

RunOptions ClosenessOptions(bool harmonic, uint64_t sample = 0, uint64_t seed = 1) {
  RunOptions options{.algorithm = "closeness"};
  if (harmonic) options.values.Set("--harmonic", true);
  if (sample > 0) options.values.Set("--sample", sample);
  if (seed != 1) options.values.Set("--sample-seed", seed);
  options.verify = true;
  return options;
}

void ExpectCloseness(const Outcome& outcome, const std::vector<double>& expected) {
  ExpectReals(outcome, expected, 1e-12);
}

/// The number of a fact that must be there.
double NumberOf(const Outcome& outcome, const std::string& name) {
  const ResultFact* const fact = FindFact(outcome, name);
  EXPECT_NE(nullptr, fact) << name;
  return fact == nullptr ? 0 : std::get<double>(fact->numbers.at(0).second);
}

TEST(Closeness, IsWhatSearchesGive) {
  std::vector<TestCase> graphs = HardGraphs();
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    // Numbers of vertices around multiples of 64, and a random one.
    const uint64_t n = seed < 7 ? 62 + seed : 20 * seed;
    graphs.push_back({"random", n, RandomTestEdges(seed, n, 40 * seed, 1 + 2 * (seed % 2))});
  }
  for (const TestCase& graph : graphs) {
    for (const bool directed : {true, false}) {
      const Centralities expected = CentralitiesOf(graph, directed);
      for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
        const uint64_t seed = mode == Mode::kAuto ? 0 : 5;
        const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                {.directed = directed, .renumber_seed = seed});
        for (const bool harmonic : {false, true}) {
          SCOPED_TRACE(StrCat(graph.name, " of ", graph.num_vertices, directed ? " directed " : " ",
                              ModeName(mode), harmonic ? " harmonic" : ""));
          RunOptions options = ClosenessOptions(harmonic);
          options.mode = mode;
          options.threads = seed == 0 ? 1 : 3;
          ExpectCloseness(RunInMemory(*store, options, seed),
                          harmonic ? expected.harmonic : expected.closeness);
        }
      }
    }
  }
}

TEST(Closeness, OneColumnIsEnough) {
  const TestCase graph{"random", 150, RandomTestEdges(3, 150, 400)};
  const Centralities expected = CentralitiesOf(graph, true);
  for (const bool out : {true, false}) {
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                            {.out_columns = out, .in_columns = !out});
    ExpectCloseness(RunInMemory(*store, ClosenessOptions(false)), expected.closeness);
  }
}

/// A sample of all vertices is no sample. Estimates are as near as the summary says, and a seed
/// gives the same again.
TEST(Closeness, SamplesAreAsNearAsTheySay) {
  for (const double skew : {1, 3}) {
    const TestCase graph{"random", 700, RandomTestEdges(9, 700, 2100, skew)};
    const Centralities expected = CentralitiesOf(graph, false);
    const auto store = InMemoryGraph::Dense(700, graph.edges, {.directed = false});
    for (const uint64_t all : {700, 701, 5000}) {
      ExpectCloseness(RunInMemory(*store, ClosenessOptions(true, all)), expected.harmonic);
    }
    double farthest = 0;
    for (const uint64_t sample : {1, 2, 63, 64, 65, 200, 699}) {
      for (uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE(StrCat(sample, " sources, seed ", seed));
        const Outcome outcome = RunInMemory(*store, ClosenessOptions(true, sample, seed));
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        const double bound = NumberOf(outcome, "error");
        for (uint64_t v = 0; v < 700; ++v) {
          const double error = std::abs(outcome.values[v].real - expected.harmonic[v]);
          ASSERT_LE(error, bound) << "vertex " << v;
          if (sample == 200) farthest = std::max(farthest, error);
        }
        const Outcome again = RunInMemory(*store, ClosenessOptions(true, sample, seed));
        for (uint64_t v = 0; v < 700; ++v) {
          ASSERT_EQ(outcome.values[v].real, again.values[v].real) << "vertex " << v;
        }
      }
    }
    EXPECT_GT(farthest, 1) << "a sample that has all distances";
  }
}

/// With a sample, closeness is the exact value for distances from these sources: here each vertex
/// of a star is 1 from its middle and 2 from others.
TEST(Closeness, SamplesOfAStar) {
  TestCase star{"star", 1000, {}};
  for (uint64_t v = 1; v < 1000; ++v) star.edges.push_back({0, v});
  const auto store = InMemoryGraph::Dense(1000, star.edges, {.directed = false});
  const Outcome outcome = RunInMemory(*store, ClosenessOptions(false, 100, 3));
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  EXPECT_EQ(1, outcome.values[0].real);
  for (uint64_t v = 1; v < 1000; ++v) {
    const double distance = 1 / outcome.values[v].real;
    const bool with_middle = distance < 2;
    EXPECT_NEAR(distance, with_middle ? 1.99 : 2, 1e-3) << v;
  }
  EXPECT_NEAR(NumberOf(outcome, "error of means"), 2 * NumberOf(outcome, "error of shares"), 1e-12);
}

TEST(Closeness, LongPaths) {
  TestCase path{"path", 900, {}};
  for (uint64_t v = 0; v + 1 < 900; ++v) path.edges.push_back({v, v + 1});
  for (const bool directed : {true, false}) {
    const auto store = InMemoryGraph::Dense(900, path.edges, {.directed = directed});
    ExpectCloseness(RunInMemory(*store, ClosenessOptions(false)),
                    CentralitiesOf(path, directed).closeness);
  }
}

}  // namespace
}  // namespace edgemill

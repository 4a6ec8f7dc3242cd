// Betweenness against the textbook version of Brandes' algorithm, with lists in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// A number that is not negative, of any size.
struct Huge {
  long double mantissa = 0;  // at least 0.5, below 1
  int64_t power = 0;

  static Huge Of(long double value, int64_t power) {
    int more = 0;
    const long double mantissa = std::frexp(value, &more);
    return {mantissa, mantissa == 0 ? 0 : power + more};
  }
  Huge& operator+=(const Huge& other) {
    const int64_t most = std::max(power, other.power);
    const auto part = [&](const Huge& of) {
      return of.power - most < -1000 ? 0 : std::ldexp(of.mantissa, int(of.power - most));
    };
    return *this = mantissa == 0 ? other : Of(part(*this) + part(other), most);
  }
  /// This number divided by `whole`, which is not less.
  double In(const Huge& whole) const {
    const int64_t less = power - whole.power;
    return less < -1000 ? 0 : double(std::ldexp(mantissa / whole.mantissa, int(less)));
  }
};

std::vector<double> Brandes(const TestCase& graph, bool directed,
                            const std::vector<uint64_t>& sources) {
  std::vector<std::set<uint64_t>> out(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    if (edge.source == edge.target) continue;
    out[edge.source].insert(edge.target);
    if (!directed) out[edge.target].insert(edge.source);
  }
  std::vector<double> score(graph.num_vertices);
  for (const uint64_t source : sources) {
    std::vector<uint64_t> order = {source};
    std::vector<int> level(graph.num_vertices, -1);
    std::vector<double> dependency(graph.num_vertices);
    std::vector<Huge> paths(graph.num_vertices);
    level[source] = 0;
    paths[source] = Huge::Of(1, 0);
    for (size_t i = 0; i < order.size(); ++i) {
      for (const uint64_t to : out[order[i]]) {
        if (level[to] < 0) {
          level[to] = level[order[i]] + 1;
          order.push_back(to);
        }
        if (level[to] == level[order[i]] + 1) paths[to] += paths[order[i]];
      }
    }
    for (size_t i = order.size(); i-- > 1;) {
      const uint64_t from = order[i];
      for (const uint64_t to : out[from]) {
        if (level[to] != level[from] + 1) continue;
        dependency[from] += paths[from].In(paths[to]) * (1 + dependency[to]);
      }
      score[from] += dependency[from];
    }
  }
  return score;
}

RunOptions From(const std::vector<uint64_t>& sources) {
  RunOptions options{.algorithm = "betweenness"};
  options.values.Set("--source", InputVertices{sources});
  options.verify = true;
  return options;
}

void ExpectScores(const Outcome& outcome, const std::vector<double>& expected) {
  ExpectReals(outcome, expected, 1e-9);
}

TEST(Betweenness, IsWhatTheTextbookGives) {
  std::vector<TestCase> graphs = HardGraphs();
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    graphs.push_back({"random", 200, RandomTestEdges(seed, 200, 60 * seed, 1 + 2 * (seed % 2))});
  }
  for (const TestCase& graph : graphs) {
    if (graph.num_vertices == 0) continue;
    std::vector<uint64_t> sources = {0, graph.num_vertices / 2, graph.num_vertices - 1};
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    for (const bool directed : {true, false}) {
      const std::vector<double> expected = Brandes(graph, directed, sources);
      for (const uint64_t seed : {0, 5}) {
        const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                {.directed = directed, .renumber_seed = seed});
        for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
          SCOPED_TRACE(StrCat(graph.name, directed ? " directed " : " ", ModeName(mode)));
          RunOptions options = From(sources);
          options.mode = mode;
          options.threads = seed == 0 ? 1 : 3;
          ExpectScores(RunInMemory(*store, options, seed), expected);
        }
      }
    }
  }
}

/// Adds a chain of `count` diamonds, whose vertices begin at `first`. Returns the last vertex.
uint64_t AddDiamonds(TestCase* graph, uint64_t from, uint64_t first, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i, first += 3) {
    for (const uint64_t side : {first, first + 1}) {
      graph->edges.push_back({from, side});
      graph->edges.push_back({side, first + 2});
    }
    from = first + 2;
  }
  return from;
}

/// Adds a path of `count` vertices, which begin at `first`. Returns the last vertex.
uint64_t AddPath(TestCase* graph, uint64_t from, uint64_t first, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    graph->edges.push_back({from, first + i});
    from = first + i;
  }
  return from;
}

/// A chain of diamonds, whose scores are known by formula. From the 1,024th diamond on, doubles
/// cannot hold the numbers of paths.
TEST(Betweenness, MorePathsThanDoublesCount) {
  for (const uint64_t count : {1, 959, 960, 961, 1023, 1024, 1025, 5000}) {
    TestCase graph{"diamonds", 3 * count + 1, {}};
    AddDiamonds(&graph, 0, 1, count);
    std::vector<double> expected(graph.num_vertices);
    for (uint64_t i = 0; i < count; ++i) {
      const double beyond = double(3 * (count - i) - 3);
      expected[3 * i + 1] = expected[3 * i + 2] = (beyond + 1) / 2;
      expected[3 * i + 3] = beyond;
    }
    for (const bool directed : {true, false}) {
      SCOPED_TRACE(StrCat(count, directed ? " directed" : ""));
      const auto store =
          InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.directed = directed});
      const Outcome outcome = RunInMemory(*store, From({0}));
      ExpectScores(outcome, expected);
      for (uint64_t v = 0; v < expected.size(); ++v) {
        ASSERT_EQ(expected[v], outcome.values[v].real) << v;  // shares are halves, never rounded
      }
    }
  }
}

/// The numbers of paths to vertices of one level differ by more than the range of doubles. Few
/// paths count where they lead on separately. Where they meet many paths, their share is 0.
TEST(Betweenness, FewPathsBesideManyOnOneLevel) {
  constexpr std::pair<uint64_t, uint64_t> kCounts[] = {
      {600, 3}, {1100, 0}, {1100, 1050}, {2200, 1000}};
  for (const auto& [many, few] : kCounts) {
    TestCase graph{"apart", 1, {}};
    const auto add = [&](auto function, uint64_t from, uint64_t count, uint64_t each) {
      const uint64_t first = std::exchange(graph.num_vertices, graph.num_vertices + each * count);
      return function(&graph, from, first, count);
    };
    const uint64_t wide = add(AddDiamonds, 0, many, 3);
    uint64_t narrow = add(AddPath, 0, 2 * (many - few), 1);
    narrow = add(AddDiamonds, narrow, few, 3);  // on a level with `wide`
    const uint64_t meeting = add(AddPath, wide, 1, 1);
    graph.edges.push_back({narrow, meeting});
    add(AddPath, meeting, 5, 1);
    // The left and the right way, both of few paths, meet apart from the many paths.
    const uint64_t left = add(AddPath, narrow, 1, 1), right = add(AddDiamonds, narrow, 1, 3);
    const uint64_t left_end = add(AddPath, left, 2, 1);
    graph.edges.push_back({right, left_end});
    add(AddPath, left_end, 7, 1);
    SCOPED_TRACE(StrCat(many, " and ", few));
    for (const bool directed : {true, false}) {
      const std::vector<double> expected = Brandes(graph, directed, {0, wide});
      for (const Mode mode : {Mode::kPush, Mode::kPull}) {
        const auto store = InMemoryGraph::Dense(
            graph.num_vertices, graph.edges,
            {.directed = directed, .renumber_seed = mode == Mode::kPush ? 0ull : 4ull});
        RunOptions options = From({0, wide});
        options.mode = mode;
        ExpectScores(RunInMemory(*store, options), expected);
      }
    }
  }
}

/// In a grid the shares of paths are known without counts: i / (i + j) of the paths to (i, j) come
/// from above.
TEST(Betweenness, AGridHasMorePathsThanDoublesCount) {
  constexpr uint64_t kSide = 560;
  TestCase graph{"grid", kSide * kSide, {}};
  std::vector<double> expected(graph.num_vertices);
  for (uint64_t i = kSide; i-- > 0;) {
    for (uint64_t j = kSide; j-- > 0;) {
      const uint64_t v = i * kSide + j;
      const double paths = double(i + j + 1);
      if (i + 1 < kSide) {
        graph.edges.push_back({v, v + kSide});
        expected[v] += double(i + 1) / paths * (1 + expected[v + kSide]);
      }
      if (j + 1 < kSide) {
        graph.edges.push_back({v, v + 1});
        expected[v] += double(j + 1) / paths * (1 + expected[v + 1]);
      }
    }
  }
  expected[0] = 0;
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.directed = false});
  ExpectScores(RunInMemory(*store, From({0})), expected);
}

TEST(Betweenness, OneColumnIsEnough) {
  const TestCase graph{"random", 300, RandomTestEdges(3, 300, 1200)};
  const std::vector<double> expected = Brandes(graph, true, {1, 2});
  const auto out_only =
      InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.in_columns = false});
  ExpectScores(RunInMemory(*out_only, From({1, 2})), expected);
  const auto in_only =
      InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.out_columns = false});
  ExpectScores(RunInMemory(*in_only, From({1, 2})), expected);
}

TEST(Betweenness, ASourceCountsOnceAndMustBeThere) {
  const TestCase graph{"random", 100, RandomTestEdges(4, 100, 300)};
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
  ExpectScores(RunInMemory(*store, From({7, 3, 7})), Brandes(graph, true, {7, 3}));
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, From({7, 100})).status.code());
  RunOptions both = From({7});
  both.values.Set("--sample", 3);
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, both).status.code());
  RunOptions search{.algorithm = "bfs"};
  search.values.Set("--source", InputVertices{{1, 2}});
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, search).status.code());
}

/// Without sources all vertices are sources, and a sample of all is no sample. A sample of half is
/// right on average, and the same again for its seed.
TEST(Betweenness, FromAllVerticesOrASample) {
  constexpr uint64_t kVertices = 120;
  const TestCase graph{"random", kVertices, RandomTestEdges(8, kVertices, 300)};
  std::vector<uint64_t> all(kVertices);
  std::iota(all.begin(), all.end(), uint64_t{0});
  for (const bool directed : {true, false}) {
    const auto store =
        InMemoryGraph::Dense(kVertices, graph.edges, {.directed = directed, .renumber_seed = 3});
    const std::vector<double> expected = Brandes(graph, directed, all);
    RunOptions options{.algorithm = "betweenness", .verify = true};
    ExpectScores(RunInMemory(*store, options, 3), expected);
    options.values.Set("--sample", kVertices);
    ExpectScores(RunInMemory(*store, options, 3), expected);
    options.values.Set("--normalized", true);
    std::vector<double> shares = expected;
    for (double& share : shares) share /= double{kVertices - 1} * double{kVertices - 2};
    ExpectScores(RunInMemory(*store, options, 3), shares);
    options.values.Remove("--normalized");
    options.values.Set("--sample", kVertices / 2);
    std::vector<double> mean(kVertices);
    constexpr uint64_t kSeeds = 60;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      options.values.Set("--sample-seed", seed);
      const Outcome outcome = RunInMemory(*store, options, 3);
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
      for (uint64_t v = 0; v < kVertices; ++v) mean[v] += outcome.values[v].real / kSeeds;
      if (seed > 1) continue;
      const Outcome again = RunInMemory(*store, options, 3);
      for (uint64_t v = 0; v < kVertices; ++v) {
        ASSERT_NEAR(again.values[v].real, outcome.values[v].real, 1e-9 * (1 + mean[v] * kSeeds));
      }
    }
    const double total = std::accumulate(expected.begin(), expected.end(), 0.0);
    const double estimate = std::accumulate(mean.begin(), mean.end(), 0.0);
    EXPECT_NEAR(estimate / total, 1, 0.03);
    for (uint64_t v = 0; v < kVertices; ++v) {
      EXPECT_NEAR(mean[v], expected[v], 0.25 * expected[v] + 0.05 * total / kVertices);
    }
  }
}

}  // namespace
}  // namespace edgemill

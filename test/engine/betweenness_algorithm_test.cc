// Betweenness against Brandes' algorithm as the textbook has it, with lists in memory.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

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
    std::vector<double> paths(graph.num_vertices), dependency(graph.num_vertices);
    level[source] = 0;
    paths[source] = 1;
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
        dependency[from] += paths[from] / paths[to] * (1 + dependency[to]);
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
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_NEAR(expected[v], outcome.values[v].real, 1e-9 * (1 + expected[v])) << "vertex " << v;
  }
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

TEST(Betweenness, OneColumnIsEnough) {
  const TestCase graph{"random", 300, RandomTestEdges(3, 300, 1200)};
  const std::vector<double> expected = Brandes(graph, true, {1, 2});
  const auto out_only =
      InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.in_columns = false});
  ExpectScores(RunInMemory(*out_only, From({1, 2})), expected);
}

TEST(Betweenness, ASourceCountsOnceAndMustBeThere) {
  const TestCase graph{"random", 100, RandomTestEdges(4, 100, 300)};
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
  ExpectScores(RunInMemory(*store, From({7, 3, 7})), Brandes(graph, true, {7, 3}));
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, From({7, 100})).status.code());
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, {.algorithm = "betweenness"}).status.code());
  RunOptions search{.algorithm = "bfs"};
  search.values.Set("--source", InputVertices{{1, 2}});
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, search).status.code());
}

}  // namespace
}  // namespace edgemill

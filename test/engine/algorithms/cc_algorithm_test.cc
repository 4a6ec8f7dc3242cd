// Components against a serial union-find.
#include <gtest/gtest.h>

#include <functional>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// The least vertex in the component of each vertex.
std::vector<uint64_t> UnionFind(const TestCase& graph) {
  std::vector<uint64_t> parent(graph.num_vertices);
  std::iota(parent.begin(), parent.end(), uint64_t{0});
  const std::function<uint64_t(uint64_t)> find = [&](uint64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const TestEdge& edge : graph.edges) {
    const uint64_t a = find(edge.source);
    const uint64_t b = find(edge.target);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (uint64_t v = 0; v < graph.num_vertices; ++v) parent[v] = find(v);
  return parent;
}

void ExpectComponents(const Outcome& outcome, const std::vector<uint64_t>& expected) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(expected[v], outcome.values[v].integer) << "vertex " << v;
  }
}

class CcThreads : public testing::TestWithParam<int> {};

TEST_P(CcThreads, AfforestMatchesUnionFind) {
  for (const TestCase& graph : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const int columns : {1, 2, 3}) {
        for (const uint64_t seed : {0, 5}) {
          SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric", columns));
          const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                  {.directed = directed,
                                                   .out_columns = !directed || (columns & 1) != 0,
                                                   .in_columns = (columns & 2) != 0,
                                                   .renumber_seed = seed});
          RunOptions options{.algorithm = "cc"};
          options.threads = GetParam();
          options.verify = true;
          ExpectComponents(RunInMemory(*store, options, seed), UnionFind(graph));
        }
      }
    }
  }
}

TEST_P(CcThreads, LabelsMatchUnionFindInEveryMode) {
  for (const TestCase& graph : HardGraphs()) {
    for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
      SCOPED_TRACE(StrCat(graph.name, " ", ModeName(mode)));
      const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                              {.directed = false, .renumber_seed = 9});
      RunOptions options{.algorithm = "cc", .values = {{"--method", "labels"}}};
      options.mode = mode;
      options.threads = GetParam();
      options.verify = true;
      ExpectComponents(RunInMemory(*store, options), UnionFind(graph));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, CcThreads, testing::ValuesIn(ThreadCounts({1, 2, 4})));

TEST(Cc, SecondPassReadsLittleOnceTheGiantIsKnown) {
  const TestCase graph{"random", 20000, RandomTestEdges(21, 20000, 400000)};
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                          {.directed = false, .block_edges = 1024});
  RunOptions options{.algorithm = "cc"};
  const Outcome outcome = RunInMemory(*store, options);
  ExpectComponents(outcome, UnionFind(graph));
  // If no vertex is outside the largest component, there is no second pass.
  const auto& passes = outcome.report.iterations;
  ASSERT_LE(passes.size(), 2u);
  if (passes.size() == 2) {
    EXPECT_LT(passes[1].blocks, passes[0].blocks / 20);
  }
}

TEST(Cc, RefusesOddOptions) {
  const auto store = InMemoryGraph::Dense(3, {{0, 1}}, {});
  RunOptions options{.algorithm = "cc", .values = {{"--method", "magic"}}};
  EXPECT_EQ(Code::kUsage, RunInMemory(*store, options).status.code());
  options.values.Set("--method", "labels");  // labels also go against directed edges
  const auto out_only = InMemoryGraph::Dense(3, {{0, 1}}, {.in_columns = false});
  EXPECT_EQ(Code::kUsage, RunInMemory(*out_only, options).status.code());
  EXPECT_TRUE(RunInMemory(*store, options).status.ok());
}

}  // namespace
}  // namespace edgemill

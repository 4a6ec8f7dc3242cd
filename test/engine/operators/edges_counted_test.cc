// Which edges the figure edges/s counts, and how many visited edges a run reports.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// A path 0, 1, 2 and, apart from it, a clique of 12 vertices with a loop.
TestCase PathAndClique() {
  TestCase graph{"path and clique", 15, {{0, 1}, {1, 2}, {3, 3}}};
  for (uint64_t from = 3; from < 15; ++from) {
    for (uint64_t to = from + 1; to < 15; ++to) graph.edges.push_back({from, to});
  }
  return graph;
}

RunReport ReportOf(const TestGraphOptions& made, RunOptions options) {
  const TestCase graph = PathAndClique();
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, made);
  return RunInMemory(*store, std::move(options)).report;
}

TEST(EdgesCounted, ASearchCountsTheEdgesOfWhatItReached) {
  const TestGraphOptions weighted{.weights = WeightType::kInt32};
  for (const char* const name : {"bfs", "sssp", "sswp"}) {
    const RunOptions from_path{.algorithm = name, .values = {{"--source", uint64_t{0}}}};
    const RunReport report = ReportOf(weighted, from_path);
    EXPECT_EQ(2u, report.edges_counted) << name;
    EXPECT_NEAR(2, report.edges_per_second * report.run_seconds, 1e-6) << name;
    const RunOptions from_clique{.algorithm = name, .values = {{"--source", uint64_t{3}}}};
    EXPECT_EQ(67u, ReportOf(weighted, from_clique).edges_counted) << name;
  }
  // Two passes over them, by definition.
  EXPECT_EQ(
      4u,
      ReportOf({}, {.algorithm = "ssnsp", .values = {{"--source", uint64_t{0}}}}).edges_counted);
  EXPECT_EQ(4u, ReportOf({}, {.algorithm = "betweenness", .values = {{"--source", uint64_t{0}}}})
                    .edges_counted);
  EXPECT_EQ(2u, ReportOf({}, {.algorithm = "bfs",
                              .values = {{"--source", uint64_t{0}}, {"--parents", true}}})
                    .edges_counted);
}

TEST(EdgesCounted, AnUndirectedEdgeCountsOnce) {
  for (const char* const name : {"bfs", "sssp"}) {
    const RunReport report = ReportOf({.directed = false, .weights = WeightType::kInt32},
                                      {.algorithm = name, .values = {{"--source", uint64_t{0}}}});
    EXPECT_EQ(2u, report.edges_counted) << name;
  }
}

TEST(EdgesCounted, EdgesOfTheLastVerticesOfABoundedSearchDoNotCount) {
  for (const char* const name : {"bfs", "sssp", "sswp"}) {
    const RunOptions options{.algorithm = name,
                             .values = {{"--source", uint64_t{0}}, {"--iterations", uint64_t{1}}}};
    EXPECT_EQ(1u, ReportOf({.weights = WeightType::kInt32}, options).edges_counted) << name;
  }
}

TEST(EdgesCounted, WithoutOutListsTheEdgesIntoWhatIsReachedCount) {
  EXPECT_EQ(2u, ReportOf({.out_columns = false},
                         {.algorithm = "bfs", .values = {{"--source", uint64_t{0}}}})
                    .edges_counted);
}

TEST(EdgesCounted, OthersCountAllOfThemInEachIteration) {
  EXPECT_EQ(69u, ReportOf({}, {.algorithm = "cc"}).edges_counted);
  const RunOptions twenty{.algorithm = "pagerank",
                          .values = {{"--iterations", uint64_t{20}}, {"--tolerance", 0.0}}};
  EXPECT_EQ(20u * 69, ReportOf({}, twenty).edges_counted);
}

// The last block has few edges. Earlier, 20 passes over 2 edges were reported as 20 whole blocks.
TEST(EdgesProcessed, AreThoseOfBlocksThatArePulledAndOfVerticesThatPush) {
  const auto store = InMemoryGraph::Dense(3, {{0, 1}, {1, 2}}, {});
  const RunOptions twenty{.algorithm = "pagerank",
                          .values = {{"--iterations", uint64_t{20}}, {"--tolerance", 0.0}}};
  const RunReport pulled = RunInMemory(*store, twenty).report;
  EXPECT_EQ(40u, pulled.edges_processed);
  EXPECT_EQ(2u, pulled.iterations.at(0).edges);

  RunOptions push{.algorithm = "bfs", .values = {{"--source", uint64_t{0}}}};
  push.mode = Mode::kPush;
  EXPECT_EQ(2u, ReportOf({}, push).edges_processed);
  // All edges of the vertex's block are read, but only the vertex's own edges are visited.
  push.values.Set("--iterations", uint64_t{1});
  EXPECT_EQ(1u, ReportOf({}, push).edges_processed);

  // Without a given width of buckets, edges are sampled to choose one.
  RunOptions at_once{.algorithm = "sssp", .values = {{"--source", uint64_t{0}}, {"--delta", 2.0}}};
  at_once.async_passes = kAsyncPasses;
  EXPECT_EQ(2u, ReportOf({.weights = WeightType::kInt32}, at_once).edges_processed);
}

TEST(EdgesProcessed, AreThoseThatAFunctionWasCalledFor) {
  // At most two neighbours of each vertex, then the edges outside the largest component.
  const RunReport report = ReportOf({}, {.algorithm = "cc"});
  EXPECT_LT(14u, report.edges_processed);
  EXPECT_GT(69u, report.edges_processed);
}

}  // namespace
}  // namespace edgemill

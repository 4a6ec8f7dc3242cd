// The shares of several GPUs: every vertex has one owner, and every list is in its owner's blocks.
#include "engine/plan/vertex_shares.h"

#include <gtest/gtest.h>

#include "test/operator_testing.h"

namespace edgemill {
namespace {

/// Expects ranges that follow one another, in whole words, and blocks with all of their lists.
void ExpectWhole(const LoadedGraph& graph, const std::vector<VertexRange>& ranges) {
  uint64_t end = 0;
  for (const VertexRange& range : ranges) {
    EXPECT_EQ(range.begin, end);
    EXPECT_LE(range.begin, range.end);
    end = range.end;
    EXPECT_TRUE(range.begin % 64 == 0 || range.begin == graph.num_vertices());
    const PassBlocks blocks = BlocksOfLists(graph, range);
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      if (!graph.has_index(direction)) continue;
      const VertexIndexView index = graph.index(direction);
      const EdgeIndex first = index.first_edge(static_cast<VertexId>(range.begin));
      const EdgeIndex last = index.first_edge(static_cast<VertexId>(range.end));
      EXPECT_EQ(EdgesOfLists(graph, direction, range), last - first);
      const BlockRange& of = blocks.of(direction);
      const uint64_t block_edges = graph.info().block_edges;
      EXPECT_EQ(of.size() == 0, first == last);
      if (first == last) continue;
      EXPECT_EQ(of.begin, first / block_edges);
      EXPECT_EQ(of.end, (last - 1) / block_edges + 1);
    }
  }
  EXPECT_EQ(end, graph.num_vertices());
}

TEST(VertexShares, OfHardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      TestGraphOptions shape;
      shape.directed = directed;
      shape.block_edges = 128;
      const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
      OperatorFixture fixture(*graph, {});
      for (uint32_t count = 1; count <= 5; ++count) {
        const std::vector<VertexRange> even = ShareVertices(fixture.graph(), count);
        ASSERT_EQ(even.size(), count);
        ExpectWhole(fixture.graph(), even);
        ExpectWhole(fixture.graph(), ShareVertices(fixture.graph(), count, /*seed=*/count));
      }
    }
  }
}

/// Where no list is long, each GPU has about as many edges.
TEST(VertexShares, AreEven) {
  const auto graph = InMemoryGraph::Dense(10'000, RandomTestEdges(5, 10'000, 200'000), {});
  OperatorFixture fixture(*graph, {});
  for (const VertexRange& range : ShareVertices(fixture.graph(), 4)) {
    const EdgeIndex edges = EdgesOfLists(fixture.graph(), Direction::kOut, range);
    EXPECT_NEAR(static_cast<double>(edges), 50'000, 2'500);
  }
}

/// A star's centre has one owner, with all of its edges.
TEST(VertexShares, AHubIsNotShared) {
  std::vector<TestEdge> edges;
  for (uint64_t v = 1; v < 5000; ++v) edges.push_back({0, v, 1.0});
  TestGraphOptions shape;
  shape.block_edges = 128;
  const auto graph = InMemoryGraph::Dense(5000, edges, shape);
  OperatorFixture fixture(*graph, {});
  const std::vector<VertexRange> ranges = ShareVertices(fixture.graph(), 3);
  EXPECT_EQ(EdgesOfLists(fixture.graph(), Direction::kOut, ranges[0]), 4999u);
}

}  // namespace
}  // namespace edgemill

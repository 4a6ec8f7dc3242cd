// The error names an edge without its reverse if an input is not symmetric.
#include "loaders/stages/symmetry_stage.h"

#include <gtest/gtest.h>

#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

using TestEdges = std::vector<TestEdge>;

/// The message of the symmetry check of `edges`.
std::string AsymmetryOf(TestEdges edges, bool weighted, uint64_t max_sort_edges = 0) {
  IngestOptions options;
  options.direction = EdgeDirection::kSymmetric;
  options.max_sort_edges = max_sort_edges;
  StageFixture fixture(EdgeListOf(std::move(edges), weighted), options);
  VertexIdMap names;
  names.SetIds(fixture.ReadAndDecide());
  const Status status = ExplainAsymmetry(fixture.context, fixture.schema, names, fixture.edges);
  EXPECT_EQ(status.code(), fixture.stats.asymmetry == 0 ? Code::kInternal : Code::kBadData);
  return std::string(status.message());
}

TEST(SymmetryStageTest, NamesTheEdgeWithoutItsReverse) {
  const TestEdges both{{1, 2, 1}, {2, 1, 1}, {3, 3, 1}, {2, 3, 1}, {3, 2, 1}};
  EXPECT_TRUE(AsymmetryOf(both, false).starts_with("the input's symmetry check"));
  TestEdges lines = both;
  lines.push_back({3, 1, 1});
  EXPECT_TRUE(AsymmetryOf(lines, false).starts_with("edge 3 -> 1 has no edge the other way"));
  lines = both;
  lines.push_back({2, 1, 1});
  EXPECT_TRUE(AsymmetryOf(lines, false).starts_with("edge 2 -> 1 has no edge the other way"));
}

TEST(SymmetryStageTest, NamesTheEdgeWithAnotherWeight) {
  const std::string message = AsymmetryOf({{1, 2, 5}, {2, 1, 6}, {1, 3, 7}, {3, 1, 7}}, true);
  EXPECT_TRUE(message.starts_with("edge 1 -> 2 has another weight than its reverse")) << message;
}

TEST(SymmetryStageTest, ComparesEdgesTooManyToBeSorted) {
  TestEdges lines;
  for (int i = 0; i < 3000; ++i) {
    lines.push_back({1, 2, 0});
    lines.push_back({2, 1, 0});
  }
  lines.push_back({2, 1, 0});
  const std::string message = AsymmetryOf(lines, false, 1000);
  EXPECT_TRUE(message.starts_with("edge 2 -> 1 has no edge the other way")) << message;
}

}  // namespace
}  // namespace edgemill

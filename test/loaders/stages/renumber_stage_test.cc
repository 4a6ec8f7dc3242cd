// Vertices get internal ids by degree, and edges go to the buckets of these ids.
#include "loaders/stages/renumber_stage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

TEST(RenumberStageTest, VerticesOfHighDegreeComeFirst) {
  IngestOptions options;
  options.renumbering = Renumbering::kDegree;
  // Degrees: 30 has 4, 10 has 3, 20 has 2, 5000 has 1.
  StageFixture fixture(
      EdgeListOf({{30, 10, 0}, {30, 20, 0}, {10, 30, 0}, {30, 5000, 0}, {10, 20, 0}}, false),
      options);
  VertexIdMap names;
  names.SetIds(fixture.ReadAndDecide());
  ASSERT_TRUE(Renumber(fixture.context, fixture.schema, names, fixture.edges).ok());
  EXPECT_TRUE(names.keys_are_final());
  EXPECT_EQ(names.InputNameOf(0).id, 30u);
  EXPECT_EQ(names.InputNameOf(1).id, 10u);
  EXPECT_EQ(names.InputNameOf(3).id, 5000u);
  EXPECT_EQ(fixture.writer.Values(ColumnKind::kInternalOfRank),
            (std::vector<uint32_t>{1, 2, 0, 3}));
  using IdPairs = std::vector<std::pair<uint32_t, uint32_t>>;
  EXPECT_EQ(SortedEdgesOf(*fixture.edges.forward),
            (IdPairs{{0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 2}}));
  EXPECT_EQ(SortedEdgesOf(*fixture.edges.reversed),
            (IdPairs{{0, 1}, {1, 0}, {2, 0}, {2, 1}, {3, 0}}));
}

TEST(RenumberStageTest, TheSeedDecidesTheRandomOrder) {
  const auto order = [](uint64_t seed) {
    IngestOptions options;
    options.renumbering = Renumbering::kRandom;
    options.renumber_seed = seed;
    std::vector<TestEdge> edges;
    for (uint64_t id = 1; id < 100; ++id) edges.push_back({0, id, 0});
    StageFixture fixture(EdgeListOf(edges, false), options);
    VertexIdMap names;
    names.SetIds(fixture.ReadAndDecide());
    EXPECT_TRUE(Renumber(fixture.context, fixture.schema, names, fixture.edges).ok());
    const std::vector<uint32_t> ids = fixture.writer.Values(ColumnKind::kInternalOfRank);
    // All edges keep their ends.
    for (const auto& [source, target] : SortedEdgesOf(*fixture.edges.forward)) {
      EXPECT_EQ(source, ids[0]);
      EXPECT_NE(target, ids[0]);
    }
    return ids;
  };
  const std::vector<uint32_t> ids = order(1);
  EXPECT_EQ(ids, order(1));
  EXPECT_NE(ids, order(2));
  EXPECT_EQ(std::set<uint32_t>(ids.begin(), ids.end()).size(), 100u);
  EXPECT_EQ(*std::max_element(ids.begin(), ids.end()), 99u);
  EXPECT_FALSE(std::is_sorted(ids.begin(), ids.end()));
}

}  // namespace
}  // namespace edgemill

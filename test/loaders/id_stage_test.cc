// Which vertices a graph has, by the ids that were seen; and the ranks of wide ids.
#include "loaders/ingest/id_stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loaders/ingest/wide_stage.h"
#include "test/ingest_stage_bench.h"

namespace edgemill {
namespace {

constexpr uint64_t kWide = uint64_t{1} << 40;

EdgeList EdgesOfIds(std::vector<std::pair<uint64_t, uint64_t>> ids) {
  EdgeList list{.name = "ids", .weighted = false};
  for (const auto& [source, target] : ids) list.edges.push_back({source, target, 0});
  return list;
}

/// The status of deciding the ids of what `bench` reads.
Status DecideStatus(StageBench& bench) {
  EXPECT_TRUE(bench.Read().ok());
  return DecideIds(bench.means, bench.shape, bench.choice, bench.stats, bench.ids, bench.edges)
      .status();
}

TEST(IdStageTest, IdsWithoutLargeGapsAreDense) {
  StageBench bench(EdgesOfIds({{0, 1}, {1, 3}}));
  const IdMap ids = bench.ReadAndDecide();
  EXPECT_FALSE(ids.sparse());
  EXPECT_EQ(ids.base(), 0u);
  EXPECT_EQ(ids.num_vertices(), 4u);
}

TEST(IdStageTest, IdsWithLargeGapsAreSparse) {
  StageBench bench(EdgesOfIds({{10, 5000}, {70, 10}}));
  const IdMap ids = bench.ReadAndDecide();
  EXPECT_TRUE(ids.sparse());
  EXPECT_EQ(ids.num_vertices(), 3u);
  EXPECT_EQ(ids.Rank(70), 1u);
  EXPECT_EQ(ids.IdOf(2), 5000u);
  EXPECT_FALSE(bench.ids.seen.has_value());
}

TEST(IdStageTest, DenseIdsFromOneHaveNoVertexZero) {
  IngestOptions options;
  options.ids = IdMode::kDense;
  StageBench bench(EdgesOfIds({{1, 5000}}), options);
  const IdMap ids = bench.ReadAndDecide();
  EXPECT_EQ(ids.base(), 1u);
  EXPECT_EQ(ids.num_vertices(), 5000u);
}

TEST(IdStageTest, DeclaredVerticesAreAllVertices) {
  StageBench bench(EdgesOfIds({{0, 7}}), {}, 100);
  EXPECT_EQ(bench.ReadAndDecide().num_vertices(), 100u);
  StageBench outside(EdgesOfIds({{0, 100}}), {}, 100);
  const Status status = DecideStatus(outside);
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_NE(status.message().find("vertex id 100 is outside the 100 vertices"), std::string::npos);
}

TEST(IdStageTest, ListedVerticesAreAllVertices) {
  EdgeList list = EdgesOfIds({{3, 9}, {9, 3}});
  list.ids = {3, 9, 900};
  {
    StageBench bench(list);
    const IdMap ids = bench.ReadAndDecide();
    EXPECT_EQ(ids.num_vertices(), 3u);
    EXPECT_EQ(ids.Rank(900), 2u);
  }
  list.edges.push_back({9, 4, 0});
  StageBench bench(list);
  const Status status = DecideStatus(bench);
  EXPECT_EQ(status.message(), UnlistedError(9, 4, 4).message());
}

TEST(IdStageTest, AnInputWithoutIdsHasNoVertices) {
  StageBench bench(EdgesOfIds({}));
  EXPECT_EQ(bench.ReadAndDecide().num_vertices(), 0u);
}

TEST(WideStageTest, WideIdsRankAfterTheOthers) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t i = 0; i < 1000; ++i) pairs.emplace_back(i, kWide + 7 * (999 - i));
  StageBench bench(EdgesOfIds(pairs));
  const IdMap ids = bench.ReadAndDecide();
  EXPECT_EQ(ids.num_vertices(), 2000u);
  EXPECT_EQ(ids.RankOfWide(kWide), 1000u);
  EXPECT_EQ(ids.RankOfWide(kWide + 7 * 999), 1999u);
  EXPECT_EQ(ids.RankOfWide(kWide + 1), kInvalidVertex);
  ASSERT_TRUE(LogRanks(bench.places, bench.shape, ids, bench.edges).ok());
  EXPECT_FALSE(bench.edges.wide.has_value());
  EXPECT_FALSE(bench.edges.reversed.has_value());
  const auto ranks = SortedEdgesOf(*bench.edges.forward);
  ASSERT_EQ(ranks.size(), 1000u);
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(ranks[i], std::pair(i, 1999 - i));
}

TEST(WideStageTest, EdgesBeforeTheFirstWideIdAreLoggedOnce) {
  IngestOptions options;
  options.direction = EdgeDirection::kUndirected;
  options.threads = 1;
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t i = 0; i < 250; ++i) pairs.emplace_back(i, i + 1);
  pairs.emplace_back(0, kWide);
  StageBench bench(EdgesOfIds(pairs), options);
  const IdMap ids = bench.ReadAndDecide();
  ASSERT_TRUE(LogRanks(bench.places, bench.shape, ids, bench.edges).ok());
  EXPECT_EQ(bench.edges.forward->num_edges(), 251u);
  EXPECT_EQ(SortedEdgesOf(*bench.edges.forward)[1], std::pair(0u, 251u));
}

TEST(WideStageTest, AWideIdThatIsNotListedIsAnError) {
  EdgeList list = EdgesOfIds({{1, kWide}, {1, kWide + 1}});
  list.ids = {1, kWide};
  StageBench bench(list);
  const IdMap ids = bench.ReadAndDecide();
  EXPECT_EQ(ids.num_vertices(), 2u);
  const Status status = LogRanks(bench.places, bench.shape, ids, bench.edges);
  EXPECT_EQ(status.message(), UnlistedError(1, kWide + 1, kWide + 1).message());
}

}  // namespace
}  // namespace edgemill

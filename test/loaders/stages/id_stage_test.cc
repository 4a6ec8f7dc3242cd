// The vertices that a graph has for the ids that were seen, and the ranks of wide ids.
#include "loaders/stages/id_stage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loaders/stages/wide_stage.h"
#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

constexpr uint64_t kWide = uint64_t{1} << 40;

EdgeList EdgesOfIds(std::vector<std::pair<uint64_t, uint64_t>> ids) {
  EdgeList list{.name = "ids", .weighted = false};
  for (const auto& [source, target] : ids) list.edges.push_back({source, target, 0});
  return list;
}

/// Reads with `fixture`, and returns the status of deciding its ids.
Status DecideStatus(StageFixture& fixture) {
  EXPECT_TRUE(fixture.Read().ok());
  return DecideIds(fixture.context, fixture.schema, fixture.choice,
                   {fixture.stats, fixture.ids, fixture.edges})
      .status();
}

TEST(IdStageTest, IdsWithoutGapsAreDense) {
  StageFixture fixture(EdgesOfIds({{0, 1}, {1, 3}, {3, 2}}));
  const IdRanks ids = fixture.ReadAndDecide();
  EXPECT_FALSE(ids.sparse());
  EXPECT_EQ(ids.base(), 0u);
  EXPECT_EQ(ids.num_vertices(), 4u);
}

TEST(IdStageTest, AnIdThatDoesNotOccurIsNoVertex) {
  StageFixture fixture(EdgesOfIds({{0, 1}, {1, 3}}));
  const IdRanks ids = fixture.ReadAndDecide();
  EXPECT_TRUE(ids.sparse());
  EXPECT_EQ(ids.num_vertices(), 3u);
}

TEST(IdStageTest, FormatsThatKeepARangeKeepIt) {
  for (const IdMode mode : {IdMode::kAuto, IdMode::kSparse}) {
    IngestOptions options;
    options.ids = mode;
    StageFixture fixture(EdgesOfIds({{0, 1}, {1, 3}}), options);
    fixture.source.mutable_info().usually_dense = true;
    EXPECT_EQ(fixture.ReadAndDecide().num_vertices(), mode == IdMode::kAuto ? 4u : 3u);
  }
  // Three ids do not make a range of a million.
  StageFixture fixture(EdgesOfIds({{0, 1}, {1, 1'000'000}}));
  fixture.source.mutable_info().usually_dense = true;
  EXPECT_EQ(fixture.ReadAndDecide().num_vertices(), 3u);
}

TEST(IdStageTest, TheNumberOfVerticesMayBeGiven) {
  IngestOptions options;
  options.num_vertices = 5;
  const auto decide = [&](std::vector<std::pair<uint64_t, uint64_t>> edges) {
    return StageFixture(EdgesOfIds(std::move(edges)), options).ReadAndDecide();
  };
  EXPECT_EQ(decide({{1, 3}}).base(), 0u);
  EXPECT_EQ(decide({{1, 5}}).base(), 1u);
  EXPECT_EQ(decide({{1, 5}}).num_vertices(), 5u);
  EXPECT_EQ(decide({}).num_vertices(), 5u);
  StageFixture outside(EdgesOfIds({{0, 5}}), options);
  EXPECT_EQ(DecideStatus(outside).code(), Code::kBadData);
}

TEST(IdStageTest, SparseIdsKeepOnlyThoseThatOccurInADeclaredRange) {
  IngestOptions options;
  options.ids = IdMode::kSparse;
  StageFixture fixture(EdgesOfIds({{0, 7}}), options, 100);
  EXPECT_EQ(fixture.ReadAndDecide().num_vertices(), 2u);
}

TEST(IdStageTest, IdsWithLargeGapsAreSparse) {
  StageFixture fixture(EdgesOfIds({{10, 5000}, {70, 10}}));
  const IdRanks ids = fixture.ReadAndDecide();
  EXPECT_TRUE(ids.sparse());
  EXPECT_EQ(ids.num_vertices(), 3u);
  EXPECT_EQ(ids.Rank(70), 1u);
  EXPECT_EQ(ids.IdOf(2), 5000u);
  EXPECT_FALSE(fixture.ids.seen.has_value());
}

TEST(IdStageTest, DenseIdsFromOneHaveNoVertexZero) {
  IngestOptions options;
  options.ids = IdMode::kDense;
  StageFixture fixture(EdgesOfIds({{1, 5000}}), options);
  const IdRanks ids = fixture.ReadAndDecide();
  EXPECT_EQ(ids.base(), 1u);
  EXPECT_EQ(ids.num_vertices(), 5000u);
}

TEST(IdStageTest, DeclaredVerticesAreAllVertices) {
  StageFixture fixture(EdgesOfIds({{0, 7}}), {}, 100);
  EXPECT_EQ(fixture.ReadAndDecide().num_vertices(), 100u);
  StageFixture outside(EdgesOfIds({{0, 100}}), {}, 100);
  const Status status = DecideStatus(outside);
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_NE(status.message().find("vertex id 100 is outside the 100 vertices"), std::string::npos);
}

TEST(IdStageTest, ListedVerticesAreAllVertices) {
  EdgeList list = EdgesOfIds({{3, 9}, {9, 3}});
  list.ids = {3, 9, 900};
  {
    StageFixture fixture(list);
    const IdRanks ids = fixture.ReadAndDecide();
    EXPECT_EQ(ids.num_vertices(), 3u);
    EXPECT_EQ(ids.Rank(900), 2u);
  }
  list.edges.push_back({9, 4, 0});
  StageFixture fixture(list);
  const Status status = DecideStatus(fixture);
  EXPECT_EQ(status.message(), UnlistedError(9, 4, 4).message());
}

TEST(IdStageTest, AnInputWithoutIdsHasNoVertices) {
  StageFixture fixture(EdgesOfIds({}));
  EXPECT_EQ(fixture.ReadAndDecide().num_vertices(), 0u);
}

TEST(WideStageTest, WideIdsRankAfterTheOthers) {
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t i = 0; i < 1000; ++i) pairs.emplace_back(i, kWide + 7 * (999 - i));
  StageFixture fixture(EdgesOfIds(pairs));
  const IdRanks ids = fixture.ReadAndDecide();
  EXPECT_EQ(ids.num_vertices(), 2000u);
  EXPECT_EQ(ids.RankOfWide(kWide), 1000u);
  EXPECT_EQ(ids.RankOfWide(kWide + 7 * 999), 1999u);
  EXPECT_EQ(ids.RankOfWide(kWide + 1), kInvalidVertex);
  ASSERT_TRUE(RankWideEdges(fixture.context, fixture.schema, true, ids, fixture.edges).ok());
  EXPECT_FALSE(fixture.edges.wide.has_value());
  EXPECT_FALSE(fixture.edges.reversed.has_value());
  const auto ranks = SortedEdgesOf(*fixture.edges.forward);
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
  StageFixture fixture(EdgesOfIds(pairs), options);
  const IdRanks ids = fixture.ReadAndDecide();
  ASSERT_TRUE(RankWideEdges(fixture.context, fixture.schema, true, ids, fixture.edges).ok());
  EXPECT_EQ(fixture.edges.forward->num_edges(), 251u);
  EXPECT_EQ(SortedEdgesOf(*fixture.edges.forward)[1], std::pair(0u, 251u));
}

TEST(WideStageTest, AWideIdThatIsNotListedIsAnError) {
  EdgeList list = EdgesOfIds({{1, kWide}, {1, kWide + 1}});
  list.ids = {1, kWide};
  StageFixture fixture(list);
  const IdRanks ids = fixture.ReadAndDecide();
  EXPECT_EQ(ids.num_vertices(), 2u);
  const Status status = RankWideEdges(fixture.context, fixture.schema, true, ids, fixture.edges);
  EXPECT_EQ(status.message(), UnlistedError(1, kWide + 1, kWide + 1).message());
}

}  // namespace
}  // namespace edgemill

// Edges are in the buckets of their keys' ranges. Buckets that are too large are split.
#include "loaders/stages/edge_partitioner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/random.h"
#include "loaders/stages/bucket_splitter.h"
#include "test/ingest_stage_fixture.h"

namespace edgemill {
namespace {

constexpr uint32_t kIds = 1000;

EdgeList RandomList(uint64_t num_edges) {
  EdgeList list{.name = "random", .weighted = false};
  Random random(5);
  for (uint64_t i = 0; i < num_edges; ++i) {
    list.edges.push_back({random.Below(kIds), random.Below(kIds), 0});
  }
  return list;
}

using IdPairs = std::vector<std::pair<uint32_t, uint32_t>>;

/// The pairs that `make` returns for the list's edges, in ascending order.
template <typename Make>
IdPairs PairsOf(const EdgeList& list, Make make) {
  IdPairs pairs;
  for (const TestEdge& edge : list.edges) {
    pairs.push_back(make(static_cast<uint32_t>(edge.source), static_cast<uint32_t>(edge.target)));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

IngestOptions SmallBuckets() {
  IngestOptions options;
  options.max_sort_edges = 500;
  options.threads = 2;
  return options;
}

TEST(EdgePartitionTest, SpreadsEdgesByTheIdsOfTheMap) {
  StageFixture fixture(RandomList(20'000), SmallBuckets());
  ASSERT_TRUE(fixture.Read().ok());
  const auto map = [](uint32_t id) { return kIds - 1 - id; };
  fixture.edges.Retire(fixture.edges.reversed);
  const size_t retired = fixture.edges.retired.size();
  const auto map_all = [&](std::span<NarrowEdge> edges) {
    for (NarrowEdge& edge : edges) edge = {map(edge.source), map(edge.target)};
    return true;
  };
  ASSERT_TRUE(Repartition(fixture.context, fixture.schema, map_all, fixture.edges).ok());
  EXPECT_EQ(fixture.edges.retired.size(), retired + 1);
  EXPECT_GT(fixture.edges.forward->buckets().size(), 10u);
  EXPECT_EQ(
      SortedEdgesOf(*fixture.edges.forward),
      PairsOf(fixture.list, [&](uint32_t u, uint32_t v) { return std::pair(map(u), map(v)); }));
  EXPECT_EQ(
      SortedEdgesOf(*fixture.edges.reversed),
      PairsOf(fixture.list, [&](uint32_t u, uint32_t v) { return std::pair(map(v), map(u)); }));
}

TEST(EdgePartitionTest, KeepsTheReversedEdgesOfASymmetrizedGraphBeside) {
  IngestOptions options = SmallBuckets();
  options.direction = EdgeDirection::kSymmetrize;
  StageFixture fixture(RandomList(20'000), options);
  ASSERT_TRUE(fixture.Read().ok());
  EXPECT_FALSE(fixture.edges.reversed.has_value());
  const auto forward = [](uint32_t u, uint32_t v) { return std::pair(u, v); };
  const auto reversed = [](uint32_t u, uint32_t v) { return std::pair(v, u); };
  EXPECT_EQ(SortedEdgesOf(*fixture.edges.forward, 0), PairsOf(fixture.list, forward));
  EXPECT_EQ(SortedEdgesOf(*fixture.edges.forward, 1), PairsOf(fixture.list, reversed));
}

/// A process that resumes needs the old buckets, whose edges were to be spread.
TEST(EdgePartitionTest, KeepsTheOldBucketsWhenItFails) {
  StageFixture fixture(RandomList(20'000), SmallBuckets());
  ASSERT_TRUE(fixture.Read().ok());
  fixture.edges.Retire(fixture.edges.reversed);
  const auto taken = fixture.budget.Reserve(fixture.budget.available_bytes() - 1000, "a test");
  ASSERT_TRUE(taken.ok());
  const auto same = [](std::span<NarrowEdge>) { return true; };
  EXPECT_EQ(Repartition(fixture.context, fixture.schema, same, fixture.edges).code(),
            Code::kBudget);
  ASSERT_EQ(fixture.edges.retired.size(), 2u);
  const auto forward = [](uint32_t u, uint32_t v) { return std::pair(u, v); };
  EXPECT_EQ(SortedEdgesOf(fixture.edges.retired.back()), PairsOf(fixture.list, forward));
}

TEST(BucketSplitterTest, SplitsUntilBucketsAreSmallOrOfOneKey) {
  EdgeList list = RandomList(10'000);
  for (int i = 0; i < 3000; ++i) list.edges.push_back({7, 7, 0});
  IngestOptions options = SmallBuckets();
  options.renumbering = Renumbering::kDegree;  // so that all edges come to one bucket
  StageFixture fixture(std::move(list), options);
  ASSERT_TRUE(fixture.Read().ok());
  BucketSet& set = *fixture.edges.forward;
  ASSERT_EQ(set.buckets().size(), 1u);
  const auto before = SortedEdgesOf(set);
  ASSERT_TRUE(SplitLargeBuckets(fixture.context, set, fixture.edges.retired).ok());
  EXPECT_GE(fixture.edges.retired.size(), 1u);
  EXPECT_EQ(SortedEdgesOf(set), before);
  int large = 0;
  uint64_t next_key = 0;
  for (const Bucket& bucket : set.buckets()) {
    EXPECT_GE(bucket.first_key, next_key);
    next_key = bucket.last_key;
    if (bucket.count() <= options.max_sort_edges) continue;
    ++large;
    EXPECT_TRUE(bucket.has_single_key());
    EXPECT_EQ(bucket.first_key, EdgeKey(7, 7));
  }
  EXPECT_EQ(large, 1);
}

TEST(BucketSplitterTest, LeavesSmallBucketsAlone) {
  StageFixture fixture(RandomList(300), SmallBuckets());
  ASSERT_TRUE(fixture.Read().ok());
  const size_t buckets = fixture.edges.forward->buckets().size();
  ASSERT_TRUE(
      SplitLargeBuckets(fixture.context, *fixture.edges.forward, fixture.edges.retired).ok());
  EXPECT_EQ(fixture.edges.forward->buckets().size(), buckets);
  EXPECT_TRUE(fixture.edges.retired.empty());
}

}  // namespace
}  // namespace edgemill

// Spills whose checksums are right and whose contents are not: found before they index anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "loaders/sort/renumberer.h"
#include "loaders/sort/sorted_bucket.h"
#include "loaders/spill/bucket_partitioner.h"
#include "loaders/spill/replay_source.h"
#include "loaders/stages/bucket_splitter.h"
#include "loaders/stages/edge_partition.h"
#include "loaders/stages/renumber_stage.h"
#include "loaders/stages/wide_stage.h"
#include "test/ingest_stage_fixture.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

constexpr uint64_t kFirstKey = EdgeKey(1000, 0);
constexpr uint64_t kLastKey = EdgeKey(1999, ~0u);

void ExpectBad(const Status& status, std::string_view what) {
  EXPECT_EQ(status.exit_code(), 65) << status.message();
  EXPECT_NE(status.message().find("pages.spill"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find(what), std::string::npos) << status.message();
}

/// Three buckets, of which the middle one is filled by hand.
class SpillChecksTest : public testing::Test {
 protected:
  void SetUp() override {
    SpillSpace::Options options;
    options.directories = {root_.path()};
    options.memory_bytes = 64 * 16384;
    options.page_bytes = 16384;
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok());
    space_ = std::move(*space);
  }
  BucketSet MakeSet(SpilledWeight weight = SpilledWeight::kNone, int num_sides = 1) {
    BucketSet set(*space_, weight, num_sides, KeySplitters({0, kFirstKey, kLastKey + 1}));
    set.RaiseMaxKey(EdgeKey(2999, 0));
    return set;
  }
  /// `count` keys of the middle bucket, below vertex 3000, in no order.
  static std::vector<uint64_t> Keys(size_t count) {
    std::vector<uint64_t> keys;
    for (size_t i = 0; i < count; ++i) {
      keys.push_back(EdgeKey(static_cast<uint32_t>(1000 + i * 7919 % 1000),
                             static_cast<uint32_t>(i * 104729 % 3000)));
    }
    return keys;
  }
  static void Put(BucketSet& set, const std::vector<uint64_t>& keys, int side = 0) {
    Bucket& bucket = set.buckets()[1];
    ASSERT_TRUE(bucket.keys[size_t(side)]->Append(std::as_bytes(std::span(keys))).ok());
    if (set.weight() == SpilledWeight::kNone) return;
    const std::vector<std::byte> weights(keys.size() * SpilledWeightBytes(set.weight()));
    ASSERT_TRUE(bucket.weights[size_t(side)]->Append(weights).ok());
  }
  Status Load(const BucketSet& set, const BucketRules& rules = {}) {
    auto sorted = SortedBucket::Create(set.buckets()[1].count(), rules.weighted(), budget_);
    EXPECT_TRUE(sorted.ok());
    return sorted->Load(set, WholeBucket(set, 1, ~uint64_t{0}), rules);
  }

  TemporaryDirectory root_;
  MemoryBudget budget_{256 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
};

/// Where a bucket is sorted in the cache and where it is cut into pieces first.
TEST_F(SpillChecksTest, KeysOutsideTheirBucketAreNotSorted) {
  for (const size_t count : {size_t{100}, size_t{100'000}}) {
    for (const bool weighted : {false, true}) {
      for (const uint64_t key : {uint64_t{0}, kFirstKey - 1, kLastKey + 1, EdgeKey(2999, 1),
                                 ~uint64_t{0}, uint64_t{1} << 63}) {
        for (const bool last : {false, true}) {
          SCOPED_TRACE(StrCat(count, " edges, weighted: ", weighted, ", key ", key));
          BucketSet set = MakeSet(weighted ? SpilledWeight::kInt32 : SpilledWeight::kNone);
          std::vector<uint64_t> keys = Keys(count);
          keys[last ? count - 1 : count / 2] = key;
          Put(set, keys);
          BucketRules rules;
          if (weighted) rules.weights = WeightType::kInt32;
          ExpectBad(Load(set, rules), "a vertex is outside their range");
        }
      }
    }
  }
}

TEST_F(SpillChecksTest, ReversedKeysOutsideTheirBucketAreNotMatched) {
  for (const bool weighted : {false, true}) {
    BucketSet set = MakeSet(weighted ? SpilledWeight::kFloat32 : SpilledWeight::kNone, 2);
    std::vector<uint64_t> keys = Keys(20'000);
    Put(set, keys);
    keys[7] = kLastKey + 1;
    Put(set, keys, 1);
    BucketRules rules{.symmetrize = true};
    if (weighted) rules.weights = WeightType::kFloat32;
    ExpectBad(Load(set, rules), "a vertex is outside their range");
  }
}

TEST_F(SpillChecksTest, EndsThatAreNoVerticesAreNotEncoded) {
  BucketSet set = MakeSet();
  std::vector<uint64_t> keys = Keys(20'000);
  keys[7] = EdgeKey(1500, 3000);
  Put(set, keys);
  EXPECT_TRUE(Load(set).ok());
  ExpectBad(Load(set, {.num_vertices = 3000}), "no vertex");
  EXPECT_TRUE(Load(set, {.num_vertices = 3001}).ok());
  ExpectBad(Load(set, {.num_vertices = 1999}), "no vertex");
  const IdMap from_one = IdMap::Dense(1, 3000);
  EXPECT_TRUE(Load(set, {.num_vertices = 3001}).ok());
  ExpectBad(Load(set, {.ids = &from_one, .num_vertices = 3000}), "no vertex");  // some end is 0
}

TEST_F(SpillChecksTest, IdsThatASparseMapLacksHaveNoRank) {
  for (const uint32_t bad : {2998u, 3001u, 4'000'000'000u}) {
    SCOPED_TRACE(bad);
    auto seen = SeenIds::Create(4096, budget_);
    ASSERT_TRUE(seen.ok());
    for (uint64_t id = 0; id <= 3000; ++id) {
      if (id != 2998) seen->Mark(id);
    }
    auto ids = IdMap::Sparse(std::move(*seen), 3000, budget_);
    ASSERT_TRUE(ids.ok());
    BucketSet set = MakeSet();
    std::vector<uint64_t> keys = Keys(20'000);
    std::erase_if(keys, [](uint64_t key) { return static_cast<uint32_t>(key) == 2998; });
    Put(set, keys);
    const BucketRules rules{.ids = &*ids, .num_vertices = ids->num_vertices()};
    EXPECT_TRUE(Load(set, rules).ok());
    BucketSet other = MakeSet();
    keys[7] = EdgeKey(1500, bad);
    Put(other, keys);
    ExpectBad(Load(other, rules), "no vertex");
  }
}

TEST_F(SpillChecksTest, KeysOutsideTheirBucketAreNotSpreadAgain) {
  BucketSet set = MakeSet();
  std::vector<uint64_t> keys = Keys(70'000);
  keys[69'000] = kFirstKey - 1;
  Put(set, keys);
  ReplaySource source(set, 1, 2, {});
  EdgeChunk chunk;
  ASSERT_TRUE(source.Next(&chunk).ok());
  ASSERT_TRUE(source.Next(&chunk).ok());
  ExpectBad(source.Next(&chunk).status(), "a vertex is outside their range");
  keys[0] = kLastKey + 1;
  BucketSet sampled = MakeSet();
  Put(sampled, keys);
  KeySample sample;
  ExpectBad(SampleBucket(sampled.buckets()[1], 0, SampleReads::kSome, &sample),
            "a vertex is outside their range");
}

TEST_F(SpillChecksTest, KeysOutsideTheirBucketAreNotSplit) {
  StageFixture stage(EdgeListOf({{0, 1}}, false));
  stage.plan.sort.max_edges = 1000;
  BucketSet set = MakeSet();
  std::vector<uint64_t> keys = Keys(70'000);
  keys[69'001] = EdgeKey(2500, 0);
  Put(set, keys);
  std::vector<BucketSet> retired;
  ExpectBad(SplitLargeBuckets(stage.means, set, retired), "a vertex is outside their range");
}

/// A log of edges as read that holds an id of no vertex.
TEST_F(SpillChecksTest, IdsOfNoVertexAreNotCountedNorRenumbered) {
  for (const IdMode mode : {IdMode::kDense, IdMode::kSparse}) {
    IngestOptions options;
    options.renumbering = Renumbering::kDegree;
    options.ids = mode;
    StageFixture stage(EdgeListOf({{0, 5}, {5, 9}, {9, 0}}, false), options);
    VertexNames names;
    names.SetIds(stage.ReadAndDecide());
    const BucketSet& log = *stage.edges.forward;
    BucketSet forged(log.space(), log.weight(), 1, KeySplitters());
    std::vector<uint64_t> keys(10, EdgeKey(0, 5));
    keys[3] = EdgeKey(5, 10);
    ASSERT_TRUE(forged.buckets()[0].keys[0]->Append(std::as_bytes(std::span(keys))).ok());
    forged.Seal();
    stage.edges.forward.emplace(std::move(forged));
    ExpectBad(Renumber(stage.means, stage.shape, names, stage.edges), "no vertex");
    const auto map = [](uint32_t id) { return id == 10 ? kInvalidVertex : id; };
    ExpectBad(Repartition(stage.means, stage.shape, map, stage.edges), "no vertex");
  }
}

TEST_F(SpillChecksTest, DegreesOfNoVertexAreNotCounted) {
  auto renumberer = Renumberer::Create(Renumbering::kDegree, 10, budget_);
  ASSERT_TRUE(renumberer.ok());
  EXPECT_TRUE(renumberer->Count(9, 0, true));
  EXPECT_FALSE(renumberer->Count(10, 0, false));
  EXPECT_FALSE(renumberer->Count(0, kInvalidVertex, false));
}

/// Edges below the limit, spread before the first wide id, that hold an id of no vertex.
TEST_F(SpillChecksTest, IdsOfNoVertexAreNotRankedBesideWideOnes) {
  IngestOptions options;
  options.ids = IdMode::kSparse;
  options.narrow_id_limit = 512;
  std::vector<TestEdge> edges;
  for (uint32_t i = 0; i < 300; ++i) edges.push_back({i % 100, (i + 1) % 100});
  edges.push_back({5'000'000'000, 7});
  StageFixture stage(EdgeListOf(edges, false), options);
  const IdMap ids = stage.ReadAndDecide();
  ASSERT_TRUE(stage.edges.wide.has_value());
  const BucketSet& log = *stage.edges.forward;
  BucketSet forged(log.space(), log.weight(), log.num_sides(), KeySplitters());
  const std::vector<uint64_t> keys(10, EdgeKey(3, 600));
  ASSERT_TRUE(forged.buckets()[0].keys[0]->Append(std::as_bytes(std::span(keys))).ok());
  stage.edges.forward.emplace(std::move(forged));
  ExpectBad(LogRanks(stage.places, stage.shape, ids, stage.edges), "no vertex");
}

}  // namespace
}  // namespace edgemill

// Spills with right checksums but wrong contents are found before their contents are used as an
// index.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "common/random.h"
#include "loaders/buckets/bucket_scatter.h"
#include "loaders/buckets/record_hash.h"
#include "loaders/buckets/replay_source.h"
#include "loaders/sort/renumberer.h"
#include "loaders/sort/sorted_bucket.h"
#include "loaders/stages/bucket_splitter.h"
#include "loaders/stages/edge_partitioner.h"
#include "loaders/stages/encode_stage.h"
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

/// Appends keys to the bucket, also keys outside its range, with weights of 0.
void PutKeys(Bucket& bucket, SpilledWeight weight, const std::vector<uint64_t>& keys,
             int side = 0) {
  std::vector<std::byte> bytes(keys.size() * SpilledRecordBytes(weight));
  WithRecordType(weight, [&]<typename R>(R*) {
    for (size_t i = 0; i < keys.size(); ++i) reinterpret_cast<R*>(bytes.data())[i].key = keys[i];
  });
  ASSERT_TRUE(bucket.records[size_t(side)]->Append(bytes).ok());
  for (const uint64_t key : keys) bucket.sums[size_t(side)] += RecordHash(key);
}

/// Three buckets. A test fills the middle one.
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
  /// `count` keys of the middle bucket, in random order, with ends below 3000.
  static std::vector<uint64_t> Keys(size_t count) {
    std::vector<uint64_t> keys;
    for (size_t i = 0; i < count; ++i) {
      keys.push_back(EdgeKey(static_cast<uint32_t>(1000 + i * 7919 % 1000),
                             static_cast<uint32_t>(i * 104729 % 3000)));
    }
    return keys;
  }
  static void Put(BucketSet& set, const std::vector<uint64_t>& keys, int side = 0) {
    PutKeys(set.buckets()[1], set.weight(), keys, side);
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

/// Small buckets are sorted in the cache, and large ones are cut into parts first.
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
  ExpectBad(Load(set, {.num_vertices = 3000}), "not a vertex");
  EXPECT_TRUE(Load(set, {.num_vertices = 3001}).ok());
  ExpectBad(Load(set, {.num_vertices = 1999}), "not a vertex");
  const IdRanks from_one = IdRanks::Dense(1, 3000);
  EXPECT_TRUE(Load(set, {.num_vertices = 3001}).ok());
  ExpectBad(Load(set, {.ids = &from_one, .num_vertices = 3000}), "not a vertex");  // some end is 0
}

TEST_F(SpillChecksTest, IdsThatASparseMapLacksHaveNoRank) {
  for (const uint32_t bad : {2998u, 3001u, 4'000'000'000u}) {
    SCOPED_TRACE(bad);
    auto seen = SeenIds::Create(4096, budget_);
    ASSERT_TRUE(seen.ok());
    for (uint64_t id = 0; id <= 3000; ++id) {
      if (id != 2998) seen->Mark(id);
    }
    auto ids = IdRanks::Sparse(std::move(*seen), 3000, budget_);
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
    ExpectBad(Load(other, rules), "not a vertex");
  }
}

TEST_F(SpillChecksTest, SourcesOfNoVertexAreFoundAmongOthers) {
  auto seen = SeenIds::Create(3001, budget_);
  ASSERT_TRUE(seen.ok());
  for (uint64_t id = 0; id <= 3000; ++id) {
    if (id != 1500) seen->Mark(id);
  }
  auto ids = IdRanks::Sparse(std::move(*seen), 3000, budget_);
  ASSERT_TRUE(ids.ok());
  std::vector<uint64_t> keys = Keys(20'000);
  std::erase_if(keys, [](uint64_t key) { return key >> 32 == 1500 || uint32_t(key) == 1500; });
  const BucketRules rules{.ids = &*ids, .num_vertices = ids->num_vertices()};
  BucketSet set = MakeSet();
  Put(set, keys);
  EXPECT_TRUE(Load(set, rules).ok());
  keys[7] = EdgeKey(1500, 1);  // neither the first source of its bucket nor the last
  BucketSet other = MakeSet();
  Put(other, keys);
  ExpectBad(Load(other, rules), "not a vertex");
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
  ExpectBad(
      SampleBucket(sampled.buckets()[1], SpilledWeight::kNone, 0, SampleSize::Partial(), &sample),
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
  ExpectBad(SplitLargeBuckets(stage.context, set, retired), "a vertex is outside their range");
}

/// The log of edges that were read has an id that is no vertex.
TEST_F(SpillChecksTest, IdsOfNoVertexAreNotCountedNorRenumbered) {
  for (const IdMode mode : {IdMode::kDense, IdMode::kSparse}) {
    IngestOptions options;
    options.renumbering = Renumbering::kDegree;
    options.ids = mode;
    StageFixture stage(EdgeListOf({{0, 5}, {5, 9}, {9, 0}}, false), options);
    VertexIdMap names;
    names.SetIds(stage.ReadAndDecide());
    const BucketSet& log = *stage.edges.forward;
    BucketSet forged(log.space(), log.weight(), 1, KeySplitters());
    std::vector<uint64_t> keys(10, EdgeKey(0, 5));
    keys[3] = EdgeKey(5, 10);
    PutKeys(forged.buckets()[0], SpilledWeight::kNone, keys);
    forged.Seal();
    stage.edges.forward.emplace(std::move(forged));
    ExpectBad(Renumber(stage.context, stage.schema, names, stage.edges), "not a vertex");
    const auto map = [](std::span<NarrowEdge> edges) {
      return std::none_of(edges.begin(), edges.end(),
                          [](const NarrowEdge& edge) { return edge.target == 10; });
    };
    ExpectBad(Repartition(stage.context, stage.schema, map, stage.edges), "not a vertex");
  }
}

TEST_F(SpillChecksTest, DegreesOfNoVertexAreNotCounted) {
  for (const bool both_ways : {false, true}) {
    auto renumberer = Renumberer::Create(Renumbering::kDegree, 10, both_ways, budget_);
    ASSERT_TRUE(renumberer.ok());
    Renumberer::Counter counter(*renumberer);
    EXPECT_TRUE(counter.Count(9, 0));
    EXPECT_FALSE(counter.Count(10, 0));
    EXPECT_FALSE(counter.Count(0, kInvalidVertex));
  }
}

/// Narrow edges that were spread before the first wide id have an id that is no vertex.
TEST_F(SpillChecksTest, IdsOfNoVertexAreNotRankedBesideWideOnes) {
  IngestOptions options;
  options.ids = IdMode::kSparse;
  options.narrow_id_limit = 512;
  std::vector<TestEdge> edges;
  for (uint32_t i = 0; i < 300; ++i) edges.push_back({i % 100, (i + 1) % 100});
  edges.push_back({5'000'000'000, 7});
  StageFixture stage(EdgeListOf(edges, false), options);
  const IdRanks ids = stage.ReadAndDecide();
  ASSERT_TRUE(stage.edges.wide.has_value());
  const BucketSet& log = *stage.edges.forward;
  BucketSet forged(log.space(), log.weight(), log.num_sides(), KeySplitters());
  const std::vector<uint64_t> keys(10, EdgeKey(3, 600));
  PutKeys(forged.buckets()[0], SpilledWeight::kNone, keys);
  stage.edges.forward.emplace(std::move(forged));
  ExpectBad(RankWideEdges(stage.context, stage.schema, true, ids, stage.edges), "not a vertex");
}

/// Spilled records, before or after a change.
struct SpilledRecords {
  std::vector<uint64_t> keys;
  std::vector<double> weights;
};
using RecordChange = std::function<void(SpilledRecords&)>;
const std::vector<std::pair<std::string, RecordChange>>& RecordChanges() {
  static const std::vector<std::pair<std::string, RecordChange>> changes = {
      {"exchanged targets",
       [](SpilledRecords& records) {
         std::vector<uint64_t>& keys = records.keys;
         const uint64_t first = keys[3];
         keys[3] = EdgeKey(static_cast<uint32_t>(first >> 32), static_cast<uint32_t>(keys[4]));
         keys[4] = EdgeKey(static_cast<uint32_t>(keys[4] >> 32), static_cast<uint32_t>(first));
       }},
      {"one twice, another not",
       [](SpilledRecords& records) { records.keys[5] = records.keys[90]; }},
      {"one lost",
       [](SpilledRecords& records) {
         records.keys.pop_back();
         records.weights.pop_back();
       }},
      {"one too many",
       [](SpilledRecords& records) {
         records.keys.push_back(records.keys[1]);
         records.weights.push_back(records.weights[1]);
       }},
      {"a neighbour", [](SpilledRecords& records) { records.keys[50] ^= 1; }},
      {"exchanged weights",
       [](SpilledRecords& records) { std::swap(records.weights[8], records.weights[11]); }},
      {"another weight", [](SpilledRecords& records) { records.weights[8] += 1; }}};
  return changes;
}

/// Buckets whose pages have right checksums, but other records than were appended.
class RecordChecksTest : public SpillChecksTest {
 protected:
  static constexpr size_t kCount = 20'000;

  static SpilledRecords MakeRecords() {
    SpilledRecords records{Keys(kCount), {}};
    for (size_t i = 0; i < kCount; ++i) records.weights.push_back(static_cast<double>(i % 13) - 4);
    return records;
  }
  /// A set whose middle bucket got `records`, and has the records that `change` makes of them.
  BucketSet Changed(SpilledWeight weight, const SpilledRecords& records, const RecordChange& change,
                    int num_sides = 1, int side = 0) {
    const auto fill = [&](BucketSet& set, const SpilledRecords& from, int at) {
      BucketScatter scatter;
      SpillCopies copies;  // destroyed first
      const bool weighted = weight != SpilledWeight::kNone;
      scatter.Begin(set, from.keys.size());
      scatter.Add(from.keys, weighted ? from.weights : std::vector<double>());
      EXPECT_TRUE(scatter.Append(set, at, &copies).ok());
    };
    SpilledRecords other = records;
    change(other);
    BucketSet given = MakeSet(weight, num_sides), held = MakeSet(weight, num_sides);
    for (int at = 0; at < num_sides; ++at) {
      fill(given, records, at);
      fill(held, at == side ? other : records, at);
    }
    held.buckets()[1].sums = given.buckets()[1].sums;
    held.Seal();
    return held;
  }
  /// Runs `read` on a set with each change that records of `weight` can show, and without a change.
  void ExpectChangesFound(SpilledWeight weight, int num_sides,
                          const std::function<Status(BucketSet&)>& read) {
    for (int side = 0; side < num_sides; ++side) {
      BucketSet same = Changed(
          weight, MakeRecords(), [](SpilledRecords&) {}, num_sides, side);
      const Status good = read(same);
      EXPECT_TRUE(good.ok()) << good.message();
      for (const auto& [name, change] : RecordChanges()) {
        if (weight == SpilledWeight::kNone && name.find("weight") != std::string::npos) continue;
        SCOPED_TRACE(StrCat(name, " on side ", side));
        BucketSet set = Changed(weight, MakeRecords(), change, num_sides, side);
        ExpectBad(read(set), "differ from those that were written");
      }
    }
  }
};

TEST_F(RecordChecksTest, OtherRecordsAreNotSorted) {
  for (const SpilledWeight weight : {SpilledWeight::kNone, SpilledWeight::kInt32,
                                     SpilledWeight::kFloat32, SpilledWeight::kFloat64}) {
    BucketRules rules;
    if (weight != SpilledWeight::kNone) rules.weights = WeightType::kFloat64;
    ExpectChangesFound(weight, 1, [&](BucketSet& set) { return Load(set, rules); });
    rules.symmetrize = true;
    ExpectChangesFound(weight, 2, [&](BucketSet& set) { return Load(set, rules); });
  }
}

TEST_F(RecordChecksTest, OtherRecordsAreNotSpreadAgain) {
  for (const SpilledWeight weight : {SpilledWeight::kNone, SpilledWeight::kInt32}) {
    for (const int side : {0, 1}) {
      ExpectChangesFound(weight, side + 1, [&](BucketSet& set) -> Status {
        for (int from = 0; from <= side; ++from) {
          ReplaySource::Options options;
          options.side = from;
          ReplaySource source(set, 0, 3, options);
          EdgeChunk chunk;
          for (bool more = true; more;) {
            ASSIGN_OR_RETURN(more, source.Next(&chunk));
          }
        }
        return OkStatus();
      });
    }
  }
}

/// Buckets of one key are folded or taken in slices.
TEST_F(RecordChecksTest, OtherWeightsOfOneEdgeAreFound) {
  SpilledRecords records;
  for (size_t i = 0; i < kCount; ++i) {
    records.keys.push_back(kFirstKey + 7);
    records.weights.push_back(static_cast<double>(i % 13));
  }
  for (const auto& [name, change] : RecordChanges()) {
    const bool seen = name == "another weight" || name.starts_with("one lost") ||
                      name.starts_with("one too many");
    if (!seen) continue;  // with one key, other changes leave the multiset unchanged
    SCOPED_TRACE(name);
    for (const auto rule : {DuplicateRule::kKeep, DuplicateRule::kSum, DuplicateRule::kFirst}) {
      for (const bool changed : {false, true}) {
        BucketSet set = Changed(SpilledWeight::kInt32, records,
                                changed ? change : RecordChange([](SpilledRecords&) {}));
        for (const size_t empty : {size_t{0}, size_t{2}}) set.buckets()[empty].records[0]->Seal();
        set.buckets()[1].first_key = set.buckets()[1].last_key = records.keys[0];
        StageFixture stage(EdgeListOf({{0, 1}}, true));
        stage.plan.sort.max_edges = 5000;
        EncodeOrder order{.num_vertices = 3000};
        order.rules.duplicates = rule;
        order.rules.weights = WeightType::kInt32;
        EncodedGraph graph;
        const Status status = EncodeColumns(stage.context, order, set, &graph);
        if (changed) {
          ExpectBad(status, "differ from those that were written");
        } else {
          EXPECT_TRUE(status.ok()) << status.message();
        }
      }
    }
  }
}

TEST_F(RecordChecksTest, OtherWideEdgesAreNotRanked) {
  IngestOptions options;
  options.ids = IdMode::kSparse;
  options.narrow_id_limit = 512;
  for (const bool changed : {false, true}) {
    std::vector<TestEdge> edges;
    for (uint64_t i = 0; i < 300; ++i) {
      edges.push_back(
          {5'000'000'000 + i % 100, 6'000'000'000 + i * 7 % 90, static_cast<double>(i % 5)});
    }
    StageFixture stage(EdgeListOf(edges, true), options);
    const IdRanks ids = stage.ReadAndDecide();
    ASSERT_TRUE(stage.edges.wide.has_value());
    Bucket& log = stage.edges.wide->buckets()[0];
    if (changed) {
      // Exchanges the targets of two edges, so that sources and targets stay the same sets.
      const uint64_t stride = stage.edges.wide->record_bytes();
      std::vector<std::byte> bytes(log.records[0]->size());
      ASSERT_TRUE(log.records[0]->Read(0, bytes).ok());
      const auto targets = [&](size_t i) { return bytes.begin() + i * stride + sizeof(uint64_t); };
      std::swap_ranges(targets(10), targets(10) + sizeof(uint64_t), targets(11));
      log.records[0] =
          stage.edges.space->NewStream(SpillForm::Items(static_cast<uint32_t>(stride)));
      ASSERT_TRUE(log.records[0]->Append(bytes).ok());
    }
    const Status status = RankWideEdges(stage.context, stage.schema, true, ids, stage.edges);
    if (changed) {
      ExpectBad(status, "differ from those that were written");
    } else {
      EXPECT_TRUE(status.ok()) << status.message();
    }
  }
}

}  // namespace
}  // namespace edgemill

// Batches of edges are spread over the buckets of their keys. In a bucket the edges keep their
// order.
#include "loaders/buckets/bucket_scatter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "common/os/memory_budget.h"
#include "common/random.h"
#include "common/units.h"
#include "loaders/buckets/record_hash.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

class BucketScatterTest : public testing::Test {
 protected:
  void SetUp() override {
    SpillSpace::Options options;
    options.directories = {dir_.path()};
    options.page_bytes = 4096;
    options.memory_bytes = 1 << 20;
    StatusOr<std::unique_ptr<SpillSpace>> space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok()) << space.status().message();
    space_ = std::move(*space);
  }
  /// Adds `batches` batches of random records to `scatter`, and to what the buckets should hold.
  void AddBatches(size_t batches, BucketScatter& scatter) {
    for (size_t batch = 0; batch < batches; ++batch) {
      std::vector<uint64_t> keys(random_.Below(3000));
      std::vector<double> weights;
      for (uint64_t& key : keys) {
        key = random_.Below(10'000);
        weights.push_back(static_cast<double>(weights_given_++));
        records_.push_back({key, weights.back()});
      }
      scatter.Add(keys, weights);
    }
  }
  /// Compares what `set` holds with what was added, bucket by bucket.
  void ExpectHolds(BucketSet& set) {
    set.Seal();
    size_t found = 0;
    for (const Bucket& bucket : set.buckets()) {
      std::vector<std::byte> bytes(bucket.count(0) * set.record_bytes());
      ASSERT_TRUE(bucket.records[0]->Read(0, bytes).ok());
      std::vector<std::pair<uint64_t, double>> expected, held;
      for (const auto& record : records_) {
        if (bucket.Holds(record.first)) expected.push_back(record);
      }
      uint64_t sum = 0;
      VisitRecords(bytes, set.weight(), [&](size_t, uint64_t key, double weight) {
        held.emplace_back(key, weight);
        sum += RecordHash(key, weight);
      });
      EXPECT_EQ(held, expected) << "keys from " << bucket.first_key;
      EXPECT_TRUE(bucket.CheckRecords(0, sum).ok());
      found += held.size();
    }
    EXPECT_EQ(found, records_.size());
  }

  TemporaryDirectory dir_;
  MemoryBudget budget_{256 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
  Random random_{1};
  std::vector<std::pair<uint64_t, double>> records_;
  int32_t weights_given_ = 0;
};

TEST_F(BucketScatterTest, PlacesBatchesInTheirOrder) {
  BucketSet set(*space_, SpilledWeight::kInt32, 1, KeySplitters({0, 100, 101, 5000, 9000}));
  BucketScatter scatter;
  for (const size_t batches : {3, 0, 1, 7}) {  // each reuses the memory of the batch before
    SpillCopies copies;
    scatter.Begin(set, 0);
    AddBatches(batches, scatter);
    ASSERT_TRUE(scatter.Append(set, 0, &copies).ok());
  }
  ExpectHolds(set);
  EXPECT_GE(set.max_key(), 9900u);
}

TEST_F(BucketScatterTest, SortsAgainWhereRangesHaveChanged) {
  BucketSet set(*space_, SpilledWeight::kInt32, 1, KeySplitters({0, 100}));
  BucketScatter scatter;
  for (int i = 0; i < 3; ++i) {
    SpillCopies copies;
    scatter.Begin(set, 0);
    AddBatches(3, scatter);
    if (i == 1) set.CutLast();  // after the keys were sorted
    ASSERT_TRUE(scatter.Append(set, 0, &copies).ok());
    copies.CopyAll();
    if (i == 0) set.RaiseMaxKey(9990);
  }
  EXPECT_EQ(set.buckets().size(), 3u);
  ExpectHolds(set);
}

TEST(KeySplittersTest, FindTheRangeOfEachKey) {
  Random random(4);
  for (const uint64_t spread : {uint64_t{50}, uint64_t{1} << 40, ~uint64_t{0}}) {
    for (const size_t ranges : {1, 2, 20, 3000}) {
      std::vector<uint64_t> first_keys{0};
      for (size_t i = 1; i < ranges; ++i) first_keys.push_back(random.Below(spread));
      // Lower keys are denser, as if vertices are in order of their degrees.
      for (size_t i = 1; i < ranges; ++i) {
        first_keys.push_back(random.Below(std::max(spread >> random.Below(64), uint64_t{1})));
      }
      // Some borders of ranges are close together.
      for (uint64_t i = 1; i < 20; ++i) first_keys.push_back(spread / 2 + i);
      std::sort(first_keys.begin(), first_keys.end());
      first_keys.erase(std::unique(first_keys.begin(), first_keys.end()), first_keys.end());
      const KeySplitters splitters(first_keys);
      std::vector<uint64_t> keys;
      for (const uint64_t first : first_keys) {
        for (const uint64_t key : {first - 1, first, first + 1}) keys.push_back(key);
      }
      for (int i = 0; i < 2000; ++i) keys.push_back(i % 2 == 0 ? random() : random.Below(spread));
      std::vector<uint16_t> found(keys.size());
      splitters.FindAll(keys, found.data());
      for (size_t i = 0; i < keys.size(); ++i) {
        const auto next = std::upper_bound(first_keys.begin(), first_keys.end(), keys[i]);
        ASSERT_EQ(found[i], next - first_keys.begin() - 1) << keys[i];
      }
    }
  }
}

}  // namespace
}  // namespace edgemill

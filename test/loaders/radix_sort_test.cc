// The radix sort and sorting in words, against std::stable_sort.
#include "loaders/sort/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

#include "common/random.h"
#include "loaders/buckets/record_hash.h"
#include "loaders/sort/edge_words.h"

namespace edgemill {
namespace {

/// Keys of one shape between `low` and `high`, some of them at the ends.
struct KeyShape {
  const char* name;
  uint64_t low;
  uint64_t high;
  std::function<uint64_t(Random& random)> draw;
};

std::vector<KeyShape> Shapes() {
  const uint64_t half = uint64_t{1} << 63;
  const auto edges = [](uint64_t first, uint64_t sources, uint64_t targets) {
    return [=](Random& random) {
      return (first + random.Below(sources)) << 32 | random.Below(targets);
    };
  };
  return {
      {"all keys", 0, ~uint64_t{0}, [](Random& random) { return random(); }},
      {"across the middle", half - 5000, half + 5000,
       [=](Random& random) { return half - 5000 + random.Below(10'001); }},
      {"one key", 77, 77, [](Random&) { return uint64_t{77}; }},
      {"two keys", 0, ~uint64_t{0}, [](Random& random) { return 0 - random.Below(2); }},
      {"edges", uint64_t{777} << 32, (uint64_t{1777} << 32) - 1, edges(777, 1000, 1 << 25)},
      {"near targets", 0, uint64_t{5000} << 32, edges(0, 5000, 16)},
      // Its highest digits do not tell a hub's edges apart.
      {"a hub", 0, uint64_t{5000} << 32,
       [](Random& random) {
         const uint64_t source = random.Below(4) > 0 ? 2000 : random.Below(5000);
         return source << 32 | random.Below(source == 2000 ? 1 << 12 : 1 << 25);
       }},
      {"clusters", 0, ~uint64_t{0},
       [](Random& random) {
         return random.Below(3) << 62 | random.Below(300) << 30 | random.Below(3);
       }},
  };
}

constexpr size_t kSizes[] = {0, 1, 2, 24, 25, 1000, 8192, 8193, 20'000, 300'000};

TEST(RadixSortTest, SortsStablyAndSumsHashes) {
  Random random(1);
  for (const KeyShape& shape : Shapes()) {
    for (const size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << shape.name << ", " << size);
      std::vector<WeightedKey> weighted(size), weighted_scratch(size);
      std::vector<uint64_t> keys(size), scratch(size);
      uint64_t hash = 0, weighted_hash = 0;
      for (size_t i = 0; i < size; ++i) {
        keys[i] = i == 0 ? shape.low : i == 1 ? shape.high : shape.draw(random);
        weighted[i] = {keys[i], static_cast<double>(i)};
        hash += RecordHash(keys[i]);
        weighted_hash += RecordHash(keys[i], weighted[i].weight);
      }
      std::vector<WeightedKey> expected = weighted;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const auto& a, const auto& b) { return a.key < b.key; });
      uint64_t sum = 0;
      const uint64_t* const sorted =
          RadixSort(keys.data(), scratch.data(), size, shape.low, shape.high, &sum);
      EXPECT_EQ(sum, hash);
      const WeightedKey* const weighted_sorted =
          RadixSort(weighted.data(), weighted_scratch.data(), size, shape.low, shape.high, &sum);
      EXPECT_EQ(sum, weighted_hash);
      if (size == 0) continue;
      ASSERT_TRUE(sorted != nullptr && weighted_sorted != nullptr);
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(sorted[i], expected[i].key) << i;
        ASSERT_EQ(weighted_sorted[i].key, expected[i].key) << i;
        ASSERT_EQ(weighted_sorted[i].weight, expected[i].weight) << i;
      }
    }
  }
}

TEST(RadixSortTest, FindsKeysOutside) {
  constexpr uint64_t kLow = 1'000'000, kHigh = 3'000'000;
  Random random(2);
  for (const size_t size : {1, 100, 50'000}) {
    for (const uint64_t outside : {uint64_t{0}, kLow - 1, kHigh + 1, ~uint64_t{0}}) {
      std::vector<uint64_t> keys(size), scratch(size);
      for (uint64_t& key : keys) key = kLow + random.Below(kHigh - kLow + 1);
      keys[random.Below(size)] = outside;
      EXPECT_EQ(RadixSort(keys.data(), scratch.data(), size, kLow, kHigh), nullptr)
          << size << ", " << outside;
    }
  }
}

using IntRecord = SpilledRecord<int32_t>;

std::span<const std::byte> BytesOf(const std::vector<IntRecord>& records) {
  return std::as_bytes(std::span(records));
}

TEST(EdgeWordsTest, SortsAsRecordsWouldBe) {
  constexpr int32_t kLeast = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  const uint64_t first = uint64_t{123'456} << 32 | 789;
  Random random(3);
  for (const size_t size : {1, 2, 3, 24, 1000, 8193, 100'000}) {
    for (const auto& [least, most] : {std::pair{5, 5}, {1, 255}, {-7, 7}, {kLeast, kMost}}) {
      SCOPED_TRACE(testing::Message() << size << ", " << least << " to " << most);
      const uint64_t span = least == kLeast ? uint64_t{1} << 32 : uint64_t{1} << 40;
      std::vector<IntRecord> records(size);
      std::vector<WeightedKey> expected;
      uint64_t hash = 0;
      for (IntRecord& record : records) {
        record.key = first + random.Below(span) / 1000 * 999;  // some of them equal
        record.weight = static_cast<int32_t>(
            least +
            static_cast<int64_t>(random.Below(static_cast<uint64_t>(int64_t{most} - least) + 1)));
        expected.push_back({record.key, static_cast<double>(record.weight)});
        hash += RecordHash(record.key, expected.back().weight);
      }
      std::stable_sort(expected.begin(), expected.end(),
                       [](const auto& a, const auto& b) { return a.key < b.key; });
      const auto words =
          EdgeWords::Of(BytesOf(records), SpilledWeight::kInt32, {first, first + span - 1});
      ASSERT_TRUE(words.has_value());
      std::vector<uint64_t> memory(2 * size);
      uint64_t sum = 0;
      const uint64_t* const sorted = words->Sort(BytesOf(records), memory.data(), &sum);
      ASSERT_NE(sorted, nullptr);
      EXPECT_EQ(sum, hash);
      EXPECT_GE(words->least_weight(), least);
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(words->KeyOf(sorted[i]), expected[i].key) << i;
        ASSERT_EQ(words->WeightOf(sorted[i]), expected[i].weight) << i;
      }
    }
  }
}

TEST(EdgeWordsTest, AreOnlyWhereKeysAndWeightsFit) {
  const std::vector<IntRecord> records{{5, -100}, {6, 100}};  // 8 bits
  const uint64_t last = (uint64_t{1} << 56) - 1;
  EXPECT_TRUE(EdgeWords::Of(BytesOf(records), SpilledWeight::kInt32, {0, last}).has_value());
  EXPECT_FALSE(EdgeWords::Of(BytesOf(records), SpilledWeight::kInt32, {0, last + 1}).has_value());
  EXPECT_FALSE(EdgeWords::Of(BytesOf(records), SpilledWeight::kFloat32, {0, 10}).has_value());
}

TEST(EdgeWordsTest, FindKeysOutside) {
  for (const uint64_t outside : {uint64_t{9}, uint64_t{21}, ~uint64_t{0}}) {
    const std::vector<IntRecord> records{{10, 1}, {outside, 2}, {20, 3}};
    const auto words = EdgeWords::Of(BytesOf(records), SpilledWeight::kInt32, {10, 20});
    ASSERT_TRUE(words.has_value());
    std::vector<uint64_t> memory(2 * records.size());
    uint64_t sum = 0;
    EXPECT_EQ(words->Sort(BytesOf(records), memory.data(), &sum), nullptr) << outside;
  }
}

}  // namespace
}  // namespace edgemill

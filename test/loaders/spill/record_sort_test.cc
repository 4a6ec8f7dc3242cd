// Sorting of keys and records gives the order of std::stable_sort.
#include "loaders/sort/record_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "common/random.h"
#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

/// Keys of one distribution in a range. Some of them are the ends of the range.
struct KeyShape {
  const char* name;
  KeyRange range;
  std::function<uint64_t(Random& random)> draw;
  bool fits_words;  // key and place of 300,000 records fit in a word
};

std::vector<KeyShape> Shapes() {
  const uint64_t half = uint64_t{1} << 63;
  const auto edges = [](uint64_t first, uint64_t sources, uint64_t targets) {
    return [=](Random& random) {
      return (first + random.Below(sources)) << 32 | random.Below(targets);
    };
  };
  return {
      {"all keys", {0, ~uint64_t{0}}, [](Random& random) { return random(); }, false},
      {"across the middle",
       {half - 5000, half + 5000},
       [=](Random& random) { return half - 5000 + random.Below(10'001); },
       true},
      {"one key", {77, 77}, [](Random&) { return uint64_t{77}; }, true},
      {"two keys", {0, ~uint64_t{0}}, [](Random& random) { return 0 - random.Below(2); }, false},
      {"edges",
       {uint64_t{777} << 32, uint64_t{1777} << 32 | 0xffffff},
       edges(777, 1000, 1 << 25),
       true},
      {"near targets", {0, uint64_t{5000} << 32}, edges(0, 5000, 16), true},
      {"a hub",
       {0, uint64_t{5000} << 32},
       [](Random& random) {
         const uint64_t source = random.Below(4) > 0 ? 2000 : random.Below(5000);
         return source << 32 | random.Below(source == 2000 ? 1 << 12 : 1 << 25);
       },
       true},
      {"clusters",
       {0, ~uint64_t{0}},
       [](Random& random) {
         return random.Below(3) << 62 | random.Below(300) << 30 | random.Below(3);
       },
       false},
  };
}

constexpr size_t kSizes[] = {0, 1, 2, 24, 1000, 20'000, 300'000};

template <typename W>
std::span<const std::byte> BytesOf(const std::vector<SpilledRecord<W>>& records) {
  return std::as_bytes(std::span(records));
}

void ExpectSame(std::span<const WeightedKey> sorted, std::span<const WeightedKey> expected) {
  ASSERT_EQ(sorted.size(), expected.size());
  for (size_t i = 0; i < sorted.size(); ++i) {
    ASSERT_EQ(sorted[i].key, expected[i].key) << i;
    ASSERT_EQ(sorted[i].weight, expected[i].weight) << i;
  }
}

std::vector<WeightedKey> StablySorted(std::vector<WeightedKey> edges) {
  std::ranges::stable_sort(edges, {}, &WeightedKey::key);
  return edges;
}

TEST(RecordSortTest, SortsKeysAndSumsHashes) {
  Random random(1);
  for (const KeyShape& shape : Shapes()) {
    for (const size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << shape.name << ", " << size);
      std::vector<uint64_t> keys(size);
      uint64_t hash = 0, sum = 0;
      for (size_t i = 0; i < size; ++i) {
        keys[i] = i == 0 ? shape.range.first : i == 1 ? shape.range.last : shape.draw(random);
        hash += RecordHash(keys[i]);
      }
      std::vector<uint64_t> expected = keys;
      std::ranges::sort(expected);
      EXPECT_TRUE(CheckKeys(keys, shape.range, &sum));
      EXPECT_EQ(sum, hash);
      SortNumbers(keys);
      EXPECT_EQ(keys, expected);
    }
  }
}

template <typename W>
void SortsRecordsStably(SpilledWeight weight) {
  Random random(2);
  for (const KeyShape& shape : Shapes()) {
    for (const size_t size : kSizes) {
      SCOPED_TRACE(testing::Message() << shape.name << ", " << size);
      std::vector<SpilledRecord<W>> records(size);
      std::vector<WeightedKey> unsorted;
      RecordFacts expected;
      for (size_t i = 0; i < size; ++i) {
        const uint64_t key = i == 0   ? shape.range.first
                             : i == 1 ? shape.range.last
                                      : shape.draw(random);
        records[i] = {key, static_cast<W>(i)};
        unsorted.push_back({key, static_cast<double>(i)});
        expected.sum += RecordHash(key, static_cast<double>(i));
        expected.max_target = std::max(expected.max_target, static_cast<uint32_t>(key));
      }
      const RecordFacts facts = ScanRecords(BytesOf(records), weight, shape.range);
      EXPECT_TRUE(facts.inside);
      EXPECT_EQ(facts.sum, expected.sum);
      EXPECT_EQ(facts.max_target, expected.max_target);
      if (size == 300'000) {
        EXPECT_EQ(EdgeWords::Of(shape.range, facts.max_target, 19).has_value(), shape.fits_words);
      }
      std::vector<WeightedKey> edges(size);
      SortRecords(BytesOf(records), weight, shape.range, facts, edges.data());
      ExpectSame(edges, StablySorted(unsorted));
    }
  }
}

TEST(RecordSortTest, SortsRecordsStably) {
  SortsRecordsStably<int32_t>(SpilledWeight::kInt32);
  SortsRecordsStably<float>(SpilledWeight::kFloat32);
  SortsRecordsStably<double>(SpilledWeight::kFloat64);
}

TEST(RecordSortTest, FindsKeysOutside) {
  constexpr KeyRange kRange{1'000'000, 3'000'000};
  Random random(3);
  for (const size_t size : {1, 100, 50'000}) {
    for (const uint64_t outside : {uint64_t{0}, kRange.first - 1, kRange.last + 1, ~uint64_t{0}}) {
      std::vector<uint64_t> keys(size);
      std::vector<SpilledRecord<float>> records(size);
      for (size_t i = 0; i < size; ++i) {
        keys[i] = kRange.first + random.Below(kRange.last - kRange.first + 1);
        records[i] = {keys[i], 1};
      }
      uint64_t sum = 0;
      EXPECT_TRUE(CheckKeys(keys, kRange, &sum));
      EXPECT_TRUE(ScanRecords(BytesOf(records), SpilledWeight::kFloat32, kRange).inside);
      const size_t place = random.Below(size);
      keys[place] = records[place].key = outside;
      EXPECT_FALSE(CheckKeys(keys, kRange, &sum)) << size << ", " << outside;
      EXPECT_FALSE(ScanRecords(BytesOf(records), SpilledWeight::kFloat32, kRange).inside);
    }
  }
}

TEST(RecordSortTest, SortsWithWeights) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  const uint64_t first = uint64_t{123'456} << 32 | 789;
  Random random(4);
  for (const size_t size : {1, 2, 3, 24, 1000, 8193, 100'000}) {
    for (const auto& [least, most] : {std::pair{5, 5}, {1, 255}, {-7, 7}, {kMin, kMax}}) {
      SCOPED_TRACE(testing::Message() << size << ", " << least << " to " << most);
      std::vector<SpilledRecord<int32_t>> records(size);
      std::vector<WeightedKey> expected;
      for (auto& record : records) {
        record.key = first + random.Below(least == kMin ? uint64_t{1} << 31 : uint64_t{1} << 40);
        record.key = record.key / 1000 * 1000 + 789;  // some keys are equal
        record.weight = static_cast<int32_t>(
            least + static_cast<int64_t>(random.Below(WeightDistance(most, least) + uint64_t{1})));
        expected.push_back({record.key, static_cast<double>(record.weight)});
      }
      std::ranges::sort(expected, [](const WeightedKey& a, const WeightedKey& b) {
        return a.key != b.key ? a.key < b.key : a.weight < b.weight;
      });
      const KeyRange range{first, first + (uint64_t{1} << (least == kMin ? 31 : 40))};
      const RecordFacts facts = ScanRecords(BytesOf(records), SpilledWeight::kInt32, range);
      EXPECT_GE(facts.min_weight, least);
      EXPECT_LE(facts.max_weight, most);
      const uint32_t distance = WeightDistance(facts.max_weight, facts.min_weight);
      const auto words = EdgeWords::Of(range, facts.max_target, std::bit_width(distance));
      ASSERT_TRUE(words.has_value());
      std::vector<uint64_t> memory(size);
      const std::span<const uint64_t> sorted =
          SortWithWeights(BytesOf(records), *words, facts.min_weight, memory.data());
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(words->KeyOf(sorted[i]), expected[i].key) << i;
        ASSERT_EQ(facts.min_weight + static_cast<double>(words->PayloadOf(sorted[i])),
                  expected[i].weight)
            << i;
        if (i == 0) continue;
        EXPECT_EQ(
            words->DifferBelowKey(sorted[i - 1], sorted[i]),
            expected[i - 1].key == expected[i].key && expected[i - 1].weight != expected[i].weight)
            << i;
      }
    }
  }
}

TEST(EdgeWordsTest, AreOnlyWhereAllFits) {
  const uint64_t last = (uint64_t{1} << 56) - 1;  // sources of 24 bits
  EXPECT_TRUE(EdgeWords::Of({0, last}, 0xffffffff, 8).has_value());
  EXPECT_FALSE(EdgeWords::Of({0, last}, 0xffffffff, 9).has_value());
  EXPECT_FALSE(EdgeWords::Of({0, last + 1}, 0xffffffff, 8).has_value());
  EXPECT_TRUE(EdgeWords::Of({0, last + 1}, 0x7fffffff, 8).has_value());
  EXPECT_TRUE(EdgeWords::Of({last, last + 1}, 0xffffffff, 31).has_value());
}

}  // namespace
}  // namespace edgemill

// The hash of records: an exchange or a loss of records changes the sum.
#include "loaders/buckets/record_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>
#include <vector>

#include "common/random.h"
#include "loaders/buckets/bucket_set.h"

namespace edgemill {
namespace {

/// In a grid of edges every exchange changes the sum. The changes are nearly all different, so no
/// two exchanges cancel each other.
TEST(RecordHashTest, ExchangesInAGridAreSeen) {
  constexpr uint32_t kSide = 40;
  const auto differences = [](auto hash) {
    std::vector<uint64_t> found;
    for (uint32_t a = 0; a < kSide; ++a) {
      for (uint32_t b = a + 1; b < kSide; ++b) {
        for (uint32_t x = 0; x < kSide; ++x) {
          for (uint32_t y = x + 1; y < kSide; ++y) {
            found.push_back(hash(a, x) + hash(b, y) - hash(a, y) - hash(b, x));
          }
        }
      }
    }
    std::sort(found.begin(), found.end());
    const auto distinct = std::unique(found.begin(), found.end()) - found.begin();
    return std::make_tuple(std::count(found.begin(), found.end(), 0u), distinct, found.size());
  };
  const auto expect_seen = [&](auto hash) {
    const auto [unseen, distinct, size] = differences(hash);
    EXPECT_EQ(unseen, 0);
    EXPECT_GT(static_cast<double>(distinct), 0.999 * static_cast<double>(size));
  };
  expect_seen([](uint32_t u, uint32_t v) { return RecordHash(EdgeKey(u, v)); });
  expect_seen([](uint32_t u, uint32_t v) { return RecordHash(EdgeKey(u << 20, v << 20)); });
  expect_seen(
      [](uint32_t u, uint32_t w) { return RecordHash(EdgeKey(7, u), static_cast<double>(w)); });
}

TEST(RecordHashTest, EveryBitReachesHalfOfTheHash) {
  Random random(1);
  for (int bit = 0; bit < 64; ++bit) {
    double key_bits = 0, weight_bits = 0;
    constexpr int kRounds = 2000;
    for (int i = 0; i < kRounds; ++i) {
      const uint64_t key = EdgeKey(static_cast<uint32_t>(random.Below(1 << 20)),
                                   static_cast<uint32_t>(random.Below(1 << 20)));
      const uint64_t weight = random(), other = weight ^ uint64_t { 1 } << bit;
      key_bits += std::popcount(RecordHash(key) ^ RecordHash(key ^ uint64_t{1} << bit));
      weight_bits += std::popcount(RecordHash(key, std::bit_cast<double>(weight)) ^
                                   RecordHash(key, std::bit_cast<double>(other)));
    }
    EXPECT_NEAR(key_bits / kRounds, 32, 4) << bit;
    EXPECT_NEAR(weight_bits / kRounds, 32, 4) << bit;
  }
}

/// The sum does not depend on the instruction set or the number of keys.
TEST(RecordHashTest, ManyKeysAreSummedAsOneByOne) {
  Random random(2);
  std::vector<uint64_t> keys;
  for (size_t size = 0; size < 70; ++size, keys.push_back(random())) {
    for (size_t first = 0; first <= std::min<size_t>(size, 3); ++first) {
      const KeySummary many = Summarize(std::span(keys).subspan(first), 77);
      KeySummary one_by_one;
      for (size_t i = first; i < size; ++i) {
        one_by_one.sum += RecordHash(keys[i]);
        one_by_one.differs |= keys[i] ^ 77;
      }
      EXPECT_EQ(many.sum, one_by_one.sum) << size;
      EXPECT_EQ(many.differs, one_by_one.differs) << size;
    }
  }
}

}  // namespace
}  // namespace edgemill

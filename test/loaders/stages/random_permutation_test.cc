// A permutation by formula: every number has a place of its own.
#include "loaders/sort/random_permutation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace edgemill {
namespace {

TEST(RandomPermutationTest, EveryNumberHasItsOwnPlace) {
  for (const uint64_t size : {1u, 2u, 3u, 4u, 5u, 63u, 64u, 65u, 1000u, 100'000u}) {
    for (const uint64_t seed : {0u, 1u, 77u}) {
      const RandomPermutation permutation(size, seed);
      std::vector<bool> taken(size);
      for (uint64_t i = 0; i < size; ++i) {
        const uint64_t place = permutation(i);
        ASSERT_LT(place, size);
        ASSERT_FALSE(taken[place]) << size << ", seed " << seed << ", number " << i;
        taken[place] = true;
      }
    }
  }
}

TEST(RandomPermutationTest, PlacesAreSpreadEvenly) {
  constexpr uint64_t kSize = 100'000, kParts = 10;
  const RandomPermutation permutation(kSize, 3);
  // How often numbers of one tenth come to each tenth: 1,000 on average, with a deviation of 28.
  uint64_t counts[kParts][kParts] = {};
  for (uint64_t i = 0; i < kSize; ++i) {
    ++counts[i * kParts / kSize][permutation(i) * kParts / kSize];
  }
  for (const auto& row : counts) {
    for (const uint64_t count : row) EXPECT_NEAR(static_cast<double>(count), 1000, 150);
  }
}

}  // namespace
}  // namespace edgemill

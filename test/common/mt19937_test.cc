// The vectorised Mersenne Twister against std::mt19937.
#include "common/mt19937.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace edgemill {
namespace {

TEST(Mt19937Test, GivesTheNumbersOfTheStandard) {
  for (const uint32_t seed : {0u, 1u, 5489u, 27491095u, 0x80000000u, ~0u}) {
    Mt19937 random(seed);
    std::mt19937 expected(seed);
    for (int batch = 0; batch < 5; ++batch) {
      std::array<uint32_t, Mt19937::kBatch> numbers;
      random.Fill(numbers);
      for (size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(numbers[i], expected()) << "seed " << seed << ", batch " << batch << ", " << i;
      }
    }
  }
}

}  // namespace
}  // namespace edgemill

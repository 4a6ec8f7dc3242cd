// A permutation by formula, which takes no memory.
#pragma once

#include <bit>
#include <cstdint>

#include "common/random.h"

namespace edgemill {

/// A permutation of the numbers below `size`, at most 2^32, which `seed` decides. It is the same on
/// every machine. A Feistel network of four rounds permutes the numbers of an even number of bits.
/// It is applied until the result is below `size` (cycle walking): at most four times on average.
class RandomPermutation {
 public:
  RandomPermutation(uint64_t size, uint64_t seed)
      : size_(size), half_bits_((std::bit_width(size | 1) + 1) / 2), seed_(Mix64(seed)) {}

  /// The place of `number`, which is below the size.
  uint64_t operator()(uint64_t number) const {
    do {
      number = Permute(number);
    } while (number >= size_);
    return number;
  }

 private:
  static constexpr uint64_t kRounds = 4;

  uint64_t Permute(uint64_t number) const {
    const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
    uint64_t left = number >> half_bits_, right = number & mask;
    for (uint64_t round = 0; round < kRounds; ++round) {
      const uint64_t mixed = Mix64(seed_ + (round << 32) + right) & mask;
      const uint64_t before = right;
      right = left ^ mixed;
      left = before;
    }
    return left << half_bits_ | right;
  }

  uint64_t size_;
  int half_bits_;
  uint64_t seed_;
};

}  // namespace edgemill

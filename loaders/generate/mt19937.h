// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998): the numbers of std::mt19937, made a
// whole state at a time in vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace edgemill {

class Mt19937 {
 public:
  /// Numbers that one pass over the state makes.
  static constexpr size_t kBatch = 624;

  explicit Mt19937(uint32_t seed);

  /// Puts the next kBatch numbers into `numbers`.
  void Fill(std::span<uint32_t, kBatch> numbers);

 private:
  /// The words of the last batch, and behind them room for the next: no vector wraps around.
  alignas(64) std::array<uint32_t, 2 * kBatch> words_;
};

}  // namespace edgemill

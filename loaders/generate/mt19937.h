// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998). It gives the numbers of
// std::mt19937, but makes a whole state at a time with vector instructions.
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
  /// The words of the last batch, and behind them memory for the next one: no vector wraps around.
  alignas(64) std::array<uint32_t, 2 * kBatch> words_;
};

}  // namespace edgemill

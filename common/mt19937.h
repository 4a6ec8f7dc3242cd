// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998): the numbers of std::mt19937, made a
// whole state at a time, in loops that compilers turn into vector instructions.
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

  explicit Mt19937(uint32_t seed) {
    state_[0] = seed;
    for (uint32_t i = 1; i < kBatch; ++i) {
      state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
    }
  }

  /// Puts the next kBatch numbers into `numbers`.
  void Fill(std::span<uint32_t, kBatch> numbers) {
    // No vector reads what it writes: the recurrence reaches 397 words forward or 227 back.
    for (size_t i = 0; i < kBatch - kShift; ++i) Renew(i, i + kShift, i + 1);
    for (size_t i = kBatch - kShift; i < kBatch - 1; ++i) Renew(i, i + kShift - kBatch, i + 1);
    Renew(kBatch - 1, kShift - 1, 0);
    for (size_t i = 0; i < kBatch; ++i) numbers[i] = Temper(state_[i]);
  }

 private:
  static constexpr size_t kShift = 397;

  void Renew(size_t i, size_t shifted, size_t next) {
    const uint32_t joined = (state_[i] & 0x80000000u) | (state_[next] & 0x7fffffffu);
    state_[i] = state_[shifted] ^ (joined >> 1) ^ ((0u - (joined & 1)) & 0x9908b0dfu);
  }
  static uint32_t Temper(uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
  }

  std::array<uint32_t, kBatch> state_;
};

}  // namespace edgemill

// Seeded random numbers: small, fast, the same on every machine. Not for secrets.
#pragma once

#include <cstdint>

namespace edgemill {

/// A bijective mix of 64 bits (the finaliser of SplitMix64, Steele et al., OOPSLA 2014).
constexpr uint64_t Mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// SplitMix64. Satisfies UniformRandomBitGenerator.
class Random {
 public:
  using result_type = uint64_t;
  explicit constexpr Random(uint64_t seed) : state_(seed) {}
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return ~uint64_t{0}; }
  constexpr uint64_t operator()() {
    const uint64_t x = Mix64(state_);
    state_ += 0x9e3779b97f4a7c15;
    return x;
  }
  /// A number in [0, bound), bound > 0, by multiplication (Lemire 2019, bias under 2^-32 ignored).
  constexpr uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>((*this)()) * bound) >> 64);
  }
  /// A double in [0, 1).
  constexpr double Unit() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  uint64_t state_;
};

}  // namespace edgemill

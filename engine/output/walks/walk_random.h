// The random numbers of walks and samples: each is a hash of what it is for, so that no order of
// work changes it.
#pragma once

#include <cstdint>

#include "common/random.h"

namespace edgemill {

/// The key of walk or sample `number`.
constexpr uint64_t WalkKey(uint64_t seed, uint64_t number) { return Mix64(Mix64(seed) + number); }
/// The key of something that `key` has several of: of step `part` of a walk, for example.
constexpr uint64_t PartOfKey(uint64_t key, uint64_t part) { return Mix64(key + part); }
/// A number in [0, bound), bound > 0, from 64 random bits.
constexpr uint64_t BitsBelow(uint64_t bits, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(bits) * bound) >> 64);
}
/// A double in [0, 1) from 64 random bits.
constexpr double UnitOf(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

}  // namespace edgemill

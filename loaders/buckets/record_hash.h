// A hash of a multiset of records. It shows, whatever their order, whether a record was lost,
// doubled or exchanged.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace edgemill {

/// RecordHash's constants: arbitrary odd numbers whose bits have no pattern.
struct RecordHashConstants {
  static constexpr uint64_t kKey = 0x9e3779b97f4a7c15;
  static constexpr uint64_t kLow = 0xd6e8feb9;
  static constexpr uint64_t kHigh = 0x85ebca6b;
};

/// A hash of one record without a weight. The sum of the hashes of records, modulo 2^64, is the
/// hash of their multiset. It has three products of 32 bits, which vector instructions compute for
/// many keys at once. Every bit of the key changes about half of the result's bits, and the sum
/// changes when two edges exchange their targets. Not for secrets. The same on every machine, since
/// the journal keeps sums for a resume.
constexpr uint64_t RecordHash(uint64_t key) {
  using Constants = RecordHashConstants;
  const uint64_t mixed = key ^ Constants::kKey;
  const uint64_t high = (mixed >> 32) * Constants::kHigh;
  const uint64_t both = (mixed & 0xffffffff) * Constants::kLow ^ (high << 32 | high >> 32);
  return (both & 0xffffffff) * (both >> 32);
}
/// The hash of a record with a weight.
constexpr uint64_t RecordHash(uint64_t key, double weight) {
  uint64_t bits = std::bit_cast<uint64_t>(weight);
  bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93;
  return RecordHash(key ^ bits ^ bits >> 32);
}

/// What Summarize computes.
struct KeySummary {
  uint64_t sum = 0;      // of RecordHash
  uint64_t differs = 0;  // the bits in which some key differs from the reference
};
/// Summarizes `keys`, compared with `reference`. Uses Highway: 0.2 ns for each key in the cache.
KeySummary Summarize(std::span<const uint64_t> keys, uint64_t reference);

}  // namespace edgemill

// A hash of a multiset of records: whatever their order, no record lost, doubled or exchanged.
#pragma once

#include <bit>
#include <cstdint>

namespace edgemill {

/// A hash of one record: its key, and the bits of its weight as a double, or 0 without one. The
/// sum of the hashes of records, modulo 2^64, is that of their multiset. The two halves of one 128-
/// bit product, folded (as in wyhash): every bit of the key reaches about half of the result's, and
/// the sum of two edges changes when they exchange their targets. Not for secrets. Half a
/// nanosecond where the record is in a register anyway.
constexpr uint64_t RecordHash(uint64_t key, uint64_t weight_bits = 0) {
  const auto product =
      static_cast<unsigned __int128>(key ^ 0x9e3779b97f4a7c15) * (weight_bits ^ 0xd6e8feb86659fd93);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}
constexpr uint64_t RecordHash(uint64_t key, double weight) {
  return RecordHash(key, std::bit_cast<uint64_t>(weight));
}

}  // namespace edgemill

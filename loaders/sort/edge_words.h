// 64-bit words that hold a key and a few other bits. They sort faster than records.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace edgemill {

/// The keys from `first` to `last`.
struct KeyRange {
  uint64_t first;
  uint64_t last;
};

/// How keys of a range fit words whose lowest bits hold a payload. Words have the order of their
/// keys: above the payload is the target, and above this the source less the first source.
class EdgeWords {
 public:
  /// The words of keys in `range` with targets of at most `max_target` and a payload of
  /// `payload_bits` bits. Nullopt if they need more than 64 bits.
  static std::optional<EdgeWords> Of(const KeyRange& range, uint32_t max_target, int payload_bits) {
    const uint64_t first_source = range.first >> 32;
    const EdgeWords words(first_source, std::bit_width(max_target), payload_bits);
    const int source_bits = std::bit_width((range.last >> 32) - first_source);
    if (source_bits + words.target_bits_ + payload_bits > 64) return std::nullopt;
    return words;
  }

  uint64_t WordOf(uint64_t key, uint64_t payload) const {
    const uint64_t source = (key >> 32) - first_source_;
    return (source << target_bits_ | static_cast<uint32_t>(key)) << payload_bits_ | payload;
  }
  uint64_t KeyOf(uint64_t word) const {
    const uint64_t both = word >> payload_bits_;
    return ((both >> target_bits_) + first_source_) << 32 | (both & LowBits(target_bits_));
  }
  uint64_t PayloadOf(uint64_t word) const { return word & LowBits(payload_bits_); }
  /// Whether two words have the same key and different payloads.
  bool DifferBelowKey(uint64_t a, uint64_t b) const { return (a ^ b) - 1 < LowBits(payload_bits_); }

 private:
  EdgeWords(uint64_t first_source, int target_bits, int payload_bits)
      : first_source_(first_source), target_bits_(target_bits), payload_bits_(payload_bits) {}
  static uint64_t LowBits(int count) { return (uint64_t{1} << count) - 1; }

  uint64_t first_source_;
  int target_bits_;   // at most 32
  int payload_bits_;  // at most 32
};

}  // namespace edgemill

// Writing a group's data: what the encoder and the byte form share. docs/FORMAT.md has the layout.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "storage/format/group_codec.h"

namespace edgemill {

/// The most words that a group's data can take, exceptions at the worst width included.
inline constexpr uint32_t kMaxGroupWords = kGroupSize + (kGroupSize * 39 + 31) / 32;

/// A group's exceptions, gathered in the order of their positions.
class GroupExceptions {
 public:
  /// Adds the value at `position` if `high`, its bits above the width, are not zero. At most 128.
  void Add(uint32_t position, uint32_t high) {
    entries_[count_] = position | uint64_t{high} << 7;
    count_ += high != 0 ? 1 : 0;
    all_ |= high;
  }
  uint32_t count() const { return count_; }
  /// Bits that hold every one: even, at least 2.
  uint32_t high_bits() const {
    return std::max((static_cast<uint32_t>(std::bit_width(all_)) + 1) & ~1u, 2u);
  }

  /// Writes the entries at `words`, the last filled up with zeros; returns how many words.
  uint32_t Write(uint32_t* words) const {
    const uint32_t bits = 7 + high_bits();
    uint8_t entries[(kGroupSize * 39 + 7) / 8 + 2 * sizeof(uint64_t)];
    uint8_t* out = entries;
    uint64_t pending = 0;
    uint32_t used = 0;  // less than 8
    for (uint32_t i = 0; i < count_; ++i) {
      pending |= entries_[i] << used;
      std::memcpy(out, &pending, sizeof(pending));
      used += bits;
      out += used / 8;
      pending >>= used & ~7u;
      used &= 7;
    }
    std::memcpy(out, &pending, sizeof(pending));
    const uint32_t num_words = (count_ * bits + 31) / 32;
    std::memcpy(words, entries, size_t{4} * num_words);
    return num_words;
  }

 private:
  uint32_t count_ = 0;
  uint32_t all_ = 0;
  uint64_t entries_[kGroupSize + 1];
};

/// Packs the low `width` bits of 128 values, least significant bit first: 4 * width words.
inline void PackFixedWidth(const uint32_t* values, uint32_t width, uint32_t* words) {
  const uint64_t mask = (uint64_t{1} << width) - 1;
  uint64_t pending = 0;
  uint32_t used = 0;
  for (uint32_t i = 0; i < kGroupSize; ++i) {
    pending |= (values[i] & mask) << used;
    used += width;
    if (used >= 32) {
      *words++ = static_cast<uint32_t>(pending);
      pending >>= 32;
      used -= 32;
    }
  }
}

/// Packs 128 values with `width` into `words` (kMaxGroupWords); returns the header without base and
/// place. At most 127 of the values may need more than `width` bits.
inline GroupHeader PackGroupData(const uint32_t* values, uint32_t width, uint32_t* words) {
  PackFixedWidth(values, width, words);
  GroupExceptions exceptions;
  if (width < 32) {
    for (uint32_t i = 0; i < kGroupSize; ++i) exceptions.Add(i, values[i] >> width);
  }
  exceptions.Write(words + 4 * width);
  return {.base = 0,
          .word_offset = 0,
          .width = width,
          .exceptions = exceptions.count(),
          .high_bits = exceptions.high_bits()};
}

}  // namespace edgemill

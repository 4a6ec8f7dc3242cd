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

/// The most words that may be written behind a group's data.
inline constexpr uint32_t kGroupSlackWords = 4;

/// A group's exceptions, gathered in the order of their positions.
class GroupExceptions {
 public:
  /// Adds the value at `position` if `high`, which has the bits above the width, is not zero. At
  /// most 128.
  void Add(uint32_t position, uint32_t high) {
    entries_[count_] = position | uint64_t{high} << 7;
    count_ += high != 0 ? 1 : 0;
    all_ |= high;
  }
  /// Writes the entries behind values of `width` at `words`, the last word filled up with zeros;
  /// returns the group's header without base and place.
  GroupHeader WriteBehind(uint32_t width, uint32_t* words) const {
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
    std::memcpy(words + 4 * width, entries, size_t{4} * ((count_ * bits + 31) / 32));
    return {.base = 0,
            .word_offset = 0,
            .width = width,
            .exceptions = count_,
            .high_bits = high_bits()};
  }

 private:
  /// Bits that hold the high bits of every exception: even, at least 2.
  uint32_t high_bits() const {
    return std::max((static_cast<uint32_t>(std::bit_width(all_)) + 1) & ~1u, 2u);
  }

  uint32_t count_ = 0;
  uint32_t all_ = 0;
  uint64_t entries_[kGroupSize + 1];
};

/// Packs 128 values with `width` into `words` (kMaxGroupWords + kGroupSlackWords); returns the
/// header without base and place. At most 127 of the values may need more than `width` bits.
GroupHeader PackGroupAtWidth(const uint32_t* values, uint32_t width, uint32_t* words);
/// Packs at the width that takes the fewest words, exceptions included. Writes at most 4 * 32
/// words.
GroupHeader PackGroup(const uint32_t* values, uint32_t* words);
/// Computes the values of 128 edges (vertex << 32 | neighbour). A value is the gap to the neighbour
/// before or, for a vertex's first edge, the ZigZag of the distance from the vertex. `edges` begins
/// with the edge before the 128.
void NeighborValues(const uint64_t* edges, uint32_t* values);

}  // namespace edgemill

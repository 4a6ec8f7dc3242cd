// Works on sets of vertices as bitmaps, a vector of vertices at a time. Finds which of many
// vertices are in a set, or where these are, and adds up the degrees of a set's vertices.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/types.h"
#include "kernels/vertex_index_view.h"

namespace edgemill {

/// Writes to bit i of `members` whether vertex ids[i] is in `set`, a bitmap of all vertices, for
/// `count` vertices. Works on 64 vertices at a time. `ids` is 64-byte aligned, and must have valid
/// vertices up to the next multiple of 64. Their bits are written too. No thread may change the set
/// at the same time.
void FindMembers(const VertexId* ids, uint32_t count, const uint64_t* set, uint64_t* members);

/// Writes to `found`, in rising order, each place i below `count` for which bit `ids[i] & mask` of
/// `set` is set, and returns how many there are. `found` must have room for `count` + 16 numbers.
/// No thread may change the set at the same time.
uint32_t FindPlaces(const uint32_t* ids, uint32_t count, const uint64_t* set, uint32_t mask,
                    uint32_t* found);

/// Returns the first set bit of the bits [begin, end) of `bits`; `end` if none is set. May read the
/// eight bytes from the byte with bit `begin` on.
inline uint32_t FirstMember(const uint64_t* bits, uint32_t begin, uint32_t end) {
  constexpr uint32_t kBits = 56;  // valid in eight bytes, wherever `begin` is in the first
  const auto window = [&] {
    uint64_t eight_bytes;
    std::memcpy(&eight_bytes, reinterpret_cast<const std::byte*>(bits) + begin / 8, 8);
    return eight_bytes >> begin % 8;
  };
  for (; end - begin > kBits; begin += kBits) {
    const uint64_t some = window() & ((uint64_t{1} << kBits) - 1);
    if (some != 0) return begin + static_cast<uint32_t>(std::countr_zero(some));
  }
  return begin + static_cast<uint32_t>(std::countr_zero(window() | uint64_t{1} << (end - begin)));
}

/// Returns the sum of the degrees of a set's vertices. Bit i of words[k] stands for vertex 64 *
/// (first_word + k) + i.
EdgeIndex DegreesOf(const VertexIndexView& index, uint64_t first_word,
                    std::span<const uint64_t> words);

}  // namespace edgemill

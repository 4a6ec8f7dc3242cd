// Sets of vertices as bitmaps, a vector's worth of vertices at a time: which of many vertices are
// in one, and how many edges its vertices have.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common/types.h"
#include "kernels/vertex_index_view.h"

namespace edgemill {

/// Writes bit i of `members` for each of the `count` vertices `ids` that is in `set`, a bitmap of
/// all vertices. Works on 64 at a time: `ids` has vertices up to the next multiple, 64-byte
/// aligned, and their bits are written as well. No thread may be changing the set.
void FindMembers(const VertexId* ids, uint32_t count, const uint64_t* set, uint64_t* members);

/// The first of the bits [begin, end) of `bits` that is set; `end` when none is. Reads eight bytes
/// from the one that holds `begin` on.
inline uint32_t FirstMember(const uint64_t* bits, uint32_t begin, uint32_t end) {
  constexpr uint32_t kBits = 56;  // of eight bytes, wherever in the first they begin
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

/// The edges of the vertices 64 * (first_word + word) + i, i < 64, for which bits i of the words
/// are set: the sum of their degrees.
EdgeIndex DegreesOf(const VertexIndexView& index, uint64_t first_word,
                    std::span<const uint64_t> words);

}  // namespace edgemill

// A view of where each vertex's list of edges starts, for host and device.
#pragma once

#include <cstdint>
#include <cstring>

#include "common/types.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

/// The index in the form that kernels use. It has plain pointers, and may be copied freely.
/// first_edge(num_vertices) is the number of edges.
struct VertexIndexView {
  const uint32_t* low = nullptr;        // low 32 bits of each first edge
  const VertexId* crossings = nullptr;  // vertices at which first_edge passes a multiple of 2^32
  uint32_t num_crossings = 0;
  VertexId num_vertices = 0;

  /// Returns the number of the first edge of `vertex`'s list.
  [[gnu::always_inline]] EM_HOST_DEVICE EdgeIndex first_edge(VertexId vertex) const {
    const uint64_t low_bits = low[vertex];
    if (num_crossings == 0) [[likely]]
      return low_bits;
    return NumCrossed(vertex) << 32 | low_bits;
  }
  /// Returns how many crossings are at `vertex` or before. Takes logarithmic time.
  EM_HOST_DEVICE uint64_t NumCrossed(VertexId vertex) const {
    uint32_t begin = 0;
    for (uint32_t end = num_crossings; begin < end;) {
      const uint32_t middle = begin + (end - begin) / 2;
      if (crossings[middle] <= vertex) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
  EM_HOST_DEVICE EdgeIndex degree(VertexId vertex) const {
    return first_edge(vertex + 1) - first_edge(vertex);
  }
  /// Returns a word in which bit i says whether vertex 64 * word + i has edges.
  EM_HOST_DEVICE uint64_t HaveEdges(uint64_t word) const {
    const uint32_t* const starts = low + word * 64;
    const uint64_t left = num_vertices - word * 64;
    uint8_t differ[64] = {};  // compilers use vectors for this form
    if (left >= 64) {
      for (uint32_t i = 0; i < 64; ++i) differ[i] = starts[i] != starts[i + 1];
    } else {
      for (uint32_t i = 0; i < left; ++i) differ[i] = starts[i] != starts[i + 1];
    }
    uint64_t bits = 0;
    for (uint32_t byte = 0; byte < 8; ++byte) {
      uint64_t eight;
      memcpy(&eight, differ + 8 * byte, sizeof(eight));
      // Gathers the eight bytes' lowest bits in the highest byte.
      bits |= (eight * 0x0102040810204080u) >> 56 << 8 * byte;
    }
    // Lists of a multiple of 2^32 edges have equal low bits.
    for (uint32_t i = 0; i < num_crossings; ++i) {
      const uint64_t owner = uint64_t{crossings[i]} - 1;
      if (owner / 64 == word) bits |= uint64_t{1} << owner % 64;
    }
    return bits;
  }
  /// Returns the first vertex (num_vertices if none) whose list starts at or after `edge`. Takes
  /// logarithmic time.
  EM_HOST_DEVICE VertexId LowerBound(EdgeIndex edge) const {
    VertexId begin = 0;
    for (VertexId end = num_vertices; begin < end;) {
      const VertexId middle = begin + (end - begin) / 2;
      if (first_edge(middle) < edge) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
  /// Returns the vertex in [begin, end) whose list has `edge`. There must be one. Takes logarithmic
  /// time.
  EM_HOST_DEVICE VertexId OwnerOf(EdgeIndex edge, VertexId begin, VertexId end) const {
    while (end - begin > 1) {
      const VertexId middle = begin + (end - begin) / 2;
      if (first_edge(middle) <= edge) {
        begin = middle;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

}  // namespace edgemill

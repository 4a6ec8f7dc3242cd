// What a kernel gets that visits raw lists, edges that are not packed: which lists, and where their
// edges are at the moment.
#pragma once

#include <cstdint>

#include "common/types.h"

namespace edgemill::bench {

/// A slice of a long list, for a warp of its own.
struct RawSlice {
  uint32_t item = 0;    // of RawLists
  uint32_t number = 0;  // it begins at edge number * kRawSliceEdges of the list
};

/// Lists of more edges are cut into slices of so many, which a second launch shares out among
/// warps. The papers give a hub to one warp, or one thread: this favours them.
inline constexpr uint64_t kRawSliceEdges = 4096;

/// The items [first_item, first_item + num_items) of some active lists, as far as their edges lie
/// in [begin, end).
struct RawLists {
  const VertexId* vertices = nullptr;  // by item; null: an item is its vertex
  const uint64_t* offsets = nullptr;   // by vertex, or by item; and the end
  bool offsets_by_item = false;
  uint64_t first_item = 0;
  uint64_t num_items = 0;
  const VertexId* neighbors = nullptr;  // of edges from `base` on, a multiple of 32
  const int32_t* weights = nullptr;
  uint64_t base = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  // Where slices of long lists are put: one place for each stream.
  RawSlice* slices = nullptr;
  uint32_t* num_slices = nullptr;
};

/// The most slices that lists of `num_edges` edges in all are cut into.
constexpr uint64_t MostRawSlices(uint64_t num_edges) { return num_edges / kRawSliceEdges * 2 + 2; }

}  // namespace edgemill::bench

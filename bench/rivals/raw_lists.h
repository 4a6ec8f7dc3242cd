// The argument of kernels that visit raw lists, whose edges are not packed. It says which lists to
// visit, and where their edges are at the moment.
#pragma once

#include <cstdint>

#include "common/types.h"

namespace edgemill::bench {

/// A slice of a long list, which one worker visits.
struct RawSlice {
  uint32_t item = 0;    // of RawLists
  uint32_t number = 0;  // of the list's slices: NumRawSlices says where they begin
};

/// Longer lists are cut into slices of this many edges, which a second launch shares out among
/// workers. The papers give a whole hub to one warp or thread, so slices make their methods faster.
inline constexpr uint64_t kRawSliceEdges = 4096;

struct SegmentedPass;  // raw_layouts.h
struct ShardedPass;

/// The items [first_item, first_item + num_items) of some active lists, or chosen ones of the items
/// from first_item on, with those of their edges that lie in [begin, end).
struct RawLists {
  const VertexId* vertices = nullptr;  // by item; null: items are vertices
  const uint64_t* offsets = nullptr;   // by vertex or by item, and one for the end
  bool offsets_by_item = false;
  uint64_t first_item = 0;
  uint64_t num_items = 0;
  const uint32_t* chosen = nullptr;  // num_items numbers, which first_item is added to
  const void* neighbors = nullptr;   // Reading::Edge, from edge `base` on, a multiple of 32
  const int32_t* weights = nullptr;
  uint64_t base = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  // Where slices of long lists are put: one place for each stream.
  RawSlice* slices = nullptr;
  uint32_t* num_slices = nullptr;
  // What kernels of one engine get beside, in the host's memory; null for all others.
  const SegmentedPass* segments = nullptr;  // kSparse
  const ShardedPass* shards = nullptr;      // kShards
};

/// The most slices that lists with `num_edges` edges in total are cut into.
constexpr uint64_t MostRawSlices(uint64_t num_edges) { return num_edges / kRawSliceEdges * 2 + 2; }

}  // namespace edgemill::bench

// The steps by which a GPU makes cells (edge_cells.h) from packed edges. The caller allocates, and
// calls them in this order. No step waits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/edge_cells.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// A step's thread blocks and stream.
struct CellLaunch {
  uint32_t thread_blocks = 1;
  CUstream_st* stream = nullptr;
};

/// Adds to counts[i] the lists of 2^(i-1) to 2^i - 1 edges, to counts[num_lengths + i] their edges.
/// Longer lists count as the longest.
void LaunchCountLengths(const VertexIndexView& index, uint32_t num_lengths,
                        unsigned long long* counts, const CellLaunch& on);

// ---- Places.

/// Writes the degrees of all lists, at most 2^32 - 1.
void LaunchListDegrees(const VertexIndexView& index, uint32_t* degrees, const CellLaunch& on);
/// Adds to `degrees` how often each vertex is a neighbour in the lists that `source` visits.
void LaunchNeighborDegrees(const DeviceEdges& edges, const TileSelection& source, uint32_t* degrees,
                           uint32_t* damaged, const CellLaunch& on);
/// Adds to `*slots` the slots that lists of these lengths take if places are vertices.
void LaunchCountSlots(const uint32_t* degrees, uint64_t num_vertices, unsigned long long* slots,
                      const CellLaunch& on);
/// Orders vertices by falling degree. `order` gets the vertex of each place, `place` the place of
/// each vertex. Vertices of equal degree stay in order. `spare` has num_vertices elements.
void LaunchPlaces(uint32_t* degrees, uint64_t num_vertices, VertexId* order, uint32_t* place,
                  uint32_t* spare, void* scratch, size_t scratch_bytes, const CellLaunch& on);

/// Scratch bytes that sort and scan steps need for this many items.
size_t CellScratchBytes(uint64_t num_items);

// ---- Keys.

/// The places of vertices. Null: places are vertices.
struct CellPlaces {
  const uint32_t* sender = nullptr;
  const uint32_t* receiver = nullptr;
};
/// Writes the key of each edge that `source` visits to keys[edge number]. Lists are the receivers'.
void LaunchCellKeys(const DeviceEdges& edges, const TileSelection& source, const CellShape& shape,
                    const CellPlaces& places, CellKey* keys, uint32_t* damaged,
                    const CellLaunch& on);
/// Sorts keys by cell and receiver. `in_order`: they are in the order of receivers already. Returns
/// which of the two arrays has the result.
CellKey* LaunchSortKeys(CellKey* keys, CellKey* spare, const CellShape& shape, bool in_order,
                        void* scratch, size_t scratch_bytes, const CellLaunch& on);

// ---- Tiles. Cells are numbered sender range by sender range.

/// Arrays by cell, each with one element more than there are cells.
struct CellArrays {
  uint32_t* first_edge = nullptr;  // in the order of keys
  uint32_t* first_tile = nullptr;
  uint32_t* first_part = nullptr;  // receiver range by receiver range
  uint32_t* counts = nullptr;      // scratch
};
/// Writes first_edge and first_tile. The number of tiles is the last element of first_tile.
void LaunchCellTiles(const CellKey* keys, const CellShape& shape, const CellArrays& cells,
                     void* scratch, size_t scratch_bytes, const CellLaunch& on);

/// Arrays by tile.
struct CellTiles {
  uint32_t num_tiles = 0;
  CellEdge* edges = nullptr;
  uint32_t* cell = nullptr;          // scratch
  uint32_t* range = nullptr;         // its sender range
  uint32_t* parts_before = nullptr;  // scratch; one element more
  uint32_t* first_part = nullptr;    // one element more
};
/// Writes edges, cell and range.
void LaunchCellEdges(const CellKey* keys, const CellShape& shape, const CellArrays& cells,
                     const CellTiles& tiles, const CellLaunch& on);
/// Writes the other arrays of `tiles`, and the cells' first_part. The number of parts is the last
/// element of cells.first_part.
void LaunchCellParts(const CellShape& shape, const CellArrays& cells, const CellTiles& tiles,
                     void* scratch, size_t scratch_bytes, const CellLaunch& on);

/// Writes the first tile of each sender range, and the end.
void LaunchRangeTiles(const CellShape& shape, const CellArrays& cells, uint32_t* begins,
                      const CellLaunch& on);

// ---- Slots.

/// Arrays by part, in two copies for sorting.
struct CellParts {
  uint32_t num_parts = 0;
  uint32_t* receiver[2] = {};
  uint32_t* number[2] = {};
};
/// Sorts parts by receiver: the copies with number 0 have the result. `list_begin` has
/// (receiver_ranges << receiver_bits) + 1 elements. slice_begin has one element more than there are
/// slices, the last of which becomes the number of slots, and as many of scratch behind these.
void LaunchSlices(const CellKey* keys, const CellShape& shape, const CellArrays& cells,
                  const CellTiles& tiles, CellParts* parts, uint32_t* list_begin,
                  uint64_t* slice_begin, void* scratch, size_t scratch_bytes, const CellLaunch& on);
/// Fills the slots, after LaunchSlices. All of them must be kNoPart.
void LaunchFillSlots(const CellShape& shape, const CellParts& parts, const uint32_t* list_begin,
                     const uint64_t* slice_begin, uint32_t* slots, const CellLaunch& on);

}  // namespace edgemill

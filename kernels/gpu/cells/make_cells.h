// The steps by which a GPU makes cells (edge_cells.h) from packed edges. The caller allocates, and
// calls them in this order. No step waits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/cells/edge_cells.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// A step's thread blocks and stream.
struct CellLaunch {
  uint32_t thread_blocks = 1;
  CUstream_st* stream = nullptr;
};
/// What steps get that do not read packed edges.
struct CellWork {
  CellShape shape;
  CellLaunch on;
  void* scratch;
  size_t scratch_bytes;  // CellScratchBytes of the largest array
};
/// What steps get that read packed edges.
struct CellVisit {
  const DeviceEdges& edges;
  const TileSelection& source;
  uint32_t* damaged;
  CellLaunch on;
};

/// Scratch bytes for arrays of at most `num_items`.
size_t CellScratchBytes(uint64_t num_items);

/// Adds to counts[i] the lists of 2^(i-1) to 2^i - 1 edges, to counts[num_lengths + i] their edges.
/// Longer lists count as the longest. For a forecast: makes nothing.
void LaunchCountLengths(const VertexIndexView& index, uint32_t num_lengths,
                        unsigned long long* counts, const CellLaunch& on);

// ---- Places.

/// Writes the degrees of all lists, at most 2^32 - 1.
void LaunchListDegrees(const CellWork& work, const VertexIndexView& index, uint32_t* degrees);
/// Adds to `degrees` how often each vertex is a neighbour in the visited lists.
void LaunchNeighborDegrees(const CellVisit& visit, uint32_t* degrees);
/// Adds to `*slots` the slots that lists of these lengths take if places are vertices.
void LaunchCountSlots(const CellWork& work, const uint32_t* degrees, unsigned long long* slots);
/// Orders vertices by falling degree. `order` gets the vertex of each place, `place` the place of
/// each vertex. Vertices of equal degree stay in order. `degrees` and `spare` are overwritten.
void LaunchPlaces(const CellWork& work, uint32_t* degrees, uint32_t* spare, VertexId* order,
                  uint32_t* place);

// ---- Keys.

/// The places of vertices. Null: places are vertices.
struct CellPlaces {
  const uint32_t* sender = nullptr;
  const uint32_t* receiver = nullptr;
};
/// The lists whose edges get into cells: edges [first_edge, first_edge + CellShape::num_edges), of
/// the vertices [first, end).
struct CellOwners {
  VertexId first = 0;
  VertexId end = kInvalidVertex;
  EdgeIndex first_edge = 0;
};
/// Writes the key of each visited edge of these lists to keys[edge number - first_edge]. Lists are
/// the receivers'.
void LaunchCellKeys(const CellVisit& visit, const CellShape& shape, const CellPlaces& places,
                    const CellOwners& owners, CellKey* keys);
/// Sorts keys by cell and receiver. `in_order`: they are in the order of receivers already. Returns
/// which of the two arrays has the result.
CellKey* LaunchSortKeys(const CellWork& work, CellKey* keys, CellKey* spare, bool in_order);

// ---- Tiles. Cells are numbered sender range by sender range.

/// Arrays by cell, each with one element more than there are cells.
struct CellArrays {
  uint32_t* first_edge = nullptr;  // in the order of keys
  uint32_t* first_tile = nullptr;
  uint32_t* first_part = nullptr;  // receiver range by receiver range
  uint32_t* counts = nullptr;      // scratch
};
/// Arrays by tile.
struct CellTiles {
  uint32_t num_tiles = 0;
  CellEdge* edges = nullptr;
  uint32_t* cell = nullptr;          // scratch
  uint32_t* range = nullptr;         // its sender range
  uint32_t* parts_before = nullptr;  // scratch; one element more
  uint32_t* first_part = nullptr;    // one element more
};
struct CellTables {
  CellArrays cells;
  CellTiles tiles;
};
/// Writes first_edge and first_tile. The number of tiles is the last element of first_tile.
void LaunchCellTiles(const CellWork& work, const CellKey* keys, const CellArrays& cells);
/// Writes edges, cell and range of the tiles.
void LaunchCellEdges(const CellWork& work, const CellKey* keys, const CellTables& tables);
/// Writes the other arrays of the tiles, and the cells' first_part. The number of parts is its last
/// element.
void LaunchCellParts(const CellWork& work, const CellTables& tables);
/// Writes the first tile of each sender range, and the end.
void LaunchRangeTiles(const CellWork& work, const CellArrays& cells, uint32_t* begins);

// ---- Slots.

/// Arrays by part, in two copies for sorting.
struct CellParts {
  uint32_t num_parts = 0;
  uint32_t* receiver[2] = {};
  uint32_t* number[2] = {};
};
/// Where receivers' parts are.
struct CellLists {
  uint32_t* begin = nullptr;  // (receiver_ranges << receiver_bits) + 1 elements; scratch
  /// One element more than there are slices, of which the last becomes the number of slots. Behind
  /// these, as many of scratch.
  uint64_t* slice_begin = nullptr;
  uint32_t* slots = nullptr;
};
/// Sorts parts by receiver: the copies with number 0 have the result. Writes begin and slice_begin.
void LaunchSlices(const CellWork& work, const CellKey* keys, const CellTables& tables,
                  CellParts* parts, const CellLists& lists);
/// Fills the slots, after LaunchSlices. All of them must be kNoPart.
void LaunchFillSlots(const CellWork& work, const CellParts& parts, const CellLists& lists);

}  // namespace edgemill

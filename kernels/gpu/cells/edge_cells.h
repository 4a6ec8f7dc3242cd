// Edges in cells, for passes in which every vertex sends and every vertex receives. Source: the
// dense strategy of MultiGraph (Hong et al., PACT 2017, 4); docs/KERNELS.md says what differs.
//
// Vertices have places: in the order of the graph, or by falling degree. A sender range is 32,767
// consecutive places, whose messages fit in the shared memory of a multiprocessor. A receiver range
// is a power of two of places, at least 65,536. A cell has the edges from a sender range to a
// receiver range, in the order of receivers. The edges from one sender range to one receiver are a
// part: usually one, or more where warps begin. A pass has three steps:
//   emit     puts messages in the order of places
//   combine  reads each sender range's messages once into shared memory, then its edges, 2 bytes
//            each, and writes a sum for each part
//   take     gives each receiver the sums of its parts. Those of receivers that are near each other
//            are near each other too.
// No step uses atomic operations, and each sum is added up in the same order every time.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"

namespace edgemill {

/// An edge of a cell: the sender's number in its range, and kStartsPart.
using CellEdge = uint16_t;
/// Set in the first edge of each part.
inline constexpr CellEdge kStartsPart = 1u << 15;
inline constexpr uint32_t kSenderBits = 15;
/// Stands for no sender, in edges that fill up a tile. Its message is the identity.
inline constexpr CellEdge kNoSender = (1u << kSenderBits) - 1;
/// Places of a sender range.
inline constexpr uint32_t kRangeSenders = kNoSender;
/// The least log2 of the places of a receiver range.
inline constexpr uint32_t kMinReceiverBits = 16;
/// Edges of a tile, which lies in one cell: eight for each lane of a warp.
inline constexpr uint32_t kCellTileEdges = 256;
inline constexpr uint32_t kLaneCellEdges = kCellTileEdges / kWarpSize;
/// A warp combines the tiles between two multiples of this number, without a part that began before
/// them.
inline constexpr uint32_t kWarpTiles = 8;
/// Receivers whose lists of parts are interleaved: the lanes of a warp.
inline constexpr uint32_t kSliceReceivers = kWarpSize;
inline constexpr uint32_t kNoPart = ~0u;
/// Threads of a thread block of combine and take, and the places that a block of take handles. One
/// place a thread, the sums of tallies by so many blocks would take as long as the rest.
inline constexpr uint32_t kCellThreads = 1024;
inline constexpr uint32_t kTakePlaces = 4 * kCellThreads;
/// Bytes of a message, and of a part's sum.
inline constexpr uint32_t kCellMessageBytes = 4;
/// In combine, a warp puts its tile's sums in a row before it writes them. A word is left out after
/// each 32nd, so that lanes with eight sums each use different banks.
inline constexpr uint32_t kCellRowWords = kCellTileEdges + kCellTileEdges / kWarpSize;
/// Shared memory of a thread block of combine: the messages of a sender range, and a row for each
/// warp.
inline constexpr uint32_t kCombineSharedBytes =
    (kRangeSenders + 1 + kCellThreads / kWarpSize * kCellRowWords) * kCellMessageBytes;

/// The edges of one direction in cells: plain pointers to memory on a GPU.
struct EdgeCells {
  uint64_t num_vertices = 0;
  uint32_t num_tiles = 0;
  // By place: the vertex. Null: places are vertices.
  const VertexId* senders = nullptr;
  const VertexId* receivers = nullptr;
  const CellEdge* edges = nullptr;        // kCellTileEdges for each tile
  const uint32_t* tile_range = nullptr;   // by tile: its sender range; rising
  const uint32_t* tile_part = nullptr;    // by tile: the number of the first part that starts there
  const uint32_t* share_begin = nullptr;  // by thread block of combine: its first tile; and the end
  // The parts of receiver number r: in slots slice_begin[r / 32] + r % 32, and every 32nd slot from
  // there, before slice_begin[r / 32 + 1]. kNoPart fills up.
  const uint64_t* slice_begin = nullptr;
  const uint32_t* slots = nullptr;

  EM_HOST_DEVICE VertexId Sender(uint64_t place) const {
    return senders == nullptr ? static_cast<VertexId>(place) : senders[place];
  }
  EM_HOST_DEVICE VertexId Receiver(uint64_t place) const {
    return receivers == nullptr ? static_cast<VertexId>(place) : receivers[place];
  }
};

/// Sizes that follow from the counts of a graph.
struct CellShape {
  CellShape(uint64_t num_vertices, EdgeIndex num_edges);

  uint64_t num_vertices;
  EdgeIndex num_edges;
  uint32_t receiver_bits;  // log2 of the places of a receiver range
  uint32_t sender_ranges;
  uint32_t receiver_ranges;

  uint64_t num_cells() const { return uint64_t{sender_ranges} * receiver_ranges; }
  uint64_t num_slices() const { return (num_vertices + kSliceReceivers - 1) / kSliceReceivers; }
  /// Bits of a place.
  uint32_t place_bits() const;
  /// Bits of a CellKey.
  uint32_t key_bits() const;
  /// Whether numbers of tiles and parts fit in 32 bits.
  bool fits() const { return num_edges + num_cells() * kCellTileEdges < kNoPart; }
};

/// An edge while cells are made, in the order of cells: from the highest bit, the sender range, the
/// receiver's place (CellShape::place_bits) and the sender's number in its range.
using CellKey = uint64_t;

}  // namespace edgemill

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/gpu/cells/make_cells.h"
#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/visit_tiles.cuh"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;

/// Calls `each(i)` for i in [0, count), by all threads of a grid.
template <typename Each>
__global__ void __launch_bounds__(kThreads) ForEachKernel(uint64_t count, Each each) {
  for (uint64_t i = ThreadNumber(); i < count; i += NumThreads()) each(i);
}
template <typename Each>
void ForEach(uint64_t count, const CellLaunch& on, Each each) {
  if (count == 0) return;
  ForEachKernel<<<on.thread_blocks, kThreads, 0, on.stream>>>(count, each);
}
/// Calls `each(i, lane)` for i in [0, count), by all lanes of a warp.
template <typename Each>
void ForEachByWarp(uint64_t count, const CellLaunch& on, Each each) {
  if (count == 0) return;
  const auto by_lane = [=] __device__(uint64_t i) {
    for (uint64_t at = i / kWarpSize; at < count; at += NumThreads() / kWarpSize) {
      each(at, static_cast<uint32_t>(i % kWarpSize));
    }
  };
  ForEachKernel<<<on.thread_blocks, kThreads, 0, on.stream>>>(uint64_t{on.thread_blocks} * kThreads,
                                                              by_lane);
}

template <typename T>
void ExclusiveSum(const CellWork& work, const T* in, T* out, uint64_t count) {
  size_t bytes = work.scratch_bytes;
  (void)cub::DeviceScan::ExclusiveSum(work.scratch, bytes, in, out, count, work.on.stream);
}
/// Keys and what belongs to them, in two copies.
struct SortedPairs {
  uint32_t* const (&keys)[2];
  uint32_t* const (&values)[2];
};
/// Sorts by the low `bits` of the keys, stably. Returns whether the result is in the second copies.
bool Sort(const CellWork& work, const SortedPairs& pairs, uint64_t count, uint32_t bits) {
  cub::DoubleBuffer<uint32_t> keys(pairs.keys[0], pairs.keys[1]);
  cub::DoubleBuffer<uint32_t> values(pairs.values[0], pairs.values[1]);
  size_t bytes = work.scratch_bytes;
  (void)cub::DeviceRadixSort::SortPairs(work.scratch, bytes, keys, values, count, 0,
                                        static_cast<int>(bits), work.on.stream);
  return values.Current() == pairs.values[1];
}

/// Reads the parts of a CellKey.
struct KeyReader {
  uint32_t place_bits, receiver_bits, receiver_ranges;

  explicit KeyReader(const CellShape& shape)
      : place_bits(shape.place_bits()),
        receiver_bits(shape.receiver_bits),
        receiver_ranges(shape.receiver_ranges) {}
  __device__ uint32_t Receiver(CellKey key) const {
    return static_cast<uint32_t>(key >> kSenderBits & ((uint64_t{1} << place_bits) - 1));
  }
  __device__ uint32_t Cell(CellKey key) const {
    const uint32_t range = static_cast<uint32_t>(key >> (kSenderBits + place_bits));
    return range * receiver_ranges + (Receiver(key) >> receiver_bits);
  }
};

/// Calls `each(edge number, source, neighbour)` for each edge.
template <typename Each>
struct EdgesVisitor {
  Each each;

  __device__ void BeginTile(const WarpPlace&) {}
  __device__ void Group(const WarpPlace& place, const LaneEdges<NoWeight>& edges, uint32_t*) {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0) continue;
      each(place.first + place.lane * kLaneEdges + i, edges.source[i], edges.neighbor[i]);
    }
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() {}
};
template <typename Each>
void VisitEdges(const CellVisit& visit, Each each) {
  VisitTilesKernel<NoWeight><<<visit.on.thread_blocks, kVisitThreads, 0, visit.on.stream>>>(
      visit.edges, visit.source, EdgesVisitor<Each>{each}, visit.damaged);
}

/// The edges of a tile that a lane has, as they are in memory.
__device__ uint4 LaneEdgesOf(const CellTiles& tiles, uint64_t tile, uint32_t lane) {
  return reinterpret_cast<const uint4*>(tiles.edges)[tile * kWarpSize + lane];
}

}  // namespace

CellShape::CellShape(uint64_t vertices, EdgeIndex edges)
    : num_vertices(vertices), num_edges(edges), receiver_bits(kMinReceiverBits) {
  constexpr uint64_t kMostCells = uint64_t{1} << 24;
  sender_ranges = static_cast<uint32_t>((vertices + kRangeSenders - 1) / kRangeSenders);
  const auto ranges = [&] {
    return static_cast<uint32_t>((vertices + (uint64_t{1} << receiver_bits) - 1) >> receiver_bits);
  };
  while (uint64_t{sender_ranges} * ranges() > kMostCells) ++receiver_bits;
  receiver_ranges = ranges();
}
uint32_t CellShape::place_bits() const {
  return static_cast<uint32_t>(std::bit_width(num_vertices));
}
uint32_t CellShape::key_bits() const {
  return kSenderBits + place_bits() + static_cast<uint32_t>(std::bit_width(sender_ranges));
}

namespace {

__global__ void __launch_bounds__(kThreads)
    CountLengthsKernel(VertexIndexView index, uint32_t num_lengths, unsigned long long* counts) {
  constexpr uint32_t kMostLengths = 64;
  __shared__ unsigned long long mine[2 * kMostLengths];
  for (uint32_t i = threadIdx.x; i < 2 * kMostLengths; i += kThreads) mine[i] = 0;
  __syncthreads();
  for (uint64_t i = ThreadNumber(); i < index.num_vertices; i += NumThreads()) {
    const EdgeIndex degree = index.degree(static_cast<VertexId>(i));
    const uint32_t bits = 64 - __clzll(static_cast<long long>(degree));
    const uint32_t length = min(bits, num_lengths - 1);
    atomicAdd(mine + length, 1ull);
    atomicAdd(mine + kMostLengths + length, static_cast<unsigned long long>(degree));
  }
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < num_lengths; i += kThreads) {
    atomicAdd(counts + i, mine[i]);
    atomicAdd(counts + num_lengths + i, mine[kMostLengths + i]);
  }
}

}  // namespace

void LaunchCountLengths(const VertexIndexView& index, uint32_t num_lengths,
                        unsigned long long* counts, const CellLaunch& on) {
  CountLengthsKernel<<<on.thread_blocks, kThreads, 0, on.stream>>>(index, num_lengths, counts);
}

void LaunchListDegrees(const CellWork& work, const VertexIndexView& index, uint32_t* degrees) {
  ForEach(index.num_vertices, work.on, [=] __device__(uint64_t i) {
    const EdgeIndex degree = index.degree(static_cast<VertexId>(i));
    degrees[i] = degree < ~0u ? static_cast<uint32_t>(degree) : ~0u;
  });
}

void LaunchNeighborDegrees(const CellVisit& visit, uint32_t* degrees) {
  VisitEdges(visit, [=] __device__(uint64_t, VertexId, VertexId neighbor) {
    atomicAdd(degrees + neighbor, 1u);
  });
}

void LaunchCountSlots(const CellWork& work, const uint32_t* degrees, unsigned long long* slots) {
  const uint64_t num_vertices = work.shape.num_vertices;
  ForEachByWarp(work.shape.num_slices(), work.on, [=] __device__(uint64_t slice, uint32_t lane) {
    const uint64_t vertex = slice * kSliceReceivers + lane;
    const uint32_t degree = vertex < num_vertices ? degrees[vertex] : 0;
    const uint32_t most = __reduce_max_sync(kAllLanes, degree);
    if (lane == 0) atomicAdd(slots, static_cast<unsigned long long>(most) * kSliceReceivers);
  });
}

void LaunchPlaces(const CellWork& work, uint32_t* degrees, uint32_t* spare, VertexId* order,
                  uint32_t* place) {
  const uint64_t count = work.shape.num_vertices;
  // Sorting the complements by rising value keeps equal degrees in order.
  ForEach(count, work.on, [=] __device__(uint64_t i) {
    degrees[i] = ~degrees[i];
    order[i] = static_cast<VertexId>(i);
  });
  if (Sort(work, {{degrees, spare}, {order, place}}, count, 32)) {
    ForEach(count, work.on, [=] __device__(uint64_t i) { order[i] = place[i]; });
  }
  ForEach(count, work.on,
          [=] __device__(uint64_t i) { place[order[i]] = static_cast<uint32_t>(i); });
}

size_t CellScratchBytes(uint64_t num_items) {
  size_t most = 0;
  const auto add = [&](auto call) {
    size_t bytes = 0;
    call(bytes);
    most = std::max(most, bytes);
  };
  add([&](size_t& bytes) {
    cub::DoubleBuffer<CellKey> keys;
    (void)cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, num_items);
  });
  add([&](size_t& bytes) {
    cub::DoubleBuffer<uint32_t> keys, values;
    (void)cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, num_items);
  });
  add([&](size_t& bytes) {
    (void)cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<uint64_t*>(nullptr),
                                        static_cast<uint64_t*>(nullptr), num_items + 1);
  });
  return most;
}

void LaunchCellKeys(const CellVisit& visit, const CellShape& shape, const CellPlaces& places,
                    const CellOwners& owners, CellKey* keys) {
  const uint32_t receiver_shift = kSenderBits, range_shift = kSenderBits + shape.place_bits();
  VisitEdges(visit, [=] __device__(uint64_t edge, VertexId owner, VertexId neighbor) {
    if (owner < owners.first || owner >= owners.end) return;
    const uint32_t receiver = places.receiver == nullptr ? owner : places.receiver[owner];
    const uint32_t sender = places.sender == nullptr ? neighbor : places.sender[neighbor];
    const uint32_t range = sender / kRangeSenders;
    keys[edge - owners.first_edge] = uint64_t{range} << range_shift |
                                     uint64_t{receiver} << receiver_shift |
                                     (sender - range * kRangeSenders);
  });
}

CellKey* LaunchSortKeys(const CellWork& work, CellKey* keys, CellKey* spare, bool in_order) {
  cub::DoubleBuffer<CellKey> both(keys, spare);
  const uint32_t begin = kSenderBits + (in_order ? work.shape.place_bits() : 0);
  size_t bytes = work.scratch_bytes;
  (void)cub::DeviceRadixSort::SortKeys(work.scratch, bytes, both, work.shape.num_edges,
                                       static_cast<int>(begin),
                                       static_cast<int>(work.shape.key_bits()), work.on.stream);
  return both.Current();
}

void LaunchCellTiles(const CellWork& work, const CellKey* keys, const CellArrays& cells) {
  const KeyReader reader(work.shape);
  const uint64_t num_edges = work.shape.num_edges, num_cells = work.shape.num_cells();
  ForEach(num_edges + 1, work.on, [=] __device__(uint64_t edge) {
    // The cells after the one of the edge before, up to this edge's, begin here.
    const int64_t before = edge == 0 ? -1 : int64_t{reader.Cell(keys[edge - 1])};
    const int64_t here =
        edge == num_edges ? static_cast<int64_t>(num_cells) : int64_t{reader.Cell(keys[edge])};
    for (int64_t cell = before + 1; cell <= here; ++cell) {
      cells.first_edge[cell] = static_cast<uint32_t>(edge);
    }
  });
  ForEach(num_cells + 1, work.on, [=] __device__(uint64_t cell) {
    const uint32_t size =
        cell == num_cells ? 0 : cells.first_edge[cell + 1] - cells.first_edge[cell];
    cells.counts[cell] = (size + kCellTileEdges - 1) / kCellTileEdges;
  });
  ExclusiveSum(work, cells.counts, cells.first_tile, num_cells + 1);
}

void LaunchCellEdges(const CellWork& work, const CellKey* keys, const CellTables& tables) {
  const CellArrays cells = tables.cells;
  const CellTiles tiles = tables.tiles;
  const uint32_t num_cells = static_cast<uint32_t>(work.shape.num_cells());
  const uint32_t receiver_ranges = work.shape.receiver_ranges;
  ForEach(tiles.num_tiles, work.on, [=] __device__(uint64_t tile) {
    uint32_t cell = 0;  // the last cell whose first tile is at or before `tile`
    for (uint32_t end = num_cells; end - cell > 1;) {
      const uint32_t middle = cell + (end - cell) / 2;
      if (cells.first_tile[middle] <= tile) {
        cell = middle;
      } else {
        end = middle;
      }
    }
    tiles.cell[tile] = cell;
    tiles.range[tile] = cell / receiver_ranges;
  });
  ForEach(uint64_t{tiles.num_tiles} * kCellTileEdges, work.on, [=] __device__(uint64_t at) {
    const uint64_t tile = at / kCellTileEdges;
    const uint32_t cell = tiles.cell[tile];
    const uint32_t first = cells.first_edge[cell];
    const uint64_t edge = first + (at - uint64_t{cells.first_tile[cell]} * kCellTileEdges);
    CellEdge written = kNoSender;
    if (edge < cells.first_edge[cell + 1]) {
      const CellKey key = keys[edge];
      const bool starts = at % (kWarpTiles * kCellTileEdges) == 0 || edge == first ||
                          key >> kSenderBits != keys[edge - 1] >> kSenderBits;
      written = static_cast<CellEdge>((key & kNoSender) | (starts ? kStartsPart : 0));
    }
    tiles.edges[at] = written;
  });
}

void LaunchCellParts(const CellWork& work, const CellTables& tables) {
  const CellArrays cells = tables.cells;
  const CellTiles tiles = tables.tiles;
  ForEachByWarp(tiles.num_tiles, work.on, [=] __device__(uint64_t tile, uint32_t lane) {
    constexpr uint32_t kBoth = uint32_t{kStartsPart} << 16 | kStartsPart;
    const uint4 edges = LaneEdgesOf(tiles, tile, lane);
    const uint32_t count = __popc(edges.x & kBoth) + __popc(edges.y & kBoth) +
                           __popc(edges.z & kBoth) + __popc(edges.w & kBoth);
    const uint32_t all = __reduce_add_sync(kAllLanes, count);
    if (lane == 0) tiles.first_part[tile] = all;
    if (lane == 0 && tile + 1 == tiles.num_tiles) tiles.first_part[tiles.num_tiles] = 0;
  });
  ExclusiveSum(work, tiles.first_part, tiles.parts_before, uint64_t{tiles.num_tiles} + 1);
  const uint64_t num_cells = work.shape.num_cells();
  const uint32_t ranges = work.shape.sender_ranges, receiver_ranges = work.shape.receiver_ranges;
  ForEach(num_cells + 1, work.on, [=] __device__(uint64_t at) {
    const uint64_t cell = at == num_cells ? at : at % ranges * receiver_ranges + at / ranges;
    cells.counts[at] = at == num_cells ? 0
                                       : tiles.parts_before[cells.first_tile[cell + 1]] -
                                             tiles.parts_before[cells.first_tile[cell]];
  });
  ExclusiveSum(work, cells.counts, cells.first_part, num_cells + 1);
  ForEach(tiles.num_tiles, work.on, [=] __device__(uint64_t tile) {
    const uint32_t cell = tiles.cell[tile];
    const uint64_t by_receivers =
        uint64_t{cell % receiver_ranges} * ranges + cell / receiver_ranges;
    tiles.first_part[tile] = cells.first_part[by_receivers] + tiles.parts_before[tile] -
                             tiles.parts_before[cells.first_tile[cell]];
  });
}

void LaunchRangeTiles(const CellWork& work, const CellArrays& cells, uint32_t* begins) {
  const uint64_t receiver_ranges = work.shape.receiver_ranges;
  ForEach(uint64_t{work.shape.sender_ranges} + 1, work.on, [=] __device__(uint64_t range) {
    begins[range] = cells.first_tile[range * receiver_ranges];
  });
}

namespace {

/// The element of LaunchSlices' list_begin for a receiver. Parts are sorted by the low bits of
/// their receivers alone: those of one receiver range are together before, so that its parts with
/// the same low bits stay together.
struct ListPlaces {
  uint32_t receiver_bits, receiver_ranges;
  __device__ uint64_t operator()(uint64_t receiver) const {
    const uint64_t low = receiver & ((uint64_t{1} << receiver_bits) - 1);
    return low * receiver_ranges + (receiver >> receiver_bits);
  }
};

}  // namespace

void LaunchSlices(const CellWork& work, const CellKey* keys, const CellTables& tables,
                  CellParts* parts, const CellLists& lists) {
  const CellArrays cells = tables.cells;
  const CellTiles tiles = tables.tiles;
  const CellShape& shape = work.shape;
  const KeyReader reader(shape);
  const CellParts unsorted = *parts;
  ForEachByWarp(tiles.num_tiles, work.on, [=] __device__(uint64_t tile, uint32_t lane) {
    const uint32_t cell = tiles.cell[tile];
    const uint64_t first_key =
        cells.first_edge[cell] + (tile - cells.first_tile[cell]) * kCellTileEdges;
    uint32_t part = tiles.first_part[tile];
    for (uint32_t i = lane; i < kCellTileEdges; i += kWarpSize) {
      const bool starts = (tiles.edges[tile * kCellTileEdges + i] & kStartsPart) != 0;
      const uint32_t votes = __ballot_sync(kAllLanes, starts);
      const uint32_t mine = part + __popc(votes & ((1u << lane) - 1));
      if (starts) {
        unsorted.receiver[0][mine] = reader.Receiver(keys[first_key + i]);
        unsorted.number[0][mine] = mine;
      }
      part += __popc(votes);
    }
  });
  if (Sort(work, {parts->receiver, parts->number}, parts->num_parts, shape.receiver_bits)) {
    std::swap(parts->receiver[0], parts->receiver[1]);
    std::swap(parts->number[0], parts->number[1]);
  }
  const ListPlaces places{shape.receiver_bits, shape.receiver_ranges};
  const uint32_t* const receiver = parts->receiver[0];
  const uint64_t num_parts = parts->num_parts;
  const uint64_t num_lists = uint64_t{shape.receiver_ranges} << shape.receiver_bits;
  ForEach(num_parts + 1, work.on, [=] __device__(uint64_t i) {
    const int64_t before = i == 0 ? -1 : static_cast<int64_t>(places(receiver[i - 1]));
    const int64_t here = static_cast<int64_t>(i == num_parts ? num_lists : places(receiver[i]));
    for (int64_t list = before + 1; list <= here; ++list) {
      lists.begin[list] = static_cast<uint32_t>(i);
    }
  });
  const uint64_t num_vertices = shape.num_vertices, num_slices = shape.num_slices();
  uint64_t* const sizes = lists.slice_begin + num_slices + 1;
  ForEachByWarp(num_slices + 1, work.on, [=] __device__(uint64_t slice, uint32_t lane) {
    const uint64_t place = slice * kSliceReceivers + lane;
    const uint64_t list = places(place);
    const uint32_t count = place < num_vertices ? lists.begin[list + 1] - lists.begin[list] : 0;
    const uint32_t most = __reduce_max_sync(kAllLanes, count);
    if (lane == 0) sizes[slice] = uint64_t{most} * kSliceReceivers;
  });
  ExclusiveSum(work, sizes, lists.slice_begin, num_slices + 1);
}

void LaunchFillSlots(const CellWork& work, const CellParts& parts, const CellLists& lists) {
  const ListPlaces places{work.shape.receiver_bits, work.shape.receiver_ranges};
  ForEach(parts.num_parts, work.on, [=] __device__(uint64_t i) {
    const uint32_t receiver = parts.receiver[0][i];
    const uint64_t number = i - lists.begin[places(receiver)];
    lists.slots[lists.slice_begin[receiver / kSliceReceivers] + number * kSliceReceivers +
                receiver % kSliceReceivers] = parts.number[0][i];
  });
}

}  // namespace edgemill

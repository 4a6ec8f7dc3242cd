// The ways in which kernels read raw lists (EMOGI, 4.2 and 4.3), and the requests that each of them
// sends across the link (3.3).
#pragma once

#include <cstdint>

#include "bench/rivals/raw_lists.h"
#include "kernels/portable_atomics.h"

namespace edgemill::bench {

inline constexpr uint64_t kSectorBytes = 32;
inline constexpr uint64_t kLineBytes = 128;

// A way of reading has the type of neighbours in memory. It says how many lanes share a list, and
// where their first load begins. Lane i then reads every kLanes-th edge from number i on. Edges
// before the list are left out.

/// A thread reads a list: the naive kernel.
template <typename Neighbor>
struct StridedReading {
  using Edge = Neighbor;
  static constexpr uint32_t kLanes = 1;
  EM_HOST_DEVICE static uint64_t First(uint64_t begin) { return begin; }
};

/// A warp reads a list, from its first edge on.
template <typename Neighbor>
struct MergedReading {
  using Edge = Neighbor;
  static constexpr uint32_t kLanes = 32;
  EM_HOST_DEVICE static uint64_t First(uint64_t begin) { return begin; }
};

/// A warp reads a list, from the line of 128 bytes on that has its first edge.
template <typename Neighbor>
struct AlignedReading {
  using Edge = Neighbor;
  static constexpr uint32_t kLanes = 32;
  EM_HOST_DEVICE static uint64_t First(uint64_t begin) {
    constexpr uint64_t kPerLine = kLineBytes / sizeof(Edge);
    return begin / kPerLine * kPerLine;
  }
};

/// A choice of these, by name.
enum class RawReading { kStrided, kMerged, kAligned };

/// The number of slices into which the list [begin, end) is cut. Slices start at multiples of
/// kRawSliceEdges after Reading::First(begin). A list of at most kRawSliceEdges has one slice.
template <typename Reading>
EM_HOST_DEVICE uint64_t NumRawSlices(uint64_t begin, uint64_t end) {
  if (end - begin <= kRawSliceEdges) return 1;
  return (end - Reading::First(begin) + kRawSliceEdges - 1) / kRawSliceEdges;
}

/// The sector of an edge in an array of `Value`.
template <typename Value>
EM_HOST_DEVICE uint64_t SectorOf(uint64_t edge) {
  return edge / (kSectorBytes / sizeof(Value));
}

/// Requests across the link, by size. The sectors of one line that one load of a warp needs are one
/// request if they are consecutive. What a worker (a warp or thread) read last is in its cache, and
/// it does not request that sector again. What workers read for each other is not counted as
/// cached.
struct RequestCounts {
  uint64_t of_sectors[4] = {};  // of 32, 64, 96 and 128 bytes

  /// Adds `times` equal requests of the sectors [first, last] of one line.
  EM_HOST_DEVICE void Add(uint64_t first, uint64_t last, uint64_t times) {
    of_sectors[last - first] += times;
  }
};

// The functions below count the requests for one array with `Value` for each edge: neighbours, or
// weights.

/// Adds `times` equal loads of one warp, of the edges [begin, end).
template <typename Value>
EM_HOST_DEVICE void AddWarpLoad(uint64_t begin, uint64_t end, uint64_t times,
                                RequestCounts* counts) {
  while (begin < end) {
    const uint64_t line_end = AlignedReading<Value>::First(begin) + kLineBytes / sizeof(Value);
    const uint64_t stop = end < line_end ? end : line_end;
    counts->Add(SectorOf<Value>(begin), SectorOf<Value>(stop - 1), times);
    begin = stop;
  }
}

/// Adds `times` equal slices [begin, end), each read by a worker alone. The first load begins at
/// `first`.
template <typename Reading, typename Value>
EM_HOST_DEVICE void AddSlice(uint64_t first, uint64_t begin, uint64_t end, uint64_t times,
                             RequestCounts* counts) {
  if constexpr (Reading::kLanes == 1) {
    const uint64_t sectors = SectorOf<Value>(end - 1) - SectorOf<Value>(begin) + 1;
    counts->Add(0, 0, times * sectors);
  } else {
    constexpr uint64_t kLanes = Reading::kLanes;
    const uint64_t num_loads = (end - first + kLanes - 1) / kLanes;
    AddWarpLoad<Value>(begin, end < first + kLanes ? end : first + kLanes, times, counts);
    // Later loads leave out the sector that the load before ended in. All but the last are alike.
    const auto next = [&](uint64_t load) {
      const uint64_t from = first + load * kLanes;
      constexpr uint64_t kPerSector = kSectorBytes / sizeof(Value);
      return (from + kPerSector - 1) / kPerSector * kPerSector;
    };
    if (num_loads > 2)
      AddWarpLoad<Value>(next(1), first + 2 * kLanes, times * (num_loads - 2), counts);
    if (num_loads > 1) AddWarpLoad<Value>(next(num_loads - 1), end, times, counts);
  }
}

/// Adds the list [begin, end), which is not empty, where no other list is read by the same loads.
template <typename Reading, typename Value>
EM_HOST_DEVICE void AddListAlone(uint64_t begin, uint64_t end, RequestCounts* counts) {
  const uint64_t first = Reading::First(begin), num_slices = NumRawSlices<Reading>(begin, end);
  const auto start = [&](uint64_t slice) { return first + slice * kRawSliceEdges; };
  AddSlice<Reading, Value>(first, begin, num_slices == 1 ? end : start(1), 1, counts);
  if (num_slices > 2)
    AddSlice<Reading, Value>(start(1), start(1), start(2), num_slices - 2, counts);
  if (num_slices > 1) {
    AddSlice<Reading, Value>(start(num_slices - 1), start(num_slices - 1), end, 1, counts);
  }
}

/// The lists that one warp reads together: 32 / kLanes of them. Those that are not there are empty.
template <typename Reading>
struct WarpLists {
  static constexpr uint32_t kLists = 32 / Reading::kLanes;
  uint64_t begin[kLists] = {};
  uint64_t end[kLists] = {};
};

/// Adds what a warp requests to read `lists`, which are in ascending order.
template <typename Value, typename Reading>
EM_HOST_DEVICE void AddRequests(const WarpLists<Reading>& lists, RequestCounts* counts) {
  uint64_t most = 0;  // edges of a list that is not cut
  for (uint32_t i = 0; i < lists.kLists; ++i) {
    const uint64_t size = lists.end[i] - lists.begin[i];
    if (Reading::kLanes > 1 || size > kRawSliceEdges) {
      if (size > 0) AddListAlone<Reading, Value>(lists.begin[i], lists.end[i], counts);
    } else if (size > most) {
      most = size;
    }
  }
  // Thread i reads edge number `step` of list i. It requests each sector where it comes into it.
  for (uint64_t step = 0; step < most; ++step) {
    uint64_t first = 0, last = 0;  // sectors of the request that grows
    bool any = false;
    for (uint32_t i = 0; i < lists.kLists; ++i) {
      const uint64_t size = lists.end[i] - lists.begin[i], edge = lists.begin[i] + step;
      if (size > kRawSliceEdges || step >= size) continue;
      const uint64_t sector = SectorOf<Value>(edge);
      if (step > 0 && SectorOf<Value>(edge - 1) == sector) continue;
      constexpr uint64_t kPerLine = kLineBytes / kSectorBytes;
      const bool joins = any && sector <= last + 1 && sector / kPerLine == last / kPerLine;
      if (!joins) {
        if (any) counts->Add(first, last, 1);
        first = sector;
      }
      last = sector;
      any = true;
    }
    if (any) counts->Add(first, last, 1);
  }
}

}  // namespace edgemill::bench

// Pulls that stop at a list's first member of the frontier, several in one launch: a search.
//
// A vertex that may still be found tests its sampled neighbour first; on small-world graphs most
// need no more. The lists of the rest follow: a thread a list, a warp where lists are long, all
// warps where they are very long. Each pass notes the vertices that it finds in a set. What becomes
// of them is left to the caller.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/sample_neighbors.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The most passes of a launch.
inline constexpr uint32_t kSearchSets = 8;
/// The most very long lists that all warps share; each further one is left to a warp.
inline constexpr uint32_t kMaxLongLists = 4096;
/// Once so few are left to be found they are listed, and passes go over the list.
inline constexpr uint32_t kMaxQueued = 1u << 16;

/// What a pass has found; all threads add to it.
struct SearchPhase {
  uint32_t found = 0;
  uint32_t left = 0;   // to be found
  uint32_t lists = 0;  // of those, lists that are to be looked through
  uint32_t long_lists = 0;
  uint32_t queued = 0;
  uint32_t shares = 0;  // of the words that warps have taken
};

/// What thread blocks exchange, and what the host reads of it.
struct SearchState {
  SearchPhase phases[3];                    // in turn
  unsigned long long emitted = 0;           // vertices, but for those that it started with
  unsigned long long zero_copy_groups = 0;  // read across the link
  uint32_t passes = 0;
  uint32_t active = 0;     // found last
  uint32_t gave_up = 0;    // a pass: it had more than max_lists
  uint32_t damaged = ~0u;  // the least block with an id out of bounds
};

/// Memory and bounds of a launch. Sets have a bit a vertex, in 32-bit words.
struct SearchLaunch {
  DeviceSampledNeighbors sampled;
  const uint32_t* from = nullptr;  // vertices that emit first
  uint32_t* open = nullptr;        // vertices that may be found, with edges; found ones are removed
  uint32_t* sets = nullptr;        // kSearchSets in a row: the vertices that each pass finds
  VertexId* long_lists = nullptr;  // room for kMaxLongLists
  VertexId* queue = nullptr;       // and for kMaxQueued
  SearchState* state = nullptr;    // as it is constructed at first
  bool by_degree = false;          // the greater the id, the less the degree
  uint32_t max_passes = kSearchSets;
  /// Ends before a pass from fewer vertices when more than `most_left` are left to be found: a push
  /// is less work.
  uint32_t least_active = 0;
  uint32_t most_left = 0;
  /// Where lists are read across the link: gives up a pass that has more of them to look through,
  /// as if it had not begun. kAnyLists: they are on the GPU.
  static constexpr uint32_t kAnyLists = ~0u;
  uint32_t max_lists = kAnyLists;

  EM_HOST_DEVICE static uint64_t WordsOf(uint64_t num_vertices) { return (num_vertices + 31) / 32; }
};

/// Before LaunchSearch: whether the GPU's multiprocessors have the shared memory for it, 128 KiB.
bool PrepareSearch();
/// Does passes within the bounds of `search`; always the first, unless it is given up. A
/// cooperative launch on all of `multiprocessors`, or as many as there is work for.
void LaunchSearch(const ReachedEdges& reached, const SearchLaunch& search, uint32_t multiprocessors,
                  CUstream_st* stream);

}  // namespace edgemill

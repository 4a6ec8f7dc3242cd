// Pulls that stop at a list's first member of the frontier, several in one launch: a search.
//
// Who may be found yet tests its sampled neighbour, which on small-world graphs is all that most
// need; lists of the rest follow, a thread a list, a warp where lists are long, all warps where
// they are very long. Who is found is noted in a set a pass: what becomes of them is not the
// search's matter.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/sample_neighbors.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// Passes of a launch at most.
inline constexpr uint32_t kSearchSets = 8;
/// Lists so long that all warps share each, at most; what is more is a warp's.
inline constexpr uint32_t kMaxLongLists = 4096;
/// Once so few are left to be found they are listed, and passes go over the list.
inline constexpr uint32_t kMaxQueued = 1u << 16;

/// What a pass has found: all threads add to it.
struct SearchPhase {
  uint32_t found = 0;
  uint32_t left = 0;   // to be found
  uint32_t lists = 0;  // of those, that are to be looked through
  uint32_t long_lists = 0;
  uint32_t queued = 0;
  uint32_t shares = 0;  // of the words that warps have taken
};

/// What thread blocks tell each other and the host.
struct SearchState {
  SearchPhase phases[3];              // in turn
  unsigned long long emitted = 0;     // vertices, but for those that it started with
  unsigned long long far_groups = 0;  // read across the link
  uint32_t passes = 0;
  uint32_t active = 0;     // that were found last
  uint32_t gave_up = 0;    // a pass: it had more than max_lists
  uint32_t damaged = ~0u;  // the least block with an id out of bounds
};

/// Memory and bounds of a launch. Sets have a bit a vertex, in 32-bit words.
struct SearchLaunch {
  DeviceSampledNeighbors sampled;
  const uint32_t* from = nullptr;  // who emits first
  uint32_t* open = nullptr;        // who may be found, all with an edge; who is found is taken out
  uint32_t* sets = nullptr;        // kSearchSets of them, one after the other: who each pass finds
  VertexId* long_lists = nullptr;  // room for kMaxLongLists
  VertexId* queue = nullptr;       // and for kMaxQueued
  SearchState* state = nullptr;    // as it is constructed at first
  bool by_degree = false;          // the greater the id, the less the degree
  uint32_t max_passes = kSearchSets;
  /// Ends before a pass from fewer vertices with more left to be found: to push is less work.
  uint32_t least_active = 0;
  uint32_t most_left = 0;
  /// Where lists are read across the link: gives up a pass, as if it had not begun, that has more
  /// of them to look through. kAnyLists: they are on the GPU.
  static constexpr uint32_t kAnyLists = ~0u;
  uint32_t max_lists = kAnyLists;

  EM_HOST_DEVICE static uint64_t WordsOf(uint64_t num_vertices) { return (num_vertices + 31) / 32; }
};

/// Before LaunchSearch: whether the GPU's multiprocessors have the shared memory for it, 128 KiB.
bool PrepareSearch();
/// Passes as `search` bounds; the first in any case, unless it is given up. A cooperative launch on
/// all of `multiprocessors`, or as many as there is work for.
void LaunchSearch(const ReachedEdges& reached, const SearchLaunch& search, uint32_t multiprocessors,
                  CUstream_st* stream);

}  // namespace edgemill

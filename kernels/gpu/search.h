// A search: several pulls in one launch, which stop at a list's first member of the frontier.
//
// A pass tests the sampled neighbour of each vertex that may still be found. On small-world graphs
// most vertices need no more. Then the pass searches the lists of the other vertices. A thread
// takes a short list, a warp a long one, and all warps share a very long one. Each pass writes the
// vertices that it finds to a set. The caller decides what happens to them.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/sample_neighbors.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The most passes of a launch.
inline constexpr uint32_t kSearchSets = 8;
/// The most very long lists that all warps share. Each further one is searched by one warp.
inline constexpr uint32_t kMaxLongLists = 4096;
/// Once at most this many vertices are left to be found, they are put into a queue. Later passes
/// visit only the queue.
inline constexpr uint32_t kMaxQueued = 1u << 16;

/// What a phase has found. All threads add to it.
struct SearchPhase {
  uint32_t found = 0;
  uint32_t left = 0;   // vertices left to be found
  uint32_t lists = 0;  // lists of these that must be searched
  uint32_t long_lists = 0;
  uint32_t queued = 0;
  uint32_t shares = 0;  // shares of the words that warps have taken
};

/// What thread blocks exchange, and what the host reads afterwards.
struct SearchState {
  SearchPhase phases[3];                    // used in rotation
  unsigned long long emitted = 0;           // vertices, without those that it started with
  unsigned long long zero_copy_groups = 0;  // read across the link
  uint32_t passes = 0;
  uint32_t active = 0;     // vertices that the last pass found
  uint32_t gave_up = 0;    // 1: a pass had more lists than max_lists
  uint32_t damaged = ~0u;  // the least block with an id out of bounds
};

/// Memory and bounds of a launch. Sets have a bit for each vertex, in 32-bit words.
struct SearchLaunch {
  DeviceSampledNeighbors sampled;
  const uint32_t* from = nullptr;  // vertices that emit first
  uint32_t* open = nullptr;        // vertices with edges that may be found; found ones are removed
  uint32_t* sets = nullptr;        // kSearchSets in a row: the vertices that each pass finds
  VertexId* long_lists = nullptr;  // kMaxLongLists vertices
  VertexId* queue = nullptr;       // kMaxQueued vertices
  SearchState* state = nullptr;    // must be SearchState() at first
  bool by_degree = false;          // greater ids have lower degrees
  uint32_t max_passes = kSearchSets;
  /// The search ends before a pass from fewer vertices if more than `max_left` are left to be
  /// found: a push is less work.
  uint32_t min_active = 0;
  uint32_t max_left = 0;
  /// Where lists are read across the link, a pass that must search more lists than this is undone,
  /// and the search ends. kAnyLists: all lists are on the GPU.
  static constexpr uint32_t kAnyLists = ~0u;
  uint32_t max_lists = kAnyLists;

  EM_HOST_DEVICE static uint64_t WordsOf(uint64_t num_vertices) { return (num_vertices + 31) / 32; }
};

/// Sets up the search kernel's use of shared memory. Call it before LaunchSearch; where it returns
/// false the GPU has too little shared memory, and LaunchSearch must not be called.
bool PrepareSearch();
/// Does passes within the bounds of `search`. The first pass is always done, unless the search
/// gives up. This is a cooperative launch of at most `multiprocessors` thread blocks; small graphs
/// have fewer.
void LaunchSearch(const ReachedEdges& reached, const SearchLaunch& search, uint32_t multiprocessors,
                  CUstream_st* stream);

}  // namespace edgemill

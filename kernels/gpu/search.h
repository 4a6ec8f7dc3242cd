// A search: several passes in one launch. The first passes may push. The others pull, and stop at a
// list's first member of the frontier.
//
// A push takes the frontier's lists in chunks. A pull tests the sampled neighbour of each vertex
// that may still be found. On small-world graphs most vertices need no more. Then the pull searches
// the lists of the other vertices. A thread takes a short list, a warp a long one, and all warps
// share a very long one. Each pass writes the vertices that it finds to a set. The caller decides
// what happens to them.
#pragma once

#include <cstdint>

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/edge_kernels.h"
#include "kernels/gpu/sample_neighbors.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The most passes of a launch.
inline constexpr uint32_t kSearchSets = 8;
/// The most very long lists that all warps share. Each further one is searched by one warp.
inline constexpr uint32_t kMaxLongLists = 4096;
/// Once at most this many vertices are left to be found, they are put into a queue. Later pulls
/// visit only the queue.
inline constexpr uint32_t kMaxQueued = 1u << 16;

/// The steps of a search, each of which ends when all threads have done it.
enum class SearchStep : uint32_t {
  kOpen,        // which vertices may be found, and the start of the search
  kListChunks,  // the chunks of the frontier's lists
  kPush,        // along these chunks
  kTest,        // of sampled neighbours
  kLists,       // of vertices whose sampled neighbour does not help
  kLongLists,   // those that all warps share
  kQueue,       // a pull for the vertices in the queue
  kTake,        // found vertices take their messages
};
inline constexpr uint32_t kNumSearchSteps = 8;
/// "open", "list chunks", "push".
const char* SearchStepName(SearchStep step);

/// When each step of a search ended, on the GPU's clock. Later steps than kMost are not noted.
struct SearchClock {
  static constexpr uint32_t kMost = 64;
  unsigned long long begin = 0;  // nanoseconds, also below
  unsigned long long ends[kMost] = {};
  SearchStep steps[kMost] = {};
  uint32_t count = 0;
};

/// What a phase has found. All threads add to it.
struct SearchPhase {
  uint32_t found = 0;
  uint32_t left = 0;   // vertices left to be found
  uint32_t lists = 0;  // lists of these that must be searched
  uint32_t long_lists = 0;
  uint32_t queued = 0;
  uint32_t chunks = 0;           // of the lists of the frontier
  unsigned long long edges = 0;  // of these lists
};

/// What thread blocks exchange, and what the host reads afterwards.
struct SearchState {
  SearchPhase phases[3];                    // used in rotation
  unsigned long long emitted = 0;           // vertices, without those that it started with
  unsigned long long pushed_edges = 0;      // without those of the vertices that it started with
  unsigned long long zero_copy_groups = 0;  // read across the link
  uint32_t passes = 0;
  uint32_t pushes = 0;          // of these
  uint32_t active = 0;          // vertices that the last pass found
  uint32_t gave_up = 0;         // 1: a pass had more lists than max_lists
  uint32_t damaged = ~0u;       // the least block with an id out of bounds; by pulls
  uint32_t push_damaged = ~0u;  // the same, by pushes
  uint32_t taken = 0;           // thread blocks that have given found vertices their messages
  SearchClock clock;
};

/// Lists of vertices, and of chunks of their lists.
struct SearchQueues {
  VertexId* lists = nullptr;       // MostListed(num_vertices): whose lists to search or push along
  VertexId* long_lists = nullptr;  // kMaxLongLists vertices
  VertexId* queue = nullptr;       // kMaxQueued vertices
  WarpChunk* chunks = nullptr;     // to push along
  uint32_t max_chunks = 0;
};

/// The pushes with which a search begins. It pulls once the frontier's lists have more than
/// `max_edges` edges, or more than `min_pull_edges` if it has more than SearchLaunch::min_active
/// vertices. It ends before a push of more chunks, or vertices, than have room, and after `max`
/// pushes. 0: it pulls at once.
struct SearchPushBounds {
  uint32_t max = 0;
  EdgeIndex min_pull_edges = 0;
  EdgeIndex max_edges = 0;
};

/// Memory and bounds of a launch. Sets have a bit for each vertex, in 32-bit words.
struct SearchLaunch {
  DeviceSampledNeighbors sampled;
  const uint32_t* from = nullptr;  // vertices that emit first
  uint32_t* open = nullptr;        // vertices with edges that may be found; found ones are removed
  uint32_t* sets = nullptr;        // kSearchSets in a row: the vertices that each pass finds
  SearchQueues queues;
  SearchState* state = nullptr;  // must be SearchState() at first
  bool by_degree = false;        // greater ids have lower degrees
  uint32_t max_passes = kSearchSets;
  /// The search ends before a pull from fewer vertices if more than `max_left` are left to be
  /// found: a push is less work.
  uint32_t min_active = 0;
  uint32_t max_left = 0;
  /// Where lists are read across the link, a pass that must search more lists than this is undone,
  /// and the search ends. kAnyLists: all lists are on the GPU.
  static constexpr uint32_t kAnyLists = ~0u;
  uint32_t max_lists = kAnyLists;
  SearchPushBounds pushes;

  EM_HOST_DEVICE static uint64_t WordsOf(uint64_t num_vertices) { return (num_vertices + 31) / 32; }
  /// The most lists that are listed. More are found again by their vertices' bits.
  EM_HOST_DEVICE static uint64_t MostListed(uint64_t num_vertices) {
    const uint64_t share = num_vertices / 8;
    return share < kMaxQueued ? kMaxQueued : share;
  }
  /// The most vertices of a frontier to push from.
  EM_HOST_DEVICE static uint64_t MostPushed(uint64_t num_vertices) {
    const uint64_t share = num_vertices / 64;
    return share < kMaxQueued ? kMaxQueued : share;
  }
};

/// The lists that a search reads.
struct SearchedLists {
  ReachedEdges pulled;
  ReachedEdges pushed;  // where the search begins with pushes
};

/// Sets up the search kernel's use of shared memory. Call it before LaunchSearch; where it returns
/// false the GPU has too little shared memory, and LaunchSearch must not be called.
bool PrepareSearch();
/// Does passes within the bounds of `search`. The first pass is always done if it is a pull, unless
/// the search gives up. This is a cooperative launch of at most `multiprocessors` thread blocks;
/// small graphs have fewer.
void LaunchSearch(const SearchedLists& lists, const SearchLaunch& search, uint32_t multiprocessors,
                  CUstream_st* stream);

}  // namespace edgemill

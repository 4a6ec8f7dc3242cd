// What the threads of a search share, and how their phases end.
#pragma once

#include <cooperative_groups.h>

#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/search.h"
#include "kernels/gpu/search_clock.cuh"
#include "kernels/gpu/waiting_vertices.cuh"

namespace edgemill {

/// Threads of a thread block. Each multiprocessor has one block. With more threads, registers would
/// be spilled.
inline constexpr uint32_t kSearchThreads = 768;
inline constexpr uint32_t kSearchWarps = kSearchThreads / kWarpSize;
/// Where ids are by degree, thread blocks keep this many of the frontier's first bits in shared
/// memory: the bits of hubs.
inline constexpr uint32_t kHubs = 1u << 18;

struct SearchShared {
  uint32_t hubs[kHubs / 32];
  WarpScratch<NoWeight> lists[kSearchWarps];
  VertexId waiting[kSearchWarps][WaitingVertices::kMax];
  SearchPhase mine;     // what the block has counted in this phase
  SearchPhase last;     // what all blocks have found in the last phase
  uint32_t listed = 0;  // lists that the block has to search
};

/// How far a search has come. The counts but the last are the same in all threads.
struct SearchProgress {
  uint32_t phases = 0;             // done
  uint32_t passes = 0;             // done
  uint32_t active = 0;             // vertices that the last pass found
  uint32_t zero_copy_groups = 0;   // that the thread read across the link
  unsigned long long emitted = 0;  // vertices of the passes that are done, but for the first pass
};

/// One thread's view of a launch.
class SearchTeam {
 public:
  __device__ SearchTeam(const SearchLaunch& launch, const ReachedEdges& reached,
                        const SearchProgress& at)
      : launch(launch),
        reached(reached),
        num_words(static_cast<uint32_t>(SearchLaunch::WordsOf(reached.edges.index.num_vertices))),
        lane(threadIdx.x % kWarpSize),
        at(at) {}

  const SearchLaunch& launch;
  const ReachedEdges& reached;  // the lists that are read
  const uint32_t num_words;     // of a set
  const uint32_t lane;
  SearchProgress at;

  __device__ uint32_t* Set(uint32_t number) const {
    return launch.sets + uint64_t{number} * num_words;
  }
  /// The vertices that emit in the next pass, and those that it finds.
  __device__ const uint32_t* from() const {
    return at.passes == 0 ? launch.from : Set(at.passes - 1);
  }
  __device__ uint32_t* next() const { return Set(at.passes); }
  __device__ SearchPhase& record() const { return launch.state->phases[at.phases % 3]; }
  __device__ SearchShared& shared() const {
    extern __shared__ uint4 memory[];
    return *reinterpret_cast<SearchShared*>(memory);
  }
  /// What the block counts in this phase.
  __device__ SearchPhase& mine() const { return shared().mine; }
  /// The room in the block's list of lists to search, and that list.
  __device__ uint32_t most_listed() const {
    return static_cast<uint32_t>(SearchLaunch::MostListed(reached.edges.index.num_vertices) /
                                 gridDim.x);
  }
  __device__ VertexId* listed() const {
    return launch.queues.lists + uint64_t{blockIdx.x} * most_listed();
  }
  /// The warp's own parts of the shared memory.
  __device__ WarpScratch<NoWeight>& scratch() const {
    return shared().lists[threadIdx.x / kWarpSize];
  }
  __device__ VertexId* waiting() const { return shared().waiting[threadIdx.x / kWarpSize]; }

  /// Call this before the first phase.
  __device__ void Begin() const {
    if (threadIdx.x == 0) shared().mine = {};
    __syncthreads();
  }
  /// Waits for all threads, and returns what the phase found. Then clears the record of the phase
  /// before, which all threads have read. The phase after the next one uses that record. One thread
  /// of a block adds and reads for all: so many at one place would wait for each other.
  __device__ SearchPhase EndPhase(SearchStep step) {
    SearchPhase& mine = shared().mine;
    SearchPhase& last = shared().last;
    __syncthreads();
    if (threadIdx.x == 0) {
      if (mine.found != 0) atomicAdd(&record().found, mine.found);
      if (mine.left != 0) atomicAdd(&record().left, mine.left);
      if (mine.lists != 0) atomicAdd(&record().lists, mine.lists);
      if (mine.edges != 0) atomicAdd(&record().edges, mine.edges);
      mine = {};
    }
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) {
      last.found = LoadRelaxed(&record().found);
      last.left = LoadRelaxed(&record().left);
      last.lists = LoadRelaxed(&record().lists);
      last.long_lists = LoadRelaxed(&record().long_lists);
      last.queued = LoadRelaxed(&record().queued);
      last.chunks = LoadRelaxed(&record().chunks);
      last.edges = LoadRelaxed(&record().edges);
    }
    __syncthreads();
    if (ThreadNumber() == 0) {
      launch.state->phases[(at.phases + 2) % 3] = {};
      NoteEnd(launch.state->clock, step);
    }
    ++at.phases;
    return last;
  }
  /// Notes that a pass has found `found` vertices.
  __device__ void EndPass(uint32_t found) {
    if (at.passes > 0) at.emitted += at.active;
    ++at.passes;
    at.active = found;
  }
  /// Adds the numbers `count` of all lanes to `*total`.
  template <typename T>
  __device__ void Count(T* total, uint32_t count) const {
    const uint32_t sum = __reduce_add_sync(kAllLanes, count);
    if (lane == 0 && sum > 0) atomicAdd(total, T{sum});
  }
  __device__ void Clear(uint32_t* set) const {
    for (uint64_t word = ThreadNumber(); word < num_words; word += NumThreads()) set[word] = 0;
  }
  /// Returns the sum of the counts of all lanes before this one, and adds all counts to `*total`.
  /// What it returns begins at the old `*total`. All lanes must call it together.
  __device__ uint32_t Reserve(uint32_t* total, uint32_t count) const {
    uint32_t end = count;
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      const uint32_t below = __shfl_up_sync(kAllLanes, end, by);
      if (lane >= by) end += below;
    }
    uint32_t begin = 0;
    if (lane == kWarpSize - 1 && end > 0) begin = atomicAdd(total, end);
    return __shfl_sync(kAllLanes, begin, kWarpSize - 1) + end - count;
  }
  /// Appends the vertices `bits` of the lane's word to `list`, which has `*count` vertices and room
  /// for `capacity`. All lanes must call it together.
  __device__ void List(uint32_t bits, uint64_t word, uint32_t* count, VertexId* list,
                       uint32_t capacity) const {
    uint32_t place = Reserve(count, __popc(bits));
    for (; bits != 0 && place < capacity; bits &= bits - 1, ++place) {
      list[place] = static_cast<VertexId>(word * kWarpSize + __ffs(bits) - 1);
    }
  }
};

__device__ inline void AddTo(uint32_t* set, VertexId vertex) {
  atomicOr(set + vertex / 32, 1u << (vertex % 32));
}

}  // namespace edgemill

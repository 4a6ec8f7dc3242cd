#include <cooperative_groups.h>

#include <algorithm>

#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/launch_together.cuh"
#include "kernels/gpu/search.h"
#include "kernels/gpu/waiting_vertices.cuh"

namespace edgemill {
namespace {

/// Threads of a thread block. Each multiprocessor has one block. With more threads, registers would
/// be spilled.
constexpr uint32_t kSearchThreads = 768;
constexpr uint32_t kSearchWarps = kSearchThreads / kWarpSize;
/// All warps share lists of more than kWarpListEdges edges. Each takes kSharedListEdges at a time.
constexpr EdgeIndex kWarpListEdges = EdgeIndex{1} << 14;
constexpr EdgeIndex kSharedListEdges = EdgeIndex{1} << 12;
/// Where ids are by degree, thread blocks keep this many of the frontier's first bits in shared
/// memory: the bits of hubs.
constexpr uint32_t kHubs = 1u << 18;
/// A warp fetches the sampled neighbours for this many words of vertices at a time.
constexpr uint32_t kTogether = 8;

struct SearchShared {
  uint32_t hubs[kHubs / 32];
  WarpScratch<NoWeight> lists[kSearchWarps];
  VertexId waiting[kSearchWarps][WaitingVertices::kMax];
};

__device__ void Add(uint32_t* set, VertexId vertex) {
  atomicOr(set + vertex / 32, 1u << (vertex % 32));
}

/// The work of one thread of a launch. The numbers of passes and phases are the same in all
/// threads.
class SearchThread {
 public:
  __device__ SearchThread(const ReachedEdges& reached, const SearchLaunch& launch,
                          SearchShared& shared)
      : reached_(reached), launch_(launch), shared_(shared), lane_(threadIdx.x % kWarpSize) {}

  __device__ void Run() {
    unsigned long long emitted = 0;
    uint32_t left = ~0u, queued = 0, active = 0, passes = 0;
    while (true) {
      const uint32_t* const from = passes == 0 ? launch_.from : Set(passes - 1);
      uint32_t* const next = Set(passes);
      uint32_t tested = 0;  // found by a separate test of sampled neighbours
      if (queued > 0) {
        PullQueue(from, next, queued);
      } else if (launch_.max_lists == SearchLaunch::kAnyLists) {
        Pull(Parts::kBoth, from, next, left <= kMaxQueued);
      } else {
        Pull(Parts::kSampled, from, next, false);
        const SearchPhase tests = EndPhase();
        if (tests.lists > launch_.max_lists) {
          GiveUp(next);
          emitted -= active;
          break;
        }
        left = tests.left;
        tested = tests.found;
        Pull(Parts::kLists, from, next, left <= kMaxQueued);
      }
      // A pass over the queue only adds to its set, so the set must be clear.
      if (left <= kMaxQueued && passes + 1 < kSearchSets) Clear(Set(passes + 1));
      const SearchPhase found = EndPhase();
      active = tested + found.found;
      left = found.left;
      queued = max(queued, found.queued);
      if (found.long_lists > 0) {
        PullLongLists(from, next, min(found.long_lists, kMaxLongLists));
        const uint32_t more = EndPhase().found;
        active += more;
        left -= more;
      }
      ++passes;
      const bool goes_on = active > 0 && passes < launch_.max_passes &&
                           (active >= launch_.min_active || left <= launch_.max_left);
      if (!goes_on) break;
      emitted += active;
    }
    Count(&launch_.state->zero_copy_groups, zero_copy_groups_);
    if (ThreadNumber() > 0) return;
    launch_.state->passes = passes;
    launch_.state->active = passes > 0 ? active : 0;
    launch_.state->emitted = emitted;
  }

 private:
  __device__ uint32_t num_words() const {
    return static_cast<uint32_t>(SearchLaunch::WordsOf(reached_.edges.index.num_vertices));
  }
  __device__ uint32_t* Set(uint32_t number) const {
    return launch_.sets + uint64_t{number} * num_words();
  }
  __device__ SearchPhase& record() const { return launch_.state->phases[phase_ % 3]; }
  /// Waits for all threads, and returns what the phase found. Then clears the record of the phase
  /// before, which all threads have read. The phase after the next one uses that record.
  __device__ SearchPhase EndPhase() {
    cooperative_groups::this_grid().sync();
    SearchPhase found;
    found.found = LoadRelaxed(&record().found);
    found.left = LoadRelaxed(&record().left);
    found.lists = LoadRelaxed(&record().lists);
    found.long_lists = LoadRelaxed(&record().long_lists);
    found.queued = LoadRelaxed(&record().queued);
    if (ThreadNumber() == 0) launch_.state->phases[(phase_ + 2) % 3] = {};
    ++phase_;
    return found;
  }
  /// Adds the numbers `count` of all lanes to `*total`.
  template <typename T>
  __device__ void Count(T* total, uint32_t count) const {
    const uint32_t sum = __reduce_add_sync(kAllLanes, count);
    if (lane_ == 0 && sum > 0) atomicAdd(total, T{sum});
  }
  __device__ void Clear(uint32_t* set) const {
    for (uint64_t word = ThreadNumber(); word < num_words(); word += NumThreads()) set[word] = 0;
  }
  /// The lane's vertex of a word.
  __device__ VertexId VertexOf(uint32_t word) const { return word * kWarpSize + lane_; }

  /// The parts of a pull. They may be done separately.
  enum class Parts : uint8_t { kSampled, kLists, kBoth };
  /// Finds open vertices with a neighbour in `from`, and writes them to `next`. `queues`: puts the
  /// vertices that are left into the queue.
  __device__ void Pull(Parts parts, const uint32_t* from, uint32_t* next, bool queues) {
    const bool tests = parts != Parts::kLists;
    if (tests && launch_.by_degree) {
      __syncthreads();
      const uint32_t words = min(kHubs / 32, num_words());
      for (uint32_t i = threadIdx.x; i < words; i += kSearchThreads) shared_.hubs[i] = from[i];
      __syncthreads();
    }
    uint32_t found = 0, left = 0, lists = 0;
    const uint32_t num_warps = NumThreads() / kWarpSize;
    const uint32_t warp = ThreadNumber() / kWarpSize;
    WaitingVertices waiting(shared_.waiting[warp % kSearchWarps]);
    // Some words take much longer than others, so each warp takes the next 32 words when it is
    // free.
    uint32_t share = warp;
    for (bool last = false; !last;) {
      uint32_t taken = 0;
      if (lane_ == 0) taken = atomicAdd(&record().shares, 1u);
      const uint32_t first = share * kWarpSize;
      last = first >= num_words();
      const uint32_t word = first + lane_;
      const bool exists = word < num_words();
      uint32_t rest = exists ? launch_.open[word] : 0;
      uint32_t had = 0;
      if (tests && __any_sync(kAllLanes, rest != 0)) had = TestSampled(first, rest, from);
      rest &= ~had;
      if (tests && exists) next[word] = had;
      if (had != 0) launch_.open[word] = rest;
      found += __popc(had);
      left += __popc(rest);
      if (!queues && rest != 0) rest &= launch_.sampled.has_more[word];
      lists += __popc(rest);
      if (parts == Parts::kSampled) rest = 0;
      waiting.Add(word, rest, last, reached_.edges.index, [&](VertexId vertex) {
        const bool is_in = vertex != kInvalidVertex;
        const bool has_list = is_in && (!queues || IsIn(launch_.sampled.has_more, vertex));
        const bool is_found = Find(has_list ? vertex : kInvalidVertex, from, next);
        found += is_found;
        left -= is_found;
        if (queues) Queue(is_in && !is_found, vertex);
      });
      share = num_warps + __shfl_sync(kAllLanes, taken, 0);
    }
    Count(&record().found, found);
    Count(&record().left, left);
    if (parts == Parts::kSampled) Count(&record().lists, lists);
  }
  /// Makes vertices open again that the pass has found by sampled neighbours.
  __device__ void GiveUp(const uint32_t* next) const {
    if (ThreadNumber() == 0) launch_.state->gave_up = 1;
    for (uint64_t word = ThreadNumber(); word < num_words(); word += NumThreads()) {
      launch_.open[word] |= next[word];
    }
  }
  /// Returns the vertices in `open` whose sampled neighbour is in `from`. The warp has 32 words
  /// from `first` on, one for each lane.
  __device__ uint32_t TestSampled(uint32_t first, uint32_t open, const uint32_t* from) const {
    uint32_t had = 0;
    const uint32_t any = __ballot_sync(kAllLanes, open != 0);
#pragma unroll 1
    for (uint32_t part = 0; part < kWarpSize; part += kTogether) {
      if ((any >> part & ((1u << kTogether) - 1)) == 0) continue;
      VertexId sampled[kTogether];
      uint32_t mine = 0;
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        const uint32_t bit = __shfl_sync(kAllLanes, open, part + i) >> lane_ & 1;
        mine |= bit << i;
        sampled[i] = 0;
        if (bit != 0) sampled[i] = __ldcg(launch_.sampled.neighbor + VertexOf(first + part + i));
      }
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        const bool is_near = launch_.by_degree && sampled[i] < kHubs;
        const uint32_t word = is_near ? shared_.hubs[sampled[i] / 32] : from[sampled[i] / 32];
        const bool has = (mine >> i & word >> (sampled[i] % 32) & 1) != 0;
        const uint32_t votes = __ballot_sync(kAllLanes, has);
        if (lane_ == part + i) had = votes;
      }
    }
    return had;
  }
  /// Searches the list of the lane's vertex, if it has one. Returns whether the vertex is found.
  /// Leaves very long lists to PullLongLists. All lanes must call it together.
  __device__ bool Find(VertexId vertex, const uint32_t* from, uint32_t* next) {
    const FoundNeighbor sender =
        FindInLists(reached_, vertex, from, &launch_.state->damaged,
                    shared_.lists[threadIdx.x / kWarpSize], [&](VertexId owner, EdgeIndex degree) {
                      if (degree <= kWarpListEdges) return false;
                      const uint32_t place = atomicAdd(&record().long_lists, 1u);
                      if (place >= kMaxLongLists) return false;
                      launch_.long_lists[place] = owner;
                      return true;
                    });
    zero_copy_groups_ += sender.zero_copy_groups;
    if (sender.vertex == kInvalidVertex) return false;
    atomicAnd(launch_.open + vertex / 32, ~(1u << (vertex % 32)));
    Add(next, vertex);
    return true;
  }
  /// Adds the lanes' vertices to the queue. All lanes must call it together.
  __device__ void Queue(bool is_in, VertexId vertex) const {
    const uint32_t votes = __ballot_sync(kAllLanes, is_in);
    uint32_t place = 0;
    if (lane_ == 0 && votes != 0) place = atomicAdd(&record().queued, __popc(votes));
    place = __shfl_sync(kAllLanes, place, 0) + __popc(votes & ((1u << lane_) - 1));
    if (is_in) launch_.queue[place] = vertex;
  }
  /// Does a pull for the vertices in the queue.
  __device__ void PullQueue(const uint32_t* from, uint32_t* next, uint32_t queued) {
    uint32_t found = 0, left = 0;
    for (uint32_t base = ThreadNumber() - lane_; base < queued; base += NumThreads()) {
      VertexId vertex = kInvalidVertex;
      if (base + lane_ < queued) vertex = launch_.queue[base + lane_];
      const bool is_open = vertex != kInvalidVertex && IsIn(launch_.open, vertex);
      const bool has = is_open && IsIn(from, launch_.sampled.neighbor[vertex]);
      if (has) {
        atomicAnd(launch_.open + vertex / 32, ~(1u << (vertex % 32)));
        Add(next, vertex);
      }
      const bool asks = is_open && !has && IsIn(launch_.sampled.has_more, vertex);
      const bool is_found = Find(asks ? vertex : kInvalidVertex, from, next) || has;
      found += is_found;
      left += is_open && !is_found;
    }
    Count(&record().found, found);
    Count(&record().left, left);
  }
  /// Searches very long lists: all warps take parts of each.
  __device__ void PullLongLists(const uint32_t* from, uint32_t* next, uint32_t count) {
    const uint64_t warp = ThreadNumber() / kWarpSize, num_warps = NumThreads() / kWarpSize;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i) {
      const VertexId vertex = launch_.long_lists[i];
      const uint32_t bit = 1u << (vertex % 32);
      uint32_t* const open = launch_.open + vertex / 32;
      const EdgeIndex first = reached_.edges.index.first_edge(vertex);
      const EdgeIndex last = reached_.edges.index.first_edge(vertex + 1);
      for (EdgeIndex at = first + warp * kSharedListEdges; at < last;
           at += num_warps * kSharedListEdges) {
        if (!__any_sync(kAllLanes, (LoadRelaxed(open) & bit) != 0)) break;
        const FoundNeighbor sender =
            WarpFindInList(reached_, vertex, first, at, min(last, at + kSharedListEdges), from,
                           &launch_.state->damaged, shared_.lists[threadIdx.x / kWarpSize]);
        zero_copy_groups_ += sender.zero_copy_groups;
        if (sender.vertex == kInvalidVertex || lane_ != 0) continue;
        if ((atomicAnd(open, ~bit) & bit) == 0) continue;
        Add(next, vertex);
        ++found;
      }
    }
    Count(&record().found, found);
  }

  const ReachedEdges& reached_;
  const SearchLaunch& launch_;
  SearchShared& shared_;
  const uint32_t lane_;
  uint32_t phase_ = 0;
  uint32_t zero_copy_groups_ = 0;  // groups that the thread read across the link
};

__global__ void __launch_bounds__(kSearchThreads, 1)
    SearchKernel(const __grid_constant__ ReachedEdges reached,
                 const __grid_constant__ SearchLaunch launch) {
  extern __shared__ uint4 memory[];
  SearchThread(reached, launch, *reinterpret_cast<SearchShared*>(memory)).Run();
}

}  // namespace

bool PrepareSearch() {
  const bool has_room =
      cudaFuncSetAttribute(SearchKernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           sizeof(SearchShared)) == cudaSuccess;
  if (!has_room) (void)cudaGetLastError();  // else a later launch would seem to have failed
  return has_room;
}

void LaunchSearch(const ReachedEdges& reached, const SearchLaunch& search, uint32_t multiprocessors,
                  CUstream_st* stream) {
  const uint64_t words = SearchLaunch::WordsOf(reached.edges.index.num_vertices);
  const auto grid =
      static_cast<uint32_t>(std::clamp<uint64_t>(words / kSearchThreads, 1, multiprocessors));
  LaunchTogether(SearchKernel, grid, kSearchThreads, sizeof(SearchShared), stream, reached, search);
}

}  // namespace edgemill

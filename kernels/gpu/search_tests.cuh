// Tests of sampled neighbours: the first step of a pull.
#pragma once

#include "kernels/gpu/search_team.cuh"

namespace edgemill {

/// A warp fetches the sampled neighbours for this many words of vertices at a time.
inline constexpr uint32_t kTestedTogether = 8;

/// The work of one thread.
class SearchTests {
 public:
  __device__ explicit SearchTests(const SearchTeam& team)
      : team_(team), launch_(team.launch), lane_(team.lane) {}

  /// See TestSampled.
  __device__ void Run(bool queues) const {
    const uint32_t* const from = team_.from();
    uint32_t* const next = team_.next();
    if (threadIdx.x == 0) team_.shared().listed = 0;
    if (launch_.by_degree) FetchHubs(from);
    __syncthreads();
    uint32_t found = 0, left = 0, lists = 0;
    for (uint64_t first = ThreadNumber() - lane_; first < team_.num_words; first += NumThreads()) {
      const uint64_t word = first + lane_;
      const bool exists = word < team_.num_words;
      const uint32_t open = exists ? launch_.open[word] : 0;
      uint32_t had = 0;
      if (__any_sync(kAllLanes, open != 0)) had = Test(static_cast<uint32_t>(first), open, from);
      const uint32_t rest = open & ~had;
      if (exists) next[word] = had;
      if (had != 0) launch_.open[word] = rest;
      found += __popc(had);
      left += __popc(rest);
      if (!__any_sync(kAllLanes, rest != 0)) continue;
      const uint32_t more = rest != 0 ? rest & launch_.sampled.has_more[word] : 0;
      lists += __popc(more);
      team_.List(more, word, &team_.shared().listed, team_.listed(), team_.most_listed());
      if (!queues) continue;
      team_.List(rest & ~more, word, &team_.record().queued, launch_.queues.queue, kMaxQueued);
    }
    team_.Count(&team_.mine().found, found);
    team_.Count(&team_.mine().left, left);
    team_.Count(&team_.mine().lists, lists);
  }

 private:
  __device__ void FetchHubs(const uint32_t* from) const {
    const uint32_t words = min(kHubs / 32, team_.num_words);
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < words; i += kSearchThreads) team_.shared().hubs[i] = from[i];
  }
  /// Returns the vertices in `open` whose sampled neighbour is in `from`. The warp has 32 words
  /// from `first` on, one for each lane.
  __device__ uint32_t Test(uint32_t first, uint32_t open, const uint32_t* from) const {
    uint32_t had = 0;
    const uint32_t any = __ballot_sync(kAllLanes, open != 0);
#pragma unroll 1
    for (uint32_t part = 0; part < kWarpSize; part += kTestedTogether) {
      if ((any >> part & ((1u << kTestedTogether) - 1)) == 0) continue;
      VertexId sampled[kTestedTogether];
      uint32_t mine = 0;
#pragma unroll
      for (uint32_t i = 0; i < kTestedTogether; ++i) {
        const uint32_t bit = __shfl_sync(kAllLanes, open, part + i) >> lane_ & 1;
        const VertexId vertex = (first + part + i) * kWarpSize + lane_;
        mine |= bit << i;
        sampled[i] = 0;
        if (bit != 0) sampled[i] = __ldcg(launch_.sampled.neighbor + vertex);
      }
#pragma unroll
      for (uint32_t i = 0; i < kTestedTogether; ++i) {
        const bool is_near = launch_.by_degree && sampled[i] < kHubs;
        const uint32_t word =
            is_near ? team_.shared().hubs[sampled[i] / 32] : from[sampled[i] / 32];
        const bool has = (mine >> i & word >> (sampled[i] % 32) & 1) != 0;
        const uint32_t votes = __ballot_sync(kAllLanes, has);
        if (lane_ == part + i) had = votes;
      }
    }
    return had;
  }

  const SearchTeam& team_;
  const SearchLaunch& launch_;
  const uint32_t lane_;
};

/// Writes the open vertices whose sampled neighbour is in the frontier to the next set. Lists the
/// others that have more neighbours. `queues`: puts those without more into the queue. Not inlined,
/// so that registers suffice to test many vertices at a time.
__device__ __noinline__ void TestSampled(const SearchLaunch& launch, const ReachedEdges& reached,
                                         SearchProgress at, bool queues) {
  SearchTests(SearchTeam(launch, reached, at)).Run(queues);
}

}  // namespace edgemill

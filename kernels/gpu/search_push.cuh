// The pushes with which a search begins, while its frontier is small.
#pragma once

#include <cooperative_groups/reduce.h>

#include "kernels/gpu/list_chunks.cuh"
#include "kernels/gpu/search_team.cuh"

namespace edgemill {

/// The work of one thread. A frontier is listed as vertices, then as chunks of their lists, which
/// warps take in turns. The set of a pass first has all open vertices. Those that are still open
/// after the pass are then removed: that is less work than to add each found vertex.
class SearchPushes {
 public:
  __device__ explicit SearchPushes(SearchTeam& team)
      : team_(team),
        launch_(team.launch),
        reached_(team.reached),
        most_(static_cast<uint32_t>(
            SearchLaunch::MostPushed(team.reached.edges.index.num_vertices))) {}

  /// Does passes while pushes are less work than pulls. Returns whether the search should go on
  /// with pulls.
  __device__ bool Run() {
    bool lists = true;
    BeginPass(lists);
    SearchPhase begun = team_.EndPhase(SearchStep::kListChunks);
    team_.at.active = begun.queued;
    while (true) {
      const bool is_wide = team_.at.active > launch_.min_active;
      const EdgeIndex most_edges =
          is_wide ? launch_.pushes.min_pull_edges : launch_.pushes.max_edges;
      if (!lists) {
        if (begun.edges > most_edges) return true;
        if (team_.at.active > most_) return false;
        BeginPass(/*lists=*/true);
        (void)team_.EndPhase(SearchStep::kListChunks);
      }
      ListChunks(team_.at.active);
      const SearchPhase listed = team_.EndPhase(SearchStep::kListChunks);
      if (listed.edges > most_edges) return true;
      if (listed.chunks > launch_.queues.max_chunks) return false;
      if (team_.at.passes == launch_.pushes.max) return false;
      if (team_.at.passes > 0) pushed_edges_ += listed.edges;
      Push(listed.chunks);
      team_.EndPass(team_.EndPhase(SearchStep::kPush).found);
      lists = team_.at.active <= kMaxQueued;
      BeginPass(lists);
      if (team_.at.active == 0 || team_.at.passes == launch_.max_passes) return false;
      begun = team_.EndPhase(SearchStep::kListChunks);
    }
  }
  __device__ unsigned long long pushed_edges() const { return pushed_edges_; }

 private:
  /// Completes the set of the last pass, and begins that of the next one. `lists`: puts the
  /// frontier's vertices into the list. If not, counts about how many edges they have.
  __device__ void BeginPass(bool lists) const {
    constexpr uint32_t kTogether = 4;     // words whose memory accesses overlap
    constexpr uint32_t kEstimateBy = 16;  // the degrees of one word in so many are added up
    uint32_t* const next = team_.at.passes < kSearchSets ? team_.next() : nullptr;
    uint32_t* const last = team_.at.passes > 0 ? team_.Set(team_.at.passes - 1) : nullptr;
    EdgeIndex edges = 0;
    for (uint64_t first = ThreadNumber() - team_.lane; first < team_.num_words;
         first += kTogether * NumThreads()) {
      uint32_t frontier[kTogether];
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        const uint64_t word = first + team_.lane + i * NumThreads();
        frontier[i] = 0;
        if (word >= team_.num_words) continue;
        const uint32_t open = launch_.open[word];
        frontier[i] = last == nullptr ? launch_.from[word] : last[word] & ~open;
        if (last != nullptr) last[word] = frontier[i];
        if (next != nullptr) next[word] = open;
      }
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        const uint64_t word = first + team_.lane + i * NumThreads();
        if (!lists) {
          if (word % kEstimateBy == 0) edges += kEstimateBy * EdgesOf(frontier[i], word);
        } else if (__any_sync(kAllLanes, frontier[i] != 0)) {
          team_.List(frontier[i], word, &team_.record().queued, launch_.queues.lists, most_);
        }
      }
    }
    if (!lists) CountEdges(edges);
  }
  /// Returns the edges of the vertices `bits` of a word.
  __device__ EdgeIndex EdgesOf(uint32_t bits, uint64_t word) const {
    EdgeIndex edges = 0;
    for (; bits != 0; bits &= bits - 1) {
      edges +=
          reached_.edges.index.degree(static_cast<VertexId>(word * kWarpSize + __ffs(bits) - 1));
    }
    return edges;
  }
  /// Adds the numbers `edges` of all lanes to what the block counts.
  __device__ void CountEdges(unsigned long long edges) const {
    const auto warp =
        cooperative_groups::tiled_partition<kWarpSize>(cooperative_groups::this_thread_block());
    const unsigned long long all =
        cooperative_groups::reduce(warp, edges, cooperative_groups::plus<unsigned long long>());
    if (team_.lane == 0 && all != 0) atomicAdd(&team_.mine().edges, all);
  }
  /// Lists the chunks of the lists of the first `count` listed vertices.
  __device__ void ListChunks(uint32_t count) const {
    const auto num_warps = static_cast<uint32_t>(NumThreads() / kWarpSize);
    // Vertices beside each other in the list go to different warps: some lists have many chunks.
    const auto mine = static_cast<uint32_t>(team_.lane * num_warps + ThreadNumber() / kWarpSize);
    for (uint32_t begin = 0; begin < count; begin += static_cast<uint32_t>(NumThreads())) {
      const bool exists = begin + mine < count;
      if (!__any_sync(kAllLanes, exists)) continue;
      const VertexId vertex = exists ? launch_.queues.lists[begin + mine] : 0;
      const uint32_t chunks = exists ? NumWarpChunks(reached_.edges.index, vertex) : 0;
      const uint32_t place = team_.Reserve(&team_.record().chunks, chunks);
      const bool is_long = chunks > kWarpSize;
      for (uint32_t i = 0; i < chunks && !is_long; ++i) SetChunk(place + i, {vertex, i});
      for (uint32_t longs = __ballot_sync(kAllLanes, is_long); longs != 0; longs &= longs - 1) {
        const uint32_t whose = __ffs(longs) - 1;
        const VertexId owner = __shfl_sync(kAllLanes, vertex, whose);
        const uint32_t first = __shfl_sync(kAllLanes, place, whose);
        const uint32_t most = __shfl_sync(kAllLanes, chunks, whose);
        for (uint32_t i = team_.lane; i < most; i += kWarpSize) SetChunk(first + i, {owner, i});
      }
      CountEdges(exists ? reached_.edges.index.degree(vertex) : 0);
    }
  }
  __device__ void SetChunk(uint32_t place, WarpChunk chunk) const {
    if (place < launch_.queues.max_chunks) launch_.queues.chunks[place] = chunk;
  }
  /// Pushes along the first `count` chunks.
  __device__ void Push(uint32_t count) {
    uint32_t found = 0, across_link = 0;
    for (uint32_t i = ThreadNumber() / kWarpSize; i < count; i += NumThreads() / kWarpSize) {
      VisitChunkTogether<NoWeight, false>(
          reached_, launch_.queues.chunks[i], {}, team_.scratch(), &launch_.state->push_damaged,
          &across_link,
          [&](const VertexId(&targets)[kLaneEdges], const NoWeight(&)[kLaneEdges], uint32_t valid) {
            found += Find(targets, valid);
          });
    }
    team_.Count(&team_.mine().found, found);
    if (team_.lane == 0) team_.at.zero_copy_groups += across_link;  // all lanes have counted them
  }
  /// Removes the targets in `valid` from the open vertices. Returns how many were open.
  __device__ uint32_t Find(const VertexId (&targets)[kLaneEdges], uint32_t valid) const {
    bool asks[kLaneEdges];
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      asks[i] = (valid >> i & 1) != 0 && IsIn(launch_.open, targets[i]);
    }
    uint32_t before[kLaneEdges];
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      const VertexId target = targets[i];
      before[i] = asks[i] ? atomicAnd(launch_.open + target / 32, ~(1u << (target % 32))) : 0;
    }
    uint32_t found = 0;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) found += before[i] >> (targets[i] % 32) & 1;
    return found;
  }

  SearchTeam& team_;
  const SearchLaunch& launch_;
  const ReachedEdges& reached_;
  const uint32_t most_;  // vertices of a frontier to push from
  unsigned long long pushed_edges_ = 0;
};

}  // namespace edgemill

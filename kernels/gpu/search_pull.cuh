// The pulls of a search.
#pragma once

#include "kernels/gpu/search_tests.cuh"

namespace edgemill {

/// All warps share lists of more than kWarpListEdges edges. Each takes kSharedListEdges at a time.
inline constexpr EdgeIndex kWarpListEdges = EdgeIndex{1} << 14;
inline constexpr EdgeIndex kSharedListEdges = EdgeIndex{1} << 12;

/// The work of one thread.
class SearchPulls {
 public:
  __device__ explicit SearchPulls(SearchTeam& team)
      : team_(team), launch_(team.launch), reached_(team.reached), lane_(team.lane) {}

  /// Does passes until the search ends.
  __device__ void Run() {
    uint32_t queued = 0;
    while (true) {
      const uint32_t found = queued > 0 ? PullQueue(queued) : Pull(&queued);
      if (gave_up_) return;
      team_.EndPass(found);
      const bool goes_on = team_.at.active > 0 && team_.at.passes < launch_.max_passes &&
                           (team_.at.active >= launch_.min_active || left_ <= launch_.max_left);
      if (!goes_on) return;
    }
  }
  /// Whether a pass had more lists than it may search.
  __device__ bool gave_up() const { return gave_up_; }

 private:
  /// Visits all open vertices: tests their sampled neighbours, then searches lists. If few vertices
  /// were left before the pass, puts those that are left now into the queue, and sets `*queued`.
  /// Returns how many were found.
  __device__ uint32_t Pull(uint32_t* queued) {
    const bool queues = left_ <= kMaxQueued;
    TestSampled(launch_, reached_, team_.at, queues);
    const SearchPhase tests = team_.EndPhase(SearchStep::kTest);
    if (tests.lists > launch_.max_lists) {
      GiveUp();
      return 0;
    }
    if (team_.shared().listed <= team_.most_listed()) {
      SearchListed(queues, tests.queued);
    } else {
      SearchAll(queues, tests.queued);
    }
    // A pass over the queue only adds to its set, so the set must be clear.
    if (queues && team_.at.passes + 1 < kSearchSets) team_.Clear(team_.Set(team_.at.passes + 1));
    const SearchPhase lists = team_.EndPhase(SearchStep::kLists);
    left_ = tests.left - lists.found;
    if (queues) *queued = tests.queued + lists.queued;
    return tests.found + lists.found + PullLongLists(lists.long_lists);
  }
  /// A pull for the `queued` vertices in the queue.
  __device__ uint32_t PullQueue(uint32_t queued) {
    const uint32_t* const from = team_.from();
    uint32_t* const next = team_.next();
    uint32_t found = 0, left = 0;
    for (uint32_t base = ThreadNumber() - lane_; base < queued; base += NumThreads()) {
      VertexId vertex = kInvalidVertex;
      if (base + lane_ < queued) vertex = launch_.queues.queue[base + lane_];
      const bool is_open = vertex != kInvalidVertex && IsIn(launch_.open, vertex);
      const bool has = is_open && IsIn(from, launch_.sampled.neighbor[vertex]);
      if (has) Found(vertex, next);
      const bool asks = is_open && !has && IsIn(launch_.sampled.has_more, vertex);
      const bool is_found = Find(asks ? vertex : kInvalidVertex, from, next) || has;
      found += is_found;
      left += is_open && !is_found;
    }
    team_.Count(&team_.mine().found, found);
    team_.Count(&team_.mine().left, left);
    if (team_.at.passes + 1 < kSearchSets) team_.Clear(team_.Set(team_.at.passes + 1));
    const SearchPhase pass = team_.EndPhase(SearchStep::kQueue);
    left_ = pass.left;
    return pass.found + PullLongLists(pass.long_lists);
  }

  __device__ void Found(VertexId vertex, uint32_t* next) const {
    atomicAnd(launch_.open + vertex / 32, ~(1u << (vertex % 32)));
    AddTo(next, vertex);
  }

  /// Searches the lists that the block has listed. `queues`: puts the vertices that it does not
  /// find into the queue, which has `queued`.
  __device__ void SearchListed(bool queues, uint32_t queued) {
    const uint32_t count = team_.shared().listed;
    uint32_t found = 0;
    for (uint32_t base = threadIdx.x - lane_; base < count; base += kSearchThreads) {
      const bool exists = base + lane_ < count;
      found += Search(exists ? team_.listed()[base + lane_] : kInvalidVertex, queues, queued);
    }
    team_.Count(&team_.mine().found, found);
  }
  /// The same for all of the block's open vertices with more neighbours than the sampled one.
  __device__ void SearchAll(bool queues, uint32_t queued) {
    uint32_t found = 0;
    WaitingVertices waiting(team_.waiting());
    const auto process = [&](VertexId vertex) { found += Search(vertex, queues, queued); };
    for (uint64_t first = ThreadNumber() - lane_; first < team_.num_words; first += NumThreads()) {
      const uint64_t word = first + lane_;
      uint32_t rest = word < team_.num_words ? launch_.open[word] : 0;
      if (rest != 0) rest &= launch_.sampled.has_more[word];
      waiting.Add(word, rest, /*last=*/false, reached_.edges.index, process);
    }
    waiting.Add(0, 0, /*last=*/true, reached_.edges.index, process);
    team_.Count(&team_.mine().found, found);
  }
  /// Searches the list of the lane's vertex, if it has one, and puts the vertex into the queue if
  /// that must be. Returns whether it is found. All lanes must call it together.
  __device__ bool Search(VertexId vertex, bool queues, uint32_t queued) {
    const bool is_found = Find(vertex, team_.from(), team_.next());
    if (!queues) return is_found;
    const bool is_left = vertex != kInvalidVertex && !is_found;
    const uint32_t place = queued + team_.Reserve(&team_.record().queued, is_left ? 1 : 0);
    if (is_left && place < kMaxQueued) launch_.queues.queue[place] = vertex;
    return is_found;
  }
  /// Searches the list of the lane's vertex, if it has one. Returns whether the vertex is found.
  /// Leaves very long lists to PullLongLists. All lanes must call it together.
  __device__ bool Find(VertexId vertex, const uint32_t* from, uint32_t* next) {
    const FoundNeighbor sender =
        FindInLists(reached_, vertex, from, &launch_.state->damaged, team_.scratch(),
                    [&](VertexId owner, EdgeIndex degree) {
                      if (degree <= kWarpListEdges) return false;
                      const uint32_t place = atomicAdd(&team_.record().long_lists, 1u);
                      if (place >= kMaxLongLists) return false;
                      launch_.queues.long_lists[place] = owner;
                      return true;
                    });
    team_.at.zero_copy_groups += sender.zero_copy_groups;
    if (sender.vertex == kInvalidVertex) return false;
    Found(vertex, next);
    return true;
  }
  /// Searches the very long lists that the last phase has left: all warps take parts of each.
  /// Returns how many vertices were found.
  __device__ uint32_t PullLongLists(uint32_t count) {
    if (count == 0) return 0;
    const uint64_t warp = ThreadNumber() / kWarpSize, num_warps = NumThreads() / kWarpSize;
    uint32_t found = 0;
    for (uint32_t i = 0; i < min(count, kMaxLongLists); ++i) {
      const VertexId vertex = launch_.queues.long_lists[i];
      const uint32_t bit = 1u << (vertex % 32);
      uint32_t* const open = launch_.open + vertex / 32;
      const EdgeIndex first = reached_.edges.index.first_edge(vertex);
      const EdgeIndex last = reached_.edges.index.first_edge(vertex + 1);
      for (EdgeIndex at = first + warp * kSharedListEdges; at < last;
           at += num_warps * kSharedListEdges) {
        if (!__any_sync(kAllLanes, (LoadRelaxed(open) & bit) != 0)) break;
        const FoundNeighbor sender =
            WarpFindInList(reached_, vertex, first, at, min(last, at + kSharedListEdges),
                           team_.from(), &launch_.state->damaged, team_.scratch());
        team_.at.zero_copy_groups += sender.zero_copy_groups;
        if (sender.vertex == kInvalidVertex || lane_ != 0) continue;
        if ((atomicAnd(open, ~bit) & bit) == 0) continue;
        AddTo(team_.next(), vertex);
        ++found;
      }
    }
    team_.Count(&team_.mine().found, found);
    const uint32_t more = team_.EndPhase(SearchStep::kLongLists).found;
    left_ -= more;
    return more;
  }
  /// Makes vertices open again that the pass has found by sampled neighbours.
  __device__ void GiveUp() {
    gave_up_ = true;
    const uint32_t* const next = team_.next();
    for (uint64_t word = ThreadNumber(); word < team_.num_words; word += NumThreads()) {
      launch_.open[word] |= next[word];
    }
  }

  SearchTeam& team_;
  const SearchLaunch& launch_;
  const ReachedEdges& reached_;
  const uint32_t lane_;
  uint32_t left_ = ~0u;  // vertices left to be found
  bool gave_up_ = false;
};

}  // namespace edgemill

// The parts of a search (kernels/gpu/search.h) that depend on the program: which vertices may be
// found, and how found vertices take their messages.
#pragma once

#include "engine/gpu/program/receive.cuh"
#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/search.h"
#include "kernels/gpu/search_clock.cuh"
#include "kernels/gpu/waiting_vertices.cuh"

namespace edgemill {

/// Whether Apply may be called after several passes, so that a search may have more than one pass.
template <typename P>
inline constexpr bool kAppliesLate = requires(const P& program) {
  { Tuning<P>::AsksForSender(program) } -> std::same_as<bool>;
};

/// Calls `test(vertex)` for the members of each lane's word `words`, which is word `number` of the
/// set. Returns a word of the vertices for which the test is true. A warp has 32 words in a row.
/// All lanes must call it together.
template <typename Test>
__device__ inline uint32_t TestMembers(uint64_t number, uint32_t words, Test test) {
  constexpr uint32_t kTogether = 8;  // tested at a time
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t first = number - lane;
  uint32_t passed = 0;
  const uint32_t any = __ballot_sync(kAllLanes, words != 0);
#pragma unroll 1
  for (uint32_t part = 0; part < kWarpSize; part += kTogether) {
    if ((any >> part & ((1u << kTogether) - 1)) == 0) continue;
    bool passes[kTogether];
#pragma unroll
    for (uint32_t i = 0; i < kTogether; ++i) {
      const bool is_in = (__shfl_sync(kAllLanes, words, part + i) >> lane & 1) != 0;
      passes[i] = is_in && test(static_cast<VertexId>((first + part + i) * kWarpSize + lane));
    }
#pragma unroll
    for (uint32_t i = 0; i < kTogether; ++i) {
      const uint32_t votes = __ballot_sync(kAllLanes, passes[i]);
      if (lane == part + i) passed = votes;
    }
  }
  return passed;
}

/// Begins a search: writes which vertices may be found. `knows_closed`: `pass.closed` has exactly
/// the vertices whose Cond is false.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    OpenKernel(P program, PassArgs pass, SearchLaunch search, bool knows_closed) {
  const uint64_t num_words = SearchLaunch::WordsOf(pass.num_vertices);
  const uint32_t lane = threadIdx.x % kWarpSize;
  if (ThreadNumber() == 0) {
    *search.state = SearchState();
    search.state->clock.begin = Nanoseconds();
  }
  for (uint64_t base = ThreadNumber() - lane; base < num_words; base += NumThreads()) {
    const uint64_t word = base + lane;
    const bool exists = word < num_words;
    uint32_t open = exists ? search.sampled.has_one[word] : 0;
    if (knows_closed) {
      if (exists) open &= ~pass.closed[word];
    } else {
      open = TestMembers(word, open, [&](VertexId vertex) { return CallCond(program, vertex); });
    }
    if (exists) search.open[word] = open;
  }
}

/// Gives their messages to the vertices that a search has found. Writes which vertices are active
/// next, and closes all that cannot be found any more.
template <typename P>
class FoundTaker {
 public:
  static constexpr uint32_t kSetBits = 3;
  static_assert(kSearchSets == 1u << kSetBits);
  struct Shared {
    alignas(P) std::byte programs[kSearchSets][sizeof(P)];  // one for each pass
    WarpScratch<NoWeight> lists[kVisitWarps];
    VertexId waiting[kVisitWarps][WaitingVertices::kMax];
  };

  __device__ FoundTaker(const P& program, const PassArgs& pass, const ReachedEdges& reached,
                        const SearchLaunch& search, Shared& shared)
      : program_(program),
        pass_(pass),
        reached_(reached),
        search_(search),
        shared_(shared),
        lane_(threadIdx.x % kWarpSize),
        used_(search.state->passes) {}

  __device__ void Run() {
    if (threadIdx.x == 0) {
      P program = program_;
      for (uint32_t number = 0; number < used_; ++number) {
        memcpy(shared_.programs[number], &program, sizeof(P));
        if constexpr (HasNext<P>) program.Next();
      }
    }
    __syncthreads();
    bool asks = true;
    if constexpr (kAppliesLate<P>) asks = Tuning<P>::AsksForSender(program_);
    const uint64_t num_words = SearchLaunch::WordsOf(pass_.num_vertices);
    WaitingVertices waiting(shared_.waiting[threadIdx.x / kWarpSize]);
    uint64_t base = ThreadNumber() - lane_;
    for (bool last = false; !last; base += NumThreads()) {
      last = base >= num_words;
      const uint64_t word = base + lane_;
      const bool exists = word < num_words;
      const uint32_t found = exists ? Load(word) : 0;
      uint32_t active = exists && used_ > 0 && kAppliesLate<P> ? Set(used_ - 1)[word] : 0;
      uint32_t rest = 0;
      if (!asks) {
        VisitFound(found, [&](uint32_t i, bool is_in, uint32_t number) {
          if (is_in) CallApply(ProgramOf(number), VertexOf(word, i), SumOfProgram<P>());
        });
      } else {
        VisitFound(found, [&](uint32_t i, bool is_in, uint32_t number) {
          const VertexId vertex = VertexOf(word, i);
          bool knows = false, is_active = false;
          if (is_in) {
            const VertexId sampled = __ldcg(search_.sampled.neighbor + vertex);
            knows = IsIn(From(number), sampled);
            if (knows) is_active = Take(number, vertex, sampled);
          }
          const uint32_t votes = __ballot_sync(kAllLanes, is_in && !knows);
          const uint32_t emit = __ballot_sync(kAllLanes, is_active);
          if (lane_ != i) return;
          rest = votes;
          if (!kAppliesLate<P>) active = emit;
        });
      }
      if (exists) {
        pass_.next[word] = active;
        pass_.closed[word] = ~search_.open[word];
      }
      if (asks) {
        waiting.Add(word, rest, last, reached_.edges.index,
                    [&](VertexId vertex) { FindAndTake(vertex); });
      }
    }
    const uint32_t groups = __reduce_add_sync(kAllLanes, zero_copy_groups_);
    if (lane_ == 0 && groups > 0) {
      atomicAdd(&search_.state->zero_copy_groups, static_cast<unsigned long long>(groups));
    }
  }

 private:
  __device__ const uint32_t* Set(uint32_t number) const {
    return search_.sets + number * SearchLaunch::WordsOf(pass_.num_vertices);
  }
  __device__ const uint32_t* From(uint32_t number) const {
    return number == 0 ? search_.from : Set(number - 1);
  }
  __device__ P& ProgramOf(uint32_t number) const {
    return *reinterpret_cast<P*>(shared_.programs[number]);
  }
  /// Returns this lane's vertex in word `i` of the warp's 32 words. `word` is the number of the
  /// lane's own word.
  __device__ VertexId VertexOf(uint64_t word, uint32_t i) const {
    return static_cast<VertexId>((word - lane_ + i) * kWarpSize + lane_);
  }
  /// Returns the found vertices of the lane's word. `planes_` gets the numbers of the sets that
  /// they are in, bit by bit.
  __device__ uint32_t Load(uint64_t word) {
    uint32_t found = 0;
#pragma unroll
    for (uint32_t k = 0; k < kSetBits; ++k) planes_[k] = 0;
#pragma unroll
    for (uint32_t number = 0; number < kSearchSets; ++number) {
      const uint32_t members = number < used_ ? Set(number)[word] : 0;
      found |= members;
#pragma unroll
      for (uint32_t k = 0; k < kSetBits; ++k) {
        if ((number >> k & 1) != 0) planes_[k] |= members;
      }
    }
    return found;
  }
  /// Calls visit(i, is_in, number) for each of the warp's words i. `is_in`: the lane's vertex of
  /// that word was found, in pass `number`.
  template <typename Visit>
  __device__ void VisitFound(uint32_t found, Visit visit) const {
    const uint32_t any = __ballot_sync(kAllLanes, found != 0);
#pragma unroll 4
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      if ((any >> i & 1) == 0) continue;
      const bool is_in = (__shfl_sync(kAllLanes, found, i) >> lane_ & 1) != 0;
      uint32_t number = 0;
#pragma unroll
      for (uint32_t k = 0; k < kSetBits; ++k) {
        number |= (__shfl_sync(kAllLanes, planes_[k], i) >> lane_ & 1) << k;
      }
      visit(i, is_in, number);
    }
  }
  /// Gives `vertex` its message from `sender`. Returns whether `vertex` emits next.
  __device__ bool Take(uint32_t number, VertexId vertex, VertexId sender) const {
    P& program = ProgramOf(number);
    const auto message = CallAlong(program, CallEmit(program, sender), sender, vertex, NoWeight());
    const bool is_active = CallApply(program, vertex, static_cast<SumOfProgram<P>>(message));
    if (!kAppliesLate<P> && CallCond(program, vertex)) {
      StoreRelaxed(&pass_.counters->reopened, 1u);
    }
    return is_active;
  }
  /// The same for a vertex without a known sender: looks for one in the vertex's list. All lanes
  /// must call it together.
  __device__ void FindAndTake(VertexId vertex) {
    uint32_t number = 0;
    while (vertex != kInvalidVertex && !IsIn(Set(number), vertex)) ++number;
    const FoundNeighbor sender = FindInLists(
        reached_, vertex, From(number), &search_.state->damaged,
        shared_.lists[threadIdx.x / kWarpSize], [](VertexId, EdgeIndex) { return false; });
    zero_copy_groups_ += sender.zero_copy_groups;
    if (sender.vertex == kInvalidVertex) return;
    if (Take(number, vertex, sender.vertex) && !kAppliesLate<P>) {
      atomicOr(pass_.next + vertex / 32, 1u << (vertex % 32));
    }
  }

  const P& program_;
  const PassArgs& pass_;
  const ReachedEdges& reached_;
  const SearchLaunch& search_;
  Shared& shared_;
  const uint32_t lane_;
  const uint32_t used_;  // sets that are in use
  uint32_t planes_[kSetBits] = {};
  uint32_t zero_copy_groups_ = 0;
};

template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    TakeFoundKernel(const __grid_constant__ P program, const __grid_constant__ PassArgs pass,
                    const __grid_constant__ ReachedEdges reached,
                    const __grid_constant__ SearchLaunch search) {
  __shared__ typename FoundTaker<P>::Shared shared;
  FoundTaker<P>(program, pass, reached, search, shared).Run();
  __syncthreads();
  SearchState& state = *search.state;
  const bool is_last = threadIdx.x == 0 && atomicAdd(&state.taken, 1u) == gridDim.x - 1;
  if (is_last) NoteEnd(state.clock, SearchStep::kTake);
}

}  // namespace edgemill

// Many passes of a Fixpoint or Bucketed in one launch: while few vertices are active, the GPU
// pushes without the host. A road graph has thousands of levels. A launch and a wait by the host
// for each level would take ten times as long.
//
// Each multiprocessor has one thread block. The blocks meet at a barrier of the grid after every
// phase, which takes 1.5 microseconds. Where hardly any vertex is active, the first thread block
// goes on alone, with barriers of its own. The others wait at a barrier of the grid meanwhile.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "engine/cost/tuning.h"
#include "engine/gpu/program/fixpoint_launch.h"
#include "engine/gpu/program/vertex_kernels.cuh"
#include "kernels/gpu/list_chunks.cuh"

namespace edgemill {

inline constexpr uint32_t kFixpointWarps = kFixpointThreads / kWarpSize;
inline constexpr uint32_t kAloneChunks = kAloneChunksAWarp * kFixpointWarps;

/// Whether passes of `P` may be one launch. They may not if something must be done between passes,
/// such as clearing sums.
template <typename P>
inline constexpr bool kMayRunInOneLaunch =
    !kCollects<P> && !kHasTallies<P> && (!kTakesFirst<P> || HasCond<P>);

/// Edges and chunks of the lists of vertices that a phase made active. They are in one word, so
/// that one atomic operation counts both. Neither count overflows: a phase makes no more vertices
/// active than it visits edges.
struct ActiveTally {
  static constexpr uint32_t kChunkBits = 27;
  unsigned long long bits;

  __device__ static ActiveTally Of(EdgeIndex edges, uint32_t chunks) {
    return {edges << kChunkBits | chunks};
  }
  __device__ uint32_t chunks() const {
    return static_cast<uint32_t>(bits) & ((1u << kChunkBits) - 1);
  }
  __device__ EdgeIndex edges() const { return bits >> kChunkBits; }
};

/// The thread blocks that work: the first one or all. Their phases use three records in rotation.
class FixpointTeam {
 public:
  FixpointTeam() = default;
  /// `last`, in the thread block's shared memory, is for EndPhase.
  __device__ FixpointTeam(bool alone, FixpointPhase* phases, uint32_t phase, FixpointPhase* last)
      : alone_(alone), phases_(phases), phase_(phase), last_(last) {}

  __device__ bool alone() const { return alone_; }
  __device__ uint32_t thread() const {
    return alone_ ? threadIdx.x : blockIdx.x * kFixpointThreads + threadIdx.x;
  }
  __device__ uint32_t num_threads() const { return (alone_ ? 1 : gridDim.x) * kFixpointThreads; }
  /// The record of the phase under way, and its number.
  __device__ FixpointPhase& record() const { return phases_[phase_ % 3]; }
  __device__ uint32_t phase() const { return phase_; }

  /// Waits for all threads of the team.
  __device__ void Barrier() const {
    if (alone_) {
      __syncthreads();
    } else {
      cooperative_groups::this_grid().sync();
    }
  }
  /// Waits for all threads of the team, and returns what the phase found. Then clears the record of
  /// the phase before, which all threads have read. The phase after the next one uses that record.
  __device__ FixpointPhase EndPhase() {
    Barrier();
    // One thread of a block reads for all: so many reads of one place would wait for each other.
    if (threadIdx.x == 0) {
      last_->tally = LoadRelaxed(&record().tally);
      last_->more_chunks = LoadRelaxed(&record().more_chunks);
      last_->must_end = LoadRelaxed(&record().must_end);
      last_->min_complement = LoadRelaxed(&record().min_complement);
    }
    __syncthreads();
    const FixpointPhase found = *last_;
    if (thread() == 0) phases_[(phase_ + 2) % 3] = {};
    ++phase_;
    return found;
  }

 private:
  bool alone_ = false;
  FixpointPhase* phases_ = nullptr;
  uint32_t phase_ = 0;
  FixpointPhase* last_ = nullptr;
};

/// The work of one thread of a launch. All threads of the team have the same values in `program_`
/// and `at_`.
template <typename P>
class FixpointThread {
 public:
  static constexpr bool kBuckets = HasPriority<P>;
  /// A warp reads the priorities for this many words of waiting vertices at a time.
  static constexpr uint32_t kTogether = 4;

  __device__ FixpointThread(const P& program, const PassArgs& pass, const ReachedEdges& reached,
                            const FixpointLaunch& launch, ListScratch* scratch)
      : program_(program), pass_(pass), reached_(reached), launch_(launch), scratch_(scratch) {}

  /// Works until the launch ends. `own`: four cleared records in the thread block's shared memory,
  /// three for the phases that the block does alone, and one for EndPhase.
  __device__ void Run(FixpointPhase* own, const BucketBound& bucket) {
    own_ = own;
    at_.chunks = launch_.state->begin_chunks;
    at_.bucket = bucket;
    Turn(Found());
    uint32_t own_phase = 0;
    uint32_t common_phase = 0;
    while (at_.turn != FixpointTurn::kEnded) {
      if (at_.turn == FixpointTurn::kAll) {
        WorkWhile(FixpointTurn::kAll, launch_.state->phases, &common_phase);
        if (at_.turn == FixpointTurn::kEnded) PublishProgress();
        continue;
      }
      if (blockIdx.x == 0) {
        WorkWhile(FixpointTurn::kOne, own, &own_phase);
        PublishProgress();
      }
      cooperative_groups::this_grid().sync();
      if (blockIdx.x != 0) ReadProgress();
    }
    if (threadIdx.x % kWarpSize == 0 && zero_copy_groups_ > 0) {
      atomicAdd(&launch_.state->zero_copy_groups,
                static_cast<unsigned long long>(zero_copy_groups_));
    }
  }

 private:
  /// Calls Step until the turn changes from `turn`.
  __device__ void WorkWhile(FixpointTurn turn, FixpointPhase* phases, uint32_t* phase) {
    team_ = FixpointTeam(turn == FixpointTurn::kOne, phases, *phase, own_ + 3);
    while (at_.turn == turn) Turn(Step());
    *phase = team_.phase();
  }
  __device__ void Turn(FixpointEvent event) { at_.turn = NextTurn(at_.turn, event); }
  /// Writes the progress of the first thread block to memory, for the other blocks and the host.
  __device__ void PublishProgress() {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    launch_.state->at = at_;
    launch_.state->damaged = LoadRelaxed(pass_.damaged);
    launch_.state->reopened = LoadRelaxed(&pass_.counters->reopened);
  }
  __device__ void ReadProgress() {
    const uint32_t before = at_.counts.passes;
    at_ = launch_.state->at;
    if constexpr (HasNext<P>) {
      for (uint32_t pass = before; pass < at_.counts.passes; ++pass) program_.Next();
    }
  }

  /// Sends from the members of the list. If no list is left, begins the next bucket.
  __device__ FixpointEvent Step() {
    if (at_.chunks > 0) {
      Send();
      at_.counts.begins_bucket = 0;
      if (MustStop()) return FixpointEvent::kStop;
      if constexpr (kBuckets) at_.bucket.CountLaterEdges(at_.edges);
    }
    if constexpr (kBuckets) {
      if (at_.chunks == 0 && at_.bucket.bound() < kNoBound) {
        if (team_.alone() && pass_.num_vertices > kMaxSearchedByOneBlock) {
          return FixpointEvent::kSearch;
        }
        if (!BeginBucket()) return FixpointEvent::kStop;
        at_.counts.begins_bucket = 1;
        if (MustStop()) return FixpointEvent::kStop;
        at_.bucket.CountStartEdges(at_.edges);
      }
    }
    if (at_.chunks == 0) return FixpointEvent::kStop;
    at_.counts.vertices += at_.vertices;
    at_.counts.edges += at_.edges;
    return Found();
  }
  __device__ FixpointEvent Found() const {
    return at_.chunks <= kAloneChunks && at_.edges <= kAloneChunks * kGroupSize
               ? FixpointEvent::kFew
               : FixpointEvent::kMany;
  }
  __device__ bool MustStop() const {
    return at_.work >= launch_.max_work || at_.counts.passes >= launch_.max_passes ||
           at_.must_end != 0 || at_.chunks > launch_.max_chunks || at_.edges > launch_.max_edges;
  }
  __device__ void LoadPhase(const FixpointPhase& found) {
    const ActiveTally tally{found.tally};
    at_.chunks = tally.chunks();
    at_.edges = tally.edges();
    at_.vertices = at_.chunks - found.more_chunks;
    at_.must_end = found.must_end;
  }

  __device__ void Send() {
    const WarpChunk* const list = launch_.lists[at_.side];
    const uint32_t lane = threadIdx.x % kWarpSize;
    if constexpr (kConsumes<P>) {
      for (uint32_t i = team_.thread(); i < at_.chunks; i += team_.num_threads()) {
        const VertexId source = list[i].source;
        if (list[i].number == 0) {
          static_cast<MessageOfProgram<P>*>(pass_.emitted)[source] = CallEmit(program_, source);
        }
      }
      team_.Barrier();
    }
    const uint32_t filled = 1 - at_.side;
    // The groups of a list take one load after the other, so idle warps take some of them.
    const uint32_t num_warps = team_.num_threads() / kWarpSize;
    const uint32_t parts = min(kWarpChunkGroups, max(1u, num_warps / at_.chunks));
    for (uint32_t i = team_.thread() / kWarpSize; i < at_.chunks * parts; i += num_warps) {
      const WarpChunk chunk = list[i / parts];
      const ChunkPart part{i % parts, parts};
      if (chunk.number == 0 && part.first == 0 && lane == 0) Forget(chunk.source);
      const auto message = SentBy(program_, pass_, chunk.source);
      VisitChunk<WeightAsked<P>, kIsSimpleOf<P>>(
          reached_, chunk, part, *scratch_, pass_.damaged, &zero_copy_groups_,
          [&](VertexId target, WeightAsked<P> weight) {
            const auto sent = static_cast<SumOfProgram<P>>(
                CallAlong(program_, message, chunk.source, target, weight));
            if (WouldTake(program_, pass_, target, sent)) Give(target, sent, filled);
          });
    }
    at_.work += 1 + at_.chunks / kAloneChunks;
    ++at_.counts.passes;
    if constexpr (HasNext<P>) program_.Next();
    at_.side = filled;
    LoadPhase(team_.EndPhase());
  }
  /// Gives `target` a message. If that makes `target` active, adds it to set `side`.
  __device__ void Give(VertexId target, SumOfProgram<P> sent, uint32_t side) {
    if constexpr (kTakesFirst<P>) {
      if (!AddMember(pass_.closed, target)) return;
      if (CallApply(program_, target, sent)) Activate(target, side);
      if (!CallCond(program_, target)) return;
      // The vertex would take another message in the next pass, which a launch cannot handle.
      StoreRelaxed(&pass_.counters->reopened, 1u);
      EndLaunch();
    } else {
      if (CallRelax(program_, target, sent)) Activate(target, side);
    }
  }

  /// Removes `vertex` from the set whose list is sent from.
  __device__ void Forget(VertexId vertex) {
    atomicAnd(launch_.sets[at_.side] + vertex / 32, ~(1u << (vertex % 32)));
  }
  /// Puts `vertex` into set `side` and its list, or makes it wait.
  __device__ void Activate(VertexId vertex, uint32_t side) {
    if constexpr (kBuckets) {
      if (!(CallPriority(program_, vertex) < at_.bucket.bound())) {
        AddMember(launch_.waiting, vertex);
        return;
      }
    }
    if constexpr (kTakesFirst<P>) {  // only one thread gets here with `vertex`
      atomicOr(launch_.sets[side] + vertex / 32, 1u << (vertex % 32));
      List(vertex, side);
    } else {
      if (AddMember(launch_.sets[side], vertex)) List(vertex, side);
    }
  }
  /// Makes the launch end after this phase.
  __device__ void EndLaunch() { StoreRelaxed(&team_.record().must_end, 1u); }
  /// Adds `vertex`, which this phase put into set `side`, to that set's list. If the list is full,
  /// the launch ends, and the host's next pass finds the vertex in the set.
  __device__ void List(VertexId vertex, uint32_t side) {
    FixpointPhase& phase = team_.record();
    const EdgeIndex degree = reached_.edges.index.degree(vertex);
    const uint32_t chunks = NumWarpChunks(reached_.edges.index, vertex);
    const auto active = cooperative_groups::coalesced_threads();
    const unsigned long long mine = ActiveTally::Of(degree, chunks).bits;
    const unsigned long long before = cooperative_groups::exclusive_scan(active, mine);
    const uint32_t last = active.num_threads() - 1;
    unsigned long long begin = 0;
    if (active.thread_rank() == last) {
      begin = atomicAdd(&phase.tally, before + mine);
      const uint32_t more = ActiveTally{before + mine}.chunks() - active.num_threads();
      if (more != 0) atomicAdd(&phase.more_chunks, more);
    }
    const uint32_t place = ActiveTally{active.shfl(begin, last) + before}.chunks();
    if (chunks > kMaxChunksOfVertex) EndLaunch();
    for (uint32_t i = 0; i < chunks && place + i < launch_.max_chunks; ++i) {
      launch_.lists[side][place + i] = {vertex, i};
    }
  }

  /// Finds the least priority of the waiting vertices, moves the bound up to it, and lists the
  /// vertices in the bucket. Returns false if no vertex waits.
  __device__ bool BeginBucket() {
    const double before = at_.bucket.bound();
    FindLeast(before);
    const FixpointPhase found = team_.EndPhase();
    if (found.min_complement == 0) return false;
    const double least = FromOrderedBits(~found.min_complement);
    if (!(least < kNoBound)) return false;
    at_.bucket.Advance(least);
    at_.work += static_cast<uint32_t>(pass_.num_vertices / kVerticesSearchedAPass);
    ActivateWaiting(before);
    LoadPhase(team_.EndPhase());
    return true;
  }
  /// Adds the least priority of the waiting vertices to the phase's record.
  __device__ void FindLeast(double before) {
    const uint32_t lane = threadIdx.x % kWarpSize;
    unsigned long long greatest = 0;
    VisitWaiting([&](const uint32_t(&numbers)[kTogether], const uint32_t(&bits)[kTogether]) {
      double priority[kTogether];
      bool waits[kTogether];
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        waits[k] = (bits[k] >> lane & 1) != 0;
        priority[k] = waits[k] ? CallPriority(program_, numbers[k] * kWarpSize + lane) : 0;
      }
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        // A vertex below the last bound was active already.
        if (!waits[k] || !(priority[k] >= before)) continue;
        greatest = max(greatest, ~OrderedBits(priority[k]));
      }
    });
    const auto warp =
        cooperative_groups::tiled_partition<kWarpSize>(cooperative_groups::this_thread_block());
    greatest = cooperative_groups::reduce(warp, greatest,
                                          cooperative_groups::greater<unsigned long long>());
    if (lane == 0 && greatest != 0) atomicMax(&team_.record().min_complement, greatest);
  }
  /// Removes vertices below `before` from those that wait, and lists the vertices that are now
  /// below the bound.
  __device__ void ActivateWaiting(double before) {
    const uint32_t lane = threadIdx.x % kWarpSize;
    const double bound = at_.bucket.bound();
    VisitWaiting([&](const uint32_t(&numbers)[kTogether], const uint32_t(&bits)[kTogether]) {
      bool waits[kTogether];
      bool is_in_bucket[kTogether];
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        const VertexId vertex = numbers[k] * kWarpSize + lane;
        const bool member = (bits[k] >> lane & 1) != 0;
        const double priority = member ? CallPriority(program_, vertex) : 0;
        waits[k] = member && priority >= before;
        is_in_bucket[k] = waits[k] && priority < bound;
      }
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        if (bits[k] == 0) break;
        const uint32_t all_taken = __ballot_sync(kAllLanes, is_in_bucket[k]);
        const uint32_t left = __ballot_sync(kAllLanes, waits[k] && !is_in_bucket[k]);
        if (lane == 0) {
          launch_.waiting[numbers[k]] = left;
          if (all_taken != 0) launch_.sets[at_.side][numbers[k]] = all_taken;
        }
        if (is_in_bucket[k]) List(numbers[k] * kWarpSize + lane, at_.side);
      }
    });
  }
  template <typename Visit>
  __device__ void VisitWaiting(Visit visit) {
    VisitWordsTogether<kTogether>(launch_.waiting, pass_.num_vertices, team_.thread(),
                                  team_.num_threads(), visit);
  }

  P program_;
  const PassArgs& pass_;
  const ReachedEdges& reached_;
  const FixpointLaunch& launch_;
  ListScratch* const scratch_;  // of this warp
  FixpointProgress at_;
  FixpointTeam team_;
  FixpointPhase* own_ = nullptr;
  uint32_t zero_copy_groups_ = 0;  // groups that the warp read across the link
};

/// Pushes along the chunks in `launch.lists[0]`, which belong to the vertices in `launch.sets[0]`.
/// Then pushes from the vertices that become active, or begins a bucket. Goes on until no vertex is
/// active, or a limit of `launch` is reached. The other set must be clear at first. The sets swap
/// roles after each pass. At the end state->at.side says which set has the active vertices; the
/// other is clear. Needs a cooperative launch.
template <typename P>
__global__ void __launch_bounds__(kFixpointThreads, 1)
    FixpointKernel(P program, PassArgs pass, ReachedEdges reached, FixpointLaunch launch,
                   BucketBound bucket) {
  __shared__ ListScratch scratches[kFixpointWarps];
  __shared__ FixpointPhase own[4];
  if (threadIdx.x < 4) own[threadIdx.x] = {};
  __syncthreads();
  FixpointThread<P> thread(program, pass, reached, launch, &scratches[threadIdx.x / kWarpSize]);
  thread.Run(own, bucket);
}

}  // namespace edgemill

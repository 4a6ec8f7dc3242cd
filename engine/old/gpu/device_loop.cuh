// Many iterations in one launch: while few vertices are active, the card pushes level after level
// by itself. A road graph has thousands of levels; to launch, wait and look for each from the host
// takes ten times as long.
//
// All multiprocessors have a thread block each, which meet at a barrier of the grid after every
// phase: 1.5 microseconds. Where hardly any vertex is active the first thread block goes on alone,
// with barriers of its own, while the others wait at one of the grid.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "engine/old/gpu/gpu_iteration.h"
#include "engine/old/gpu/push_list.cuh"

namespace edgemill {

inline constexpr uint32_t kLoopWarps = kLoopThreads / kWarpSize;
/// The first thread block goes on alone with so many pieces of lists at most: three for a warp.
inline constexpr uint32_t kAlonePieces = 3 * kLoopWarps;
/// And looks by itself for those that wait among so many vertices at most.
inline constexpr uint32_t kAloneScanned = 1u << 16;
/// To look for those that wait among so many takes about as long as an iteration of few vertices.
inline constexpr uint64_t kVerticesLookedAt = uint64_t{1} << 23;
/// A vertex with more pieces than that ends a loop: a sweep is as good at long lists.
inline constexpr uint32_t kMostPieces = 64;

/// Edges and pieces of the lists that a phase made active, in one word, so that one atomic
/// operation counts both. Neither runs over unless there are too many pieces, which is noted.
struct LoopTally {
  static constexpr uint32_t kPieceBits = 27;
  unsigned long long bits;

  __device__ static LoopTally Of(EdgeIndex edges, uint32_t pieces) {
    return {edges << kPieceBits | pieces};
  }
  __device__ uint32_t pieces() const {
    return static_cast<uint32_t>(bits) & ((1u << kPieceBits) - 1);
  }
  __device__ EdgeIndex edges() const { return bits >> kPieceBits; }
};

/// A loop as a thread of it sees it; what is not in memory is the same in every thread that goes
/// on.
template <VertexProgram P>
class LoopThread {
 public:
  using Message = typename P::Message;
  static constexpr bool kPrioritised = P::kTraits.prioritised;
  /// Words of those that wait whose priorities a warp asks for at a time.
  static constexpr uint32_t kTogether = 4;

  __device__ LoopThread(const P& program, const Context& context, const ReachedEdges& reached,
                        const DeviceLoop& loop, uint32_t* damaged, ListScratch* scratch)
      : program_(program),
        context_(context),
        reached_(reached),
        loop_(loop),
        damaged_(damaged),
        scratch_(scratch) {}

  /// Goes on until the loop ends. `own` is the thread block's, cleared.
  __device__ void Run(LoopPhase* own, const StepEdges& step) {
    at_.pieces = loop_.state->begin_pieces;
    at_.did.step = step;
    SetTurn();
    uint32_t own_phase = 0;
    uint32_t common_phase = 0;
    while (at_.turn != LoopTurn::kEnded) {
      if (at_.turn == LoopTurn::kAll) {
        Take(LoopTurn::kAll, loop_.state->phases, &common_phase);
        if (at_.turn == LoopTurn::kEnded) HandOver();
        continue;
      }
      if (blockIdx.x == 0) {
        Take(LoopTurn::kOne, own, &own_phase);
        HandOver();
      }
      cooperative_groups::this_grid().sync();
      if (blockIdx.x != 0) TakeOver();
    }
    if (threadIdx.x % kWarpSize == 0 && far_groups_ > 0) {
      atomicAdd(&loop_.state->far_groups, static_cast<unsigned long long>(far_groups_));
    }
  }

 private:
  __device__ bool alone() const { return at_.turn == LoopTurn::kOne; }
  __device__ uint32_t thread() const {
    return alone() ? threadIdx.x : blockIdx.x * kLoopThreads + threadIdx.x;
  }
  __device__ uint32_t num_threads() const { return (alone() ? 1 : gridDim.x) * kLoopThreads; }

  /// Steps for as long as it is `turn`.
  __device__ void Take(LoopTurn turn, LoopPhase* phases, uint32_t* phase) {
    phases_ = phases;
    phase_ = *phase;
    while (at_.turn == turn) Step();
    *phase = phase_;
  }
  /// Tells the others, and the host, how far the first thread block has come.
  __device__ void HandOver() {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    loop_.state->at = at_;
    if constexpr (kPrioritised) *reinterpret_cast<P*>(loop_.program) = program_;
  }
  __device__ void TakeOver() {
    context_.iteration += loop_.state->at.did.iterations - at_.did.iterations;
    at_ = loop_.state->at;
    if constexpr (kPrioritised) program_ = *reinterpret_cast<const P*>(loop_.program);
  }

  __device__ void Barrier() {
    if (alone()) {
      __syncthreads();
    } else {
      cooperative_groups::this_grid().sync();
    }
  }
  /// Waits for all that go on; what they found. A phase's record is cleared after the next one,
  /// when all have read it, and is used again by the third.
  __device__ LoopPhase EndPhase() {
    Barrier();
    const LoopPhase& record = phases_[phase_ % 3];
    LoopPhase found;
    found.tally = LoadRelaxed(&record.tally);
    found.more_pieces = LoadRelaxed(&record.more_pieces);
    found.too_many = LoadRelaxed(&record.too_many);
    found.least_complement = LoadRelaxed(&record.least_complement);
    if (thread() == 0) phases_[(phase_ + 2) % 3] = {};
    ++phase_;
    return found;
  }

  /// What the list's vertices send; where it has none, or none that are due, a prioritised program
  /// advances.
  __device__ void Step() {
    if (at_.pieces > 0) {
      Send();
      if (at_.spent >= loop_.most_spent || TooMuch()) return End();
      at_.did.step.again += at_.edges;
    }
    if constexpr (kPrioritised) {
      if (at_.pieces == 0) {
        if (alone() && context_.num_vertices > kAloneScanned) {
          at_.turn = LoopTurn::kAll;
          return;
        }
        if (!Advance() || TooMuch()) return End();
        at_.did.step.first = at_.edges;
      }
    }
    if (at_.pieces == 0) return End();
    at_.did.activations += at_.vertices;
    at_.did.edges += at_.edges;
    SetTurn();
  }
  __device__ bool TooMuch() const {
    return at_.too_many || at_.pieces > loop_.most_pieces || at_.edges > loop_.most_edges;
  }
  __device__ void End() { at_.turn = LoopTurn::kEnded; }
  __device__ void SetTurn() {
    at_.turn = at_.pieces <= kAlonePieces ? LoopTurn::kOne : LoopTurn::kAll;
  }
  __device__ void TakeUp(const LoopPhase& found) {
    const LoopTally tally{found.tally};
    at_.pieces = tally.pieces();
    at_.edges = tally.edges();
    at_.vertices = at_.pieces - found.more_pieces;
    at_.too_many = found.too_many != 0;
  }

  __device__ void Send() {
    const PushPiece* const list = loop_.lists[at_.side];
    const uint32_t lane = threadIdx.x % kWarpSize;
    if constexpr (P::kTraits.consumes) {
      for (uint32_t i = thread(); i < at_.pieces; i += num_threads()) {
        if (list[i].number == 0) program_.Begin(list[i].owner, context_);
      }
      Barrier();
    }
    const uint32_t filled = 1 - at_.side;
    for (uint32_t i = thread() / kWarpSize; i < at_.pieces; i += num_threads() / kWarpSize) {
      const PushPiece piece = list[i];
      const bool is_first = piece.number == 0 && lane == 0;
      if (is_first) Forget(piece.owner);
      Message message;
      if (program_.Send(piece.owner, context_, &message)) {
        VisitPiece<typename P::Weight>(
            reached_, piece, *scratch_, damaged_, &far_groups_,
            [&](VertexId target, typename P::Weight weight) {
              if (program_.Receive(target, program_.Along(message, weight), context_)) {
                Activate(target, filled);
              }
            });
      } else if (is_first) {
        Activate(piece.owner, filled);
      }
    }
    at_.spent += 1 + at_.pieces / kAlonePieces;
    ++at_.did.iterations;
    ++context_.iteration;
    at_.did.advanced = false;
    at_.side = filled;
    TakeUp(EndPhase());
  }

  /// Out of the frontier whose list is being sent from.
  __device__ void Forget(VertexId vertex) {
    atomicAnd(reinterpret_cast<unsigned int*>(loop_.frontiers[at_.side]) + vertex / 32,
              ~(1u << (vertex % 32)));
  }
  /// Has `vertex` be in frontier `side` and its list, or wait, if it is not due.
  __device__ void Activate(VertexId vertex, uint32_t side) {
    if constexpr (kPrioritised) {
      if (!program_.IsDue(vertex)) {
        AtomicSetBit(loop_.waiting, vertex);
        return;
      }
    }
    if (AtomicSetBit(loop_.frontiers[side], vertex)) List(vertex, side);
  }
  /// Has `vertex`, which is in frontier `side` since this phase, be in its list.
  __device__ void List(VertexId vertex, uint32_t side) {
    LoopPhase& phase = phases_[phase_ % 3];
    if (LoadRelaxed(&phase.too_many) != 0) return;  // whoever goes on finds it in the frontier
    const EdgeIndex degree = reached_.edges.index.degree(vertex);
    const uint32_t pieces = NumPieces(reached_.edges.index, vertex);
    const auto active = cooperative_groups::coalesced_threads();
    const unsigned long long mine = LoopTally::Of(degree, pieces).bits;
    const unsigned long long before = cooperative_groups::exclusive_scan(active, mine);
    const uint32_t last = active.num_threads() - 1;
    unsigned long long begin = 0;
    if (active.thread_rank() == last) begin = atomicAdd(&phase.tally, before + mine);
    const uint32_t place = LoopTally{active.shfl(begin, last) + before}.pieces();
    if (pieces > kMostPieces || place >= loop_.most_pieces) StoreRelaxed(&phase.too_many, 1u);
    if (pieces > 1) atomicAdd(&phase.more_pieces, pieces - 1);
    for (uint32_t i = 0; i < pieces && place + i < loop_.most_pieces; ++i) {
      loop_.lists[side][place + i] = {vertex, i};
    }
  }

  /// Finds the least priority that waits, has the program advance there, and lists what is due
  /// then; false where nothing waits.
  __device__ bool Advance() {
    FindLeast();
    const LoopPhase found = EndPhase();
    if (found.least_complement == 0) return false;
    const P before = program_;
    program_.Advance(__longlong_as_double(static_cast<long long>(~found.least_complement)),
                     at_.did.step);
    at_.did.step = {};
    at_.did.advanced = true;
    at_.spent += static_cast<uint32_t>(context_.num_vertices / kVerticesLookedAt);
    TakeDue(before);
    TakeUp(EndPhase());
    return true;
  }
  /// Adds the least priority that waits to what the phase finds.
  __device__ void FindLeast() {
    const uint32_t lane = threadIdx.x % kWarpSize;
    unsigned long long greatest = 0;  // complement of the bits of a double that is not negative
    VisitWaiting([&](const uint32_t(&numbers)[kTogether], const uint32_t(&bits)[kTogether]) {
      double priority[kTogether];
      bool waits[kTogether];
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        const VertexId vertex = numbers[k] * kWarpSize + lane;
        waits[k] = (bits[k] >> lane & 1) != 0;
        if (waits[k]) priority[k] = program_.Priority(vertex);
        // One that became due again was taken.
        if (waits[k]) waits[k] = !program_.IsDue(vertex);
      }
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        if (!waits[k]) continue;
        const auto complement = ~static_cast<unsigned long long>(__double_as_longlong(priority[k]));
        if (complement > greatest) greatest = complement;
      }
    });
    const auto warp =
        cooperative_groups::tiled_partition<kWarpSize>(cooperative_groups::this_thread_block());
    greatest = cooperative_groups::reduce(warp, greatest,
                                          cooperative_groups::greater<unsigned long long>());
    if (lane == 0 && greatest != 0) atomicMax(&phases_[phase_ % 3].least_complement, greatest);
  }
  /// Takes out of those that wait who was due `before`, and lists those that are due now.
  __device__ void TakeDue(const P& before) {
    const uint32_t lane = threadIdx.x % kWarpSize;
    auto* const waiting = reinterpret_cast<uint32_t*>(loop_.waiting);
    auto* const due = reinterpret_cast<uint32_t*>(loop_.frontiers[at_.side]);
    VisitWaiting([&](const uint32_t(&numbers)[kTogether], const uint32_t(&bits)[kTogether]) {
      bool was_due[kTogether];
      bool is_due[kTogether];
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        const VertexId vertex = numbers[k] * kWarpSize + lane;
        const bool member = (bits[k] >> lane & 1) != 0;
        was_due[k] = !member || before.IsDue(vertex);
        is_due[k] = member && program_.IsDue(vertex);
      }
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        if (bits[k] == 0) break;
        const bool taken = is_due[k] && !was_due[k];
        const uint32_t all_taken = __ballot_sync(kAllLanes, taken);
        const uint32_t left = __ballot_sync(kAllLanes, !was_due[k] && !taken);
        if (lane == 0) {
          waiting[numbers[k]] = left;
          if (all_taken != 0) due[numbers[k]] = all_taken;
        }
        if (taken) List(numbers[k] * kWarpSize + lane, at_.side);
      }
    });
  }
  template <typename Visit>
  __device__ void VisitWaiting(Visit visit) {
    VisitWordsTogether<kTogether>(reinterpret_cast<const uint32_t*>(loop_.waiting),
                                  context_.num_vertices, thread(), num_threads(), visit);
  }

  P program_;
  Context context_;
  const ReachedEdges& reached_;
  const DeviceLoop& loop_;
  uint32_t* const damaged_;
  ListScratch* const scratch_;  // the warp's
  LoopProgress at_;
  LoopPhase* phases_ = nullptr;  // three, in turn
  uint32_t phase_ = 0;
  uint32_t far_groups_ = 0;  // that the warp has read across the link
};

/// Pushes from the pieces in `loop.lists[0]`, those of the vertices in `loop.frontiers[0]`, then
/// from what becomes active, or due, and so on, until nothing is, or more than `loop` bounds. The
/// other frontier is clear at first; they take turns, and state->at.side says which has the active
/// vertices at the end: the other is clear. A cooperative launch.
template <VertexProgram P>
__global__ void __launch_bounds__(kLoopThreads)
    DeviceLoopKernel(P program, Context context, ReachedEdges reached, DeviceLoop loop,
                     StepEdges step, uint32_t* damaged) {
  __shared__ ListScratch scratches[kLoopWarps];
  __shared__ LoopPhase own[3];
  if (threadIdx.x < 3) own[threadIdx.x] = {};
  __syncthreads();
  LoopThread<P> thread(program, context, reached, loop, damaged,
                       &scratches[threadIdx.x / kWarpSize]);
  thread.Run(own, step);
}

}  // namespace edgemill

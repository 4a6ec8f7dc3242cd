// Asynchronous push on a GPU: what becomes active sends while its edges are on the card, instead of
// having them sent there once more in the next iteration (executor_live.h is the CPU's form).
//
// A batch of blocks is passed over several times before its slot is given back, each time for the
// vertices that this kernel takes out of the next frontier. It and the pass are queued without a
// look at what is there: where nobody was taken, no group is marked, and both end at once. Blocks
// that stay on the card, or are read across the link, are not passed over again: no bytes are saved
// by it.
//
// A vertex is taken by the one batch that has all of its list. Frontiers' words are changed by
// atomic operations and looked at past the first-level cache (LoadRelaxed), and whoever adds a
// vertex to the next frontier has changed its state before: so what is changed after it was taken
// adds it again.
#pragma once

#include "engine/old/gpu/program_kernels.cuh"
#include "engine/old/plan/gpu_memory.h"

namespace edgemill {

/// Who takes whom in one pass over a batch. Bits on the card, in 32-bit words.
struct LivePass {
  bool first = true;
  uint32_t* next = nullptr;  // those active next: taken from here
  /// Those that send: in the first pass the iteration's, to which they are added; else this pass's.
  uint32_t* senders = nullptr;
  uint32_t* groups = nullptr;         // to be visited: likewise
  const uint32_t* brought = nullptr;  // those that the iteration wanted
  uint32_t* sent = nullptr;           // null, or: those taken are added, to be told
  LiveCounters* counters = nullptr;
};

namespace internal {

/// Calls `visit(word, bits)` for the words of the bits [first, last].
template <typename Visit>
__device__ inline void VisitBits(uint64_t first, uint64_t last, Visit visit) {
  for (uint64_t word = first / 32; word <= last / 32; ++word) {
    uint32_t bits = ~0u;
    if (word == first / 32) bits &= ~0u << (first % 32);
    if (word == last / 32) bits &= ~0u >> (31 - last % 32);
    visit(word, bits);
  }
}

/// Takes from word `word` of the next frontier those in `range` that are to send now; their lists
/// end at `end` at most.
template <VertexProgram P>
__device__ inline uint32_t TakeLiveWord(const P& program, const Context& context,
                                        const DeviceEdges& edges, const LivePass& pass,
                                        HeldGroups held, EdgeIndex end, uint64_t word,
                                        uint32_t range) {
  const auto visit_each = [&](uint32_t bits, auto visit) {
    for (; bits != 0; bits &= bits - 1) {
      const VertexId vertex = static_cast<VertexId>(word * 32 + __ffs(bits) - 1);
      visit(vertex, bits & (~bits + 1), edges.index.first_edge(vertex),
            edges.index.first_edge(vertex + 1));
    }
  };
  uint32_t due = 0;
  visit_each(LoadRelaxed(pass.next + word) & range, [&](VertexId vertex, uint32_t bit,
                                                        EdgeIndex first, EdgeIndex last) {
    if (first == last || last > end) return;
    if constexpr (P::kTraits.prioritised) {
      if (!program.IsDue(vertex)) return;
    }
    bool all = true;
    if (held == HeldGroups::kWanted) {
      VisitBits(first >> kGroupShift, (last - 1) >> kGroupShift, [&](uint64_t at, uint32_t bits) {
        all &= (LoadRelaxed(pass.brought + at) & bits) == bits;
      });
    }
    if (all) due |= bit;
  });
  const uint32_t taken = due == 0 ? 0 : atomicAnd(pass.next + word, ~due) & due;
  uint32_t sending = 0;
  if (!pass.first) atomicAnd(pass.senders + word, ~range);
  if (taken == 0) return 0;
  __threadfence();
  sending = atomicOr(pass.senders + word, taken);
  if (pass.sent != nullptr) atomicOr(pass.sent + word, taken);
  visit_each(taken, [&](VertexId vertex, uint32_t bit, EdgeIndex first, EdgeIndex last) {
    if constexpr (P::kTraits.consumes) {
      if (pass.first && (sending & bit) != 0) {
        program.BeginMore(vertex, context);
      } else {
        program.Begin(vertex, context);
      }
    }
    VisitBits(first >> kGroupShift, (last - 1) >> kGroupShift,
              [&](uint64_t at, uint32_t bits) { atomicOr(pass.groups + at, bits); });
  });
  return taken;
}

}  // namespace internal

/// Takes those that send in `pass` over the blocks of `places`: a thread block each.
template <VertexProgram P>
__global__ void __launch_bounds__(kProgramThreads)
    TakeLiveKernel(P program, Context context, DeviceEdges edges, const BlockPlace* places,
                   uint32_t num_places, LivePass pass) {
  for (uint32_t i = blockIdx.x; i < num_places; i += gridDim.x) {
    const uint64_t block = places[i].block;
    const HeldGroups held = places[i].held;
    const uint64_t first_run = block << edges.block_runs_shift();
    uint64_t end_run = first_run + (uint64_t{1} << edges.block_runs_shift());
    if (end_run > edges.num_runs()) end_run = edges.num_runs();
    const EdgeIndex begin = edges.run_begin(first_run);
    const EdgeIndex end = edges.run_end(end_run - 1);
    if (!pass.first && threadIdx.x == 0) {
      internal::VisitBits(
          begin >> kGroupShift, (end - 1) >> kGroupShift,
          [&](uint64_t word, uint32_t bits) { atomicAnd(pass.groups + word, ~bits); });
    }
    __syncthreads();
    // The vertices whose lists start here, but for one whose list goes on in the next block.
    VertexId from = edges.run_owner[first_run];
    if (edges.index.first_edge(from) < begin) ++from;
    // Those after the last edge have none to send along.
    const VertexId to =
        end == edges.num_edges ? edges.index.LowerBound(edges.num_edges) : edges.run_owner[end_run];
    uint32_t count = 0;
    for (uint64_t word = from / 32 + threadIdx.x; held != HeldGroups::kNone && word * 32 < to;
         word += blockDim.x) {
      uint32_t range = ~0u;
      if (word == from / 32) range &= ~0u << (from % 32);
      if (to - word * 32 < 32) range &= (1u << (to - word * 32)) - 1;
      count +=
          __popc(internal::TakeLiveWord(program, context, edges, pass, held, end, word, range));
    }
    const uint32_t total = __reduce_add_sync(kAllLanes, count);
    if (total > 0 && threadIdx.x % kWarpSize == 0) {
      atomicAdd(&pass.counters->vertices, static_cast<unsigned long long>(total));
    }
    if (__syncthreads_or(total > 0) && !pass.first && threadIdx.x == 0) {
      atomicAdd(&pass.counters->blocks_again, 1ull);
    }
  }
}

}  // namespace edgemill

// Visits the members of a frontier (a bit for each vertex) and skips words without members.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// The calling thread's number in the grid, and the number of threads.
__device__ inline uint64_t ThreadNumber() {
  return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline uint64_t NumThreads() { return uint64_t{gridDim.x} * blockDim.x; }

/// Calls `visit(numbers, bits)` on all lanes of a warp together, for the words of `words` with a
/// member. Takes kTogether words at a time, so that memory accesses for their vertices overlap.
/// Lane i has vertex 32 * numbers[k] + i of word k. Words with bits 0 fill up the last call.
/// `num_threads` threads in whole warps share the words; the caller is number `thread`. Each warp
/// takes 32 words at a time. A word without members costs one read by one lane.
template <uint32_t kTogether, typename Visit>
__device__ inline void VisitWordsTogether(const uint32_t* words, uint64_t num_vertices,
                                          uint64_t thread, uint64_t num_threads, Visit visit) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t num_words = (num_vertices + 31) / 32;
  for (uint64_t base = thread - lane; base < num_words; base += num_threads) {
    const uint32_t mine = base + lane < num_words ? words[base + lane] : 0;
    for (uint32_t left = __ballot_sync(kAllLanes, mine != 0); left != 0;) {
      uint32_t numbers[kTogether];
      uint32_t bits[kTogether];
#pragma unroll
      for (uint32_t k = 0; k < kTogether; ++k) {
        const uint32_t from = left == 0 ? 0 : __ffs(left) - 1;
        const uint32_t some = __shfl_sync(kAllLanes, mine, from);
        numbers[k] = static_cast<uint32_t>(base + from);
        bits[k] = left == 0 ? 0 : some;
        left &= left - 1;
      }
      visit(numbers, bits);
    }
  }
}

/// Calls `visit(vertex, is_member)` on all lanes of a warp together, for each word of `words` with
/// a member. Lane i has vertex i of the word. The warps of the grid share the words.
template <typename Visit>
__device__ inline void VisitMemberWords(const uint32_t* words, uint64_t num_vertices, Visit visit) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  VisitWordsTogether<1>(words, num_vertices, ThreadNumber(), NumThreads(),
                        [&](const uint32_t(&numbers)[1], const uint32_t(&bits)[1]) {
                          visit(static_cast<VertexId>(numbers[0] * kWarpSize + lane),
                                (bits[0] >> lane & 1) != 0);
                        });
}

}  // namespace edgemill

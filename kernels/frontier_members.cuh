// Visiting the members of a frontier (a bit a vertex) with lanes that have work.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "kernels/warp_decode.cuh"

namespace edgemill {

/// The calling thread's number in the grid, and how many there are.
__device__ inline uint64_t ThreadNumber() {
  return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ inline uint64_t NumThreads() { return uint64_t{gridDim.x} * blockDim.x; }

/// Calls `visit(vertex, is_member)` on all lanes of a warp together, for each word of `words` with
/// a member: lane i has vertex i of the word. The grid shares out the words, 32 a warp at a time;
/// words without members cost a lane's look.
template <typename Visit>
__device__ inline void VisitMemberWords(const uint32_t* words, uint64_t num_vertices, Visit visit) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t num_words = (num_vertices + 31) / 32;
  for (uint64_t base = ThreadNumber() - lane; base < num_words; base += NumThreads()) {
    const uint32_t mine = base + lane < num_words ? words[base + lane] : 0;
    for (uint32_t left = __ballot_sync(kAllLanes, mine != 0); left != 0; left &= left - 1) {
      const uint32_t from = __ffs(left) - 1;
      const uint32_t bits = __shfl_sync(kAllLanes, mine, from);
      visit(static_cast<VertexId>((base + from) * 32 + lane), (bits >> lane & 1) != 0);
    }
  }
}

}  // namespace edgemill

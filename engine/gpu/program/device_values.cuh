// Exchanges values of any size between lanes, and adds up tallies on a GPU.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "engine/gpu/program/pass_args.h"
#include "engine/program/program_calls.h"
#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// Calls `shuffle(word)` for each 32-bit word of a value.
template <typename T, typename Shuffle>
__device__ inline T ShuffleWords(const T& value, Shuffle shuffle) {
  constexpr size_t kWords = (sizeof(T) + 3) / 4;
  uint32_t words[kWords] = {};
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (size_t i = 0; i < kWords; ++i) words[i] = shuffle(words[i]);
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}
template <typename T>
__device__ inline T ShuffleFrom(const T& value, uint32_t lane) {
  return ShuffleWords(value, [=](uint32_t word) { return __shfl_sync(kAllLanes, word, lane); });
}
template <typename T>
__device__ inline T ShuffleUp(const T& value, uint32_t by) {
  return ShuffleWords(value, [=](uint32_t word) { return __shfl_up_sync(kAllLanes, word, by); });
}
template <typename T>
__device__ inline T ShuffleDown(const T& value, uint32_t by) {
  return ShuffleWords(value, [=](uint32_t word) { return __shfl_down_sync(kAllLanes, word, by); });
}

/// Reads a bit of a set, in words of 32, that no thread writes at the same time.
__device__ inline bool IsMember(const uint32_t* words, VertexId vertex) {
  return (__ldg(words + vertex / 32) >> (vertex % 32) & 1) != 0;
}
/// Reads a bit of a set that other threads may write at the same time.
__device__ inline bool IsMemberNow(const uint32_t* words, VertexId vertex) {
  return (LoadRelaxed(words + vertex / 32) >> (vertex % 32) & 1) != 0;
}
/// Sets the bit; returns whether it was clear. Reads the word first, so that no atomic operation is
/// done for a set bit.
__device__ inline bool AddMember(uint32_t* words, VertexId vertex) {
  const uint32_t mask = 1u << (vertex % 32);
  if ((LoadRelaxed(words + vertex / 32) & mask) != 0) return false;
  return (atomicOr(words + vertex / 32, mask) & mask) == 0;
}

// ---- Tallies: each thread adds up in its own copy of the program; thread blocks merge the sums.

/// Adds the tallies of the thread block's copies of a program to `totals`. All threads of the
/// block, which has at most kWarps warps, must call it, once.
template <typename P, uint32_t kWarps = kVisitWarps>
__device__ inline void AddTallies(P& program, std::byte* totals) {
  if constexpr (kHasTallies<P>) {
    uint32_t slot = 0;
    VisitFields(program, [&](auto& field) {
      if constexpr (requires { field.sum().valid(); }) {
        using Sum = std::remove_cvref_t<decltype(field.sum())>;
        static_assert(sizeof(Sum) <= kTallySlot - sizeof(unsigned int));
        __shared__ alignas(16) unsigned char bytes[kWarps * sizeof(Sum)];
        Sum* const warps = reinterpret_cast<Sum*>(bytes);
        Sum sum = field.sum();
#pragma unroll
        for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) sum.Merge(ShuffleDown(sum, by));
        __syncthreads();
        if (threadIdx.x % kWarpSize == 0) warps[threadIdx.x / kWarpSize] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
          for (uint32_t warp = 1; warp < blockDim.x / kWarpSize; ++warp) sum.Merge(warps[warp]);
          std::byte* const place = totals + slot * kTallySlot;
          Sum* const total = reinterpret_cast<Sum*>(place);
          if constexpr (requires { total->MergeAtomically(sum); }) {
            total->MergeAtomically(sum);
          } else {
            total->MergeAtomically(
                sum, reinterpret_cast<unsigned int*>(place + kTallySlot - sizeof(unsigned int)));
          }
        }
        ++slot;
      }
    });
  }
}

}  // namespace edgemill

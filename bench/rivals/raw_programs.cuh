// The algorithms in textbook form, as functions of one edge, on 4-byte state and raw lists: lists
// whose edges are not packed.
#pragma once

#include <cstdint>

#include "kernels/gpu/warp_decode.cuh"
#include "kernels/portable_atomics.h"

namespace edgemill::bench {

// Kernels get a copy of a program. Begin runs in each of the kLanes lanes that share a list, and
// returns the value that all edges of the list use. Edge handles one edge. End closes a list or a
// slice of a list.

struct RawBfs {
  static constexpr bool kWeighted = false;
  uint32_t* level;
  uint8_t* next;
  uint32_t depth;  // the level of the vertices that the pass finds

  __device__ uint32_t Begin(VertexId) const { return 0; }
  __device__ void Edge(uint32_t*, VertexId target, int32_t) const {
    if (level[target] != ~0u) return;
    level[target] = depth;
    next[target] = 1;
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}
};

/// BFS in any order of visits: a level may fall again.
struct RawHops {
  static constexpr bool kWeighted = false;
  uint32_t* level;
  uint8_t* next;

  __device__ uint32_t Begin(VertexId vertex) const { return LoadRelaxed(&level[vertex]); }
  __device__ void Edge(const uint32_t* mine, VertexId target, int32_t) const {
    if (AtomicMin(&level[target], *mine + 1)) next[target] = 1;
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}
};

struct RawSssp {
  static constexpr bool kWeighted = true;
  uint32_t* distance;
  uint8_t* next;

  __device__ uint32_t Begin(VertexId vertex) const { return LoadRelaxed(&distance[vertex]); }
  __device__ void Edge(const uint32_t* so_far, VertexId target, int32_t weight) const {
    const uint64_t sum = uint64_t{*so_far} + static_cast<uint32_t>(weight);
    if (sum < ~0u && AtomicMin(&distance[target], static_cast<uint32_t>(sum))) next[target] = 1;
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}
};

struct RawLabels {
  static constexpr bool kWeighted = false;
  uint32_t* label;
  uint8_t* next;
  uint8_t* next_in;  // of passes over in-lists; null where they have the same active vertices

  __device__ uint32_t Begin(VertexId vertex) const { return LoadRelaxed(&label[vertex]); }
  __device__ void Edge(const uint32_t* mine, VertexId target, int32_t) const {
    if (!AtomicMin(&label[target], *mine)) return;
    next[target] = 1;
    if (next_in != nullptr) next_in[target] = 1;
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}
};

/// Pulls: `sum` gets the contributions of the vertices in a list.
struct RawRanks {
  static constexpr bool kWeighted = false;
  const float* contribution;
  float* sum;

  /// A thread may sum up a long list by itself, which floats would round too often.
  __device__ double Begin(VertexId) const { return 0; }
  __device__ void Edge(double* mine, VertexId neighbor, int32_t) const {
    *mine += __ldg(&contribution[neighbor]);
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId vertex, double mine) const {
    static_assert(kLanes == 1 || kLanes == kWarpSize);
    for (uint32_t step = kLanes / 2; step > 0; step /= 2) {
      mine += __shfl_down_sync(kAllLanes, mine, step);
    }
    if (threadIdx.x % kLanes == 0) atomicAdd(&sum[vertex], static_cast<float>(mine));
  }
};

/// Pushes: a vertex sends `message` to each target.
struct RawDeltas {
  static constexpr bool kWeighted = false;
  const float* message;
  float* residual;
  uint8_t* next;
  float threshold;

  __device__ float Begin(VertexId vertex) const { return message[vertex]; }
  __device__ void Edge(const float* sent, VertexId target, int32_t) const {
    if (atomicAdd(&residual[target], *sent) + *sent > threshold) next[target] = 1;
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, float) const {}
};

}  // namespace edgemill::bench

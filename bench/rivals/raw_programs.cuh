// The algorithms in textbook form, as functions of one edge, on 4-byte state and raw lists: lists
// whose edges are not packed.
#pragma once

#include <cstdint>

#include "kernels/gpu/warp_decode.cuh"
#include "kernels/portable_atomics.h"

namespace edgemill::bench {

// Kernels get a copy of a program. Begin runs in each of the kLanes lanes that share a list, and
// returns the value that all edges of the list use. Edge handles one edge. End closes a list or a
// slice of a list. A program without Edge and End has kNoLists.
//
// Programs that push also say what a message is, for kernels that sum up messages in shared memory.
//   Sums      how messages are summed up: LeastSum, RealSum
//   Message   what an edge carries, by the value of its list
//   Settle    brings a sum of messages to its target
//   Pull      the message of a source that may be inactive: kNone if it sends none. A program
//             without Pull has kNoPulls

/// Messages of which the least counts. kNone is no message. Join adds one in shared memory, and
/// Both makes one sum of two.
struct LeastSum {
  using Sum = uint32_t;
  static constexpr Sum kNone = ~0u;
  __device__ static void Join(Sum* place, Sum message) { atomicMin(place, message); }
  __device__ static Sum Both(Sum a, Sum b) { return min(a, b); }
};

/// Messages that are added up.
struct RealSum {
  using Sum = float;
  static constexpr Sum kNone = 0;
  __device__ static void Join(Sum* place, Sum message) { atomicAdd(place, message); }
  __device__ static Sum Both(Sum a, Sum b) { return a + b; }
};

struct RawBfs {
  using Sums = LeastSum;
  using Sum = Sums::Sum;
  static constexpr bool kWeighted = false;
  uint32_t* level;
  uint8_t* next;
  uint32_t depth;  // the level of the vertices that the pass finds

  __device__ uint32_t Begin(VertexId) const { return 0; }
  __device__ void Edge(uint32_t*, VertexId target, int32_t) const { Settle(target, depth); }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}

  __device__ Sum Message(uint32_t, int32_t) const { return depth; }
  __device__ Sum Pull(VertexId source, int32_t) const {
    return LoadRelaxed(&level[source]) + 1 == depth ? depth : Sums::kNone;
  }
  __device__ void Settle(VertexId target, Sum) const {
    if (level[target] != ~0u) return;
    level[target] = depth;
    next[target] = 1;
  }
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
  using Sums = LeastSum;
  using Sum = Sums::Sum;
  static constexpr bool kWeighted = true;
  uint32_t* distance;
  uint8_t* next;

  __device__ uint32_t Begin(VertexId vertex) const { return LoadRelaxed(&distance[vertex]); }
  __device__ void Edge(const uint32_t* so_far, VertexId target, int32_t weight) const {
    Settle(target, Message(*so_far, weight));
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}

  __device__ Sum Message(uint32_t so_far, int32_t weight) const {
    const uint64_t sum = uint64_t{so_far} + static_cast<uint32_t>(weight);
    return sum < Sums::kNone ? static_cast<Sum>(sum) : Sums::kNone;
  }
  __device__ Sum Pull(VertexId source, int32_t weight) const {
    return Message(Begin(source), weight);
  }
  __device__ void Settle(VertexId target, Sum sum) const {
    if (AtomicMin(&distance[target], sum)) next[target] = 1;
  }
};

struct RawLabels {
  using Sums = LeastSum;
  using Sum = Sums::Sum;
  static constexpr bool kWeighted = false;
  uint32_t* label;
  uint8_t* next;
  uint8_t* next_in;  // of passes over in-lists; null where they have the same active vertices

  __device__ uint32_t Begin(VertexId vertex) const { return LoadRelaxed(&label[vertex]); }
  __device__ void Edge(const uint32_t* mine, VertexId target, int32_t) const {
    Settle(target, *mine);
  }
  template <uint32_t kLanes>
  __device__ void End(VertexId, uint32_t) const {}

  __device__ Sum Message(uint32_t mine, int32_t) const { return mine; }
  __device__ Sum Pull(VertexId source, int32_t) const { return Begin(source); }
  __device__ void Settle(VertexId target, Sum sum) const {
    if (!AtomicMin(&label[target], sum)) return;
    next[target] = 1;
    if (next_in != nullptr) next_in[target] = 1;
  }
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

/// The same by messages: a vertex sends its contribution to each target.
struct RawContributions {
  static constexpr bool kNoLists = true;  // it has no Edge and no End
  using Sums = RealSum;
  using Sum = Sums::Sum;
  static constexpr bool kWeighted = false;
  const float* contribution;
  float* sum;

  __device__ float Begin(VertexId vertex) const { return contribution[vertex]; }
  __device__ Sum Message(float mine, int32_t) const { return mine; }
  __device__ Sum Pull(VertexId source, int32_t) const { return __ldg(&contribution[source]); }
  __device__ void Settle(VertexId target, Sum message) const { atomicAdd(&sum[target], message); }
};

/// Pushes: a vertex sends `message` to each target.
struct RawDeltas {
  static constexpr bool kNoPulls = true;
  using Sums = RealSum;
  using Sum = Sums::Sum;
  static constexpr bool kWeighted = false;
  const float* message;
  float* residual;
  uint8_t* next;
  float threshold;

  __device__ float Begin(VertexId vertex) const { return message[vertex]; }
  __device__ void Edge(const float* sent, VertexId target, int32_t) const { Settle(target, *sent); }
  template <uint32_t kLanes>
  __device__ void End(VertexId, float) const {}

  __device__ Sum Message(float sent, int32_t) const { return sent; }
  __device__ void Settle(VertexId target, Sum sum) const {
    if (atomicAdd(&residual[target], sum) + sum > threshold) next[target] = 1;
  }
};

}  // namespace edgemill::bench

// Push on a GPU: sends the message of each active vertex along the edges of its list.
#pragma once

#include "engine/gpu/program/receive.cuh"
#include "kernels/gpu/visit_tiles.cuh"

namespace edgemill {

template <typename P>
struct PushVisitor {
  using Weight = WeightAsked<P>;

  P program;
  PassArgs pass;

  __device__ void BeginTile(const WarpPlace&) {}
  __device__ void Group(const WarpPlace& place, const LaneEdges<Weight>& edges, uint32_t*) {
    const VertexId previous = PreviousNeighbor<P>(edges, place.lane, place.previous);
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0 || !IsSender(pass, edges.source[i])) continue;
      if (!HasList(pass, edges.source[i])) continue;
      if (!Counts<P>(edges, i, previous)) continue;
      const VertexId from = edges.source[i], to = edges.neighbor[i];
      const SumOfProgram<P> sent = static_cast<SumOfProgram<P>>(
          CallAlong(program, SentBy(program, pass, from), from, to, edges.weight[i]));
      if (WouldTake(program, pass, to, sent)) Receive(program, pass, to, sent);
    }
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() { AddTallies(program, pass.tallies); }
};

}  // namespace edgemill

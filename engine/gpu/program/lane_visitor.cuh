// Pull and push on a GPU for programs with lanes (engine/program/lanes.h): the words of a row are
// shared out among the threads of a warp.
//
// A warp is divided into teams of as many threads as a row has words: four teams where a row has
// eight. Each team takes a part of a group's edges, in order, and reads a sender's row together.
// Adjacent messages for one vertex are combined, and the vertex takes them together: in a pull,
// those of the team's part of a list. Once a word of a list has enough, its thread reads no more.
#pragma once

#include "engine/gpu/program/receive.cuh"
#include "engine/program/lanes.h"
#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/visit_tiles.cuh"

namespace edgemill {

template <typename L, bool kPulls>
struct LaneVisitor {
  using P = typename L::OfWords;
  using Sum = SumOfProgram<P>;
  /// Edges whose rows a team reads at the same time.
  static constexpr uint32_t kAtOnce = 4;
  static_assert(kGroupSize / kWarpSize % kAtOnce == 0);
  /// Both ends of a group's edges. Between the parts of two teams, a word is left out, so that
  /// teams read from different banks.
  static constexpr uint32_t kEndWords = kGroupSize + kWarpSize;
  static constexpr uint32_t kScratchWords = 2 * kEndWords;

  L program;
  PassArgs pass;

  __device__ void BeginTile(const WarpPlace&) {}
  __device__ void Group(const WarpPlace& place, const LaneEdges<NoWeight>& edges, uint32_t*) {
    const uint32_t words = program.words();
    const uint32_t team = place.lane / words;
    const uint32_t size = kGroupSize / kWarpSize * words;  // edges of a team
    VertexId* const from = place.words;
    VertexId* const to = from + kEndWords;
    if (!Put(edges, place.lane * kLaneEdges, size, from, to)) return;
    const uint32_t mates = ((1u << words) - 1) << (team * words);
    const uint32_t first = team * (size + 1);
    Messages open{program.OfWord(place.lane % words), mates};
    for (uint32_t i = first; i < first + size; i += kAtOnce) {
      Sum sent[kAtOnce];
      VertexId receiver[kAtOnce];
#pragma unroll
      for (uint32_t j = 0; j < kAtOnce; ++j) {
        receiver[j] = to[i + j];
        sent[j] = P::Monoid::identity();
        if (receiver[j] == kInvalidVertex || open.HasEnough(receiver[j])) continue;
        sent[j] = CallEmit(open.program, from[i + j]);
      }
#pragma unroll
      for (uint32_t j = 0; j < kAtOnce; ++j) {
        if (receiver[j] == kInvalidVertex) continue;
        if (receiver[j] != open.vertex) open.Begin(receiver[j], pass);
        open.sum = P::Monoid::Combine(open.sum, sent[j]);
      }
      if (kPulls) open.NoteEnough();
    }
    open.Begin(kInvalidVertex, pass);
    __syncwarp();  // the next group overwrites the ends
  }
  __device__ void EndTile(const WarpPlace&) {}
  __device__ void Finish() { AddTallies(program, pass.tallies); }

 private:
  /// The messages of a team for one vertex. All threads of the team call its functions together.
  struct Messages {
    P program;  // for the thread's word
    const uint32_t mates;
    VertexId vertex = kInvalidVertex;
    Sum sum = P::Monoid::identity();
    bool enough = false;

    __device__ bool HasEnough(VertexId receiver) const { return enough && receiver == vertex; }
    __device__ void NoteEnough() {
      if (vertex == kInvalidVertex || enough) return;
      enough = CallEnough(program, vertex, sum);
    }
    /// Makes the vertex, if any, take the messages. Those for `next` follow.
    __device__ void Begin(VertexId next, const PassArgs& pass) {
      if (vertex != kInvalidVertex) {
        const bool would = sum != P::Monoid::identity() && WouldTake(program, pass, vertex, sum);
        const bool changed = would && CallRelax(program, vertex, sum);
        const uint32_t votes = __ballot_sync(mates, changed);
        if (votes != 0 && threadIdx.x % kWarpSize == __ffs(votes) - 1) Activate(pass, vertex);
      }
      vertex = next;
      sum = P::Monoid::identity();
      enough = false;
    }
  };

  /// Puts both ends of the lane's edges into shared memory, from edge number `first` of the group
  /// on. Edges that bring nothing get no receiver. Returns whether any lane's edge brings anything.
  __device__ bool Put(const LaneEdges<NoWeight>& edges, uint32_t first, uint32_t size,
                      VertexId* from, VertexId* to) {
    const uint32_t place = first + first / size;  // a team's part holds all edges of a lane
    bool any = false;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      const VertexId sender = kPulls ? edges.neighbor[i] : edges.source[i];
      const VertexId receiver = kPulls ? edges.source[i] : edges.neighbor[i];
      bool brings = (edges.valid >> i & 1) != 0;
      if (kPulls && pass.receivers != nullptr) {
        brings = brings && IsMember(pass.receivers, receiver);
      }
      brings = brings && IsSender(pass, sender);
      from[place + i] = sender;
      to[place + i] = brings ? receiver : kInvalidVertex;
      any |= brings;
    }
    __syncwarp();
    return __any_sync(kAllLanes, any);
  }
};

}  // namespace edgemill

// What becomes of messages at a vertex, on a GPU.
#pragma once

#include "engine/gpu/program/device_values.cuh"
#include "engine/program/monoids/monoids.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// What `vertex` has emitted in this pass.
template <typename P>
__device__ inline MessageOfProgram<P> SentBy(P& program, const PassArgs& pass, VertexId vertex) {
  if constexpr (kConsumes<P>) {
    return static_cast<const MessageOfProgram<P>*>(pass.emitted)[vertex];
  } else {
    return CallEmit(program, vertex);
  }
}

/// Puts `vertex` among those that are active next.
__device__ inline void Activate(const PassArgs& pass, VertexId vertex) {
  if (!pass.shares_next) {
    AddMember(pass.next, vertex);
    return;
  }
  // Other threads take vertices out at the same time. So this does not look before it writes, and
  // makes what was received visible first. Else a member that it saw might be taken out at that
  // moment by a thread that does not see yet what was received.
  __threadfence();
  atomicOr(pass.next + vertex / 32, 1u << (vertex % 32));
}

/// Notes that `vertex` was given something, where that is needed.
template <typename P>
__device__ inline void Touch(const PassArgs& pass, VertexId vertex) {
  if constexpr (kMayShare<P> && !kAppliesToAllOf<P>) {
    if (pass.touched != nullptr) AddMember(pass.touched, vertex);
  }
}

/// Whether a message could change anything at `vertex` in the present state.
template <typename P>
__device__ inline bool WouldTake(P& program, const PassArgs& pass, VertexId vertex,
                                 SumOfProgram<P> sum) {
  if constexpr (kTakesFirst<P>) {
    return pass.asks_cond ? CallCond(program, vertex) : !IsMemberNow(pass.closed, vertex);
  } else if constexpr (requires { Tuning<P>::WouldRelax(program, vertex, sum); }) {
    return Tuning<P>::WouldRelax(program, vertex, sum);
  } else {
    return CallCond(program, vertex);
  }
}

/// Gives `vertex` its first message, unless another thread does.
template <typename P>
__device__ inline void TakeFirst(P& program, const PassArgs& pass, VertexId vertex,
                                 MessageOfProgram<P> message) {
  if (!AddMember(pass.closed, vertex)) return;
  Touch<P>(pass, vertex);
  if (CallApply(program, vertex, message)) Activate(pass, vertex);
  if constexpr (HasCond<P>) {
    if (CallCond(program, vertex)) StoreRelaxed(&pass.counters->reopened, 1u);
  }
}

/// Gives `vertex` all that it gets in this pass: no other thread has anything for it.
template <typename P>
__device__ inline void TakeAll(P& program, const PassArgs& pass, VertexId vertex,
                               SumOfProgram<P> sum) {
  if constexpr (kTakesFirst<P>) {
    TakeFirst(program, pass, vertex, sum);
  } else {
    const bool is_in = CallTake(program, vertex, sum);
    if (is_in) Activate(pass, vertex);
    if (is_in || HasApply<P> || !kIsIdempotent<typename P::Monoid>) Touch<P>(pass, vertex);
  }
}

/// Gives `vertex` a part of what it gets, by Relax.
template <typename P>
__device__ inline void TakePart(P& program, const PassArgs& pass, VertexId vertex,
                                SumOfProgram<P> part) {
  const bool is_in = CallRelax(program, vertex, part);
  if (is_in) Activate(pass, vertex);
  if (is_in || !kIsIdempotent<typename P::Monoid>) Touch<P>(pass, vertex);
}

/// Adds a message, or a part of what `vertex` gets, to its sum. Sums that atomic operations cannot
/// add to are added to by one thread.
template <typename P>
__device__ inline void AddToSum(const PassArgs& pass, VertexId vertex, SumOfProgram<P> sum) {
  auto* const place = static_cast<SumOfProgram<P>*>(pass.sums) + vertex;
  if constexpr (kMayPush<P>) {
    CombineInto<typename P::Monoid>(place, sum);
  } else {
    *place = P::Monoid::Combine(*place, sum);
  }
  if (pass.received != nullptr) AddMember(pass.received, vertex);
}

/// Gives `vertex` a message, or a part of what it gets, that any thread may have for it.
template <typename P>
__device__ inline void Receive(P& program, const PassArgs& pass, VertexId vertex,
                               SumOfProgram<P> sum) {
  if constexpr (kTakesFirst<P>) {
    TakeFirst(program, pass, vertex, sum);
  } else if constexpr (kCollects<P>) {
    if constexpr (kMayPush<P>) AddToSum<P>(pass, vertex, sum);
  } else {
    TakePart(program, pass, vertex, sum);
  }
}

/// Whether a lane's edge `i` counts for programs to which parallel edges are one, and loops none.
/// `previous`: the target of the edge before the lane's first in its list.
template <typename P, typename Weight>
__device__ inline bool Counts(const LaneEdges<Weight>& edges, uint32_t i, VertexId previous) {
  if constexpr (!kIsSimpleOf<P>) return true;
  if (edges.neighbor[i] == edges.owner[i]) return false;
  const bool is_head = (edges.heads >> i & 1) != 0;
  return is_head || edges.neighbor[i] != (i == 0 ? previous : edges.neighbor[i - 1]);
}

/// For Counts: the target before each lane's first edge. All lanes together.
template <typename P, typename Weight>
__device__ inline VertexId PreviousNeighbor(const LaneEdges<Weight>& edges, uint32_t lane,
                                            VertexId previous_of_group) {
  if constexpr (!kIsSimpleOf<P>) return kInvalidVertex;
  const VertexId below = __shfl_up_sync(kAllLanes, edges.neighbor[kLaneEdges - 1], 1);
  return lane == 0 ? previous_of_group : below;
}

}  // namespace edgemill

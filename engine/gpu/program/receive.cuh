// How vertices take messages on a GPU.
#pragma once

#include "engine/gpu/program/device_values.cuh"
#include "engine/program/monoids/monoids.h"
#include "engine/program/sharing.h"

namespace edgemill {

/// Returns the message that `vertex` emits in this pass.
template <typename P>
__device__ inline MessageOfProgram<P> SentBy(P& program, const PassArgs& pass, VertexId vertex) {
  if constexpr (kConsumes<P>) {
    return static_cast<const MessageOfProgram<P>*>(pass.emitted)[vertex];
  } else {
    return CallEmit(program, vertex);
  }
}

/// Whether `vertex` emits in this pass.
__device__ inline bool IsSender(const PassArgs& pass, VertexId vertex) {
  if (pass.from == nullptr) return true;
  return pass.shares_next ? IsMemberNow(pass.from, vertex) : IsMember(pass.from, vertex);
}

/// Whether the pass visits the list of `vertex`.
__device__ inline bool HasList(const PassArgs& pass, VertexId vertex) {
  return vertex - pass.first_list < pass.num_lists;
}

/// Adds `vertex` to the set that is active next.
__device__ inline void Activate(const PassArgs& pass, VertexId vertex) {
  if (!pass.shares_next) {
    AddMember(pass.next, vertex);
    return;
  }
  // Other threads remove vertices at the same time. The fence makes the vertex's new state visible
  // first, and the bit is set without a test. Otherwise a thread could see the bit set while
  // another thread removes the vertex and still reads its old state.
  __threadfence();
  atomicOr(pass.next + vertex / 32, 1u << (vertex % 32));
}

/// Notes that `vertex` has taken a message, where shared passes need to know it.
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

/// Gives `vertex` the sum of all its messages in this pass. No other thread has a message for it.
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

/// Gives `vertex` a message, or the sum of some messages, by Relax.
template <typename P>
__device__ inline void TakePart(P& program, const PassArgs& pass, VertexId vertex,
                                SumOfProgram<P> part) {
  const bool is_in = CallRelax(program, vertex, part);
  if (is_in) Activate(pass, vertex);
  if (is_in || !kIsIdempotent<typename P::Monoid>) Touch<P>(pass, vertex);
}

/// Adds a message, or the sum of some messages, to the sum of `vertex`. Where no atomic operation
/// exists for sums, only one thread adds to each.
template <typename P>
__device__ inline void AddToSum(const PassArgs& pass, VertexId vertex, SumOfProgram<P> sum) {
  auto* const place = static_cast<SumOfProgram<P>*>(pass.sums) + vertex;
  if constexpr (kCanPush<P>) {
    CombineInto<typename P::Monoid>(place, sum);
  } else {
    *place = P::Monoid::Combine(*place, sum);
  }
  if (pass.received != nullptr) AddMember(pass.received, vertex);
}

/// Whether messages of a push can be kept for the GPU that owns their vertices.
template <typename P>
inline constexpr bool kMayLog = kMayShare<P>&& kCanPush<P> &&
                                (kTakesFirst<P> || sizeof(SumOfProgram<P>) <= kMaxSumBytes);

/// Keeps a message for the GPU that owns `vertex`, unless it changes nothing there.
template <typename P>
__device__ inline void Log(P& program, const PassArgs& pass, VertexId vertex, SumOfProgram<P> sum) {
  if constexpr (kTakesFirst<P>) {
    if (!AddMember(pass.closed, vertex)) return;
    static_cast<SumOfProgram<P>*>(pass.sums)[vertex] = sum;
    AddMember(pass.received, vertex);
  } else {
    if constexpr (kTriesOwnCopy<P>) {
      if (!CallRelax(program, vertex, sum)) return;
    }
    CombineInto<typename P::Monoid>(static_cast<SumOfProgram<P>*>(pass.sums) + vertex, sum);
    AddMember(pass.received, vertex);
  }
}

/// Gives `vertex` a message, or the sum of some messages. Other threads may do the same at that
/// time.
template <typename P>
__device__ inline void Receive(P& program, const PassArgs& pass, VertexId vertex,
                               SumOfProgram<P> sum) {
  if constexpr (kMayLog<P>) {
    if (pass.logs) return Log(program, pass, vertex, sum);
  }
  if constexpr (kTakesFirst<P>) {
    TakeFirst(program, pass, vertex, sum);
  } else if constexpr (kCollects<P>) {
    if constexpr (kCanPush<P>) AddToSum<P>(pass, vertex, sum);
  } else {
    TakePart(program, pass, vertex, sum);
  }
}

/// Whether a lane's edge `i` counts. For simple programs, loops and repeated parallel edges do not
/// count. `previous`: the target of the edge before the lane's first edge.
template <typename P, typename Weight>
__device__ inline bool Counts(const LaneEdges<Weight>& edges, uint32_t i, VertexId previous) {
  if constexpr (!kIsSimpleOf<P>) return true;
  if (edges.neighbor[i] == edges.source[i]) return false;
  const bool is_head = (edges.heads >> i & 1) != 0;
  return is_head || edges.neighbor[i] != (i == 0 ? previous : edges.neighbor[i - 1]);
}

/// Returns `previous` for Counts: the target of the edge before each lane's first edge. All lanes
/// must call it together.
template <typename P, typename Weight>
__device__ inline VertexId PreviousNeighbor(const LaneEdges<Weight>& edges, uint32_t lane,
                                            VertexId previous_of_group) {
  if constexpr (!kIsSimpleOf<P>) return kInvalidVertex;
  const VertexId below = __shfl_up_sync(kAllLanes, edges.neighbor[kLaneEdges - 1], 1);
  return lane == 0 ? previous_of_group : below;
}

}  // namespace edgemill

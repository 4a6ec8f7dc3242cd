// The kernels that a vertex program is part of: what GpuExecutor launches. They allocate nothing
// and do not wait.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/gpu/program/pass_launch.h"
#include "engine/old/program/program.h"
#include "kernels/device_edges.h"
#include "kernels/frontier_members.cuh"
#include "kernels/visit_runs.cuh"

namespace edgemill {

/// Bits of one frontier, by 32: what kernels test; adding goes by AtomicSetBit.
__device__ inline bool IsMember(const uint32_t* words, VertexId vertex) {
  return (__ldg(words + vertex / 32) >> (vertex % 32) & 1) != 0;
}

/// Adds up a thread block's aggregates into `*slot`. All threads call it; each slot belongs to one
/// thread block of one stream.
template <typename Aggregate>
__device__ inline void MergeAggregates(const Aggregate& local, Aggregate* slot) {
  if constexpr (!std::is_empty_v<Aggregate>) {
    static_assert(sizeof(Aggregate) * kProgramThreads <= 16384);
    __shared__ alignas(16) unsigned char bytes[sizeof(Aggregate) * kProgramThreads];
    Aggregate* const all = reinterpret_cast<Aggregate*>(bytes);
    all[threadIdx.x] = local;
    for (uint32_t half = kProgramThreads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) all[threadIdx.x].Merge(all[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) slot->Merge(all[0]);
  }
}

/// Initial for every vertex; those active go to `active`.
template <VertexProgram P>
__global__ void InitialKernel(P program, Context context, uint32_t* active) {
  const uint64_t rounded = (context.num_vertices + 31) / 32 * 32;
  for (uint64_t i = ThreadNumber(); i < rounded; i += NumThreads()) {
    const bool is_active =
        i < context.num_vertices && program.Initial(static_cast<VertexId>(i), context);
    const uint32_t bits = __ballot_sync(kAllLanes, is_active);
    if (active != nullptr && i % 32 == 0) active[i / 32] = bits;
  }
}

/// Begin for every active vertex.
template <VertexProgram P>
__global__ void BeginKernel(P program, Context context, const uint32_t* active) {
  VisitMemberWords(active, context.num_vertices, [&](VertexId vertex, bool is_member) {
    if (is_member) program.Begin(vertex, context);
  });
}

/// Writes to `wanting` which vertices (of `among`, unless null) a message could change.
template <VertexProgram P>
__global__ void WantsKernel(P program, Context context, const uint32_t* among, uint32_t* wanting) {
  const uint64_t rounded = (context.num_vertices + 31) / 32 * 32;
  for (uint64_t i = ThreadNumber(); i < rounded; i += NumThreads()) {
    const VertexId vertex = static_cast<VertexId>(i);
    const bool wants = i < context.num_vertices && (among == nullptr || IsMember(among, vertex)) &&
                       program.Wants(vertex);
    const uint32_t bits = __ballot_sync(kAllLanes, wants);
    if (i % 32 == 0) wanting[i / 32] = bits;
  }
}

/// Measure for every vertex, at an iteration's end.
template <VertexProgram P>
__global__ void MeasureKernel(P program, Context context, typename P::Aggregate* slots) {
  typename P::Aggregate local{};
  for (uint64_t i = ThreadNumber(); i < context.num_vertices; i += NumThreads()) {
    program.Measure(static_cast<VertexId>(i), &local);
  }
  MergeAggregates(local, slots + blockIdx.x);
}

/// Splits `active` into what is due, to `due`, and what waits, added to `waiting`.
template <VertexProgram P>
__global__ void SplitDueKernel(P program, Context context, const uint32_t* active, uint32_t* due,
                               uint32_t* waiting) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  VisitMemberWords(active, context.num_vertices, [&](VertexId vertex, bool is_member) {
    const uint32_t now = __ballot_sync(kAllLanes, is_member && program.IsDue(vertex));
    const uint32_t members = __ballot_sync(kAllLanes, is_member);
    if (lane == 0) {
      due[vertex / 32] = now;
      waiting[vertex / 32] |= members & ~now;
    }
  });
}

/// The least priority of those in `waiting` that were not due before, as the bits of a double that
/// is not negative, to `*least`.
template <VertexProgram P>
__global__ void LeastKernel(P program, Context context, const uint32_t* waiting,
                            unsigned long long* least) {
  double local = __longlong_as_double(0x7ff0000000000000);  // infinity
  VisitMemberWords(waiting, context.num_vertices, [&](VertexId vertex, bool is_member) {
    if (is_member && !program.IsDue(vertex)) local = fmin(local, program.Priority(vertex));
  });
#pragma unroll
  for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) {
    local = fmin(local, __shfl_down_sync(kAllLanes, local, by));
  }
  // Doubles that are not negative are in the order of their bits.
  if (threadIdx.x % kWarpSize == 0) {
    atomicMin(least, static_cast<unsigned long long>(__double_as_longlong(local)));
  }
}

/// Takes out of `waiting` those that were due before (`before`), and moves those due by `now` to
/// `due`.
template <VertexProgram P>
__global__ void TakeDueKernel(P before, P now, Context context, uint32_t* waiting, uint32_t* due) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  VisitMemberWords(waiting, context.num_vertices, [&](VertexId vertex, bool is_member) {
    const bool waits = is_member && !before.IsDue(vertex);
    const uint32_t taken = __ballot_sync(kAllLanes, waits && now.IsDue(vertex));
    const uint32_t left = __ballot_sync(kAllLanes, waits) & ~taken;
    if (lane == 0) {
      due[vertex / 32] = taken;
      waiting[vertex / 32] = left;
    }
  });
}

/// Apply for every vertex's accumulator, which becomes the identity again.
template <VertexProgram P>
__global__ void ApplyAccumulatorsKernel(P program, Context context,
                                        typename P::Message* accumulators,
                                        typename P::Aggregate* slots) {
  typename P::Aggregate local{};
  for (uint64_t i = ThreadNumber(); i < context.num_vertices; i += NumThreads()) {
    program.Apply(static_cast<VertexId>(i), accumulators[i], context, &local);
    accumulators[i] = P::Identity();
  }
  MergeAggregates(local, slots + blockIdx.x);
}

/// Sets every accumulator to the identity.
template <VertexProgram P>
__global__ void FillAccumulatorsKernel(typename P::Message* accumulators, uint64_t size) {
  for (uint64_t i = ThreadNumber(); i < size; i += NumThreads()) accumulators[i] = P::Identity();
}

/// Merges `num_slots` slots into `*total`, in order, and empties them. One thread block.
template <typename Aggregate>
__global__ void TotalKernel(Aggregate* slots, uint32_t num_slots, Aggregate* total) {
  if constexpr (!std::is_empty_v<Aggregate>) {
    Aggregate local{};
    for (uint32_t i = threadIdx.x; i < num_slots; i += blockDim.x) {
      local.Merge(slots[i]);
      slots[i] = Aggregate{};
    }
    if (threadIdx.x == 0) *total = Aggregate{};
    __syncthreads();
    MergeAggregates(local, total);
  }
}

/// Push: each active owner's message along its edges.
template <VertexProgram P>
struct MessagePushVisitor {
  using Message = typename P::Message;
  using Weight = typename P::Weight;

  P program;
  Context context;
  const uint32_t* current;  // null where all are active
  uint64_t* next;
  Message* accumulators;
  bool live;  // other streams take vertices out of `next`, and put them to `current`, meanwhile

  __device__ void BeginRun(const WarpPlace&) {}
  __device__ void Group(const WarpPlace&, const LaneEdges<Weight>& edges, uint32_t*) {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0) continue;
      if constexpr (!P::kTraits.all_active) {
        if (!Sends(edges.owner[i])) continue;
      }
      Message message;
      if (!program.Send(edges.owner[i], context, &message)) {
        if constexpr (!P::kTraits.all_active) AtomicSetBit(next, edges.owner[i]);
        continue;
      }
      const Message sent = program.Along(message, edges.weight[i]);
      if constexpr (P::kTraits.order_independent) {
        if (program.Receive(edges.target[i], sent, context)) Activate(edges.target[i]);
      } else {
        Accumulate<P>(&accumulators[edges.target[i]], sent);
      }
    }
  }
  __device__ void EndRun(const WarpPlace&) {}
  __device__ void Finish() {}

 private:
  /// What others change meanwhile must not be read as what nobody does.
  __device__ bool Sends(VertexId vertex) const {
    if (!live) return IsMember(current, vertex);
    return (current[vertex / 32] >> (vertex % 32) & 1) != 0;
  }
  /// Beside others that take: does not look before it writes, and has what was received seen first.
  /// What it saw might be taken out at that moment, by who does not see yet what was received.
  __device__ void Activate(VertexId vertex) const {
    if (!live) {
      AtomicSetBit(next, vertex);
      return;
    }
    __threadfence();
    atomicOr(reinterpret_cast<unsigned int*>(next) + vertex / 32, 1u << (vertex % 32));
  }
};

/// Notify-pull's first half: active owners mark those along their edges that want a message.
template <VertexProgram P>
struct NotifyVisitor {
  P program;
  const uint32_t* current;
  uint64_t* notified;

  __device__ void BeginRun(const WarpPlace&) {}
  __device__ void Group(const WarpPlace&, const LaneEdges<NoWeight>& edges, uint32_t*) {
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if ((edges.valid >> i & 1) == 0 || !IsMember(current, edges.owner[i])) continue;
      if (program.Wants(edges.target[i])) AtomicSetBit(notified, edges.target[i]);
    }
  }
  __device__ void EndRun(const WarpPlace&) {}
  __device__ void Finish() {}
};

}  // namespace edgemill

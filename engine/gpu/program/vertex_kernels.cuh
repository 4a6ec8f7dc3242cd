// Kernels of an edge program that work on vertices.
#pragma once

#include "engine/gpu/program/pull_visitor.cuh"
#include "kernels/gpu/frontier_members.cuh"

namespace edgemill {

/// Calls `visit(vertex)` for the members of `words`; null: for all vertices.
template <typename Visit>
__device__ inline void ForEachMember(const uint32_t* words, uint64_t num_vertices, Visit visit) {
  if (words == nullptr) {
    for (uint64_t i = ThreadNumber(); i < num_vertices; i += NumThreads()) {
      visit(static_cast<VertexId>(i));
    }
    return;
  }
  VisitMemberWords(words, num_vertices, [&](VertexId vertex, bool is_member) {
    if (is_member) visit(vertex);
  });
}

/// Writes to `words` the members of `among` (null: all vertices) for which `test(vertex)` is true.
/// All threads of the grid must call it.
template <typename Test>
__device__ inline void WriteMembers(const uint32_t* among, uint64_t num_vertices, uint32_t* words,
                                    Test test) {
  const uint64_t rounded = (num_vertices + kWarpSize - 1) / kWarpSize * kWarpSize;
  for (uint64_t i = ThreadNumber(); i < rounded; i += NumThreads()) {
    const VertexId vertex = static_cast<VertexId>(i);
    const bool is_in =
        i < num_vertices && (among == nullptr || IsMember(among, vertex)) && test(vertex);
    const uint32_t bits = __ballot_sync(kAllLanes, is_in);
    if (i % kWarpSize == 0) words[i / kWarpSize] = bits;
  }
}

/// Calls Emit for the members of `pass.from`, and keeps their messages.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads) ConsumeKernel(P program, PassArgs pass) {
  if constexpr (kConsumes<P>) {
    auto* const emitted = static_cast<MessageOfProgram<P>*>(pass.emitted);
    ForEachMember(pass.from, pass.num_vertices,
                  [&](VertexId vertex) { emitted[vertex] = CallEmit(program, vertex); });
    AddTallies(program, pass.tallies);
  }
}

/// Adds what the members of `pass.from` have to pass on to the sums of the blocks with their edges.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    SumPendingKernel(P program, PassArgs pass, DeviceEdges edges, float* sums) {
  ForEachMember(pass.from, pass.num_vertices, [&](VertexId vertex) {
    const EdgeIndex first = edges.index.first_edge(vertex);
    const EdgeIndex last = edges.index.first_edge(vertex + 1);
    if (first == last) return;
    const float an_edge =
        static_cast<float>(Tuning<P>::Pending(program, vertex)) / static_cast<float>(last - first);
    for (EdgeIndex begin = first; begin < last;) {
      const uint64_t block = begin >> edges.block_shift;
      const EdgeIndex end_of_block = (block + 1) << edges.block_shift;
      const EdgeIndex end = end_of_block < last ? end_of_block : last;
      atomicAdd(sums + block, an_edge * static_cast<float>(end - begin));
      begin = end;
    }
  });
}

/// Writes which vertices take no more messages: those whose Cond is false.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads) ClosedKernel(P program, PassArgs pass) {
  WriteMembers(nullptr, pass.num_vertices, pass.closed,
               [&](VertexId vertex) { return !CallCond(program, vertex); });
}

/// Writes to `receivers` which members of `among` (null: all vertices) may take a message.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    ReceiversKernel(P program, PassArgs pass, const uint32_t* among, uint32_t* receivers) {
  WriteMembers(among, pass.num_vertices, receivers, [&](VertexId vertex) {
    if constexpr (kTakesFirst<P>) {
      return !IsMember(pass.closed, vertex);
    } else {
      return CallCond(program, vertex);
    }
  });
}

/// Sets every sum to the identity.
template <typename P>
__global__ void ClearSumsKernel(PassArgs pass) {
  auto* const sums = static_cast<SumOfProgram<P>*>(pass.sums);
  for (uint64_t i = ThreadNumber(); i < pass.num_vertices; i += NumThreads()) {
    sums[i] = P::Monoid::identity();
  }
}

/// Gives the sums that were put aside to the vertices in `pass.received` (null: all). Resets the
/// sums to identities.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads) TakeSumsKernel(P program, PassArgs pass) {
  if constexpr (kCollects<P>) {
    auto* const sums = static_cast<SumOfProgram<P>*>(pass.sums);
    ForEachMember(pass.received, pass.num_vertices, [&](VertexId vertex) {
      if (vertex < pass.first_vertex) return;
      const SumOfProgram<P> sum = sums[vertex];
      sums[vertex] = P::Monoid::identity();
      if (!kAppliesToAllOf<P> && !CallCond(program, vertex)) return;
      TakeAll(program, pass, vertex, sum);
    });
    AddTallies(program, pass.tallies);
  }
}

/// Gives vertices the messages, or partial sums, that another processor has sent. Where no atomic
/// operation exists for sums, each vertex must occur only once.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    ReceiveKernel(P program, PassArgs pass, const VertexId* vertices,
                  const SumOfProgram<P>* received, uint32_t count) {
  for (uint32_t i = ThreadNumber(); i < count; i += NumThreads()) {
    if constexpr (kCollects<P>) {
      AddToSum<P>(pass, vertices[i], received[i]);
    } else {
      Receive(program, pass, vertices[i], received[i]);
    }
  }
  AddTallies(program, pass.tallies);
}

/// Gives the vertices in `received` the messages that another GPU has kept for them, in `sums` by
/// vertex. Both may be in the other GPU's memory.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    ReceiveSumsKernel(P program, PassArgs pass, const uint32_t* received,
                      const SumOfProgram<P>* sums) {
  ForEachMember(received, pass.num_vertices, [&](VertexId vertex) {
    if constexpr (kCollects<P>) {
      AddToSum<P>(pass, vertex, sums[vertex]);
    } else {
      Receive(program, pass, vertex, sums[vertex]);
    }
  });
  AddTallies(program, pass.tallies);
}

/// Runs after a pull of a program that applies to all. Gives vertices the sums that wait in their
/// state, and vertices without edges in `index` the identity. Other vertices have taken their sums
/// already.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    ApplyRestKernel(P program, PassArgs pass, VertexIndexView index) {
  if constexpr (kAppliesToAllOf<P>) {
    for (uint64_t i = pass.first_vertex + ThreadNumber(); i < pass.num_vertices;
         i += NumThreads()) {
      const VertexId vertex = static_cast<VertexId>(i);
      SumOfProgram<P> sum = P::Monoid::identity();
      if (index.low != nullptr && index.degree(vertex) > 0) {
        if constexpr (!kDeposits<P>) {
          continue;
        } else {
          sum = (program.*Tuning<P>::kSumsWaitIn)[vertex];
        }
      }
      TakeAll(program, pass, vertex, sum);
    }
    AddTallies(program, pass.tallies);
  }
}

// ---- Buckets.

/// Splits the members of `from`. Writes those with priorities below `bound` to `due`, and adds the
/// others to `waiting`.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    SplitKernel(P program, uint64_t num_vertices, double bound, const uint32_t* from, uint32_t* due,
                uint32_t* waiting) {
  if constexpr (HasPriority<P>) {
    const uint32_t lane = threadIdx.x % kWarpSize;
    VisitMemberWords(from, num_vertices, [&](VertexId vertex, bool is_member) {
      const bool is_in_bucket = is_member && CallPriority(program, vertex) < bound;
      const uint32_t now = __ballot_sync(kAllLanes, is_in_bucket);
      const uint32_t members = __ballot_sync(kAllLanes, is_member);
      if (lane == 0) {
        due[vertex / kWarpSize] = now;
        waiting[vertex / kWarpSize] |= members & ~now;
      }
    });
  }
}

/// Finds the least priority in `waiting` that is at least `bound`, and writes its OrderedBits to
/// `*least`.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    LeastKernel(P program, uint64_t num_vertices, double bound, const uint32_t* waiting,
                unsigned long long* least) {
  if constexpr (HasPriority<P>) {
    unsigned long long local = ~0ull;
    VisitMemberWords(waiting, num_vertices, [&](VertexId vertex, bool is_member) {
      if (!is_member) return;
      const double priority = CallPriority(program, vertex);
      if (priority >= bound) local = min(local, OrderedBits(priority));
    });
#pragma unroll
    for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) {
      local = min(local, __shfl_down_sync(kAllLanes, local, by));
    }
    if (threadIdx.x % kWarpSize == 0 && local != ~0ull) atomicMin(least, local);
  }
}

/// Removes vertices with priorities below `before` from `waiting`, and moves those below `bound` to
/// `due`.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    ActivateWaitingKernel(P program, uint64_t num_vertices, double before, double bound,
                          uint32_t* waiting, uint32_t* due) {
  if constexpr (HasPriority<P>) {
    const uint32_t lane = threadIdx.x % kWarpSize;
    VisitMemberWords(waiting, num_vertices, [&](VertexId vertex, bool is_member) {
      const double priority = is_member ? CallPriority(program, vertex) : before;
      const bool waits = is_member && priority >= before;
      const uint32_t taken = __ballot_sync(kAllLanes, waits && priority < bound);
      const uint32_t left = __ballot_sync(kAllLanes, waits) & ~taken;
      if (lane == 0) {
        due[vertex / kWarpSize] = taken;
        waiting[vertex / kWarpSize] = left;
      }
    });
  }
}

}  // namespace edgemill

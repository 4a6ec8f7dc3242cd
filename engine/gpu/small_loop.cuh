// Many small iterations in one launch: while everything is on the card and few vertices are active,
// one thread block pushes level after level by itself. A road graph has thousands of levels of some
// dozens of vertices; to launch, wait and look for each from the host takes 20 times as long.
#pragma once

#include "engine/gpu/gpu_iteration.h"
#include "engine/gpu/program_kernels.cuh"

namespace edgemill {

inline constexpr uint32_t kSmallThreads = 512;
/// Of one launch, so that the host may stop in between: a tenth of a second of BFS.
inline constexpr uint32_t kMostLoopIterations = 1 << 14;

/// A warp's share of shared memory: a list's neighbours are used before its weights come.
using SmallScratch = WarpScratch<NoWeight>;

namespace internal {

/// One group of a list whose owner is known: calls `visit(place in the group, target)` for the
/// lane's edges of [begin, end), all of one list; `head` is the place of its head, or kGroupSize
/// when the list goes on from the group before.
template <typename Weight, typename Visit>
__device__ inline void VisitListGroup(const DeviceBlock& bytes, uint32_t num_groups, uint32_t group,
                                      VertexId owner, uint32_t head, uint32_t begin, uint32_t end,
                                      SmallScratch& scratch, Visit visit) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  uint32_t values[kLaneEdges];
  const GroupHeader header = WarpValues(bytes.neighbors, num_groups, group, lane, scratch.neighbors,
                                        scratch.lanes, values);
  uint32_t sums[kLaneEdges];
  WarpSums(values, lane, sums);
  uint32_t constant = header.base;
  uint32_t mine = 0;
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    if (head % kLaneEdges == i) mine = owner + UnZigZag(values[i]) - sums[i];
  }
  if (head < kGroupSize) constant = __shfl_sync(kAllLanes, mine, head / kLaneEdges);
  LaneEdges<Weight> edges;
  if constexpr (std::is_same_v<Weight, int32_t>) {
    WarpValues(static_cast<const uint64_t*>(bytes.weights), num_groups, group, lane,
               scratch.neighbors, scratch.lanes, values);
    SetWeights(values, &edges);
  } else {
    WarpRawWeights(bytes.weights, group, end, lane, &edges);
  }
#pragma unroll
  for (uint32_t i = 0; i < kLaneEdges; ++i) {
    const uint32_t place = lane * kLaneEdges + i;
    if (place >= begin && place < end) visit(sums[i] + constant, edges.weight[i]);
  }
}

}  // namespace internal

/// Sends along all edges of `vertex`, by one warp: `receive(target, message)` for each.
template <VertexProgram P, typename Receive>
__device__ inline void PushList(const P& program, const DeviceEdges& edges, VertexId vertex,
                                const typename P::Message& message, SmallScratch& scratch,
                                uint32_t* damaged, Receive receive) {
  const EdgeIndex first = edges.index.first_edge(vertex);
  const EdgeIndex last = edges.index.first_edge(vertex + 1);
  for (EdgeIndex at = first; at < last;) {
    const uint64_t block = at >> edges.block_shift;
    const EdgeIndex group_begin = at & ~EdgeIndex{kGroupSize - 1};
    const uint32_t group = static_cast<uint32_t>(group_begin >> kGroupShift) &
                           ((1u << (edges.block_shift - kGroupShift)) - 1);
    const EdgeIndex left = last - group_begin;
    internal::VisitListGroup<typename P::Weight>(
        edges.blocks[block], edges.block_groups(block), group, vertex,
        at == first ? static_cast<uint32_t>(first - group_begin) : kGroupSize,
        static_cast<uint32_t>(at - group_begin),
        left < kGroupSize ? static_cast<uint32_t>(left) : kGroupSize, scratch,
        [&](VertexId target, typename P::Weight weight) {
          if (target >= edges.index.num_vertices) {
            atomicMin(damaged, static_cast<uint32_t>(block));
          } else {
            receive(target, program.Along(message, weight));
          }
        });
    at = group_begin + kGroupSize;
  }
}

/// What the threads of a loop's block share.
struct LoopShared {
  uint32_t num_next;
  uint32_t num_due;
  unsigned long long edges;  // of those that are active next
  unsigned long long least;  // priority, as the bits of a double that is not negative
};

/// A frontier on its way through a loop: all members of the loop's block, the same in each thread
/// but for what lies in memory.
struct LoopFrontier {
  LoopShared& shared;
  const SmallLoop& loop;
  VertexIndexView index;
  uint64_t* next;     // bits of those in next_list, and of those it had no room for
  uint64_t* waiting;  // prioritised programs: of those that are not due
  VertexId* list;
  VertexId* next_list;
  uint32_t count = 0;  // of list

  __device__ void Activate(VertexId vertex) {
    if (!AtomicSetBit(next, vertex)) return;
    const uint32_t place = atomicAdd(&shared.num_next, 1);
    if (place < loop.most_vertices) next_list[place] = vertex;
    atomicAdd(&shared.edges, static_cast<unsigned long long>(index.degree(vertex)));
  }
  __device__ void Forget(VertexId vertex) {
    atomicAnd(reinterpret_cast<unsigned int*>(next) + vertex / 32, ~(1u << (vertex % 32)));
  }
  /// Nothing is active next. All threads call it together, as the following.
  __device__ void Clear() {
    if (threadIdx.x == 0) shared = {0, 0, 0, ~0ull};
    __syncthreads();
  }
  /// Makes what became active the list, out of `next`; false where that is nothing, or too much:
  /// then `next` has it.
  __device__ bool Advance() {
    const uint32_t active = shared.num_next;
    if (active == 0 || active > loop.most_vertices || shared.edges > loop.most_edges) return false;
    count = active;
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) Forget(next_list[i]);
    VertexId* const swapped = list;
    list = next_list;
    next_list = swapped;
    return true;
  }
  /// The same of what is due; the rest goes to `waiting`. Where nothing is, the program advances to
  /// the least that waits. `*totals` keeps account of the step.
  template <typename P>
  __device__ bool AdvanceToDue(P* program, SmallLoopCounters* totals);

 private:
  template <typename P>
  __device__ void SplitDue(const P& program, uint32_t active);
  /// Finds the least priority that waits, has the program advance there, and activates what is due
  /// then; false where nothing waits.
  template <typename P>
  __device__ bool TakeLeast(P* program, const StepEdges& last);
};

template <typename P>
__device__ void LoopFrontier::SplitDue(const P& program, uint32_t active) {
  for (uint32_t i = threadIdx.x; i < active; i += blockDim.x) {
    const VertexId vertex = next_list[i];
    Forget(vertex);
    if (program.IsDue(vertex)) {
      list[atomicAdd(&shared.num_due, 1)] = vertex;
      atomicAdd(&shared.edges, static_cast<unsigned long long>(index.degree(vertex)));
    } else {
      AtomicSetBit(waiting, vertex);
    }
  }
  __syncthreads();
}

template <typename P>
__device__ bool LoopFrontier::TakeLeast(P* program, const StepEdges& last) {
  const P before = *program;
  auto* const words = reinterpret_cast<unsigned int*>(waiting);
  const uint32_t num_words = (index.num_vertices + 31) / 32;
  const auto visit = [&](uint32_t word, auto visit_one) {
    for (uint32_t bits = words[word]; bits != 0; bits &= bits - 1) {
      visit_one(word * 32 + __ffs(bits) - 1, bits & (0 - bits));
    }
  };
  for (uint32_t word = threadIdx.x; word < num_words; word += blockDim.x) {
    visit(word, [&](VertexId vertex, uint32_t) {
      if (before.IsDue(vertex)) return;  // it became due again, and was taken
      atomicMin(&shared.least,
                static_cast<unsigned long long>(__double_as_longlong(before.Priority(vertex))));
    });
  }
  __syncthreads();
  const double least = __longlong_as_double(static_cast<long long>(shared.least));
  if (!(least < __longlong_as_double(0x7ff0000000000000))) return false;
  program->Advance(least, last);
  for (uint32_t word = threadIdx.x; word < num_words; word += blockDim.x) {
    uint32_t left = words[word];
    visit(word, [&](VertexId vertex, uint32_t bit) {
      if (!before.IsDue(vertex)) {
        if (!program->IsDue(vertex)) return;
        Activate(vertex);
      }
      left &= ~bit;
    });
    words[word] = left;
  }
  __syncthreads();
  return true;
}

template <typename P>
__device__ bool LoopFrontier::AdvanceToDue(P* program, SmallLoopCounters* totals) {
  totals->advanced = false;
  while (true) {
    const uint32_t active = shared.num_next;
    if (active > loop.most_vertices) return false;
    __syncthreads();
    Clear();
    SplitDue(*program, active);
    count = shared.num_due;
    const EdgeIndex edges = shared.edges;
    if (count > 0 && edges > loop.most_edges) {
      for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) AtomicSetBit(next, list[i]);
      return false;
    }
    if (count > 0) {
      if (totals->advanced) totals->step.first = edges;
      if (!totals->advanced) totals->step.again += edges;
      return true;
    }
    if (index.num_vertices > kLoopScanned || !TakeLeast(program, totals->step)) return false;
    totals->step = {};
    totals->advanced = true;
  }
}

/// Pushes from the vertices of `loop.lists[0]`, then from those that become active, or due, and so
/// on, until none is, or more than `loop.most_vertices` or `loop.most_edges`, or that has gone on
/// for kMostLoopIterations. `next`, clear at first, has the active vertices at the end, due or not;
/// `waiting` those that waited before.
/// `*after`, unless null, is what the program has become. One thread block.
template <VertexProgram P>
__global__ void __launch_bounds__(kSmallThreads)
    SmallLoopKernel(P program, Context context, DeviceEdges edges, SmallLoop loop, uint64_t* next,
                    uint64_t* waiting, StepEdges step, P* after, uint32_t* damaged) {
  __shared__ SmallScratch scratches[kSmallThreads / kWarpSize];
  __shared__ LoopShared shared;
  SmallScratch& scratch = scratches[threadIdx.x / kWarpSize];
  LoopFrontier frontier{shared,  loop,          edges.index,   next,
                        waiting, loop.lists[0], loop.lists[1], loop.counters->count};
  SmallLoopCounters totals;
  totals.step = step;
  while (true) {
    __syncthreads();  // all have read what is cleared
    frontier.Clear();
    if constexpr (P::kTraits.consumes) {
      for (uint32_t i = threadIdx.x; i < frontier.count; i += blockDim.x) {
        program.Begin(frontier.list[i], context);
      }
      __syncthreads();
    }
    for (uint32_t i = threadIdx.x / kWarpSize; i < frontier.count; i += kSmallThreads / kWarpSize) {
      const VertexId vertex = frontier.list[i];
      typename P::Message message;
      if (program.Send(vertex, context, &message)) {
        PushList(program, edges, vertex, message, scratch, damaged,
                 [&](VertexId target, typename P::Message sent) {
                   if (program.Receive(target, sent, context)) frontier.Activate(target);
                 });
      } else if (threadIdx.x % kWarpSize == 0) {
        frontier.Activate(vertex);
      }
    }
    __syncthreads();
    ++context.iteration;
    if (++totals.iterations == kMostLoopIterations) {
      totals.advanced = false;
      break;
    }
    if constexpr (P::kTraits.prioritised) {
      if (!frontier.AdvanceToDue(&program, &totals)) break;
    } else {
      if (!frontier.Advance()) break;
    }
    totals.activations += frontier.count;
    totals.edges += shared.edges;
  }
  if (threadIdx.x != 0) return;
  *loop.counters = totals;
  if (after != nullptr) *after = program;
}

}  // namespace edgemill

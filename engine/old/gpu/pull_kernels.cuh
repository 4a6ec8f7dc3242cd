// Pull on the GPU: every list's messages added up by the warps that decode it.
//
// Inside a group lists are reduced by a scan over the lanes that starts again at each head, from
// group to group of a run in order. The lists that end in a group are put in a row in shared
// memory, so that lanes side by side apply them: their vertices' state lies together. One that
// crosses runs leaves a partial result in each, at most two a run; programs that take messages in
// any order are given these partials one by one (Receive), the others get them added up in the
// order of runs when all are there (FoldRunsKernel): the same bits in every execution. These put
// sums down (Deposit) and apply them to vertex after vertex at the end: a warp that applied the few
// lists that end in a group would have most of its lanes idle.
#pragma once

#include "engine/old/gpu/program_kernels.cuh"

namespace edgemill {

/// What a list has received so far, in a group or since its first. `any` only where it may be
/// nothing.
template <VertexProgram P, typename Value = PartialMessage<P>>
struct Received {
  static constexpr bool kCounts = !P::kTraits.apply_to_all;

  Value message = static_cast<Value>(P::Identity());
  uint32_t any = 0;

  template <typename Other>
  __device__ void Add(const Received<P, Other>& later) {
    message = P::Combine(message, static_cast<Value>(later.message));
    if (kCounts) any |= later.any;
  }
  __device__ Received From(uint32_t lane) const {
    return {__shfl_sync(kAllLanes, message, lane), kCounts ? __shfl_sync(kAllLanes, any, lane) : 0};
  }
  __device__ Received Below(uint32_t by) const {
    return {__shfl_up_sync(kAllLanes, message, by),
            kCounts ? __shfl_up_sync(kAllLanes, any, by) : 0};
  }
};

/// Pull: what each owner's list sends it.
template <VertexProgram P>
struct MessagePullVisitor {
  using Message = typename P::Message;
  using Partial = PartialMessage<P>;
  using Weight = typename P::Weight;
  static constexpr bool kInAnyOrder = P::kTraits.order_independent;
  static constexpr uint32_t kScratchWords = sizeof(Partial) * kGroupSize / sizeof(uint32_t);

  P program;
  Context context;
  VertexIndexView index;
  const uint32_t* current;  // null where all are active
  const uint32_t* wanting;  // owners that receive; null: all
  uint64_t* next;
  Message* partials;  // two a run: of the list it begins in, and of the one it ends in

  // The list that is open between two groups of a run.
  Received<P, Message> open = {};
  bool has_open = false;
  bool began = false;  // in this run
  EdgeIndex expected = 0;
  VertexId open_owner = 0;

  __device__ void BeginRun(const WarpPlace& place) {
    expected = place.first;
    has_open = began = false;
    open = {};
    open_owner = place.before;
  }

  __device__ void Group(const WarpPlace& place, const LaneEdges<Weight>& edges, uint32_t* lanes) {
    if (kInAnyOrder && place.first != expected) {  // groups between were left out
      if (has_open && open.any && place.lane == 0) {
        Emit(place.run, open_owner, open.message, began);
      }
      open = {};
      has_open = began = false;
    }
    Received<P> got[kLaneEdges];
    Take(edges, got);
    // Lists that end in the group, in order: number k before the group's head number k.
    Partial* const ended = reinterpret_cast<Partial*>(place.words);
    VertexId* const owners = lanes;
    uint32_t mine = 0;  // number of the lane's first head
    const uint32_t num_ended = CountHeads(place.lane, edges.heads, &mine);
    __syncwarp();
    const auto end = [&](uint32_t number, VertexId owner, const Received<P>& received) {
      ended[number] = received.message;
      owners[number] = !kInAnyOrder || received.any ? owner : kInvalidVertex;
    };
    Received<P> head_part;  // before the lane's first head
    VertexId head_owner = __shfl_up_sync(kAllLanes, edges.owner[kLaneEdges - 1], 1);
    if (place.lane == 0) head_owner = place.before;
    Received<P> tail = got[0];
    uint32_t number = mine;
    if ((edges.heads & 1) != 0) ++number;
#pragma unroll
    for (uint32_t i = 1; i < kLaneEdges; ++i) {
      if ((edges.heads >> i & 1) != 0) {
        if (number == mine) {
          head_part = tail;
          head_owner = edges.owner[i - 1];
        } else {
          end(number, edges.owner[i - 1], tail);
        }
        ++number;
        tail = {};
      }
      tail.Add(got[i]);
    }
    const uint32_t heads = __ballot_sync(kAllLanes, edges.heads != 0);
    Received<P> behind;  // what is open there, of this group
    Received<P> before = Scan(place.lane, heads, tail, &behind);
    if (edges.heads != 0) {
      before.Add(head_part);
      if (place.lane == __ffs(heads) - 1) {  // ends the list that was open before the group
        open.Add(before);
        before = {static_cast<Partial>(open.message), open.any};
      }
      const bool none = place.lane == 0 && (edges.heads & 1) != 0 && !has_open;
      end(mine, none ? kInvalidVertex : head_owner, before);
    }
    if (heads != 0) open = {};
    open.Add(behind);
    __syncwarp();
    for (uint32_t k = place.lane; k < num_ended; k += kWarpSize) {
      if (owners[k] != kInvalidVertex) {
        Emit(place.run, owners[k], ended[k], k > 0 || began);
      }
    }
    has_open = true;
    began = began || heads != 0;
    expected = place.first + place.size;
    open_owner = __shfl_sync(kAllLanes, edges.owner[kLaneEdges - 1], kWarpSize - 1);
  }

  __device__ void EndRun(const WarpPlace& place) {
    if (!has_open || place.lane != 0) return;
    if (!kInAnyOrder && began && index.first_edge(open_owner + 1) > expected) {
      partials[2 * place.run + 1] = open.message;
    } else if (!kInAnyOrder || open.any) {
      Emit(place.run, open_owner, open.message, began);
    }
  }

  __device__ void Finish() {}

 private:
  /// How many heads the group has; `*before` gets how many of them lie in lower lanes.
  __device__ static uint32_t CountHeads(uint32_t lane, uint32_t heads, uint32_t* before) {
    uint32_t all = 0;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      const uint32_t votes = __ballot_sync(kAllLanes, (heads >> i & 1) != 0);
      all += __popc(votes);
      *before += __popc(votes & ((1u << lane) - 1));
    }
    return all;
  }

  /// Adds up each lane's `tail` with those below, back to the last head; `heads` are the lanes with
  /// one. Returns that of the lanes below; `*behind` is what is open behind the last lane.
  __device__ static Received<P> Scan(uint32_t lane, uint32_t heads, const Received<P>& tail,
                                     Received<P>* behind) {
    const uint32_t up_to = heads & (~0u >> (kWarpSize - 1 - lane));
    const uint32_t reach = up_to == 0 ? lane : lane - (kWarpSize - 1 - __clz(up_to));
    Received<P> sum = tail;
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      Received<P> below = sum.Below(by);
      if (by <= reach) {
        below.Add(sum);
        sum = below;
      }
    }
    *behind = sum.From(kWarpSize - 1);
    const Received<P> before = sum.Below(1);
    return lane == 0 ? Received<P>{} : before;
  }

  __device__ bool Wants(VertexId owner) const {
    if constexpr (P::kTraits.apply_to_all) return true;
    // A look at the state again: others may have given the vertex all that it wants.
    return (wanting == nullptr || IsMember(wanting, owner)) &&
           (!P::kTraits.early_exit || program.Wants(owner));
  }

  /// What each of the lane's edges brings: all reads side by side.
  __device__ void Take(const LaneEdges<Weight>& edges, Received<P> (&got)[kLaneEdges]) const {
    bool takes[kLaneEdges];
    bool wants = false;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if (i == 0 || edges.owner[i] != edges.owner[i - 1]) wants = Wants(edges.owner[i]);
      takes[i] = wants && (edges.valid >> i & 1) != 0;
    }
    if constexpr (!P::kTraits.all_active) {
#pragma unroll
      for (uint32_t i = 0; i < kLaneEdges; ++i) {
        takes[i] = takes[i] && IsMember(current, edges.target[i]);
      }
    }
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if (!takes[i]) continue;
      Message message = P::Identity();
      if (program.Send(edges.target[i], context, &message)) {
        got[i] = {static_cast<Partial>(program.Along(message, edges.weight[i])), 1};
      } else if constexpr (!P::kTraits.all_active) {
        AtomicSetBit(next, edges.target[i]);
      }
    }
  }

  /// A list, or what this run has of one that began before it, is at its end.
  __device__ void Emit(uint64_t run, VertexId owner, Message received, bool whole) {
    if constexpr (kInAnyOrder) {
      if (program.Receive(owner, received, context)) AtomicSetBit(next, owner);
    } else if (whole) {
      program.Deposit(owner, received);
    } else {
      partials[2 * run] = received;
    }
  }
};

/// What lists of runs from `first_run` on came to elsewhere, by vertex (readable from the card):
/// those of vertices from `first_vertex` on, and what the list before has there.
template <typename Message>
struct ElsewhereSums {
  uint64_t first_run;
  VertexId first_vertex;
  const Message* sums;
};

/// Adds up the partials of lists that cross runs, in order, and deposits the sums: each thread has
/// the list that its run ends in, if it began there. Lists of many runs are their warp's work.
template <VertexProgram P>
__global__ void FoldRunsKernel(P program, DeviceEdges edges, const typename P::Message* partials,
                               ElsewhereSums<typename P::Message> elsewhere) {
  using Message = typename P::Message;
  constexpr uint64_t kLongRuns = 64;
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t all_runs = edges.num_runs();
  const uint64_t num_runs = elsewhere.first_run < all_runs ? elsewhere.first_run : all_runs;
  for (uint64_t base = ThreadNumber() - lane; base < num_runs; base += NumThreads()) {
    const uint64_t run = base + lane;
    VertexId owner = 0;
    uint64_t last_run = run;  // here
    bool crosses = false;     // to elsewhere
    if (run < num_runs && run + 1 < all_runs) {
      owner = edges.run_owner[run + 1];
      const EdgeIndex first = edges.index.first_edge(owner);
      if (first >= edges.run_begin(run) && first < edges.run_begin(run + 1)) {
        last_run = (edges.index.first_edge(owner + 1) - 1) >> edges.run_edges_shift();
        crosses = last_run >= num_runs;
        if (crosses) last_run = num_runs - 1;
      }
    }
    const bool is_long = last_run - run >= kLongRuns;
    if ((last_run > run || crosses) && !is_long) {
      Message sum = partials[2 * run + 1];
      for (uint64_t r = run + 1; r <= last_run; ++r) sum = P::Combine(sum, partials[2 * r]);
      if (crosses) sum = P::Combine(sum, elsewhere.sums[owner]);
      program.Deposit(owner, sum);
    }
    for (uint32_t longs = __ballot_sync(kAllLanes, is_long); longs != 0; longs &= longs - 1) {
      const uint32_t from = __ffs(longs) - 1;
      const uint64_t first = base + from;
      const uint64_t last = __shfl_sync(kAllLanes, last_run, from);
      Message sum = P::Identity();
      for (uint64_t r = first + 1 + lane; r <= last; r += kWarpSize) {
        sum = P::Combine(sum, partials[2 * r]);
      }
#pragma unroll
      for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) {
        sum = P::Combine(sum, __shfl_down_sync(kAllLanes, sum, by));
      }
      sum = __shfl_sync(kAllLanes, sum, 0);
      if (lane == from) {
        sum = P::Combine(partials[2 * run + 1], sum);
        if (crosses) sum = P::Combine(sum, elsewhere.sums[owner]);
        program.Deposit(owner, sum);
      }
    }
  }
}

/// Applies to every vertex what was deposited, or came to elsewhere; those without edges in `index`
/// received nothing.
template <VertexProgram P>
__global__ void ApplyDepositedKernel(P program, Context context, VertexIndexView index,
                                     ElsewhereSums<typename P::Message> elsewhere,
                                     typename P::Aggregate* slots) {
  typename P::Aggregate local{};
  for (uint64_t i = ThreadNumber(); i < context.num_vertices; i += NumThreads()) {
    const VertexId vertex = static_cast<VertexId>(i);
    typename P::Message sum = P::Identity();
    if (vertex >= elsewhere.first_vertex) {
      sum = elsewhere.sums[vertex];
    } else if (index.degree(vertex) > 0) {
      sum = program.Deposited(vertex);
    }
    program.Apply(vertex, sum, context, &local);
  }
  MergeAggregates(local, slots + blockIdx.x);
}

}  // namespace edgemill

// Pull on a GPU: every list's messages are combined by the warps that decode it.
//
// Inside a group, a scan over the lanes reduces lists, and starts again at each list start. A warp
// visits the groups of its tile in order. The sums of lists that end in a group are put in a row in
// shared memory. Adjacent lanes take them from there, so that their accesses to vertex state
// coalesce. A list that crosses tiles leaves a partial sum in each of them; a tile has at most two.
// Programs with Relax take partial sums one by one. For programs that collect, FoldKernel combines
// them afterwards in the order of tiles, so every execution gives the same bits.
#pragma once

#include "engine/gpu/program/receive.cuh"
#include "kernels/gpu/frontier_members.cuh"
#include "kernels/gpu/visit_tiles.cuh"

namespace edgemill {

/// The combined messages of a list so far, in one group or in several. `any` says whether there was
/// a message; programs that apply to all do not need it.
template <typename P, typename Value>
struct SumSoFar {
  using Monoid = typename P::Monoid;
  static constexpr bool kTracksAny = !kAppliesToAllOf<P>;

  Value sum = static_cast<Value>(Monoid::identity());
  uint32_t any = 0;

  template <typename Other>
  __device__ void Add(const SumSoFar<P, Other>& later) {
    const Value more = static_cast<Value>(later.sum);
    if constexpr (kTakesFirst<P>) {  // has no neutral element
      if (!any) sum = more;
    } else if constexpr (std::is_same_v<Value, SumOfProgram<P>>) {
      sum = Monoid::Combine(sum, more);
    } else {
      sum = GroupSum<Monoid>::Combine(sum, more);
    }
    if (kTracksAny) any |= later.any;
  }
  __device__ SumSoFar From(uint32_t lane) const {
    return {ShuffleFrom(sum, lane), kTracksAny ? __shfl_sync(kAllLanes, any, lane) : 0};
  }
  __device__ SumSoFar Below(uint32_t by) const {
    return {ShuffleUp(sum, by), kTracksAny ? __shfl_up_sync(kAllLanes, any, by) : 0};
  }
};

/// Whether `vertex` may take a message in a pull.
template <typename P>
__device__ inline bool Receives(P& program, const PassArgs& pass, VertexId vertex) {
  if constexpr (kAppliesToAllOf<P>) return true;
  if (pass.receivers != nullptr && !IsMember(pass.receivers, vertex)) return false;
  if constexpr (kTakesFirst<P>) return !IsMemberNow(pass.closed, vertex);
  return true;
}

/// Whether the program names an array in which sums wait until they are taken
/// (Tuning::kSumsWaitIn).
template <typename P>
inline constexpr bool kDeposits = requires {
  Tuning<P>::kSumsWaitIn;
};

/// Makes `vertex` take its sum, or puts the sum aside. No other thread has a message for `vertex`.
template <typename P>
__device__ inline void DeliverSum(P& program, const PassArgs& pass, VertexId vertex,
                                  SumOfProgram<P> sum) {
  if constexpr (kCollects<P>) {
    if (pass.sums != nullptr) {
      auto& place = static_cast<SumOfProgram<P>*>(pass.sums)[vertex];
      place = P::Monoid::Combine(place, sum);
      if (pass.received != nullptr) AddMember(pass.received, vertex);
      return;
    }
  }
  if constexpr (kDeposits<P>) {
    (program.*Tuning<P>::kSumsWaitIn)[vertex] = sum;
  } else {
    TakeAll(program, pass, vertex, sum);
  }
}

template <typename P>
struct PullVisitor {
  using Value = SumOfProgram<P>;
  using Partial = typename GroupSum<typename P::Monoid>::Type;
  using Weight = WeightAsked<P>;
  using Received = SumSoFar<P, Partial>;
  /// Whether a vertex may take the parts of its list one by one.
  static constexpr bool kInParts = !kCollects<P>;
  /// Whether the program needs the sum of the whole list even if the list crosses warp tiles. Apply
  /// does, except in first-wins programs. For these and for programs with Relax, a part of a list
  /// is as good as a whole one.
  static constexpr bool kNeedsWholeLists = !kTakesFirst<P> && HasApply<P>;
  /// Whether the row of sums fits in shared memory. It does not for values of 16 bytes with
  /// weights. Then each lane handles the sums of its own lists.
  static constexpr bool kInRow =
      kVisitWarps * (sizeof(WarpScratch<Weight>) + sizeof(Partial) * kGroupSize) <= 48 * 1024;
  static constexpr uint32_t kScratchWords =
      kInRow ? static_cast<uint32_t>(sizeof(Partial) * kGroupSize / sizeof(uint32_t)) : 0;

  P program;
  PassArgs pass;
  VertexIndexView index;

  // The list that is open between two groups of a tile.
  SumSoFar<P, Value> open = {};
  bool has_open = false;
  bool began = false;  // the list started in this tile
  EdgeIndex expected = 0;
  VertexId open_owner = 0;

  __device__ void BeginTile(const WarpPlace& place) {
    expected = place.first;
    has_open = began = false;
    open = {};
    open_owner = place.before;
  }

  /// Ends the open list before groups that are skipped.
  __device__ void EndBeforeGap(const WarpPlace& place) {
    if (has_open && place.lane == 0) {
      EndSegment(place.tile, open_owner, open.sum, open.any, began);
    }
    open = {};
    has_open = began = false;
  }

  __device__ void Group(const WarpPlace& place, const LaneEdges<Weight>& edges, uint32_t* lanes) {
    if (place.first != expected) EndBeforeGap(place);
    Received got[kLaneEdges];
    Pull(place, edges, got);
    // The lists that end in the group, in order. List number k ends before list start number k.
    Partial* const ended = reinterpret_cast<Partial*>(place.words);
    VertexId* const owners = lanes;
    uint32_t mine = 0;  // number of the lane's first list start
    const uint32_t num_ended = CountHeads(place.lane, edges.heads, &mine);
    __syncwarp();
    const auto end_in_row = [&](uint32_t number, VertexId owner, const Received& received) {
      if constexpr (!kInRow) {
        if (owner == kInvalidVertex || (Received::kTracksAny && !received.any)) return;
        const Value sum = number == 0 ? open.sum : static_cast<Value>(received.sum);
        return EndSegment(place.tile, owner, sum, 1, number > 0 || began);
      }
      ended[number] = received.sum;
      owners[number] = !Received::kTracksAny || received.any ? owner : kInvalidVertex;
    };
    Received head_part;  // before the lane's first list start
    VertexId head_owner = __shfl_up_sync(kAllLanes, edges.source[kLaneEdges - 1], 1);
    if (place.lane == 0) head_owner = place.before;
    Received tail = got[0];
    uint32_t number = mine;
    if ((edges.heads & 1) != 0) ++number;
#pragma unroll
    for (uint32_t i = 1; i < kLaneEdges; ++i) {
      if ((edges.heads >> i & 1) != 0) {
        if (number == mine) {
          head_part = tail;
          head_owner = edges.source[i - 1];
        } else {
          end_in_row(number, edges.source[i - 1], tail);
        }
        ++number;
        tail = {};
      }
      tail.Add(got[i]);
    }
    const uint32_t heads = __ballot_sync(kAllLanes, edges.heads != 0);
    Received behind;  // the group's part of the list that is open at its end
    Received before = Scan(place.lane, heads, tail, &behind);
    const uint32_t first_head = heads == 0 ? 0 : __ffs(heads) - 1;
    if (edges.heads != 0) {
      before.Add(head_part);
      if (place.lane == first_head) {  // ends the list that was open before the group
        open.Add(before);
        before = {static_cast<Partial>(open.sum), open.any};
      }
      const bool none = place.lane == 0 && (edges.heads & 1) != 0 && !has_open;
      end_in_row(mine, none ? kInvalidVertex : head_owner, before);
    }
    const Value first_ended = ShuffleFrom(open.sum, first_head);  // not rounded
    if (heads != 0) open = {};
    open.Add(behind);
    __syncwarp();
    for (uint32_t k = place.lane; kInRow && k < num_ended; k += kWarpSize) {
      if (owners[k] == kInvalidVertex) continue;
      const Value sum = k == 0 ? first_ended : static_cast<Value>(ended[k]);
      EndSegment(place.tile, owners[k], sum, 1, k > 0 || began);
    }
    has_open = true;
    began = began || heads != 0;
    expected = place.first + place.size;
    open_owner = __shfl_sync(kAllLanes, edges.source[kLaneEdges - 1], kWarpSize - 1);
  }

  __device__ void EndTile(const WarpPlace& place) {
    if (!has_open || place.lane != 0) return;
    const bool goes_on = kNeedsWholeLists && began && index.first_edge(open_owner + 1) > expected;
    if (!kInParts && goes_on && HasList(pass, open_owner)) {
      StorePart(2 * place.tile + 1, open_owner, open.sum, open.any);
    } else {
      EndSegment(place.tile, open_owner, open.sum, open.any, began && !goes_on);
    }
  }

  __device__ void Finish() { AddTallies(program, pass.tallies); }

 private:
  /// Returns the number of list starts in the group. `*before` gets the number of those in lower
  /// lanes.
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

  /// Combines each lane's `tail` with the tails of lower lanes, back to the last list start.
  /// `heads` has the lanes with a list start. Returns the result of the lane below. `*behind` gets
  /// the result of the last lane.
  __device__ static Received Scan(uint32_t lane, uint32_t heads, const Received& tail,
                                  Received* behind) {
    const uint32_t up_to = heads & (~0u >> (kWarpSize - 1 - lane));
    const uint32_t reach = up_to == 0 ? lane : lane - (kWarpSize - 1 - __clz(up_to));
    Received sum = tail;
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      Received below = sum.Below(by);
      if (by <= reach) {
        below.Add(sum);
        sum = below;
      }
    }
    *behind = sum.From(kWarpSize - 1);
    const Received before = sum.Below(1);
    return lane == 0 ? Received{} : before;
  }

  /// Gets the messages of the lane's edges. Reads are independent, so that they overlap.
  __device__ void Pull(const WarpPlace& place, const LaneEdges<Weight>& edges,
                       Received (&got)[kLaneEdges]) {
    const VertexId previous = PreviousNeighbor<P>(edges, place.lane, place.previous);
    bool takes[kLaneEdges];
    bool receives = false;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if (i == 0 || edges.source[i] != edges.source[i - 1]) {
        receives = Receives(program, pass, edges.source[i]);
      }
      takes[i] = receives && (edges.valid >> i & 1) != 0 && Counts<P>(edges, i, previous);
    }
    if (pass.from != nullptr) {
#pragma unroll
      for (uint32_t i = 0; i < kLaneEdges; ++i) {
        takes[i] = takes[i] && IsMember(pass.from, edges.neighbor[i]);
      }
    }
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if (!takes[i]) continue;
      const VertexId from = edges.neighbor[i], to = edges.source[i];
      const auto sent = CallAlong(program, SentBy(program, pass, from), from, to, edges.weight[i]);
      got[i] = {static_cast<Partial>(sent), 1};
    }
  }

  /// Handles the sum of a list when the list, or this tile's part of it, ends. `whole`: the list
  /// began and ends in this tile.
  __device__ void EndSegment(uint64_t tile, VertexId owner, Value sum, uint32_t any, bool whole) {
    if ((Received::kTracksAny && !any) || !HasList(pass, owner)) return;
    if (whole) {
      DeliverSum(program, pass, owner, sum);
    } else if constexpr (kInParts) {
      Receive(program, pass, owner, sum);
    } else {
      StorePart(2 * tile, owner, sum, any);
    }
  }
  /// Stores the partial sum of this tile's part of a list, for FoldKernel.
  __device__ void StorePart(uint64_t place, VertexId owner, Value sum, uint32_t any) {
    if (Received::kTracksAny && !any) return;
    static_cast<Value*>(pass.partials)[place] = sum;
    if (Received::kTracksAny) AddMember(pass.received, owner);
  }
};

/// Sets the partial sums of `num_tiles` warp tiles to the identity. Programs that leave some of
/// them unwritten need this.
template <typename P>
__global__ void ClearPartialsKernel(PassArgs pass, uint64_t num_tiles) {
  auto* const partials = static_cast<SumOfProgram<P>*>(pass.partials);
  for (uint64_t i = ThreadNumber(); i < 2 * num_tiles; i += NumThreads()) {
    partials[i] = P::Monoid::identity();
  }
}

/// Combines the partial sums of lists that cross warp tiles, in order, and delivers the sums. Each
/// thread has one tile, and handles the list that begins in it and goes on in the next. The whole
/// warp combines a list of many tiles.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    FoldKernel(P program, PassArgs pass, DeviceEdges edges) {
  using Value = SumOfProgram<P>;
  using Monoid = typename P::Monoid;
  constexpr uint64_t kLongTiles = 64;
  const auto* const partials = static_cast<const Value*>(pass.partials);
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint64_t num_tiles = edges.num_tiles();
  const uint64_t tiles_end = min(num_tiles, pass.tiles_end);
  // `goes_on`: the list crosses the end of this GPU's tiles.
  const auto end = [&](VertexId owner, Value sum, bool goes_on) {
    bool any = kAppliesToAllOf<P> || IsMemberNow(pass.received, owner);
    if (goes_on && pass.border != nullptr) {
      sum = Monoid::Combine(sum, *static_cast<const Value*>(pass.border));
      any = true;
    }
    if (any && HasList(pass, owner)) DeliverSum(program, pass, owner, sum);
  };
  for (uint64_t base = ThreadNumber() - lane; base < tiles_end; base += NumThreads()) {
    const uint64_t tile = base + lane;
    VertexId owner = 0;
    uint64_t last_tile = tile;
    if (tile < tiles_end && tile + 1 < num_tiles) {
      owner = edges.tile_source[tile + 1];
      const EdgeIndex first = edges.index.first_edge(owner);
      if (first >= edges.tile_begin(tile) && first < edges.tile_begin(tile + 1)) {
        last_tile = (edges.index.first_edge(owner + 1) - 1) >> edges.tile_edges_shift();
      }
    }
    const bool crosses = last_tile > tile;
    const bool goes_on = last_tile >= tiles_end;
    if (crosses && goes_on) last_tile = tiles_end - 1;
    const bool is_long = crosses && last_tile - tile >= kLongTiles;
    if (crosses && !is_long) {
      Value sum = partials[2 * tile + 1];
      for (uint64_t r = tile + 1; r <= last_tile; ++r) sum = Monoid::Combine(sum, partials[2 * r]);
      end(owner, sum, goes_on);
    }
    for (uint32_t longs = __ballot_sync(kAllLanes, is_long); longs != 0; longs &= longs - 1) {
      const uint32_t from = __ffs(longs) - 1;
      const uint64_t first = base + from;
      const uint64_t last = __shfl_sync(kAllLanes, last_tile, from);
      Value sum = Monoid::identity();
      for (uint64_t r = first + 1 + lane; r <= last; r += kWarpSize) {
        sum = Monoid::Combine(sum, partials[2 * r]);
      }
#pragma unroll
      for (uint32_t by = kWarpSize / 2; by > 0; by /= 2) {
        sum = Monoid::Combine(sum, ShuffleDown(sum, by));
      }
      sum = ShuffleFrom(sum, 0);
      if (lane == from) end(owner, Monoid::Combine(partials[2 * tile + 1], sum), goes_on);
    }
  }
  AddTallies(program, pass.tallies);
}

}  // namespace edgemill

// The three steps of a pull by cells (kernels/gpu/cells/edge_cells.h).
#pragma once

#include "engine/gpu/program/receive.cuh"
#include "kernels/gpu/cells/edge_cells.h"
#include "kernels/gpu/frontier_members.cuh"

namespace edgemill {

inline constexpr uint32_t kCellWarps = kCellThreads / kWarpSize;
/// The place in a warp's row of a tile's sum number `number`.
__device__ inline uint32_t CellRowPlace(uint32_t number) { return number + number / kWarpSize; }

/// Stores a value of 4 bytes that is read once, much later.
template <typename T>
__device__ inline void StoreOnce(T* place, const T& value) {
  static_assert(sizeof(T) == sizeof(uint32_t) && alignof(T) <= alignof(uint32_t));
  uint32_t word;
  memcpy(&word, &value, sizeof(word));
  __stcs(reinterpret_cast<uint32_t*>(place), word);
}
/// Loads a value of 4 bytes, which no thread writes, from memory that near threads load too.
template <typename T>
__device__ inline T LoadNear(const T* place) {
  const uint32_t word = __ldg(reinterpret_cast<const uint32_t*>(place));
  T value;
  memcpy(&value, &word, sizeof(word));
  return value;
}

/// Puts the message of each vertex in the order of places.
template <typename P>
__global__ void __launch_bounds__(kProgramThreads)
    EmitToCellsKernel(P program, PassArgs pass, EdgeCells cells, PartialOf<P>* messages) {
  for (uint64_t i = ThreadNumber(); i < cells.num_vertices; i += NumThreads()) {
    messages[i] = static_cast<PartialOf<P>>(SentBy(program, pass, cells.Sender(i)));
  }
}

/// Combines the messages of a warp's tiles, one tile after the other.
template <typename M>
class TileCombiner {
 public:
  using Value = typename GroupSum<M>::Type;
  static_assert(sizeof(Value) == kCellMessageBytes);

  /// `messages` of the sender range, and the warp's row, in shared memory.
  __device__ TileCombiner(const Value* messages, Value* row, Value* partials)
      : messages_(messages), row_(row), partials_(partials) {}

  /// Handles a tile of which the lane has `packed`. `first_part`: the number of the first part that
  /// starts there.
  __device__ void Tile(const uint4& packed, uint32_t first_part) {
    const uint32_t words[] = {packed.x, packed.y, packed.z, packed.w};
    Value got[kLaneCellEdges];
    uint32_t starts = 0;  // a bit for each of the lane's edges
#pragma unroll
    for (uint32_t i = 0; i < kLaneCellEdges; ++i) {
      const uint32_t edge = words[i / 2] >> (16 * (i % 2));
      got[i] = messages_[edge & kNoSender];
      starts |= (edge >> kSenderBits & 1) << i;
    }
    uint32_t up_to = __popc(starts);  // starts in this lane and the lower ones
    const uint32_t mine = up_to;
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      const uint32_t below = __shfl_up_sync(kAllLanes, up_to, by);
      if (lane_ >= by) up_to += below;
    }
    const uint32_t all = __shfl_sync(kAllLanes, up_to, kWarpSize - 1);
    const uint32_t before = up_to - mine;
    // Parts inside the lane are complete. `head` belongs to the part before them, and `tail` to the
    // part that is open behind the lane.
    Value head = Identity(), tail = Identity();
    uint32_t part = before;
#pragma unroll
    for (uint32_t i = 0; i < kLaneCellEdges; ++i) {
      if ((starts >> i & 1) != 0) {
        if (part == before) {
          head = tail;
        } else {
          row_[CellRowPlace(part - 1)] = tail;
        }
        ++part;
        tail = Identity();
      }
      tail = Combine(tail, got[i]);
    }
    const Value into = Scan(__ballot_sync(kAllLanes, starts != 0), &tail);
    if (starts != 0) {
      const Value ended = Combine(into, head);
      if (before > 0) {
        row_[CellRowPlace(before - 1)] = ended;
      } else if (has_open_) {
        partials_[open_part_] = ended;
      }
    }
    open_ = ShuffleFrom(tail, kWarpSize - 1);
    __syncwarp();
    // The last part is open.
    for (uint32_t i = lane_; i + 1 < all; i += kWarpSize) {
      StoreOnce(partials_ + first_part + i, row_[CellRowPlace(i)]);
    }
    if (all > 0) {
      has_open_ = true;
      open_part_ = first_part + all - 1;
    }
    __syncwarp();
  }
  /// Ends the last part.
  __device__ void End() const {
    if (lane_ == 0 && has_open_) partials_[open_part_] = open_;
  }

 private:
  __device__ static Value Identity() { return static_cast<Value>(M::identity()); }
  __device__ static Value Combine(Value a, Value b) { return GroupSum<M>::Combine(a, b); }

  /// Combines each lane's tail with those of lower lanes, back to the last start; `with_starts` has
  /// the lanes with one. Returns the result of the lane below: what is open at the lane's begin.
  __device__ Value Scan(uint32_t with_starts, Value* tail) const {
    const uint32_t up_to = with_starts & (~0u >> (kWarpSize - 1 - lane_));
    const uint32_t reach = up_to == 0 ? lane_ : lane_ - (kWarpSize - 1 - __clz(up_to));
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      const Value below = ShuffleUp(*tail, by);
      if (by <= reach) *tail = Combine(below, *tail);
    }
    if (up_to == 0) *tail = Combine(open_, *tail);
    const Value into = ShuffleUp(*tail, 1);
    return lane_ == 0 ? open_ : into;
  }

  const Value* const messages_;
  Value* const row_;
  Value* const partials_;
  const uint32_t lane_ = threadIdx.x % kWarpSize;
  Value open_ = Identity();  // of the part that is open behind the last tile, the same in all lanes
  uint32_t open_part_ = 0;
  bool has_open_ = false;
};

/// Writes a sum for each part. Each thread block has consecutive tiles, and so consecutive sender
/// ranges. It reads the messages of each into shared memory.
template <typename M>
__global__ void __launch_bounds__(kCellThreads)
    CombineCellsKernel(EdgeCells cells, const typename GroupSum<M>::Type* messages,
                       typename GroupSum<M>::Type* partials) {
  using Value = typename GroupSum<M>::Type;
  extern __shared__ uint32_t shared_words[];
  Value* const range_messages = reinterpret_cast<Value*>(shared_words);
  const uint32_t warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  Value* const row = range_messages + kRangeSenders + 1 + warp * kCellRowWords;
  const uint32_t end = cells.share_begin[blockIdx.x + 1];
  for (uint32_t begin = cells.share_begin[blockIdx.x]; begin < end;) {
    const uint32_t range = cells.tile_range[begin];
    uint32_t range_end = begin + 1;  // the first tile of another range, or the end
    for (uint32_t beyond = end; range_end < beyond;) {
      const uint32_t middle = range_end + (beyond - range_end) / 2;
      if (cells.tile_range[middle] == range) {
        range_end = middle + 1;
      } else {
        beyond = middle;
      }
    }
    const uint64_t first = uint64_t{range} * kRangeSenders;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i <= kRangeSenders; i += kCellThreads) {
      const bool exists = i < kRangeSenders && first + i < cells.num_vertices;
      range_messages[i] = exists ? messages[first + i] : static_cast<Value>(M::identity());
    }
    __syncthreads();
    const auto* const packed = reinterpret_cast<const uint4*>(cells.edges) + lane;
    for (uint32_t group = begin / kWarpTiles + warp; group * kWarpTiles < range_end;
         group += kCellWarps) {
      const uint32_t first_tile = max(begin, group * kWarpTiles);
      const uint32_t last_tile = min(range_end, (group + 1) * kWarpTiles) - 1;
      TileCombiner<M> combiner(range_messages, row, partials);
      // Two tiles are on their way while one is combined.
      const auto load = [&](uint32_t tile) {
        return __ldcs(packed + uint64_t{min(tile, last_tile)} * kWarpSize);
      };
      uint4 next[] = {load(first_tile), load(first_tile + 1)};
      uint32_t next_part = cells.tile_part[first_tile];
      for (uint32_t tile = first_tile; tile <= last_tile; ++tile) {
        const uint4 edges = next[0];
        const uint32_t part = next_part;
        next[0] = next[1];
        next[1] = load(tile + 2);
        next_part = cells.tile_part[min(tile + 1, last_tile)];
        combiner.Tile(edges, part);
      }
      combiner.End();
    }
    begin = range_end;
  }
}

/// Returns the sum of a receiver's parts. All lanes of a warp call it together.
template <typename M>
__device__ inline typename M::Value SumOfParts(const EdgeCells& cells,
                                               const typename GroupSum<M>::Type* partials,
                                               uint64_t place) {
  constexpr uint32_t kLoads = 8;
  const uint64_t slice = place / kSliceReceivers;
  const uint64_t end = cells.slice_begin[slice + 1];
  typename M::Value sum = M::identity();
  for (uint64_t slot = cells.slice_begin[slice] + place % kSliceReceivers; slot < end;
       slot += kLoads * kSliceReceivers) {
    uint32_t parts[kLoads];
    typename GroupSum<M>::Type got[kLoads];
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      const uint64_t at = slot + i * kSliceReceivers;
      parts[i] = at < end ? __ldcs(cells.slots + at) : kNoPart;
    }
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      if (parts[i] != kNoPart) got[i] = LoadNear(partials + parts[i]);
    }
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      if (parts[i] == kNoPart) continue;
      sum = M::Combine(sum, static_cast<typename M::Value>(got[i]));
    }
  }
  return sum;
}

/// Gives each vertex the sum of its parts. The threads of a block have consecutive places: their
/// parts of one sender range are in few cache lines.
template <typename P>
__global__ void __launch_bounds__(kCellThreads)
    TakeFromCellsKernel(P program, PassArgs pass, EdgeCells cells, const PartialOf<P>* partials) {
  const uint64_t begin = uint64_t{blockIdx.x} * kTakePlaces;
  for (uint64_t place = begin + threadIdx.x; place < begin + kTakePlaces; place += kCellThreads) {
    if (place - threadIdx.x % kWarpSize >= cells.num_vertices) break;
    const auto sum = SumOfParts<typename P::Monoid>(cells, partials, place);
    if (place >= cells.num_vertices) continue;
    const VertexId receiver = cells.Receiver(place);
    if (HasList(pass, receiver)) TakeAll(program, pass, receiver, sum);
  }
  AddTallies<P, kCellWarps>(program, pass.tallies);
}

}  // namespace edgemill

// Searches a packed list for a member of a set. One thread searches a short list, and a warp a
// longer one. Both stop decoding when they have found a member.
#pragma once

#include "kernels/gpu/warp_decode.cuh"

namespace edgemill {

/// Prefetches the memory at `place`.
__device__ inline void PrefetchToL1(const void* place) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(place));
}

/// The place of a group of a direction.
struct GroupPlace {
  const uint64_t* payload;  // of the group's block
  const uint64_t* header;
  uint32_t num_groups;  // in the block
  uint32_t group;       // number in the block
  uint64_t block;
  bool is_zero_copy;  // the group is read across the link

  __device__ GroupPlace(const ReachedEdges& reached, uint64_t number) {
    const uint32_t shift = reached.edges.block_shift - kGroupShift;
    block = number >> shift;
    group = static_cast<uint32_t>(number & ((uint64_t{1} << shift) - 1));
    num_groups = reached.edges.block_groups(block);
    payload = reached.edges.blocks[block].neighbors;
    is_zero_copy = payload == nullptr;
    if (is_zero_copy) payload = reached.pinned[block].neighbors;
    header =
        is_zero_copy && reached.headers != nullptr ? reached.headers + number : payload + group;
  }
};

/// The result of a search for a neighbour.
struct FoundNeighbor {
  VertexId vertex = kInvalidVertex;  // kInvalidVertex: none
  uint32_t zero_copy_groups = 0;     // groups that were read across the link
};

__device__ inline bool IsIn(const uint32_t* set, VertexId vertex) {
  return (set[vertex / 32] >> (vertex % 32) & 1) != 0;
}

/// One thread reads the values of a group in order.
class GroupValues {
 public:
  /// Starts with value number `first`.
  __device__ GroupValues(const GroupPlace& place, uint32_t first)
      : header_(GroupHeader::Unpack(__ldg(place.header))),
        words_(reinterpret_cast<const uint32_t*>(place.payload + place.num_groups) +
               header_.word_offset) {
    if (header_.width == 0) return;
    const uint32_t bit = first * header_.width;
    next_ = words_ + bit / 32;
    window_ = __ldg(next_++) >> bit % 32;
    ready_ = 32 - bit % 32;
  }

  /// Returns the next value, without the high bits of an exception.
  __device__ uint32_t Low() {
    if (ready_ < header_.width) {
      window_ |= uint64_t{__ldg(next_++)} << ready_;
      ready_ += 32;
    }
    const uint32_t mask = header_.width == 32 ? ~0u : (1u << header_.width) - 1;
    const uint32_t value = static_cast<uint32_t>(window_) & mask;
    window_ >>= header_.width;
    ready_ -= header_.width;
    return value;
  }
  /// Finds the first exception at `first` or after it.
  __device__ void FindException(uint32_t first) {
    uint32_t begin = 0;
    for (uint32_t end = first == 0 ? 0 : header_.exceptions; begin < end;) {
      const uint32_t middle = (begin + end) / 2;
      if (Bits(EntryBit(middle), kPositionBits) < first) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    SetException(begin);
  }
  /// Adds high bits to the exceptions among `values`, which start with value number `first`.
  /// Exceptions of earlier values must have been skipped.
  template <uint32_t kCount>
  __device__ void AddHigh(uint32_t first, uint32_t (&values)[kCount]) {
    while (exception_place_ < first + kCount) {
#pragma unroll
      for (uint32_t i = 0; i < kCount; ++i) {
        if (exception_place_ == first + i) values[i] |= exception_high_;
      }
      SetException(exception_ + 1);
    }
  }

 private:
  static constexpr uint32_t kPositionBits = 7;
  static constexpr uint32_t kNowhere = ~0u;

  __device__ uint32_t EntryBit(uint32_t exception) const {
    return kGroupSize * header_.width + exception * (kPositionBits + header_.high_bits);
  }
  /// Returns `count` bits, at least one, from `bit` on. Reads only the words with these bits.
  __device__ uint32_t Bits(uint32_t bit, uint32_t count) const {
    const uint32_t low = __ldg(words_ + bit / 32);
    const uint32_t high = __ldg(words_ + (bit + count - 1) / 32);
    const uint32_t window = __funnelshift_r(low, high, bit);
    return count == 32 ? window : window & ((1u << count) - 1);
  }
  __device__ void SetException(uint32_t exception) {
    exception_ = exception;
    exception_place_ = kNowhere;
    if (exception >= header_.exceptions) return;
    const uint32_t entry = EntryBit(exception);
    exception_place_ = Bits(entry, kPositionBits);
    exception_high_ = Bits(entry + kPositionBits, header_.high_bits) << header_.width;
  }

  const GroupHeader header_;
  const uint32_t* const words_;
  const uint32_t* next_ = nullptr;  // the word after the ones in `window_`
  uint64_t window_ = 0;             // the next bits
  uint32_t ready_ = 32;             // number of bits in `window_`
  uint32_t exception_ = 0;          // number of the next exception
  uint32_t exception_place_ = kNowhere;
  uint32_t exception_high_ = 0;
};

/// Returns the first member of `set` in the list of `owner`, which has `count` edges from `first`
/// on. One thread does this. If a target is no vertex, writes its block to `*damaged`.
__device__ inline FoundNeighbor FindInList(const ReachedEdges& reached, VertexId owner,
                                           EdgeIndex first, uint32_t count, const uint32_t* set,
                                           uint32_t* damaged) {
  constexpr uint32_t kTogether = 4;  // values that are tested at a time
  FoundNeighbor found;
  VertexId target = owner;
  uint64_t number = first >> kGroupShift;
  uint32_t at = static_cast<uint32_t>(first) % kGroupSize;
  for (uint32_t head = at; count > 0; ++number, at = 0, head = kGroupSize) {
    const GroupPlace place(reached, number);
    found.zero_copy_groups += place.is_zero_copy;
    const uint32_t end = min(at + count, kGroupSize);
    count -= end - at;
    GroupValues values(place, at);
    uint32_t next[kTogether];
    const auto ask = [&] {
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) next[i] = at + i < end ? values.Low() : 0;
    };
    ask();
    values.FindException(at);
    while (at < end) {
      values.AddHigh(at, next);
      VertexId targets[kTogether];
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        if (at + i < end) target += at + i == head ? UnZigZag(next[i]) : next[i];
        targets[i] = target;  // behind the end: the last target again
      }
      at += kTogether;
      ask();
      bool passes[kTogether];
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        const bool is_vertex = targets[i] < reached.edges.index.num_vertices;
        passes[i] = is_vertex && IsIn(set, targets[i]);
        if (!is_vertex) atomicMin(damaged, static_cast<uint32_t>(place.block));
      }
#pragma unroll
      for (uint32_t i = 0; i < kTogether; ++i) {
        if (passes[i] && found.vertex == kInvalidVertex) found.vertex = targets[i];
      }
      if (found.vertex != kInvalidVertex) return found;
    }
  }
  return found;
}

/// Returns a member of `set` among the edges [first, last) of the list of `owner`, which begins
/// with edge `head`. The member is in the first group that has any. All lanes of a warp must call
/// it together.
__device__ inline FoundNeighbor WarpFindInList(const ReachedEdges& reached, VertexId owner,
                                               EdgeIndex head, EdgeIndex first, EdgeIndex last,
                                               const uint32_t* set, uint32_t* damaged,
                                               WarpScratch<NoWeight>& scratch) {
  const uint32_t lane = threadIdx.x % kWarpSize;
  FoundNeighbor found;
  for (uint64_t number = first >> kGroupShift; number << kGroupShift < last; ++number) {
    const GroupPlace place(reached, number);
    found.zero_copy_groups += place.is_zero_copy && lane == 0;
    uint32_t values[kLaneEdges];
    const GroupHeader header = WarpValues(place.payload, place.num_groups, place.group, lane,
                                          scratch.neighbors, scratch.lanes, values);
    // Edges before the list count as 0. The list starts in this group or in an earlier one.
    const EdgeIndex mine = (number << kGroupShift) + lane * kLaneEdges;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if (mine + i < head) values[i] = 0;
      if (mine + i == head) values[i] = owner + UnZigZag(values[i]);
    }
    uint32_t targets[kLaneEdges];
    WarpSums(values, lane, targets);
    const VertexId before = head < number << kGroupShift ? header.base : 0;
#pragma unroll
    for (uint32_t i = 0; i < kLaneEdges; ++i) {
      if (mine + i < first || mine + i >= last) continue;
      const VertexId target = before + targets[i];
      if (target >= reached.edges.index.num_vertices) {
        atomicMin(damaged, static_cast<uint32_t>(place.block));
      } else if (found.vertex == kInvalidVertex && IsIn(set, target)) {
        found.vertex = target;
      }
    }
    const uint32_t votes = __ballot_sync(kAllLanes, found.vertex != kInvalidVertex);
    if (votes == 0) continue;
    found.vertex = __shfl_sync(kAllLanes, found.vertex, __ffs(votes) - 1);
    break;
  }
  return found;
}

}  // namespace edgemill

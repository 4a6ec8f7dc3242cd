// Decodes groups of packed values to 32-bit integers, at several values per nanosecond.
//
// A group of neighbours is decoded without knowing where its lists start. Prefix sums P (modulo
// 2^32) are computed over all 128 packed values. A list's ids are P[i] plus one constant for the
// list. Let a list start at place h of the group. P[h] - P[h - 1] is the packed value there. Then
//   first = source + UnZigZag(P[h] - P[h - 1]),  constant = first - P[h].
// A list that began in an earlier group has the group's base as its constant. One list of a group
// therefore costs no more than its own edges, and the sums are computed on whole vectors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/format/group_codec.h"

namespace edgemill {

/// Prefix sums of one group: sums()[i] is the sum of the packed values 0 to i, and sums()[-1] is 0.
/// The packed value at i is sums()[i] - sums()[i - 1], also for i = 0.
struct GroupPrefix {
  static constexpr int kLead = 16;  // keeps the sums on a cache line
  alignas(64) uint32_t storage[kLead + kGroupSize + 16] = {};
  uint32_t base = 0;  // the constant of the list that goes on from the group before
  /// True if no prefix sum wrapped around: then the sums never fall.
  bool rising = true;

  const uint32_t* sums() const { return storage + kLead; }
  uint32_t* sums() { return storage + kLead; }
};

/// Decodes group `group` of `view` into `prefix`. Cost: about 50 ns. Thread-safe. Uses the fastest
/// code for this processor, which is chosen at run time.
void DecodeGroupPrefix(const PackedView& view, uint32_t group, GroupPrefix* prefix);

/// Writes group `group`'s 128 values to `values` (64-byte aligned), with exceptions applied. Gives
/// the same as UnpackGroup, but faster.
void DecodeGroupValues(const PackedView& view, uint32_t group, uint32_t* values);

/// Writes the block's values at `places`, with exceptions applied. Places are in rising order, and
/// count from the block's first edge. Does not decode whole groups for few places. Cost: at most
/// about 5 ns for each place, and the memory accesses, which are prefetched.
void DecodeValuesAt(const PackedView& view, std::span<const uint32_t> places, uint32_t* values);

/// The most ids of a list that DecodeListStarts writes.
inline constexpr uint32_t kStartIds = 16;

/// BlockIds decodes this many edges in the time that DecodeListStarts takes for one list. Blocks
/// with more wanted lists per edge are decoded whole.
inline constexpr uint32_t kEdgesPerStart = 32;

/// A list that starts in a block.
struct ListStart {
  VertexId source;
  uint32_t place;  // of the list's first edge, from the block's first edge
  uint32_t size;   // edges of the list

  /// The number of ids that DecodeListStarts writes: at most kStartIds, and only from the first
  /// edge's group.
  uint32_t num_ids() const {
    const uint32_t in_group = kGroupSize - place % kGroupSize;
    const uint32_t most = size < kStartIds ? size : kStartIds;
    return most < in_group ? most : in_group;
  }
};

/// Writes kStartIds ids for each of `lists`, which are in rising order: the list's first num_ids()
/// ids, then zeros. Returns false if an id is no vertex: the block is damaged. Cost for each list:
/// about half of decoding a group, and the memory accesses, which are prefetched.
bool DecodeListStarts(const PackedView& view, std::span<const ListStart> lists,
                      uint64_t num_vertices, VertexId* ids);

/// Writes the first id of each of `lists`, which are in rising order. Returns false if an id is no
/// vertex: the block is damaged. Costs as much as DecodeValuesAt.
bool DecodeFirstIds(const PackedView& view, std::span<const ListStart> lists, uint64_t num_vertices,
                    VertexId* ids);

/// Returns the instruction sets of this processor for which there are decoders, best first. Names
/// are Highway's: "AVX3" is AVX-512. The last one is a fallback without vectors. All decoders give
/// the same results.
std::vector<std::string> DecodeTargets();

/// Selects the decoder for instruction set `name`; "" selects the best. If DecodeTargets has no
/// such name, selects the best and returns false. For tests and benchmarks: no thread may decode
/// meanwhile.
bool UseDecodeTarget(std::string_view name);

/// Computes the constant of the list of `source`, which has edges [begin, end) of this group.
/// Returns false if an id is out of bounds. Otherwise sums()[i] + constant < num_vertices for each
/// of these edges. `is_head`: the list starts at `begin`. Otherwise it began in an earlier group,
/// and `begin` is 0.
inline bool ListConstant(const GroupPrefix& prefix, VertexId source, uint32_t begin, uint32_t end,
                         bool is_head, uint64_t num_vertices, uint32_t* constant) {
  const uint32_t* sums = prefix.sums();
  *constant = is_head ? source + UnZigZag(sums[begin] - sums[int32_t(begin) - 1]) - sums[begin]
                      : prefix.base;
  const uint32_t first = sums[begin] + *constant;
  const uint32_t spread = sums[end - 1] - sums[begin];
  if (first >= num_vertices || spread >= num_vertices - first) return false;
  if (prefix.rising) return true;
  for (uint32_t i = begin + 1; i < end; ++i) {
    if (sums[i] + *constant < sums[i - 1] + *constant) return false;
  }
  return true;
}

}  // namespace edgemill

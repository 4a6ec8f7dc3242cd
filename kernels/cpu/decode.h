// Groups of packed values to 32-bit integers in the first-level cache, at several values a
// nanosecond.
//
// A group of neighbours is decoded without knowing where its lists start: its prefix sums P (modulo
// 2^32) are taken over all 128 packed values, and a list's ids are P[i] plus one constant for the
// list. With h the place of the list's head in the group, P[h] - P[h - 1] is the packed value at
//   the head, so that first = source + UnZigZag(P[h] - P[h - 1]),  constant = first - P[h];
// a list that goes on from the group before has the group's base as its constant. So one list of a
// group costs no more than its own edges, and the sum runs over whole vectors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/format/group_codec.h"

namespace edgemill {

/// Prefix sums of one group: sums()[i] adds the packed values 0 to i, and sums()[-1] is 0. So the
/// packed value at i is sums()[i] - sums()[i - 1], for i = 0 too.
struct GroupPrefix {
  static constexpr int kLead = 16;  // keeps the sums on a cache line
  alignas(64) uint32_t storage[kLead + kGroupSize + 16] = {};
  uint32_t base = 0;  // the constant of the list that goes on from the group before
  /// No prefix sum wrapped around, so they rise.
  bool rising = true;

  const uint32_t* sums() const { return storage + kLead; }
  uint32_t* sums() { return storage + kLead; }
};

/// Decodes group `group` of `view` into `prefix`. Cost: about 50 ns. Thread-safe. The fastest code
/// for this processor, found at run time.
void DecodeGroupPrefix(const PackedView& view, uint32_t group, GroupPrefix* prefix);

/// Writes group `group`'s 128 values to `values` (64-byte aligned), exceptions applied:
/// UnpackGroup, faster.
void DecodeGroupValues(const PackedView& view, uint32_t group, uint32_t* values);

/// Writes the values at `places` of the block (edges, counted from its first, rising), exceptions
/// applied, without decoding groups that have few of them. Cost: some 5 ns each at most, and their
/// memory, which is all prefetched at once.
void DecodeValuesAt(const PackedView& view, std::span<const uint32_t> places, uint32_t* values);

/// How many of a list's ids DecodeListStarts writes at most.
inline constexpr uint32_t kStartIds = 16;

/// Edges that BlockIds decodes in the time that one list takes here. Blocks with more wanted lists
/// than one in so many edges are decoded whole.
inline constexpr uint32_t kEdgesAStart = 32;

/// A list that starts in a block.
struct ListStart {
  VertexId source;
  uint32_t place;  // of its first edge, counted from the block's first
  uint32_t size;   // its edges

  /// How many of its ids DecodeListStarts writes: those in its first edge's group.
  uint32_t num_ids() const {
    const uint32_t in_group = kGroupSize - place % kGroupSize;
    const uint32_t most = size < kStartIds ? size : kStartIds;
    return most < in_group ? most : in_group;
  }
};

/// Writes the ids that lists begin with: kStartIds for each of `lists`, which rise, the last of
/// them zeros where num_ids() is less. False when one is no vertex: the block is damaged. Cost:
/// about half of a group's decoding each, and their memory, which is prefetched.
bool DecodeListStarts(const PackedView& view, std::span<const ListStart> lists,
                      uint64_t num_vertices, VertexId* ids);

/// Writes the first id of each of `lists`, which rise. False when one is no vertex: the block is
/// damaged. Cost: DecodeValuesAt's.
bool DecodeFirstIds(const PackedView& view, std::span<const ListStart> lists, uint64_t num_vertices,
                    VertexId* ids);

/// The instruction sets for which there are decoders and which this processor has, best first, in
/// Highway's names: "AVX3" is AVX-512, the last a fallback without vectors. All decode the same.
std::vector<std::string> DecodeTargets();

/// Makes groups be decoded with one of them from now on; for "", with the best again. False, and
/// the best, when `name` is none of them. For tests and benchmarks: no thread may be decoding.
bool UseDecodeTarget(std::string_view name);

/// The constant of the list of `source`. Edges [begin, end) of this group belong to it. Guarantees
/// that sums()[i] + constant < num_vertices for each of them; false when an id is out of bounds.
/// `is_head`: the list starts at `begin`; otherwise it goes on from the group before, and begin is
/// 0.
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

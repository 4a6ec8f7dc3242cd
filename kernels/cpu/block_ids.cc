#include "kernels/cpu/block_ids.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/block_ids.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file for each instruction set
#include <hwy/highway.h>

#include "kernels/cpu/decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

/// Writes the begin and the source vertex of each list with edges in the block. Returns the number
/// of these lists.
HWY_INLINE uint32_t FindLists(const BlockLists& lists, uint32_t num_edges,
                              const BlockIds::Places& to) {
  uint32_t found = 0;
  const auto add = [&](uint32_t begin, uint32_t list) {
    to.begins[found] = begin;
    to.sources[found++] = lists.first_source + list;
  };
  uint32_t list = 0;
  if (lists.continues) add(0, list++);
  const uint32_t last = std::max(lists.num_lists, 1u) - 1;  // ends with the block
#if HWY_TARGET != HWY_SCALAR
  const Lanes d32;
  for (; list + kLanes <= last; list += kLanes) {
    const Vector start = hn::LoadU(d32, lists.starts + list);
    const auto has_edges = hn::Ne(start, hn::LoadU(d32, lists.starts + list + 1));
    const Vector begin = hn::Sub(start, hn::Set(d32, lists.begin));
    const Vector source = hn::Add(hn::Iota(d32, 0), hn::Set(d32, lists.first_source + list));
    hn::StoreU(hn::Compress(begin, has_edges), d32, to.begins + found);
    hn::StoreU(hn::Compress(source, has_edges), d32, to.sources + found);
    found += static_cast<uint32_t>(hn::CountTrue(d32, has_edges));
  }
#endif
  for (; list < last; ++list) {
    if (lists.starts[list] != lists.starts[list + 1]) add(lists.starts[list] - lists.begin, list);
  }
  if (list == last && list < lists.num_lists && lists.starts[list] - lists.begin < num_edges) {
    add(lists.starts[list] - lists.begin, list);
  }
  to.begins[found] = num_edges;
  return found;
}

#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES == 16

/// Writes the ids of a group. Its first list is `*list` or a later one; `*list` becomes the last.
/// Returns false if an id is no vertex.
HWY_INLINE bool GroupIds(const PackedView& block, const BlockLists& lists, uint32_t group,
                         uint64_t num_vertices, const BlockIds::Places& to, uint32_t* list) {
  GroupPrefix prefix;
  GroupSums(block, group, &prefix);
  const uint32_t group_begin = group * kGroupSize;
  const uint32_t group_end = std::min(group_begin + kGroupSize, block.num_values());
  for (uint32_t edge = group_begin; edge < group_end;) {
    while (to.begins[*list + 1] <= edge) ++*list;
    const uint32_t end = std::min(to.begins[*list + 1], group_end);
    const bool is_head = to.begins[*list] == edge && !(lists.continues && *list == 0);
    uint32_t constant;
    if (!ListConstant(prefix, to.sources[*list], edge - group_begin, end - group_begin, is_head,
                      num_vertices, &constant)) {
      return false;
    }
    for (; edge < end; ++edge) to.ids[edge] = prefix.sums()[edge - group_begin] + constant;
  }
  return true;
}

bool Ids(const PackedView& block, const BlockLists& lists, uint64_t num_vertices,
         const BlockIds::Places& to, uint32_t* num_lists) {
  *num_lists = FindLists(lists, block.num_values(), to);
  uint32_t list = 0;
  for (uint32_t group = 0; group < block.num_groups(); ++group) {
    if (!GroupIds(block, lists, group, num_vertices, to, &list)) return false;
  }
  return true;
}

#else

/// Decodes a block's groups one after the other. Has no branch on where lists start inside a group,
/// because a processor cannot predict that.
class BlockDecoder {
 public:
  BlockDecoder(const PackedView& block, uint32_t first_head, const BlockIds::Places& to)
      : block_(block), to_(to), next_head_(first_head) {}

  /// Decodes a group in which no list starts: it belongs to one list that began earlier.
  HWY_INLINE void WithoutHeads(uint32_t group) {
    const GroupHeader header = block_.header(group);
    RunningSum sum(header.base);
    VisitValues(block_, header,
                [&](uint32_t i, Vector values) { Put(group * kGroupSize + i, sum.Add(values)); });
  }

  /// Decodes a group in which lists start. Each id is the prefix sum plus the constant of the list
  /// that started last (kernels/cpu/decode.h).
  HWY_INLINE void WithHeads(uint32_t group) {
    const Lanes d32;
    const Vector one = hn::Set(d32, 1);
    const GroupHeader header = block_.header(group);
    RunningSum sum(0);
    Vector constant = hn::Set(d32, header.base);  // the constant of the edge before, in all lanes
    VisitValues(block_, header, [&](uint32_t i, Vector values) {
      const uint32_t edge = group * kGroupSize + i;
      const uint32_t heads = HeadBits(to_.heads + edge);
      const Vector sums = sum.Add(values);
      const Vector sources = Expand(to_.sources + next_head_, heads);
      next_head_ += static_cast<uint32_t>(std::popcount(heads));
      const Vector difference =
          hn::Xor(hn::ShiftRight<1>(values), hn::Sub(hn::Zero(d32), hn::And(values, one)));
      const Vector of_heads =
          hn::TableLookupLanes(hn::Sub(hn::Add(sources, difference), sums), LastOf(heads));
      // The lanes before the first list start. Only these depend on the last vector.
      const uint32_t before_heads = (heads ^ (heads - 1)) >> 1;
      Put(edge, hn::Add(sums, hn::IfThenElse(LanesOf(before_heads), constant, of_heads)));
      constant = hn::IfThenElse(
          LanesOf(heads == 0 ? kAllLanes : 0), constant,
          hn::TableLookupLanes(of_heads, hn::IndicesFromVec(d32, hn::Set(d32, kLanes - 1))));
    });
  }

  /// Returns where the next list starts; the number of edges if none does.
  uint32_t next_head_begin() const { return to_.begins[next_head_]; }

  HWY_INLINE void Decode(uint32_t group) {
    if (next_head_begin() < (group + 1) * kGroupSize) {
      WithHeads(group);
    } else {
      WithoutHeads(group);
    }
  }

  /// Decodes the last group. The padding after the last edge has no ids.
  void DecodeLast(uint32_t group) {
    const Vector before = greatest_;
    Decode(group);
    greatest_ = before;
    for (uint32_t edge = group * kGroupSize; edge < block_.num_values(); ++edge) {
      greatest_ = hn::Max(greatest_, hn::Set(Lanes(), to_.ids[edge]));
    }
  }

  /// Whether all ids are below `num_vertices`.
  bool AllBelow(uint64_t num_vertices) const { return GreatestOf(greatest_) < num_vertices; }

 private:
  HWY_INLINE void Put(uint32_t edge, Vector ids) {
    hn::Store(ids, Lanes(), to_.ids + edge);
    greatest_ = hn::Max(greatest_, ids);
  }

  const PackedView& block_;
  const BlockIds::Places to_;
  uint32_t next_head_;
  Vector greatest_ = hn::Zero(Lanes());
};

/// Prefetches 256 bytes, as many as a group has at 16 bits for each value. They come 2 KiB after
/// the group's data begins.
HWY_INLINE void PrefetchAhead(const PackedView& block, uint32_t group) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(block.data(block.header(group)));
  for (uint32_t line = 0; line < 4; ++line) __builtin_prefetch(bytes + 2048 + 64 * line);
}

bool Ids(const PackedView& block, const BlockLists& lists, uint64_t num_vertices,
         const BlockIds::Places& to, uint32_t* num_lists) {
  *num_lists = FindLists(lists, block.num_values(), to);
  const uint32_t first_head = lists.continues ? 1 : 0;
  std::memset(to.heads, 0, block.num_groups() * kGroupSize);
  for (uint32_t list = first_head; list < *num_lists; ++list) to.heads[to.begins[list]] = 128;
  BlockDecoder decoder(block, first_head, to);
  for (uint32_t group = 0; group + 1 < block.num_groups(); ++group) {
    PrefetchAhead(block, group);
    decoder.Decode(group);
  }
  decoder.DecodeLast(block.num_groups() - 1);
  return decoder.AllBelow(num_vertices);
}

#endif

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(Ids);

namespace {

/// Rounds up so that every array begins at a cache line.
uint32_t RoundedValues(uint32_t max_values) { return (max_values + 63) / 64 * 64; }

}  // namespace

uint64_t BlockIds::SizeBytes(uint32_t max_values) {
  const uint64_t values = RoundedValues(max_values);
  return (values + kAhead) * sizeof(VertexId) + 2 * (values + kSlack) * sizeof(uint32_t) + values;
}

BlockIds::BlockIds(std::byte* memory, uint32_t max_values)
    : max_values_(RoundedValues(max_values)),
      ids_(reinterpret_cast<VertexId*>(memory)),
      begins_(ids_ + max_values_ + kAhead),
      sources_(begins_ + max_values_ + kSlack),
      heads_(reinterpret_cast<uint8_t*>(sources_ + max_values_ + kSlack)) {}

bool BlockIds::Decode(const PackedView& block, const BlockLists& lists, uint64_t num_vertices) {
  if (block.num_values() > max_values_) return false;
  const Places places{ids_, begins_, sources_, heads_};
  if (!HWY_DYNAMIC_DISPATCH(Ids)(block, lists, num_vertices, places, &num_lists_)) return false;
  std::fill_n(ids_ + block.num_values(), kAhead, VertexId{0});
  return true;
}

}  // namespace edgemill
#endif

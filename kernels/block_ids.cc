#include "kernels/block_ids.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block_ids.cc"
#include <hwy/foreach_target.h>  // compiles the rest of this file once an instruction set
#include <hwy/highway.h>

#include "kernels/decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace edgemill::HWY_NAMESPACE {

/// Writes `size` sums plus `constant`. In whole vectors: what is written beyond is overwritten by
/// the next list, or is slack.
HWY_INLINE void AddConstant(const uint32_t* sums, uint32_t constant, uint32_t size, VertexId* ids) {
#if HWY_TARGET == HWY_SCALAR
  for (uint32_t i = 0; i < size; ++i) ids[i] = sums[i] + constant;
#else
  const Lanes d32;
  const Vector addend = hn::Set(d32, constant);
  for (uint32_t i = 0; i < size; i += kLanes) {
    hn::StoreU(hn::Add(hn::LoadU(d32, sums + i), addend), d32, ids + i);
  }
#endif
}

/// Walks the lists of a block in step with its groups.
class ListWalk {
 public:
  ListWalk(const BlockLists& lists, uint32_t num_edges)
      : lists_(lists), num_edges_(num_edges), is_head_(!lists.continues), end_(End(0)) {}

  /// Goes on to the list that has edge `edge`, a later one than before.
  HWY_INLINE void GoTo(uint32_t edge) {
    while (end_ <= edge) {
      end_ = End(++list_);
      is_head_ = true;
    }
  }
  VertexId source() const { return lists_.first_source + list_; }
  uint32_t end() const { return end_; }
  bool is_head() const { return is_head_; }
  /// The list's head has been seen.
  void PassHead() { is_head_ = false; }

 private:
  HWY_INLINE uint32_t End(uint32_t list) const {
    return list + 1 < lists_.num_lists ? lists_.starts[list + 1] - lists_.begin : num_edges_;
  }

  const BlockLists lists_;
  const uint32_t num_edges_;
  uint32_t list_ = 0;
  bool is_head_;
  uint32_t end_;
};

/// Writes the ids of a group, `size` edges of one list that was begun before it.
HWY_INLINE bool WholeGroup(const PackedView& block, const GroupHeader& header, uint32_t size,
                           uint64_t num_vertices, VertexId* ids) {
  GroupValues(block, header, ids);
  SumUp(ids, header.base);
  // The sum passed 2^32 at most once: then the last id is below the first summand.
  const VertexId last = ids[size - 1];
  return last >= header.base && last < num_vertices;
}

bool Decode(const PackedView& block, const BlockLists& lists, uint64_t num_vertices,
            VertexId* ids) {
  const uint32_t num_edges = block.num_values();
  ListWalk walk(lists, num_edges);
  GroupPrefix prefix;
  for (uint32_t group = 0; group < block.num_groups(); ++group) {
    const uint32_t group_begin = group * kGroupSize;
    const uint32_t group_end = std::min(group_begin + kGroupSize, num_edges);
    walk.GoTo(group_begin);
    const GroupHeader header = block.header(group);
    if (!walk.is_head() && walk.end() >= group_end && !MayWrap(header)) {
      if (!WholeGroup(block, header, group_end - group_begin, num_vertices, ids + group_begin)) {
        return false;
      }
      continue;
    }
    GroupSums(block, group, &prefix);
    for (uint32_t edge = group_begin; edge < group_end;) {
      walk.GoTo(edge);
      const uint32_t begin = edge - group_begin;
      const uint32_t end = std::min(walk.end(), group_end) - group_begin;
      uint32_t constant;
      if (!ListConstant(prefix, walk.source(), begin, end, walk.is_head(), num_vertices,
                        &constant)) {
        return false;
      }
      AddConstant(prefix.sums() + begin, constant, end - begin, ids + edge);
      walk.PassHead();
      edge = group_begin + end;
    }
  }
  return true;
}

}  // namespace edgemill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace edgemill {

HWY_EXPORT(Decode);

bool BlockIds::Decode(const PackedView& block, const BlockLists& lists, uint64_t num_vertices) {
  if (!HWY_DYNAMIC_DISPATCH(Decode)(block, lists, num_vertices, ids_)) return false;
  std::fill_n(ids_ + block.num_values(), kAhead, VertexId{0});
  return true;
}

}  // namespace edgemill
#endif

// A block's neighbour ids, all of them in order, decoded some groups ahead of use: so that the
// random reads that they lead to are under way while later groups are decoded.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/block_edges.h"
#include "kernels/decode.h"

namespace edgemill {

/// Decodes whole blocks for programs that look at every edge. A ring holds the ids of the groups in
/// use and ahead.
class ListDecoder {
 public:
  /// Groups decoded ahead of use: 512 reads under way, more than a core can have outstanding.
  static constexpr uint32_t kGroupsAhead = 4;

  ListDecoder(const BlockEdges& block, const VertexIndexView& index)
      : block_(block), index_(index), num_groups_(block.neighbors.num_groups()) {
    vertex_ = block.owned_begin - (block.continues ? 1 : 0);
    first_ = index.first_edge(vertex_);
    last_ = index.first_edge(vertex_ + 1);
  }

  /// The ids of group `group`, which is at least that of the call before, calling `prefetch(id)`
  /// for each id that is decoded on the way; nullptr when an id is out of bounds.
  template <typename Prefetch>
  const VertexId* Group(uint32_t group, Prefetch prefetch) {
    const uint32_t wanted = std::min(group + kGroupsAhead + 1, num_groups_);
    while (decoded_ < wanted) {
      VertexId* ids = Slot(decoded_);
      const uint32_t size = DecodeNext(ids);
      if (size == 0) return nullptr;
      // Eights: what lies beyond the group is slack, and harmless to ask for.
      for (size_t i = 0; i < size; i += 8) {
        for (size_t lane = 0; lane < 8; ++lane) prefetch(ids[i + lane]);
      }
    }
    return Slot(group);
  }

 private:
  static constexpr uint32_t kRing = 8;  // a power of two above kGroupsAhead
  static constexpr uint32_t kSlot = kGroupSize + 16;

  VertexId* Slot(uint32_t group) { return ring_ + group % kRing * kSlot; }

  /// Writes `size` ids. In eights: what is written beyond is overwritten by the next list, or is
  /// slack.
  static void AddConstant(const uint32_t* __restrict sums, uint32_t constant, size_t size,
                          VertexId* __restrict ids) {
    for (size_t i = 0; i < size; i += 8) {
      for (size_t lane = 0; lane < 8; ++lane) ids[i + lane] = sums[i + lane] + constant;
    }
  }

  /// Decodes group decoded_; returns how many ids it has, 0 when one is out of bounds.
  uint32_t DecodeNext(VertexId* ids) {
    DecodeGroupPrefix(block_.neighbors, decoded_, &prefix_);
    const uint32_t* sums = prefix_.sums();
    const EdgeIndex group_begin = block_.begin + uint64_t{decoded_} * kGroupSize;
    const uint32_t size =
        static_cast<uint32_t>(std::min<EdgeIndex>(kGroupSize, block_.end - group_begin));
    for (uint32_t begin = 0; begin < size;) {
      while (last_ <= group_begin + begin) {
        ++vertex_;
        first_ = last_;
        last_ = index_.first_edge(vertex_ + 1);
      }
      const uint32_t end = static_cast<uint32_t>(std::min<EdgeIndex>(size, last_ - group_begin));
      uint32_t constant;
      if (!ListConstant(prefix_, vertex_, begin, end, first_ == group_begin + begin,
                        index_.num_vertices, &constant)) {
        return 0;
      }
      AddConstant(sums + begin, constant, end - begin, ids + begin);
      begin = end;
    }
    ++decoded_;
    return size;
  }

  const BlockEdges& block_;
  const VertexIndexView index_;
  const uint32_t num_groups_;
  uint32_t decoded_ = 0;  // groups decoded so far
  VertexId vertex_;       // whose list the next group starts in, or before it
  EdgeIndex first_;
  EdgeIndex last_;
  GroupPrefix prefix_;
  alignas(64) VertexId ring_[kRing * kSlot];
};

}  // namespace edgemill

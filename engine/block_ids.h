// The neighbour ids of a whole block, in order, for programs that look at every edge.
//
// All ids are decoded before the first is used. Decoding writes and using reads at random: where
// the two take turns group by group, random reads that miss the caches keep decoding's writes
// waiting, and later reads wait for those (measured on Kronecker 22: 3.4 ns an edge; this way 1.6,
// of which decoding takes .4). A block's ids, 128 KiB by default, lie in the second-level cache
// meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/block_edges.h"
#include "kernels/decode.h"

namespace edgemill {

/// One block's ids. Large: 256 KiB, of which as much is touched as the block has edges.
class BlockIds {
 public:
  /// How far ahead of their use ids are worth a prefetch: more reads than a core can have under
  /// way. So many may be read beyond the block's end.
  static constexpr uint32_t kAhead = 128;

  /// Decodes the ids of `block`. False when one is no vertex: the block is damaged.
  bool Decode(const BlockEdges& block, const VertexIndexView& index);

  /// The ids from edge `edge` of the block on.
  const VertexId* from(uint32_t edge) const { return ids_ + edge; }

 private:
  /// Writes `size` ids. In eights: what is written beyond is overwritten by the next list, or is
  /// slack.
  static void AddConstant(const uint32_t* __restrict sums, uint32_t constant, size_t size,
                          VertexId* __restrict ids) {
    for (size_t i = 0; i < size; i += 8) {
      for (size_t lane = 0; lane < 8; ++lane) ids[i + lane] = sums[i + lane] + constant;
    }
  }

  alignas(64) VertexId ids_[kMaxBlockValues + kAhead];
};

inline bool BlockIds::Decode(const BlockEdges& block, const VertexIndexView& index) {
  const uint32_t num_edges = static_cast<uint32_t>(block.end - block.begin);
  VertexId vertex = block.owned_begin - (block.continues ? 1 : 0);  // whose list is decoded
  EdgeIndex first = index.first_edge(vertex);
  EdgeIndex last = index.first_edge(vertex + 1);
  GroupPrefix prefix;
  for (uint32_t group = 0; group < block.neighbors.num_groups(); ++group) {
    DecodeGroupPrefix(block.neighbors, group, &prefix);
    const uint32_t group_begin = group * kGroupSize;
    const EdgeIndex group_edge = block.begin + group_begin;
    const uint32_t size = std::min(kGroupSize, num_edges - group_begin);
    for (uint32_t begin = 0; begin < size;) {
      while (last <= group_edge + begin) {
        ++vertex;
        first = last;
        last = index.first_edge(vertex + 1);
      }
      const uint32_t end = static_cast<uint32_t>(std::min<EdgeIndex>(size, last - group_edge));
      uint32_t constant;
      if (!ListConstant(prefix, vertex, begin, end, first == group_edge + begin, index.num_vertices,
                        &constant)) {
        return false;
      }
      AddConstant(prefix.sums() + begin, constant, end - begin, ids_ + group_begin + begin);
      begin = end;
    }
  }
  std::fill_n(ids_ + num_edges, kAhead, VertexId{0});
  return true;
}

}  // namespace edgemill

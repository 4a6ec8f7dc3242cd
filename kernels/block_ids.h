// The neighbour ids of a whole block, in order, for programs that look at every edge.
//
// All ids are decoded before the first is used. Decoding writes and using reads at random: where
// the two take turns group by group, random reads that miss the caches keep decoding's writes
// waiting, and later reads wait for those (measured on Kronecker 22: 3.4 ns an edge; this way 1.6,
// of which decoding takes .4). A block's ids, 128 KiB by default, lie in the second-level cache
// meanwhile.
#pragma once

#include <cstdint>

#include "kernels/decode.h"
#include "storage/group_codec.h"

namespace edgemill {

/// Whose lists a block's edges are: those of consecutive vertices.
struct BlockLists {
  VertexId first_source = 0;  // whose list the block begins with
  bool continues = false;     // that list began in an earlier block
  uint32_t num_lists = 0;     // that have edges here, or begin here without any
  uint32_t begin = 0;         // low 32 bits of the number of the block's first edge
  /// Low 32 bits of the number of each list's first edge, that of first_source first; num_lists.
  const uint32_t* starts = nullptr;
};

/// One block's ids. Large: 256 KiB, of which as much is touched as the block has edges.
class BlockIds {
 public:
  /// How far ahead of their use ids are worth a prefetch: more reads than a core can have under
  /// way. So many may be read beyond the block's end.
  static constexpr uint32_t kAhead = 128;

  /// Decodes the ids of `block`, with the fastest code for this processor. False when one is no
  /// vertex: the block is damaged.
  bool Decode(const PackedView& block, const BlockLists& lists, uint64_t num_vertices);

  /// The ids from edge `edge` of the block on.
  const VertexId* from(uint32_t edge) const { return ids_ + edge; }

 private:
  alignas(64) VertexId ids_[kMaxBlockValues + kAhead];
};

}  // namespace edgemill

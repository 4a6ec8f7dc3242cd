// The neighbour ids of a whole block, in order, for programs that look at every edge.
//
// All ids are decoded before the first is used. Decoding writes, and using reads at random. Where
// the two take turns group by group, random reads that miss the caches make decoding's writes wait,
// and later reads wait for those. On Kronecker 22 that takes 3.4 ns an edge; this way takes 1.6, of
// which decoding takes .4. A block's ids, 128 KiB by default, lie in the second-level cache
// meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/cpu/decode.h"
#include "storage/format/group_codec.h"

namespace edgemill {

/// The lists that a block's edges belong to: those of consecutive vertices.
struct BlockLists {
  VertexId first_source = 0;  // the block begins with this vertex's list
  bool continues = false;     // that list began in an earlier block
  uint32_t num_lists = 0;     // that have edges here, or begin here without any
  uint32_t begin = 0;         // low 32 bits of the number of the block's first edge
  /// Low 32 bits of the number of each list's first edge, that of first_source first; num_lists.
  const uint32_t* starts = nullptr;
};

/// One block's ids, list by list, in memory of the caller.
class BlockIds {
 public:
  /// How far ahead of their use ids are worth a prefetch: more reads than a core can have under
  /// way. As many ids may be read beyond the block's end.
  static constexpr uint32_t kAhead = 128;

  /// Bytes for blocks of up to `max_values` edges: some 13 an edge. A multiple of 64.
  static uint64_t SizeBytes(uint32_t max_values);
  /// For blocks of up to `max_values` edges, in SizeBytes at `memory`, which is aligned to 64.
  BlockIds(std::byte* memory, uint32_t max_values);

  /// Decodes the ids of `block`, with the fastest code for this processor. False when one is no
  /// vertex, or it has more edges than there is room for: the block is damaged.
  bool Decode(const PackedView& block, const BlockLists& lists, uint64_t num_vertices);

  /// How many lists have edges here.
  uint32_t num_lists() const { return num_lists_; }
  /// The vertex of list `list`, below num_lists. Vertices rise.
  VertexId source(uint32_t list) const { return sources_[list]; }
  /// The block's part of the list.
  std::span<const VertexId> ids(uint32_t list) const {
    return {ids_ + begins_[list], begins_[list + 1] - begins_[list]};
  }
  /// The place of `list`'s first edge among the block's edges.
  uint32_t begin(uint32_t list) const { return begins_[list]; }
  /// All of the block's ids.
  std::span<const VertexId> ids() const { return {ids_, begins_[num_lists_]}; }

  /// What the decoders write. Lists have room for a vector more.
  struct Places {
    VertexId* ids;
    uint32_t* begins;   // each list's first edge in the block, then the number of edges
    VertexId* sources;  // each list's
    uint8_t* heads;     // an edge's: 128 where a list starts, else 0
  };

 private:
  static constexpr uint32_t kSlack = 64;

  uint32_t max_values_;  // rounded up
  VertexId* ids_;
  uint32_t* begins_;
  VertexId* sources_;
  uint8_t* heads_;
  uint32_t num_lists_ = 0;
};

}  // namespace edgemill

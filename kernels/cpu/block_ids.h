// The neighbour ids of a whole block, in order, for programs that look at every edge.
//
// All ids are decoded before the first is used. Decoding writes memory, and using ids reads at
// random. If the two alternate group by group, writes wait for random reads that miss the caches,
// and later reads wait for the writes. On Kronecker 22, alternating takes 3.4 ns for each edge.
// Decoding whole blocks takes 1.6 ns, with 0.4 ns for decoding. A block's ids, 128 KiB by default,
// stay in the second-level cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/cpu/decode.h"
#include "storage/format/group_codec.h"

namespace edgemill {

/// The lists of a block's edges. Their source vertices are consecutive.
struct BlockLists {
  VertexId first_source = 0;  // the block begins with this vertex's list
  bool continues = false;     // that list began in an earlier block
  uint32_t num_lists = 0;     // lists with edges here, and empty lists that begin here
  uint32_t begin = 0;         // low 32 bits of the number of the block's first edge
  /// For each of num_lists lists, from first_source on: low 32 bits of the number of its first
  /// edge.
  const uint32_t* starts = nullptr;
};

/// One block's ids, list by list, in the caller's memory.
class BlockIds {
 public:
  /// How many ids ahead users prefetch: more reads than a core can have under way. Users may read
  /// this many ids beyond the block's end.
  static constexpr uint32_t kAhead = 128;

  /// Returns the bytes for blocks of up to `max_values` edges: about 13 for each edge. A multiple
  /// of 64.
  static uint64_t SizeBytes(uint32_t max_values);
  /// Uses SizeBytes(max_values) bytes at `memory`, which must be aligned to 64.
  BlockIds(std::byte* memory, uint32_t max_values);

  /// Decodes the ids of `block`, with the fastest code for this processor. Returns false if the
  /// block is damaged: an id is no vertex, or there are more than max_values edges.
  bool Decode(const PackedView& block, const BlockLists& lists, uint64_t num_vertices);

  /// How many lists have edges here.
  uint32_t num_lists() const { return num_lists_; }
  /// The source vertex of list `list`, for `list` below num_lists. Vertices are in rising order.
  VertexId source(uint32_t list) const { return sources_[list]; }
  /// The ids of the list that are in the block.
  std::span<const VertexId> ids(uint32_t list) const {
    return {ids_ + begins_[list], begins_[list + 1] - begins_[list]};
  }
  /// The place of `list`'s first edge among the block's edges.
  uint32_t begin(uint32_t list) const { return begins_[list]; }
  /// All of the block's ids.
  std::span<const VertexId> ids() const { return {ids_, begins_[num_lists_]}; }

  /// What the decoders write. Each array has space for one more vector.
  struct Places {
    VertexId* ids;
    uint32_t* begins;   // each list's first edge in the block, then the number of edges
    VertexId* sources;  // source vertex of each list
    uint8_t* heads;     // for each edge: 128 where a list starts, else 0
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

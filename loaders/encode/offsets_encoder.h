// The offsets column: the low 32 bits of the number of each vertex's first edge. It is made while
// sorted edges pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/types.h"

namespace edgemill {

/// Makes the V + 1 offsets of one direction block by block. A copy continues where the original was
/// when it was copied.
class OffsetsEncoder {
 public:
  explicit OffsetsEncoder(uint32_t block_values) : block_values_(block_values) {}

  /// Sets the offset of every vertex up to and including `vertex` that has none yet to
  /// `first_edge`. Vertices and edges must rise from call to call. Stops when a block is full and
  /// returns true: call NextBlock, then repeat the call to go on. Cost: O(vertices passed).
  bool Fill(uint64_t vertex, EdgeIndex first_edge);

  /// The block that is being filled. It is full after Fill has returned true. Otherwise it may be
  /// empty, or the last block of the column.
  std::span<const uint32_t> block() const { return block_; }
  uint64_t block_number() const { return (next_vertex_ - block_.size()) / block_values_; }
  /// Packs the block into `out`, which has MaxPackedBytes, and returns the bytes written. The block
  /// must not be empty.
  size_t PackBlock(std::byte* out) const;
  /// Starts the next block.
  void NextBlock();

  /// Vertices at which the edge number passes a multiple of 2^32 (GraphInfo::offset_crossings).
  const std::vector<VertexId>& crossings() const { return crossings_; }

  /// The fields that the journal keeps (state_blob.h).
  template <typename Visitor, typename Encoder>
  static void ListFields(Visitor& visitor, Encoder& encoder) {
    visitor.Fields(encoder.next_vertex_, encoder.previous_, encoder.multiples_passed_,
                   encoder.block_, encoder.crossings_);
  }

 private:
  uint32_t block_values_;
  uint64_t next_vertex_ = 0;
  uint32_t previous_ = 0;          // the last value of the previous block
  uint64_t multiples_passed_ = 0;  // of 2^32
  std::vector<uint32_t> block_;
  std::vector<VertexId> crossings_;
};

}  // namespace edgemill

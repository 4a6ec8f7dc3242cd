// The offsets column: each vertex's first edge number, low 32 bits, made as sorted edges go by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/types.h"

namespace edgemill {

/// Makes the V + 1 offsets of one direction block by block. A copy goes on from where it was made.
class OffsetsEncoder {
 public:
  explicit OffsetsEncoder(uint32_t block_values) : block_values_(block_values) {}

  /// Every vertex up to and with `vertex` that has no offset yet has its first edge at `first_edge`
  /// or above, so that is its offset. Calls come with rising vertices and edges. Stops when a block
  /// is full and returns true: once NextBlock was called, the same call goes on. Cost: O(vertices
  /// passed).
  bool Fill(uint64_t vertex, EdgeIndex first_edge);

  /// The block that is being filled: full after Fill has returned true, the column's last at its
  /// end, or empty.
  std::span<const uint32_t> block() const { return block_; }
  uint64_t block_number() const { return (next_vertex_ - block_.size()) / block_values_; }
  /// Packs the block, which is not empty, into `out` (MaxPackedBytes); the bytes written.
  size_t PackBlock(std::byte* out) const;
  /// Starts the next block.
  void NextBlock();

  /// Vertices at which the edge number passes a multiple of 2^32 (GraphInfo::offset_crossings).
  const std::vector<VertexId>& crossings() const { return crossings_; }

  /// What the journal keeps (state_blob.h).
  template <typename Visitor, typename Encoder>
  static void ListFields(Visitor& visitor, Encoder& encoder) {
    visitor.Fields(encoder.next_vertex_, encoder.previous_, encoder.multiples_passed_,
                   encoder.block_, encoder.crossings_);
  }

 private:
  uint32_t block_values_;
  uint64_t next_vertex_ = 0;
  uint32_t previous_ = 0;          // the last value of the block before
  uint64_t multiples_passed_ = 0;  // of 2^32
  std::vector<uint32_t> block_;
  std::vector<VertexId> crossings_;
};

}  // namespace edgemill

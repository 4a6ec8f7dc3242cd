// The offsets column: each vertex's first edge number, low 32 bits, written as sorted edges go by.
#pragma once

#include <cstdint>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "loaders/column_writer.h"
#include "loaders/state_blob.h"

namespace edgemill {

/// Writes the V + 1 offsets of one direction. Not thread-safe.
class OffsetsEncoder {
 public:
  explicit OffsetsEncoder(ColumnWriter writer) : writer_(std::move(writer)) {}

  /// Every vertex up to and with `vertex` that has no offset yet has its first edge at `first_edge`
  /// or above, so that is its offset. Calls come with rising vertices and edges. Cost: O(vertices
  /// passed).
  Status Fill(uint64_t vertex, EdgeIndex first_edge);
  /// Ends the column: vertices up to `num_vertices` (the one past the last) get `num_edges`.
  Status Finish(uint64_t num_vertices, EdgeIndex num_edges);

  /// Vertices at which the edge number passes a multiple of 2^32 (GraphInfo::offset_crossings).
  const std::vector<VertexId>& crossings() const { return crossings_; }

  void PutState(StateWriter* out) const;
  void SetState(StateReader* in);

 private:
  Status FlushBlock();

  ColumnWriter writer_;
  uint64_t next_vertex_ = 0;
  uint32_t previous_ = 0;          // the last value of the block before
  uint64_t multiples_passed_ = 0;  // of 2^32
  std::vector<uint32_t> block_;
  std::vector<VertexId> crossings_;
};

}  // namespace edgemill

// The contents of one block against the rules of its column, by the reference decoders.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/status.h"
#include "engine/graph/vertex_index.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// What the check of a column needs to know of one block. Sums are modulo 2^64.
struct BlockFacts {
  uint64_t first = 0;  // the first and last value; of neighbours, source << 32 | target
  uint64_t last = 0;
  uint64_t forward_hash = 0;   // sum of a hash of (source, target): the same in both directions
  uint64_t backward_hash = 0;  // the same with (target, source): equal for a symmetric graph
  uint64_t self_loops = 0;
  uint64_t duplicates = 0;  // edges equal to the edge before them in the block
};

/// Checks the payload of block `block` of `column`. `index` is that of a neighbour column's
/// direction; without it, only the extents of the column's groups are checked. BadDataError,
/// without a place, when something is certainly wrong. Thread-safe.
StatusOr<BlockFacts> CheckPayload(const GraphStore& store, ColumnKind column, uint64_t block,
                                  const std::optional<VertexIndexView>& index,
                                  std::span<const std::byte> payload);

}  // namespace edgemill

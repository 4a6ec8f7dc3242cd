// How many vertices have each vertex as a neighbour.
#pragma once

#include <cstdint>

#include "common/buffer.h"
#include "common/status.h"
#include "engine/graph/vertex_index.h"
#include "engine/output/pairs/neighbor_sets.h"

namespace edgemill {

/// Counts of the simple graph: duplicates of an edge count once, loops never.
class HolderCounts {
 public:
  /// Whether the index of the graph's lists has the counts.
  static bool AreInIndex(const GraphInfo& info) {
    return !info.directed && info.num_self_loops == 0 && info.num_duplicates == 0;
  }
  /// The bytes that Count takes.
  static uint64_t SizeBytes(const GraphInfo& info) {
    return AreInIndex(info) ? 0 : sizeof(uint32_t) * (info.num_vertices + 2 * info.num_blocks());
  }
  /// Reads all lists of `source`, unless the index has the counts. `source` must outlive it.
  /// BudgetError, BadDataError, IoError, CancelledError.
  static StatusOr<HolderCounts> Count(const GraphContext& context, const PairLists& source);

  uint32_t Of(VertexId vertex) const {
    return counts_.empty() ? static_cast<uint32_t>(index_.degree(vertex)) : counts_[vertex];
  }

 private:
  VertexIndexView index_;
  MemoryReservation reservation_;
  Array<uint32_t> counts_;  // empty: the index has them
};

}  // namespace edgemill

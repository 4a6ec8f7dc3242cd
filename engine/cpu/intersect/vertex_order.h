// The order in which Intersect looks at vertices: by degree, highest first.
#pragma once

#include <cstdint>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// The rank of each vertex. Every order gives the same triangles. If each list keeps only
/// neighbours of lower rank, an order by degree makes the longest list short: at most the square
/// root of twice the number of edges. Here degrees within a sixteenth of each other count as equal,
/// and equal ones are in the order of ids.
class VertexOrder {
 public:
  /// The most bytes that Of reserves: 8 a vertex. Where ids are by degree it reserves none.
  static uint64_t SizeBytes(const GraphInfo& info) { return 8 * info.num_vertices; }
  /// The order of the loaded indexes' degrees. BudgetError.
  static StatusOr<VertexOrder> Of(LoadedGraph& graph);

  /// Whether ranks are ids. If not, the ranks of a rising list of ids do not rise.
  bool is_by_id() const { return ranks_.empty(); }
  uint32_t RankOf(VertexId vertex) const { return ranks_.empty() ? vertex : ranks_[vertex]; }
  VertexId VertexAt(uint32_t rank) const { return vertices_.empty() ? rank : vertices_[rank]; }

 private:
  MemoryReservation reservation_;
  Array<uint32_t> ranks_;     // by vertex; empty where ranks are ids
  Array<VertexId> vertices_;  // by rank; likewise
};

}  // namespace edgemill

// The lists of a stored graph in memory, unpacked.
#pragma once

#include <cstdint>

#include "engine/algorithms/shared/communities/weighted_graph.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// The out-lists of an undirected graph, as they are stored: with loops and duplicates. Move-only.
class StoredLists {
 public:
  /// Reads all blocks. A weight of 1 is `units`, which are cut to whole ones. BudgetError; the
  /// errors of reading; CancelledError.
  static StatusOr<StoredLists> Read(LoadedGraph& graph, double units, ArrayPool& pool);

  uint64_t num_vertices() const { return index_.num_vertices; }
  uint64_t num_places() const { return to_.size(); }
  uint64_t FirstOf(uint64_t v) const { return index_.first_edge(static_cast<VertexId>(v)); }
  uint64_t NumArcs(VertexId v) const { return index_.degree(v); }
  template <typename Visit>
  void ForEachArc(VertexId v, Visit visit) const {
    const uint64_t first = index_.first_edge(v), end = index_.first_edge(v + 1);
    if (weight_.size() == 0) {
      for (uint64_t i = first; i < end; ++i) visit(to_[i], uint64_t{1});
    } else {
      for (uint64_t i = first; i < end; ++i) visit(to_[i], weight_[i]);
    }
  }

 private:
  VertexIndexView index_;
  CountedArray<VertexId> to_;      // by edge
  CountedArray<uint64_t> weight_;  // by edge; empty: each weighs 1
};

}  // namespace edgemill

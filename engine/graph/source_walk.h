// The sources of consecutive edges, for code that walks a neighbour column block by block.
#pragma once

#include <utility>

#include "engine/graph/vertex_index.h"

namespace edgemill {

/// Walks up the edges of one direction. Not thread-safe.
class SourceWalk {
 public:
  /// Starts at edge `begin`, below the number of edges. Logarithmic.
  SourceWalk(const VertexIndexView& index, EdgeIndex begin)
      : index_(index), vertex_(index.LowerBound(begin + 1) - 1) {
    end_ = index_.first_edge(vertex_ + 1);
    first_ = index_.first_edge(vertex_);
  }

  /// The source of `edge`, and whether `edge` is its list's first. `edge` must not be below the
  /// edge of the call before.
  std::pair<VertexId, bool> At(EdgeIndex edge) {
    while (edge >= end_) {
      first_ = end_;
      ++vertex_;
      end_ = index_.first_edge(vertex_ + 1);
    }
    return {vertex_, edge == first_};
  }

 private:
  VertexIndexView index_;
  VertexId vertex_;
  EdgeIndex first_;
  EdgeIndex end_;
};

}  // namespace edgemill

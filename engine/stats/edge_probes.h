// Single edges of a graph on disk, many at a time: which neighbour an edge leads to, and whether
// edges are there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Answers batches of questions. Each batch reads every block that it needs once, in order, so that
/// a batch never costs more than one pass over the lists. Not thread-safe.
class EdgeProbes {
 public:
  /// The graph has the lists of the directions that are asked for.
  explicit EdgeProbes(LoadedGraph& graph) : graph_(graph) {}

  struct Pair {
    VertexId owner = 0;
    VertexId neighbor = 0;
  };

  /// The vertex whose list of `direction` has `edge`.
  VertexId OwnerOf(Direction direction, EdgeIndex edge) const {
    return graph_.index(direction).LowerBound(edge + 1) - 1;
  }
  /// The neighbour at each of `edges`, which are numbers of edges of `direction`. Takes 12 bytes
  /// for each question.
  StatusOr<std::vector<VertexId>> NeighborsAt(Direction direction,
                                              std::span<const EdgeIndex> edges);
  /// For each pair, 1 where the owner's list has the neighbour, else 0. Takes 8 bytes for each
  /// question.
  StatusOr<std::vector<uint8_t>> Contain(Direction direction, std::span<const Pair> pairs);

 private:
  LoadedGraph& graph_;
};

}  // namespace edgemill

// Reads the edges of a stored graph as those of a simple graph, for verifiers.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "common/check.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

/// Edges without loops. Each comes once even if it is stored several times. Reads as PlainVisit
/// does.
class SimpleEdges {
 public:
  /// Reads the last edge of each block where the graph has duplicates: 8 bytes a block. Reads
  /// out-lists, or in-lists where the graph has no others. The errors of PlainVisit.
  static StatusOr<SimpleEdges> Of(LoadedGraph& graph) {
    const Direction direction = internal::ListsToVisit(graph, Direction::kOut, false);
    SimpleEdges edges(graph, direction);
    if (graph.info().num_duplicates > 0) {
      edges.last_.resize(graph.num_blocks());
      RETURN_IF_ERROR(internal::VisitPlainBlocks(
          graph, direction, false, [&](const internal::PlainBlock& block) {
            const uint32_t num_edges = block.neighbors.num_values();
            return edges.VisitEdges(block, (num_edges - 1) / kGroupSize * kGroupSize,
                                    [&](const Edge& edge) {
                                      edges.last_[block.begin / graph.info().block_edges] = edge;
                                    });
          }));
    }
    return edges;
  }

  /// Calls `visit(edge)` for each edge, on all threads.
  template <typename Visit>
  Status VisitAll(Visit visit) const {
    return internal::VisitPlainBlocks(
        graph_, direction_, false,
        [&](const internal::PlainBlock& block) { return VisitBlock(block, visit); });
  }
  /// The same for edges from the members of `from`, which rise, as in PlainVisitFrom. Where a graph
  /// lacks the out-lists, all edges are visited: `visit` tells which ones begin in `from`.
  template <typename Visit>
  Status VisitFrom(std::span<const VertexId> from, Visit visit) const {
    if (direction_ == Direction::kIn) return VisitAll(visit);
    return internal::VisitPlainLists(
        graph_, false, from,
        [&](const internal::PlainBlock& block, std::span<const VertexId> lists) {
          Visit own_visit = visit;
          Edge before = Before(block);
          return internal::VisitListsOf(block, graph_.index(Direction::kOut), lists,
                                        [&](uint32_t, VertexId source, VertexId id) {
                                          VisitNew({source, id}, &before, own_visit);
                                        });
        });
  }

 private:
  SimpleEdges(LoadedGraph& graph, Direction direction) : graph_(graph), direction_(direction) {}

  /// Returns whether all ids are vertices. `visit` gets only such ids.
  template <typename Visit>
  bool VisitEdges(const internal::PlainBlock& block, uint32_t first, Visit visit) const {
    SourceWalk walk(graph_.index(direction_), block.begin + first);
    bool sound = true;
    VisitNeighbors(
        block.neighbors, first, block.neighbors.num_values(),
        [&](uint32_t edge) { return walk.At(block.begin + edge); },
        [&](uint32_t, VertexId owner, VertexId neighbor) {
          sound &= neighbor < graph_.num_vertices();
          if (sound)
            visit(direction_ == Direction::kOut ? Edge{owner, neighbor} : Edge{neighbor, owner});
        });
    return sound;
  }
  template <typename Visit>
  bool VisitBlock(const internal::PlainBlock& block, Visit visit) const {
    Edge before = Before(block);
    return VisitEdges(block, 0, [&](const Edge& edge) { VisitNew(edge, &before, visit); });
  }
  /// The edge before the block's first, where that may be its duplicate.
  Edge Before(const internal::PlainBlock& block) const {
    if (last_.empty() || block.begin == 0) return {kInvalidVertex, kInvalidVertex};
    const uint64_t number = block.begin / graph_.info().block_edges;
    CHECK_LT(number, last_.size());
    return last_[number - 1];
  }
  /// `before` is the edge before it in its list, or an edge of another list.
  template <typename Visit>
  static void VisitNew(const Edge& edge, Edge* before, Visit& visit) {
    const bool again = edge.from == before->from && edge.to == before->to;
    *before = edge;
    if (!again && edge.from != edge.to) visit(edge);
  }

  LoadedGraph& graph_;
  const Direction direction_;
  std::vector<Edge> last_;  // of each block; empty without duplicates
};

}  // namespace edgemill

// The edges of a stored graph as those of a simple one, read plainly: for verifiers.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/api/toolkit/plain_visit.h"

namespace edgemill {

/// Out-edges without loops, each once however often it is stored. Reads as PlainVisit does.
class SimpleEdges {
 public:
  /// Reads the last edge of each block where the graph has duplicates: 8 bytes a block. The errors
  /// of PlainVisit.
  static StatusOr<SimpleEdges> Of(LoadedGraph& graph) {
    SimpleEdges edges(graph);
    if (graph.info().num_duplicates > 0) {
      edges.last_.resize(graph.num_blocks());
      RETURN_IF_ERROR(internal::VisitPlainBlocks(
          graph, Direction::kOut, false, [&](const internal::PlainBlock& block) {
            const uint32_t num_edges = block.neighbors.num_values();
            return edges.VisitEdges(block, (num_edges - 1) / kGroupSize * kGroupSize,
                                    [&](const Edge& edge) {
                                      edges.last_[block.begin / graph.info().block_edges] = edge;
                                    });
          }));
    }
    return edges;
  }

  /// Calls `visit(edge)` for each, on all threads.
  template <typename Visit>
  Status VisitAll(Visit visit) const {
    return internal::VisitPlainBlocks(
        graph_, Direction::kOut, false,
        [&](const internal::PlainBlock& block) { return VisitBlock(block, visit); });
  }
  /// The same for those from the members of `from`, a bit a vertex: reads only blocks with some.
  template <typename Visit>
  Status VisitFrom(std::span<const uint64_t> from, Visit visit) const {
    return internal::VisitPlainBlocks(graph_, Direction::kOut, false,
                                      internal::BlocksFrom(graph_, from),
                                      [&](const internal::PlainBlock& block) {
                                        return VisitBlock(block, [&](const Edge& edge) {
                                          if (TestBit(from.data(), edge.from)) visit(edge);
                                        });
                                      });
  }

 private:
  explicit SimpleEdges(LoadedGraph& graph) : graph_(graph) {}

  /// Whether all ids are vertices; `visit` sees none that is not.
  template <typename Visit>
  bool VisitEdges(const internal::PlainBlock& block, uint32_t first, Visit visit) const {
    SourceWalk walk(graph_.index(Direction::kOut), block.begin + first);
    bool sound = true;
    VisitNeighbors(
        block.neighbors, first, block.neighbors.num_values(),
        [&](uint32_t edge) { return walk.At(block.begin + edge); },
        [&](uint32_t, VertexId owner, VertexId neighbor) {
          sound &= neighbor < graph_.num_vertices();
          if (sound) visit(Edge{owner, neighbor});
        });
    return sound;
  }
  template <typename Visit>
  bool VisitBlock(const internal::PlainBlock& block, Visit visit) const {
    Edge before{kInvalidVertex, kInvalidVertex};
    if (!last_.empty() && block.begin > 0) {
      before = last_[block.begin / graph_.info().block_edges - 1];
    }
    return VisitEdges(block, 0, [&](const Edge& edge) {
      const bool again = edge.from == before.from && edge.to == before.to;
      before = edge;
      if (!again && edge.from != edge.to) visit(edge);
    });
  }

  LoadedGraph& graph_;
  std::vector<Edge> last_;  // of each block; empty without duplicates
};

}  // namespace edgemill

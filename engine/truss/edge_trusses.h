// The truss number of each edge: the largest k for which the edge is in the k-truss.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "common/status.h"
#include "common/types.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "engine/graph/loaded_graph.h"
#include "engine/truss/edge_numbers.h"
#include "engine/truss/edge_supports.h"

namespace edgemill {

struct TrussOptions {
  /// Edges with a lower truss number are not told apart: they get `least` - 1. At least 2.
  uint32_t least = 2;
};

struct TrussCounts {
  uint64_t edges = 0;  // of the simple undirected graph
  /// For each truss number that edges have, from `least` on: the number and how many. Rising.
  std::vector<std::pair<uint32_t, uint64_t>> classes;
  uint64_t counts = 0;          // how often triangles were counted, with lists from disk
  uint64_t edges_in_lists = 0;  // that were peeled in memory
  uint64_t rounds = 0;          // of peeling, in memory
};

struct EdgeTruss {
  VertexId one, other;
  uint32_t truss;
};

/// The edges of consecutive vertices: each edge belongs to one of its ends.
class TrussPart {
 public:
  TrussPart(const OrientedLists& lists, const EdgeNumbers& numbers, const EdgeSupports& trusses)
      : lists_(lists), numbers_(numbers), trusses_(trusses) {}

  uint64_t num_vertices() const { return lists_.end() - lists_.begin(); }
  /// The edges of vertex `i` of the part.
  uint64_t num_edges(uint64_t i) const { return lists_.of(VertexAt(i)).ranks.size(); }
  EdgeTruss edge(uint64_t i, uint64_t number) const {
    const VertexId vertex = VertexAt(i);
    return {vertex, numbers_.order().VertexAt(lists_.of(vertex).ranks[number]),
            trusses_.value(numbers_.first(vertex) + number)};
  }

 private:
  VertexId VertexAt(uint64_t i) const { return lists_.begin() + static_cast<VertexId>(i); }

  const OrientedLists& lists_;
  const EdgeNumbers& numbers_;
  const EdgeSupports& trusses_;
};

/// The k-truss of the simple undirected graph is its largest subgraph in which each edge is in k -
/// 2 triangles or more. All edges are in the 2-truss.
///
/// Triangles are counted once for each edge, as Engine::Intersect finds them, with lists from disk
/// where these do not fit. As soon as the lists of all edges that are left fit in memory, these are
/// peeled there (EdgePeeling). Before, edges with too few triangles are removed, and those of the
/// others are counted again (Wang, Cheng: Truss Decomposition in Massive Networks, VLDB 2012).
class EdgeTrusses {
 public:
  /// The least memory that Find takes, beside the graph's indexes: 4 bytes an edge, 16 bytes a
  /// vertex, and what ListPairs needs. With 22 bytes an edge more, triangles are counted once.
  static uint64_t LeastBytes(const GraphInfo& info, int threads);
  /// What the result keeps of that.
  static uint64_t ResultBytes(const GraphInfo& info);

  /// `graph` must have its indexes, and outlive the result. Takes all of the budget that is left.
  /// The errors of reading; BudgetError, CancelledError.
  static StatusOr<std::unique_ptr<EdgeTrusses>> Find(LoadedGraph& graph,
                                                     const TrussOptions& options);

  const TrussCounts& counts() const { return counts_; }
  /// Calls `visit` for all edges, in an order that depends on the graph alone. Reads the graph. The
  /// errors of reading and of `visit`; BudgetError.
  Status ForEachPart(const std::function<Status(const TrussPart& part)>& visit) const;

 private:
  explicit EdgeTrusses(LoadedGraph& graph) : graph_(graph) {}
  /// Removes all edges; those of a support within `first_level` at once.
  Status Peel(uint32_t first_level);
  /// The same for the edges that are left, in memory. `num_edges`: how many there are.
  Status PeelInMemory(uint32_t first_level, uint64_t num_edges);
  void CountClasses(uint32_t least);

  LoadedGraph& graph_;
  EdgeNumbers numbers_;
  EdgeSupports trusses_;
  TrussCounts counts_;
};

}  // namespace edgemill

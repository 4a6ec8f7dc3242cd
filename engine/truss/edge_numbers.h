// Numbers of the edges of the simple undirected graph, and their lists in parts that fit in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/cpu/intersect/list_loader.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "engine/cpu/intersect/vertex_order.h"
#include "engine/graph/loaded_graph.h"

namespace edgemill {

/// Reads the oriented lists (OrientedLists) of all vertices, as many at a time as fit. One thread
/// uses it.
class ListParts {
 public:
  /// Takes at most `bytes` of the graph's budget. `order` must outlive it. BudgetError.
  static StatusOr<ListParts> Create(LoadedGraph& graph, const VertexOrder& order, uint64_t bytes);

  /// Calls `visit` for lists of consecutive vertices, in rising order, until all vertices were
  /// there. Reads the graph, unless all lists are in memory since an earlier call. The errors of
  /// reading and of `visit`.
  Status ForEach(const std::function<Status(const OrientedLists& lists)>& visit);

 private:
  explicit ListParts(LoadedGraph& graph) : graph_(graph) {}

  LoadedGraph& graph_;
  std::optional<ListLoader> loader_;
  std::optional<OrientedLists> lists_;
  bool has_all_ = false;
};

/// Each edge of the simple undirected graph has a number: edges are in the order of the vertices
/// whose oriented lists have them, and then in the order of the list.
class EdgeNumbers {
 public:
  /// What Count keeps of the budget: at most 16 bytes a vertex.
  static uint64_t SizeBytes(const GraphInfo& info) {
    return VertexOrder::SizeBytes(info) + (info.num_vertices + 1) * sizeof(uint64_t);
  }
  /// Reads the graph once. `graph` must have its indexes. The errors of reading; BudgetError.
  static StatusOr<EdgeNumbers> Count(LoadedGraph& graph);

  const VertexOrder& order() const { return order_; }
  uint64_t num_edges() const { return firsts_[firsts_.size() - 1]; }
  /// The number of the first edge in the oriented list of `vertex`.
  uint64_t first(VertexId vertex) const { return firsts_[vertex]; }

 private:
  VertexOrder order_;
  MemoryReservation reservation_;
  Array<uint64_t> firsts_;  // by vertex, and then the number of all edges
};

/// Bytes that ListParts needs at least, and the most edges that the simple graph can have.
uint64_t LeastListPartsBytes(const GraphInfo& info, int threads);
uint64_t MostSimpleEdges(const GraphInfo& info);

}  // namespace edgemill

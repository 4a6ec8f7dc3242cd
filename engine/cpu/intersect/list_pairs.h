// Brings lists of the simple undirected graph into memory, so that every two lists that may share a
// triangle meet.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "common/status.h"
#include "engine/cpu/intersect/hub_rows.h"
#include "engine/cpu/intersect/list_loader.h"
#include "engine/cpu/intersect/oriented_lists.h"
#include "engine/cpu/intersect/vertex_order.h"
#include "engine/graph/loaded_graph.h"
#include "engine/report/recorder.h"

namespace edgemill {

/// Lists in memory. A triangle of u, v and w, by falling ranks, is found where the list of u meets
/// the list of v: w is in both.
struct ListPair {
  const OrientedLists& from;  // of the vertices u
  const OrientedLists& to;    // of the vertices v
  const HubRows& rows;        // of `to`
  bool is_first;              // the lists of `from` come for the first time
};

/// The memory for an Intersect, in bytes.
struct ListMemory {
  uint64_t least = 0;  // lists are read many times
  uint64_t whole = 0;  // all lists fit: they are read once
};
ListMemory ListMemoryOf(const GraphInfo& info, int threads, bool arcs);

/// Where memory is short, `to` has as many lists as fit, and all other lists pass by it; then `to`
/// gets the next ones. The graph is read as often. One thread uses it.
class ListPairs {
 public:
  /// Takes at most `bytes` of the graph's budget, at least ListMemoryOf(...).least. BudgetError.
  static StatusOr<ListPairs> Create(LoadedGraph& graph, uint64_t bytes, bool arcs);

  const VertexOrder& order() const { return *order_; }
  /// The most neighbours of a list, and the ranks that may have rows.
  uint64_t longest() const { return longest_; }
  uint32_t num_hubs() const { return rows_->num_hubs(); }

  /// Calls `visit` for pairs of lists, until each pair was there once. The errors of reading and of
  /// `visit`.
  Status ForEach(Recorder& recorder, const std::function<Status(const ListPair& pair)>& visit);

 private:
  explicit ListPairs(LoadedGraph& graph) : graph_(graph) {}
  /// Tells the progress how many edges will be read, and meet others.
  void StartPass();

  LoadedGraph& graph_;
  uint64_t longest_ = 0;
  std::unique_ptr<VertexOrder> order_;
  std::optional<ListLoader> loader_;
  std::optional<HubRows> rows_;
  std::optional<OrientedLists> kept_;
  std::optional<OrientedLists> passing_;  // none where all lists fit
};

}  // namespace edgemill

// Opens a graph a second time, for one run.
#pragma once

#include <memory>

#include "common/os/memory_budget.h"
#include "edgemill/edgemill.h"
#include "edgemill/operation.h"
#include "edgemill/shared_blocks.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Opens the graph with its block table, within a run's memory. MissingError where it was removed
/// or replaced; the errors of GraphStore::Open.
StatusOr<std::unique_ptr<GraphStore>> OpenForRun(const Graph& graph, MemoryBudget& budget);

/// The store of one run, and what the run shares with others.
class StoreOfRun {
 public:
  /// The errors of OpenForRun, and of SharedBlocks::Join.
  static StatusOr<StoreOfRun> Open(const Graph& graph, Operation& operation);

  const GraphStore& store() const { return shared_ == nullptr ? *own_ : shared_->store(); }
  SharedReader reader() const { return shared_ == nullptr ? SharedReader() : shared_->reader(); }

 private:
  std::unique_ptr<GraphStore> own_;  // null: it is shared
  std::unique_ptr<SharedBlocks::Use> shared_;
};

/// MissingError where another graph has taken the place of an opened one.
Status CheckNotReplaced(const GraphStore& store);

}  // namespace edgemill

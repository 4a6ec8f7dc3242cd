// Opens a graph a second time, for one run.
#pragma once

#include <memory>

#include "common/os/memory_budget.h"
#include "edgemill/edgemill.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Opens the graph with its block table, within a run's memory. MissingError where it was removed
/// or replaced; the errors of GraphStore::Open.
StatusOr<std::unique_ptr<GraphStore>> OpenForRun(const Graph& graph, MemoryBudget& budget);

/// MissingError where another graph has taken the place of an opened one.
Status CheckNotReplaced(const GraphStore& store);

}  // namespace edgemill

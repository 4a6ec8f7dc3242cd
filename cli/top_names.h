// The vertices that a run's summary lists.
#pragma once

#include <vector>

#include "cli/run_report.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Puts RunResult::top into `description`. Names may have 64 KiB: where their copies do not fit the
/// budget, the list is shorter and a warning says so. Returns what it took, to be kept as long as
/// reports are made. Errors: LabelOf's.
StatusOr<std::vector<MemoryReservation>> DescribeTop(RunResult& result, const GraphStore& store,
                                                     MemoryBudget& budget,
                                                     RunDescription* description);

}  // namespace edgemill::cli

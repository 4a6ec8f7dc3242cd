// The vertices that a run's summary lists.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/run_report.h"
#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/api/answer.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// The help of --top: what it shows for each algorithm whose values have an order.
std::string TopHelp();
/// The name of the values in RunResult::Top.
std::string_view TopName(const RunResult& result);
std::string TopLabel(const RunResult& result);
/// Returns UsageError for a column without an order.
Status CheckTop(const ResultColumn& column);

/// Puts `top`, of `result`, into `description`. A name may have 64 KiB. If the copies of names do
/// not fit the budget, the list is shorter and a warning says so. Returns the memory that it took,
/// to be kept until the reports are made. Returns the errors of LabelOf.
StatusOr<std::vector<MemoryReservation>> DescribeTop(std::span<const TopEntry> top,
                                                     RunResult& result, const GraphStore& store,
                                                     MemoryBudget& budget,
                                                     RunDescription* description);

}  // namespace edgemill::cli

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

/// What --top shows of each algorithm that has an order.
std::string TopHelp();
/// What the values of RunResult::Top are.
std::string_view TopName(const RunResult& result);
std::string TopLabel(const RunResult& result);
/// UsageError for a column that has no order.
Status CheckTop(const ResultColumn& column);

/// Puts `top`, of `result`, into `description`. Names may have 64 KiB: where their copies do not
/// fit the budget, the list is shorter and a warning says so. Returns what it took, to be kept as
/// long as reports are made. Errors: LabelOf's.
StatusOr<std::vector<MemoryReservation>> DescribeTop(std::span<const TopEntry> top,
                                                     RunResult& result, const GraphStore& store,
                                                     MemoryBudget& budget,
                                                     RunDescription* description);

}  // namespace edgemill::cli

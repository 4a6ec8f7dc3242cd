// The vertices that a run's summary lists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
/// "top ranks", where `end` is "top".
std::string TopLabel(std::string_view end, const RunResult& result);
/// What the summary says of values: the first, the last, and how often they occur.
std::vector<std::pair<std::string, std::string>> ValueLines(const RunResult& result,
                                                            const RunDescription& description);
/// Returns UsageError for a column without an order, or --bottom for one of groups.
Status CheckTop(const ResultColumn& column, bool bottom);

/// The first and the last vertices of an answer.
struct Extremes {
  std::vector<TopEntry> top, bottom;
  /// The vertices of a path in order, where the answer is a path of at most 1,000.
  std::optional<std::vector<TopEntry>> path;
};
/// `top` and `bottom` vertices. Returns the errors of RunResult::Bottom.
StatusOr<Extremes> ExtremesOf(RunResult& result, uint64_t top, uint64_t bottom, int threads);

/// Puts `extremes`, of `result`, into `description`. A name may have 64 KiB. If the copies of names
/// do not fit the budget, a list is shorter and a warning says so. Returns the memory that it took,
/// to be kept until the reports are made. Returns the errors of LabelOf.
StatusOr<std::vector<MemoryReservation>> DescribeExtremes(const Extremes& extremes,
                                                          RunResult& result,
                                                          const GraphStore& store,
                                                          MemoryBudget& budget,
                                                          RunDescription* description);

}  // namespace edgemill::cli

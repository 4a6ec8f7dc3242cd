// The objects that all stages of an ingest use.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/thread_times.h"
#include "loaders/context/edge_error_locator.h"
#include "loaders/context/ingest_plan.h"
#include "loaders/options/ingest_options.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// The source of a stage's edges, the writer of its blocks, and its resources. All outlive it.
struct IngestContext {
  EdgeSource& source;
  GraphWriter& writer;
  MemoryBudget& budget;
  Progress& progress;
  EdgeErrorLocator& places;
  IngestPlan& plan;
  std::vector<StageTime>& times;

  Status CheckMemory(uint64_t bytes, std::string_view what) const {
    return edgemill::CheckMemory(plan, budget, bytes, what);
  }
  StatusOr<ThreadMemory> ReserveThreads(uint64_t each_bytes) const {
    return edgemill::ReserveThreads(plan, budget, each_bytes);
  }
  void AddTime(std::string_view stage, const PhaseTimes& spent) const {
    times.push_back({std::string(stage), spent.wall_seconds, spent});
  }
  /// Adds the seconds of a part of the last stage that AddTime added.
  void AddThreadSeconds(std::string_view part, double seconds) const {
    times.push_back({std::string(part), seconds, std::nullopt});
  }
};

}  // namespace edgemill

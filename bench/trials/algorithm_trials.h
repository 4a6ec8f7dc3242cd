// Algorithms, timed: trials in turn, each verified.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// What to time.
struct TrialPlan {
  struct Entry {
    std::string name;    // in results: "delta gpu"
    RunOptions options;  // all but source and warm
    uint64_t trials = 1;
    bool has_source = false;
  };
  std::vector<Entry> entries;
  /// How trials start: with an empty cache, with the cache as an earlier run left it, or each in
  /// both ways.
  bool cold = true;
  bool warm = false;
  /// Sources of those that have one, taken in turn.
  std::vector<ExternalId> sources;
};

/// What trials took, one figure of each kind a trial.
struct TrialFigures {
  std::vector<double> seconds;  // without loading
  std::vector<double> load_seconds;
  std::vector<double> iterations;
  std::vector<double> edges_per_second;
  std::vector<double> bytes_read;
  std::vector<double> link_bytes;  // to a GPU
};

/// All trials of one entry that start in one way.
struct TrialSeries {
  std::string entry;
  std::string algorithm;
  bool warm = false;
  bool has_source = false;
  std::vector<ExternalId> sources;  // one a trial, of those that have one
  TrialFigures figures;
  double verify_seconds = 0;      // of all trials
  std::vector<ResultFact> facts;  // of the last trial
  std::string io_engine;
  std::string gpu;  // empty: none was used

  /// "bfs, cold".
  std::string Name() const;
};

/// Runs the plan's trials: the first of each series, then the second of each, and so on, so that
/// what disturbs the machine meets all of them. The first error of a run or of its verification
/// ends it.
StatusOr<std::vector<TrialSeries>> RunTrials(const GraphStore& store, const TrialPlan& plan,
                                             MemoryBudget& budget, Progress& progress);

}  // namespace edgemill::bench

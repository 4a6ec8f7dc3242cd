// Times algorithms in trials that take turns.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "common/types.h"
#include "engine/report/gpu_preparation.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// What to time.
struct TrialPlan {
  struct Entry {
    std::string name;    // in results: "delta gpu"
    std::string group;   // "delta": its entries run the same in different ways
    RunOptions options;  // without source and warm, which trials set
    uint64_t trials = 1;
    bool has_source = false;
  };
  std::vector<Entry> entries;
  /// How trials start: with an empty cache, with the cache as an earlier run left it, or each in
  /// both ways.
  bool cold = true;
  bool warm = false;
  /// The sources of entries that have one. Trials take them in turn.
  std::vector<ExternalId> sources;
};

/// What trials took. Each list has one figure for each trial.
struct TrialFigures {
  std::vector<double> seconds;         // without loading
  std::vector<double> passes_seconds;  // of the iterations alone
  std::vector<double> load_seconds;
  std::vector<double> iterations;
  std::vector<double> edges;  // that edges_per_second counts
  std::vector<double> edges_per_second;
  std::vector<double> verify_seconds;
  std::vector<double> bytes_read;
  std::vector<double> link_bytes;  // moved to a GPU
};

/// All trials of one entry that start in one way.
struct TrialSeries {
  std::string entry;
  std::string group;
  std::string algorithm;
  bool warm = false;
  bool has_source = false;
  std::vector<ExternalId> sources;  // one for each trial, if has_source
  TrialFigures figures;
  // Of the last trial:
  std::vector<ResultFact> facts;
  std::vector<IterationReport> iterations;
  CellReport cells;

  std::string io_engine;
  std::string gpu;  // empty: none was used

  /// "bfs, cold".
  std::string Name() const;
};

/// Runs the plan's trials: the first of each series, then the second of each, and so on, so that
/// disturbances of the machine affect all series. Where all trials start warm, they share one
/// reader, so that the graph is read once; again only where a series needs a reader of another kind
/// or size. Stops at the first error of a run or of its verification.
StatusOr<std::vector<TrialSeries>> RunTrials(const GraphStore& store, const TrialPlan& plan,
                                             MemoryBudget& budget, Progress& progress);

}  // namespace edgemill::bench

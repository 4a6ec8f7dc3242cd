// Tests an algorithm on small hard graphs, in every way in which it can run: the answers must be
// the same, and its verifier must accept each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/run/run.h"

namespace edgemill::bench {

/// What to test.
struct ConformanceOptions {
  /// The algorithm with its own options, but without a source: a search starts at vertex 0, at the
  /// last one and, where it takes several, at three in two orders.
  RunOptions run;
  uint64_t seeds = 3;        // how many graphs of each random kind
  double difference = 1e-5;  // of real values that count as the same, relative to the larger
  bool compares = true;      // else only the verifier decides: several answers may be right
  double run_seconds = 60;   // the most that one run may take
  std::vector<std::string> plugins;  // that have the algorithm, for the commands in errors
  std::string scratch = ".";         // a directory for graphs, which are removed
};

/// What was tested on the model of the engine.
struct ModelReport {
  uint64_t graphs = 0;
  uint64_t runs = 0;  // each by another schedule
};

/// What was tested.
struct ConformanceReport {
  uint64_t graphs = 0;
  uint64_t runs = 0;
  std::vector<std::string> ways;      // in which at least one run ended: "--mode pull"
  std::vector<std::string> left_out;  // with the algorithm's reason
  ModelReport on_model;  // no run where the algorithm's file was not compiled for the model
};

/// Memory of the budget for each run, graphs included.
inline constexpr uint64_t kConformanceBytes = uint64_t{256} << 20;

/// Begins on the model, where the algorithm's file was compiled for it. Returns InternalError with
/// the rules that functions broke there, or for the first wrong answer, with the graph and the way.
/// UsageError where the algorithm takes none of the graphs. Also the errors of runs, of making
/// graphs, and BudgetError.
StatusOr<ConformanceReport> TestConformance(const ConformanceOptions& options, MemoryBudget& budget,
                                            Progress& progress);

}  // namespace edgemill::bench

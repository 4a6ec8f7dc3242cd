// A run that has been checked: options and graphs that its algorithm cannot take are refused before
// memory is counted.
#pragma once

#include <memory>

#include "common/status.h"
#include "engine/api/algorithm.h"
#include "engine/run/run_options.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// What will run, on which graph, and its States. The States are not allocated yet: the plan counts
/// them, then the run uses them.
struct PreparedRun {
  /// All must outlive it. Checks nothing.
  PreparedRun(const Algorithm& run, const GraphStore& on, const RunOptions& by);

  const Algorithm& algorithm;
  const GraphStore& store;
  const RunOptions& options;
  RunSetup setup;
  std::unique_ptr<State> state;      // the driver's
  std::unique_ptr<State> describes;  // the description's; null: there is none
  std::unique_ptr<State> verifies;   // the verifier's; null: nothing is to be verified
};

/// Prepares what `options` call for. UsageError for an unknown algorithm, an option or a value that
/// the algorithm does not take, and for a graph that lacks what the algorithm needs.
StatusOr<PreparedRun> PrepareRun(const GraphStore& store, const RunOptions& options);
/// The same with `algorithm` in place of the one that the options name.
StatusOr<PreparedRun> PrepareRun(const Algorithm& algorithm, const GraphStore& store,
                                 const RunOptions& options);

}  // namespace edgemill

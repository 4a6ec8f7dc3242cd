// Tests an algorithm on the model of the engine: under random schedules, which do to its functions
// whatever an engine may do.
#pragma once

#include "bench/conformance/conformance.h"
#include "common/progress.h"
#include "common/status.h"

namespace edgemill::bench {

/// Runs the algorithm on all graphs of the model, in each of its modes, with `options.seeds` seeds
/// each. Its verifier checks each answer, and all must be that of the engine. Returns InternalError
/// with each rule that a function broke, a line each, or else for the first wrong answer. Without
/// runs, and ok, where the algorithm's file was not compiled for the model. Graphs that the
/// algorithm refuses are left out. Also the errors of making graphs.
StatusOr<ModelReport> TestOnModel(const ConformanceOptions& options, Progress& progress);

}  // namespace edgemill::bench

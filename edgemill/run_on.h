// A run on an opened graph, and its answer as the library gives it.
#pragma once

#include "edgemill/edgemill.h"
#include "edgemill/operation.h"
#include "engine/run/run_options.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// Runs `options.algorithm`, and copies the answer within the operation's memory. The errors of
/// Run.
StatusOr<RunAnswer> RunOn(const GraphStore& store, RunOptions options, Operation& operation);

}  // namespace edgemill

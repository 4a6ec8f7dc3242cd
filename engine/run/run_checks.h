// What a run refuses before it counts memory: options and graphs that its algorithm cannot take.
#pragma once

#include "common/status.h"
#include "engine/api/algorithm.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The algorithm that `options` call for, with the checks that need no graph. UsageError for an
/// unknown one, and for an option or a value that it does not take.
StatusOr<const Algorithm*> ChooseAlgorithm(const RunOptions& options);
/// The checks of what `store` has. UsageError.
Status CheckGraph(const Algorithm& algorithm, const RunSetup& setup, const State& state,
                  const GraphStore& store);

}  // namespace edgemill

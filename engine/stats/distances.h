// Distances from sampled sources, by searches.
#pragma once

#include <optional>
#include <vector>

#include "common/types.h"
#include "engine/run/run.h"
#include "engine/stats/graph_stats.h"

namespace edgemill {

/// The options of a search from `source`, as input ids or ranks name it.
RunOptions SearchOptions(ExternalId source, int threads);

/// Runs a search from each of `sources`, uniform samples or all vertices, and two more from the
/// vertices that are farthest away. `components` bounds the diameter of an undirected graph. Errors
/// of Run.
StatusOr<DistanceEstimates> EstimateDistances(const GraphStore& store,
                                              const std::vector<ExternalId>& sources, int threads,
                                              const std::optional<ComponentCounts>& components,
                                              const RunResources& resources);

}  // namespace edgemill

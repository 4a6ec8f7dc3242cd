// The stages that commands will run, for the display of progress.
#pragma once

#include <vector>

#include "cli/display/command_share.h"
#include "engine/run/run.h"
#include "loaders/context/graph_schema.h"
#include "loaders/source/edge_source.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// The plan of `trials` runs. If `writes`, the answer is written too.
std::vector<PlannedStage> PlanOfRun(const GraphStore& store, const RunOptions& options,
                                    uint64_t trials, bool writes);
/// The plan of ingesting or generating a graph.
std::vector<PlannedStage> PlanOfIngest(const EdgeSourceInfo& info, const GraphSchema& schema);
std::vector<PlannedStage> PlanOfExport(const GraphStore& store);
std::vector<PlannedStage> PlanOfVerify(const GraphStore& store);

}  // namespace edgemill::cli

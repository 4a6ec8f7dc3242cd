// Decides between the passes which vertices a graph has and what their ids become.
#pragma once

#include <string>

#include "loaders/context/graph_schema.h"
#include "loaders/context/id_sets.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"
#include "loaders/stages/wide_stage.h"

namespace edgemill {

/// A decision, and why it was taken: text for the user.
struct DecidedIds {
  IdRanks ids;
  std::string reason;
};

/// Decides by the stats of the input, its id sets, which the function empties, and the log of edges
/// with wide ids. BadDataError, with the place of the edge, when the input contradicts what it
/// declares. BudgetError when the ids are too many for `context.budget`.
StatusOr<DecidedIds> DecideIds(const IngestContext& context, const GraphSchema& schema,
                               const IdChoice& choice, const ReadEdges& read);

}  // namespace edgemill

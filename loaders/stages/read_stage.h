// Pass 1: reads the input once and spreads its edges over buckets.
#pragma once

#include <functional>

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"

namespace edgemill {

/// When reading makes its state safe.
struct ReadCheckpoints {
  uint64_t bytes = 0;  // of spill between two
  /// Keeps the state safely with all chunks up to `sequence` in the buckets.
  std::function<Status(uint64_t sequence)> save;
};

/// By which rules an input is read, and when what is read is made safe.
struct ReadOrder {
  const EdgeRules& rules;
  const ReadCheckpoints& checkpoints;
};

/// Reads all of `means.source`, or what is left of it, by `order` into `edges`, and adds to `stats`
/// what it sees. Decides first what `schema` leaves open. Makes the sets of `edges` when there are
/// none. A cancelled read is saved first, when edges were spilled. BadDataError for the first bad
/// edge of the input, with its place.
Status ReadInput(const IngestContext& context, GraphSchema* schema, const ReadOrder& order,
                 SpilledEdges& edges, IntakeStats& stats);

}  // namespace edgemill

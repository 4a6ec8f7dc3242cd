// Pass 1: reads the input once and spreads its edges over buckets.
#pragma once

#include <functional>

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"

namespace edgemill {

/// When and how reading saves its state.
struct ReadCheckpoints {
  uint64_t bytes = 0;  // spilled between two saves
  /// Saves the state in which all chunks up to `sequence` are in the buckets.
  std::function<Status(uint64_t sequence)> save;
};

/// The rules for reading an input, and its checkpoints.
struct ReadOrder {
  const EdgeRules& rules;
  const ReadCheckpoints& checkpoints;
};

/// Reads all of `context.source`, or what is left of it, by `order` into `edges`, and adds to
/// `stats`. First decides what `schema` leaves open. Makes the sets of `edges` if there are none.
/// When cancelled, saves the state first if edges were spilled. BadDataError for the first bad edge
/// of the input, with its place.
Status ReadInput(const IngestContext& context, GraphSchema* schema, const ReadOrder& order,
                 SpilledEdges& edges, IntakeStats& stats);

}  // namespace edgemill

// Turns names into ranks: writes the sorted names, and replaces the hashes of logged edges.
#pragma once

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"
#include "loaders/names/name_run.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Appends `names` to `writer` as the columns of names.
Status WriteNames(const NameRun& names, CompressionPolicy compression, GraphWriter& writer);

/// Replaces `edges.wide`, whose ids are the hashes of `names`, by sets of edges with ranks, and
/// retires the old sets. Spreads the edges as `schema` says; with `single_log` they are one log in
/// `edges.forward`. Reads the log once for each slice of the names' hashes that fits memory.
/// BadDataError when an edge has no name, or two names have one hash; BudgetError.
Status RankEdges(const IngestContext& context, const GraphSchema& schema, bool single_log,
                 const NameRun& names, SpilledEdges& edges);

}  // namespace edgemill

// Names become ranks: all names sorted, then the logged edges' hashes replaced.
#pragma once

#include "loaders/means/ingest_means.h"
#include "loaders/means/ingest_shape.h"
#include "loaders/means/spilled_edges.h"
#include "loaders/names/name_run.h"
#include "storage/write/graph_writer.h"

namespace edgemill {

/// Appends `names` to `writer` as the columns of names.
Status WriteNames(const NameRun& names, CompressionPolicy compression, GraphWriter& writer);

/// Replaces `edges.wide`, whose ids are the hashes of `names`, by sets of edges by rank, spread as
/// `shape` says, or where `raw` as one log in `edges.forward`, and retires what was there. Reads
/// the log once for each slice of the names' hashes that fits memory. BadDataError when an edge has
/// no name, or two names have one hash; BudgetError.
Status RankEdges(const IngestMeans& means, const IngestShape& shape, bool raw, const NameRun& names,
                 SpilledEdges& edges);

}  // namespace edgemill

// Handles ids that are too large for the set of ids seen: logs edges as read, sorts the ids
// externally, and spreads the edges again by rank.
#pragma once

#include "loaders/buckets/wide_log.h"
#include "loaders/context/graph_schema.h"
#include "loaders/context/id_sets.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"

namespace edgemill {

/// The error of an edge with a vertex that the list of vertices lacks.
Status UnlistedError(ExternalId source, ExternalId target, ExternalId missing);

/// UnlistedError of the first edge that has the vertex `missing`, with its place.
Status ExplainUnlisted(const EdgeErrorLocator& places, const BucketSet& forward,
                       ExternalId missing);

/// Places all edges of `chunk` as read, which are in `batch`, in `edges.wide`. Appends listed
/// vertices to `edges.wide_listed`. Makes both when they are first needed. `copies` must run
/// afterwards. One thread at a time, in the input's order.
Status LogWide(const EdgeRules& rules, const EdgeChunk& chunk, const WideBatch& batch,
               SpilledEdges& edges, SpillCopies* copies);

/// What an input has left once it is read.
struct ReadEdges {
  const IntakeStats& stats;
  IdSets& sets;
  SpilledEdges& edges;
};

/// The map of all ids: those of `read.sets`, which the function empties, and the wide ids.
/// BadDataError when an edge names a vertex that the list of vertices lacks, or when the vertices
/// are too many. BudgetError when the wide ids do not fit memory.
StatusOr<IdRanks> ResolveWideIds(const IngestContext& context, const GraphSchema& schema,
                                 const ReadEdges& read);

/// Spreads all edges by rank over new sets, with `single_log` as in EdgePartitioner, and retires
/// the old sets. BadDataError, with the place, when an edge names a vertex that `ids` lacks.
Status RankWideEdges(const IngestContext& context, const GraphSchema& schema, bool single_log,
                     const IdRanks& ids, SpilledEdges& edges);

}  // namespace edgemill

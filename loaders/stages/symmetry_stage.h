// Finds the edge that makes a --symmetric input not symmetric.
#pragma once

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"
#include "loaders/ids/vertex_id_map.h"

namespace edgemill {

/// Returns a BadDataError that names the first edge, in the order of keys, without an equal edge in
/// the other direction, and the place of the edge. Partitions all of `edges` once more.
/// InternalError when the edges are symmetric.
Status ExplainAsymmetry(const IngestContext& context, const GraphSchema& schema,
                        const VertexIdMap& names, SpilledEdges& edges);

}  // namespace edgemill

// Gives vertices internal ids by degree or at random, and spreads the logged edges over buckets by
// these ids.
#pragma once

#include "loaders/context/graph_schema.h"
#include "loaders/context/ingest_context.h"
#include "loaders/context/spilled_edges.h"
#include "loaders/ids/vertex_id_map.h"

namespace edgemill {

/// Renumbers the vertices of the log `edges.forward`, whose keys hold the ids that `names` maps.
/// Afterwards keys hold internal ids. Writes the column of internal ids if the schema stores the
/// columns of vertices. BudgetError when memory is too small.
Status Renumber(const IngestContext& context, const GraphSchema& schema, VertexIdMap& names,
                SpilledEdges& edges);

}  // namespace edgemill

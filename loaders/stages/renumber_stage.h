// Gives vertices internal ids by degree, and spreads the edges that were logged over buckets by
// them.
#pragma once

#include "loaders/means/ingest_means.h"
#include "loaders/means/ingest_shape.h"
#include "loaders/means/spilled_edges.h"
#include "loaders/means/vertex_names.h"

namespace edgemill {

/// Renumbers the vertices of the log `edges.forward`, whose keys hold what `names` say; afterwards
/// they hold internal ids. Writes the column of internal ids. BudgetError when memory is too small.
Status Renumber(const IngestMeans& means, const IngestShape& shape, VertexNames& names,
                SpilledEdges& edges);

}  // namespace edgemill

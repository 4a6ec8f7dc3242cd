// Finds the edge that makes a --symmetric input not symmetric.
#pragma once

#include "loaders/means/ingest_means.h"
#include "loaders/means/ingest_shape.h"
#include "loaders/means/spilled_edges.h"
#include "loaders/means/vertex_names.h"

namespace edgemill {

/// Returns BadDataError that names the first edge, in the order of keys, without an equal one in
/// the other direction, and its place. Partitions all of `edges` once more. InternalError when the
/// edges are symmetric.
Status ExplainAsymmetry(const IngestMeans& means, const IngestShape& shape,
                        const VertexNames& names, SpilledEdges& edges);

}  // namespace edgemill

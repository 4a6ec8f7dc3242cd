// Where in its input an edge was read: for messages about edges that only turn out bad later.
#pragma once

#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Reads `paths` again, from the start, up to the first edge that `match` selects, on the calling
/// thread. In text the place is "FILE:LINE:1"; of a line that is read in raw chunks, it has the
/// column at which the edge's raw chunk begins. In binary formats it is "FILE (edge N)", counted
/// from 0. Its text is empty when there is no such edge, or when an input up to it is no regular
/// file. Errors are those of reading.
StatusOr<LocatedEdge> LocateEdge(const std::vector<std::string>& paths, const ReadOptions& options,
                                 const EdgeMatch& match);

}  // namespace edgemill

// Where in its input an edge was read: for messages about edges that only turn out bad later.
#pragma once

#include <string>
#include <vector>

#include "common/status.h"
#include "loaders/options/read_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Reads `paths` again from the start, up to the first edge that `match` selects, on the calling
/// thread. In a text, the place is "FILE:LINE:1"; if the line was cut into raw chunks, the column
/// is where the edge's raw chunk begins. In binary formats, the place is "FILE (edge N)", counted
/// from 0. The place is empty when no edge matches, or when an input that must be read is no
/// regular file. Errors are those of reading.
StatusOr<LocatedEdge> LocateEdge(const std::vector<std::string>& paths, const ReadOptions& options,
                                 const EdgeMatch& match);

}  // namespace edgemill

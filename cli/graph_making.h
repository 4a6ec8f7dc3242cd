// Ingest into a graph directory, replacing one that is there only when the new one is whole.
#pragma once

#include <string>
#include <vector>

#include "cli/ingest_flags.h"
#include "cli/session.h"
#include "common/status.h"
#include "loaders/ingest/ingest.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Where --replace makes the graph that takes the place of the one at `out`, and where that one
/// goes before it is removed.
std::string ReplacingPath(const std::string& out);

/// Removes the graph at `out`, whole or half made, and what a --replace of it that was killed left
/// beside it. The errors of RemoveGraph.
Status RemoveWithRemains(const std::string& out, const std::vector<std::string>& data_directories);

/// Makes the graph at `out` from `source`, or goes on with it under --resume. Under --replace the
/// new graph is made at OUT.replacing and changes places with the old one, which then goes: until
/// the end a failure leaves the old one as it was. With an explicit --uuid it is removed first,
/// since both would have the same names on the data directories.
StatusOr<IngestReport> MakeGraph(EdgeSource& source, const std::string& out,
                                 const IngestFlags& flags, const IngestOptions& options,
                                 Session& session);

}  // namespace edgemill::cli

// Ingest into a graph directory, replacing one that is there only when the new one is whole.
#pragma once

#include <string>
#include <vector>

#include "cli/ingest/ingest_flags.h"
#include "cli/ingest/ingest_report.h"
#include "cli/session.h"
#include "common/status.h"
#include "loaders/ingest/ingest.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Where --replace makes the graph that takes the place of the one at `out`, and where the old one
/// is moved before it is removed.
std::string ReplacingPath(const std::string& out);

/// Removes the graph at `out`, whole or half made, and what a --replace of it that was killed left
/// beside it. The errors of RemoveGraph.
Status RemoveWithRemains(const std::string& out, const std::vector<std::string>& data_directories);

/// Makes the graph of the order from `source`, or goes on with it under --resume, and reports it as
/// the command's answer. Where the order's path is a symbolic link, the graph is made where that
/// points to. Under --replace the new graph is made at OUT.replacing and changes places with the
/// old one, which is then removed. Wherever that fails or is stopped, the old graph or the new one
/// is at `out`, whole. The same command, or --resume, then completes it. OutputError when both
/// would have the same place on a data directory, for want of another --uuid.
Status MakeGraph(const GraphOrder& order, EdgeSource& source, const IngestFlags& flags,
                 const IngestOptions& options, Session& session);

}  // namespace edgemill::cli

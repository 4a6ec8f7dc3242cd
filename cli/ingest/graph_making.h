// Makes a graph directory from edges. It replaces an old graph only when the new one is whole.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/ingest/ingest_flags.h"
#include "cli/ingest/ingest_report.h"
#include "cli/session.h"
#include "common/status.h"
#include "loaders/ingest/ingest.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Where --replace makes the new graph. The old graph is moved to this path before it is removed.
std::string ReplacingPath(const std::string& out);

/// Removes the graph at `out`, whole or half made, and what a killed --replace left beside it.
/// Returns the errors of RemoveGraph.
Status RemoveWithRemains(const std::string& out, const std::vector<std::string>& data_directories);

/// Makes the graph of the request from `source`, or goes on with it under --resume. Reports the
/// graph as the command's answer. If the request's path is a symbolic link, makes the graph where
/// the link points to. Under --replace, makes the new graph at OUT.replacing, exchanges it with the
/// old one, and then removes the old one. After any failure or stop, either the old graph or the
/// new one is whole at `out`. The same command, or --resume, then completes the work. Returns
/// OutputError when both graphs have the same --uuid and would share a place on a data directory.
Status MakeGraph(const GraphRequest& request, EdgeSource& source, const IngestFlags& flags,
                 const IngestOptions& options, Session& session);

/// The same without a report to the user. Nullopt: the graph had been made by an earlier run, and
/// has only now taken its place.
StatusOr<std::optional<IngestReport>> PlaceGraph(const std::string& out, EdgeSource& source,
                                                 const IngestFlags& flags,
                                                 const IngestOptions& options, const Means& means);

}  // namespace edgemill::cli

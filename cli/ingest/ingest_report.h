// The report that ingest and generate print at the end.
#pragma once

#include <string>
#include <string_view>

#include "cli/session.h"
#include "common/clock.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"

namespace edgemill::cli {

/// What the user asked of a command that makes a graph.
struct GraphRequest {
  std::string_view command;  // "ingest"
  std::string out;           // the graph directory, as typed
  Stopwatch since_start;
};

/// Prints the report on a new graph, with the time of each stage if `verbose`, and puts the
/// same into the JSON answer.
/// Warns of a graph without vertices, also under --quiet.
Status ReportIngest(const GraphRequest& request, const IngestReport& report, bool verbose,
                    Session& session);

}  // namespace edgemill::cli

// What ingest and generate say in the end.
#pragma once

#include <string>
#include <string_view>

#include "cli/session.h"
#include "common/clock.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"

namespace edgemill::cli {

/// A command that makes a graph.
struct GraphOrder {
  std::string_view command;  // "ingest"
  std::string out;           // the graph directory, as typed
  Stopwatch since_start;
};

/// Prints the report on the graph that was made, each stage's time when `verbose`, and sets the
/// JSON. A graph without vertices is warned of, under --quiet too.
Status ReportIngest(const GraphOrder& order, const IngestReport& report, bool verbose,
                    Session& session);

}  // namespace edgemill::cli

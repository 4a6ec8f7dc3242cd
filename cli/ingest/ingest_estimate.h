// Estimates what an ingest takes, from counts that the input declares and a sample of its edges.
#pragma once

#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Reads the first chunks of `source` and prints how its inputs are understood, with their first
/// rows. Also prints estimates of edges, time and memory, and bounds of the bytes of the graph and
/// of temporary files. Also prints the free space where these files would go. Writes no file.
/// Returns the errors of the sample.
Status EstimateIngest(EdgeSource& source, const std::string& out, const IngestOptions& options,
                      Session& session);

}  // namespace edgemill::cli

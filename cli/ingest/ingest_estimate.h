// What an ingest would take, from counts that the input declares and a sample of its edges.
#pragma once

#include <string>

#include "cli/session.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Reads the first chunks of `source` and prints how its inputs are understood, with their first
/// rows. Also prints estimates of edges, time and memory, and bounds of bytes stored and temporary
/// bytes. Beside these stands the free space of the places that blocks would go to. Writes nothing.
/// Returns the errors of the sample.
Status EstimateIngest(EdgeSource& source, const std::string& out, const IngestOptions& options,
                      Session& session);

}  // namespace edgemill::cli

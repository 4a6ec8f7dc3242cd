// Whether disks have room for what an ingest will make, before it begins.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/options/read_options.h"

namespace edgemill::cli {

/// IoError of a full disk, with numbers, where the graph or its temporary files surely do not fit
/// what is free. Reads a sample of the inputs, where they are files and room is short; knows
/// nothing of pipes.
Status CheckDisks(const std::vector<std::string>& inputs, const ReadOptions& read,
                  const std::string& out, const IngestOptions& options, Session& session);

}  // namespace edgemill::cli

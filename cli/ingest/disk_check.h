// Checks before an ingest whether disks have enough space for its files.
#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "common/status.h"
#include "loaders/options/ingest_options.h"
#include "loaders/options/read_options.h"

namespace edgemill::cli {

/// Returns IoError of a full disk, with numbers, where the graph or its temporary files surely do
/// not fit into the free space. Reads a sample of the inputs if they are files and might not fit.
/// Does not check inputs that are pipes.
Status CheckDisks(const std::vector<std::string>& inputs, const ReadOptions& read,
                  const std::string& out, const IngestOptions& options, Session& session);

}  // namespace edgemill::cli

// Results out of what commands said of themselves.
#pragma once

#include <string>
#include <vector>

#include "bench/result_file.h"
#include "common/status.h"

namespace edgemill::bench {

/// Makes a result of the files that ingest, generate, run and verify wrote with --json: each
/// command's figures are a sample of its metrics ("ingest: time", "bfs: read"), those of the same
/// command again are further samples. Verified when every run was run with -v, and every ingested
/// graph has a verify after it that found nothing bad. Commit, machine and command are left to the
/// caller; `*graphs` gets the graphs' paths. BadDataError when a file is no such report, or one of
/// a failure.
StatusOr<BenchmarkResult> CollectReports(const std::vector<std::string>& paths,
                                         std::vector<std::string>* graphs);

}  // namespace edgemill::bench

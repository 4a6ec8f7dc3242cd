// What `bench run` says of its trials: a table, and a result that can be compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/record/result_file.h"
#include "bench/trials/algorithm_trials.h"
#include "cli/bench/result_page.h"
#include "cli/session.h"
#include "common/status.h"
#include "storage/read/graph_store.h"

namespace edgemill::cli {

/// Trials, and what they were made with. `all` has a series.
struct TrialsReport {
  const std::vector<bench::TrialSeries>& all;
  const GraphStore& store;
  const bench::TrialPlan& plan;
  std::string graph;  // its directory
  std::string rules;  // as --rules names them
  uint64_t seed = 0;
  bool verified = true;
  bool by_iteration = false;  // whether the details have iterations
};

/// A table with a row for each series, and the processors.
std::string TrialsText(const std::vector<bench::TrialSeries>& all, bool verified);

/// The same as a page: the times and the bytes of each series as ranges, and the table.
ResultPage TrialsPage(const std::vector<bench::TrialSeries>& all, bool verified);

/// The result with settings, metrics and details. The errors of reading the sources' ids.
StatusOr<bench::BenchmarkResult> TrialsResult(const TrialsReport& report, Session& session);

}  // namespace edgemill::cli

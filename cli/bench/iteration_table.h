// Iterations of several ways to run an algorithm, side by side.
#pragma once

#include <string>
#include <vector>

#include "bench/trials/algorithm_trials.h"

namespace edgemill::cli {

/// A table for each algorithm: the first iteration of all its series, then the second, and so on,
/// of the last trials. Columns about a GPU are there if one was used. Several small iterations that
/// ran in one launch share a row.
std::string IterationTables(const std::vector<bench::TrialSeries>& all);

}  // namespace edgemill::cli

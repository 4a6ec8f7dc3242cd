// What `run --dry-run` prints.
#pragma once

#include <cstdint>
#include <string>

#include "engine/estimate/run_estimate.h"

namespace edgemill::cli {

/// One line a fact. `memory_bytes` is the budget.
std::string EstimateText(const RunEstimate& estimate, const RunOptions& options,
                         uint64_t memory_bytes);
std::string EstimateJson(const RunEstimate& estimate);

}  // namespace edgemill::cli

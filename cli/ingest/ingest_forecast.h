// Predicts what an ingest makes and takes, from a sample of its input.
#pragma once

#include <cstdint>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/context/graph_schema.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Stored and temporary bytes are upper bounds. They are at most about 1.3 times what is taken, if
/// the rest of the input is like the sample.
struct IngestForecast {
  double sampled_edges = 0;
  double input_edges = 0;
  double stored_edges = 0;
  double vertices = 0;
  double stored_bytes = 0;
  double temporary_bytes = 0;  // with the memory of the budget; 0: none are needed
  double ample_memory = 0;     // about the memory from which on no temporary bytes are needed
  double seconds = 0;
  std::vector<InputPreview> previews;
};

/// The most that a bound may be above what is taken, as a factor.
inline constexpr double kMaxOverestimate = 1.3;

/// Reads the first chunks of `source`. Returns errors of reading, and errors with which an ingest
/// would end before it reads.
StatusOr<IngestForecast> ForecastIngest(EdgeSource& source, const IngestOptions& options,
                                        const MemoryBudget& budget);

}  // namespace edgemill::cli

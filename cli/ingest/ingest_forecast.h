// What an ingest will make and take, foretold from a sample of its input.
#pragma once

#include <cstdint>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/context/graph_schema.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill::cli {

/// Bytes are bounds: no less than what is taken, and about 1.3 times as much at the most, as far as
/// the sample is like the rest.
struct IngestForecast {
  double sampled_edges = 0;
  double input_edges = 0;
  double stored_edges = 0;
  double vertices = 0;
  double stored_bytes = 0;
  double temporary_bytes = 0;  // with the memory that there is; 0: none is needed
  double ample_memory = 0;     // about the memory with which none is needed
  double seconds = 0;
  std::vector<InputLook> looks;
};

/// Bounds are that much above what was foretold, and more than what is taken by no more than this.
inline constexpr double kMaxOverestimate = 1.3;

/// Reads the first chunks of `source`. Errors of reading, and those with which an ingest would end
/// before it reads.
StatusOr<IngestForecast> ForecastIngest(EdgeSource& source, const IngestOptions& options,
                                        const MemoryBudget& budget);

}  // namespace edgemill::cli

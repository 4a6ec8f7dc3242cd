// Estimates how much an ingest will write to temporary files, by how it will divide its memory.
#pragma once

#include <cstdint>
#include <span>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/context/graph_schema.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// Estimates of the size of an input.
struct InputExtent {
  double edges = 0;                // as read
  double vertices = 0;             // the number of ids that occur, or the length of their range
  double name_bytes = 0;           // of all distinct names, without the parts that names share
  uint64_t max_id = 0;             // if ids are numbers
  std::span<const uint64_t> keys;  // EdgeKey of some edges, in input order, with the ids as read
};

/// Estimates the bytes that an ingest of `extent` will write to temporary files, with the memory
/// that `budget` has left: 0 if all stays in memory. The files are no larger than these bytes.
/// BudgetError if the ingest cannot run.
StatusOr<double> ForecastSpills(const EdgeSourceInfo& info, const GraphSchema& schema,
                                const IngestOptions& options, const InputExtent& extent,
                                const MemoryBudget& budget);

}  // namespace edgemill

// What an ingest will write to temporary files, foretold from how it will divide its memory.
#pragma once

#include <cstdint>
#include <span>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "loaders/context/graph_schema.h"
#include "loaders/options/ingest_options.h"
#include "loaders/source/edge_source.h"

namespace edgemill {

/// About how much an input has.
struct InputExtent {
  double edges = 0;       // as they are read
  double vertices = 0;    // ids that occur, or the length of their range
  double name_bytes = 0;  // of all different names, each without what it shares with another
  uint64_t max_id = 0;    // where ids are numbers
  std::span<const uint64_t> keys;  // of some edges (EdgeKey), in their order, by ids as read
};

/// The bytes that an ingest of `extent` within what `budget` has left will write to temporary
/// files, about: 0 where all stays in memory. Files take no more than is written. BudgetError where
/// the ingest cannot run.
StatusOr<double> ForecastSpills(const EdgeSourceInfo& info, const GraphSchema& schema,
                                const IngestOptions& options, const InputExtent& extent,
                                const MemoryBudget& budget);

}  // namespace edgemill

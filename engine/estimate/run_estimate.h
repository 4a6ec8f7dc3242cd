// What a run will take, told before it reads anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/estimate/known_runs.h"
#include "engine/run/run_options.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The passes of a run, by those of known runs on graphs of the same kind. They are estimates: see
/// docs/PERFORMANCE.md for how far they were from runs.
struct ExpectedWork {
  std::string_view kind;          // the kind of known graphs that this one is most like
  uint64_t iterations = 0;        // as the run's report counts them
  double passes = 0;              // over all edges, by the time that they take
  uint64_t bytes_read = 0;        // from disk
  std::optional<double> seconds;  // of the iterations; nullopt where a GPU is used
};

struct RunEstimate {
  uint64_t least_memory_bytes = 0;  // the least --memory
  bool fits = false;                // the budget is enough
  uint64_t vertex_bytes = 0;        // index, state and answer at their greatest
  uint64_t edge_bytes = 0;          // of the blocks that the run reads, in memory
  double kept_share = 0;            // of them that stay in memory once read
  GraphShape shape;
  std::optional<ExpectedWork> work;  // nullopt: no run of this algorithm on such a graph is known
};

/// Estimates Run(store, options, ...) within `budget`. Reads nothing. A run that does not fit the
/// budget is no error. The other errors of a run that cannot start: those of LeastBudget and
/// CheckGpu.
StatusOr<RunEstimate> EstimateRun(const GraphStore& store, const RunOptions& options,
                                  const MemoryBudget& budget, Progress& progress);

}  // namespace edgemill

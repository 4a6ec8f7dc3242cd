// What a run may use: memory for index, state, buffers and cache, from counts alone.
#pragma once

#include <cstdint>

#include "common/memory_budget.h"
#include "common/status.h"
#include "engine/api/algorithm.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/run/run.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// What a run will take, computed from counts before anything is read.
struct RunNeeds {
  GraphNeeds graph;
  bool weights = false;        // are read with the neighbours
  bool block_ids = false;      // DecodeScratch, on the CPU
  bool block_weights = false;  // with weights
  bool tests_kept = false;     // pulls on the CPU test kept neighbours
  CardNeeds card;              // on a card, where one is used
  /// Bytes beside the indexes while running: arrays, sets, what passes need.
  uint64_t state_bytes = 0;
  /// Bytes beside the indexes while describing the answer, and while verifying it.
  uint64_t describe_bytes = 0;
  uint64_t verify_bytes = 0;
  /// Bytes of the answer, kept until it is written.
  uint64_t answer_bytes = 0;
  bool answers_vertices = false;  // the answer's values are vertices
  /// Mode::kAuto may become push or pull alone where memory is short: the answer is the same.
  bool any_mode_will_do = false;
};

/// How the budget is shared out.
struct RunPlan {
  RunNeeds needs;
  uint64_t fixed_bytes = 0;  // indexes, state and answer at their greatest
  uint64_t least_buffer_bytes = 0;
  /// The least --memory, all included.
  uint64_t least_budget_bytes = 0;
  BlockReaderOptions reader;
  uint64_t gpu_staging_bytes = 0;  // pinned buffers for the GPU; in fixed_bytes
  uint64_t swept_bytes = 0;        // of all blocks that are read again and again
  bool fits_in_cache = false;      // every block that is swept stays in memory
  /// On the CPU alone, for what sweeps learn: what a cache of all leaves, or a part of the cache.
  uint64_t spare_bytes = 0;
};

/// Threads that use the reader at once: where two processors share a run, both sweep.
inline int ReaderThreads(const RunOptions& options) {
  return options.device == Device::kHybrid ? 2 * options.threads : options.threads;
}

/// Counts what `algorithm` needs on `store`, with a GPU's buffers if it runs `on_gpu`. Fills in all
/// but `reader`. The algorithm's own UsageErrors.
StatusOr<RunPlan> CountRun(const Algorithm& algorithm, const GraphStore& store,
                           const RunOptions& options, const MemoryBudget& budget, bool on_gpu);

/// Shares what `budget` has left between buffers and cache. BudgetError with the least workable
/// --memory when it is too small.
Status ShareOut(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
                RunPlan* plan);

}  // namespace edgemill

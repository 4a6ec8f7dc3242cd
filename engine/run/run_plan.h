// What a run may use: memory for index, state, buffers and cache, computed only from counts.
#pragma once

#include <cstdint>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "engine/cpu/intersect/list_pairs.h"
#include "engine/gpu/workspace/pass_arrays.h"
#include "engine/plan/pass_options.h"
#include "engine/run/prepared_run.h"
#include "engine/run/processor.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// What a run will take, computed from counts before anything is read.
struct RunNeeds {
  GraphNeeds graph;
  bool weights = false;        // weights are read with the neighbours
  bool block_ids = false;      // takes DecodeScratch, on the CPU
  bool block_weights = false;  // the DecodeScratch has weights
  bool tests_sampled = false;  // pulls on the CPU test sampled neighbours
  DeviceNeeds device;          // on a GPU, where one is used
  ListMemory lists;            // for Intersect
  /// Bytes beside the indexes while running: arrays, sets, and memory of passes.
  uint64_t state_bytes = 0;
  /// Bytes beside the indexes while describing the answer, or while verifying it if that is more.
  uint64_t after_bytes = 0;
  /// Bytes of the answer, kept until it is written.
  uint64_t answer_bytes = 0;
  bool answers_vertices = false;  // the answer's values are vertices
  /// Mode::kAuto may become only push, or only pull, where memory is short: the answer is the same.
  bool any_mode_will_do = false;
};

/// How a run executes, and how the budget is shared out.
struct RunPlan {
  Processors processors = Processors::kCpu;
  PassOptions passes;
  RunNeeds needs;
  uint64_t fixed_bytes = 0;  // indexes, state and answer at their greatest
  uint64_t min_buffer_bytes = 0;
  /// The least --memory, all included.
  uint64_t min_budget_bytes = 0;
  /// Blocks come from RunOptions::shared_reader; else from a reader with the options `reader`.
  bool shares_reader = false;
  BlockReaderOptions reader;
  uint64_t gpu_staging_bytes = 0;  // pinned buffers of each GPU; in fixed_bytes
  uint64_t scanned_bytes = 0;      // of all blocks that are read again and again
  bool fits_in_cache = false;      // every such block stays in memory
  /// Memory for what passes learn of neighbours, on the CPU only: what a cache of all blocks
  /// leaves, or a part of the cache.
  uint64_t spare_bytes = 0;
};

/// Counts what a run with these `passes` takes on these processors. Fills in all but `reader`.
RunPlan CountRun(const PreparedRun& run, const MemoryBudget& budget, Processors processors,
                 const PassOptions& passes);
/// What the options say about passes. What the options leave to the plan has its default.
PassOptions AskedPasses(const RunOptions& options);
/// The mode that takes the least memory on the CPU, where the options leave the mode open. The
/// index of one direction takes less than two indexes. kAuto where no other mode takes less.
Mode LeastMode(const PreparedRun& run, const MemoryBudget& budget);

/// Plans the run on `processor`, within the memory of its GPU and `budget`. With Device::kAuto, a
/// processor whose GPU is too small for the run becomes the CPU. A run that does not fit `budget`
/// takes the LeastMode. Where options leave it open, passes are asynchronous if that saves reads
/// and changes no answer. BudgetError with the least workable --memory.
StatusOr<RunPlan> PlanRun(const PreparedRun& run, const MemoryBudget& budget, Progress& progress,
                          Processor& processor);

}  // namespace edgemill

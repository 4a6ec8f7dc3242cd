// The engine's public interface: runs an algorithm on a graph within a memory budget, and returns
// the answer.
#pragma once

#include <cstdint>
#include <memory>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/run/opened_run.h"
#include "engine/run/run_options.h"
#include "engine/run/run_report.h"
#include "engine/run/run_result.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

/// The least --memory with which `options` can run on `store`, in bytes: the process's share, what
/// `budget` has reserved already (the open catalog), index, state and the smallest buffers. For
/// Device::kGpu and kHybrid, a GPU's buffers too. Computed from counts; reads nothing. On the CPU,
/// Mode::kAuto counts as the mode that needs the least, because a run with little memory takes that
/// mode. The errors of a run that cannot start: UsageError for an unknown algorithm, an option that
/// the algorithm does not have, or a column that the graph lacks.
StatusOr<uint64_t> LeastBudget(const GraphStore& store, const RunOptions& options,
                               const MemoryBudget& budget);

/// Checks that there is a GPU for `options`, with the least memory that a run on `store` takes.
/// Returns the GpuError or BudgetError that Run would. Ok where the options ask for no GPU.
Status CheckGpu(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
                Progress& progress);

/// Runs an algorithm. Reads what it needs of the graph, and caches blocks in the memory that
/// `budget` has left beyond index and state. Errors: those of LeastBudget; BudgetError with the
/// least workable number; UsageError for a source that is no vertex; BadDataError for a damaged
/// block, by its name; IoError; CancelledError. After an error there is no answer.
StatusOr<std::unique_ptr<RunResult>> Run(const GraphStore& store, const RunOptions& options,
                                         MemoryBudget& budget, Progress& progress,
                                         const ReaderFactory& make_reader = BlockReader::Create);

/// Removes the checkpoints of a run on `store` with these options; ok where there is none. The
/// caller has written the answer.
Status RemoveCheckpoints(const GraphStore& store, const RunOptions& options);
/// Whether a run on `store` with these options has left a checkpoint, from which it can go on.
bool HasCheckpoint(const GraphStore& store, const RunOptions& options);

/// Whether the algorithm, with these `options`, may take RunOptions::async_passes.
bool MayRunAsynchronously(const RunOptions& options);

}  // namespace edgemill

// The engine's public face: what to run, on which graph, within which means; and what came of it.
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
/// `budget` has reserved already (the open catalog), index, state and the smallest buffers. From
/// counts alone; reads nothing. On the CPU, Mode::kAuto is taken for the one of them that needs the
/// least, as a run does which has no more. With a GPU's buffers for Device::kGpu and kHybrid. The
/// errors of a run that cannot start: UsageError for an unknown algorithm, an option that it does
/// not have or a column that the graph lacks.
StatusOr<uint64_t> LeastBudget(const GraphStore& store, const RunOptions& options,
                               const MemoryBudget& budget);

/// Whether there is a GPU for `options`, with the least memory that a run on `store` takes:
/// GpuError and BudgetError as those of Run. Ok where the options want no GPU.
Status CheckGpu(const GraphStore& store, const RunOptions& options, const MemoryBudget& budget,
                Progress& progress);

/// Runs an algorithm. Reads of the graph what it needs, keeps blocks in what `budget` has left
/// beyond index and state. Errors: those of LeastBudget; BudgetError with the least workable
/// number; UsageError for a source that is no vertex; BadDataError for a damaged block, by its
/// name; IoError; CancelledError. There is no answer then.
StatusOr<std::unique_ptr<RunResult>> Run(const GraphStore& store, const RunOptions& options,
                                         MemoryBudget& budget, Progress& progress,
                                         const ReaderFactory& make_reader = BlockReader::Create);

/// Whether the algorithm, as `options` have it run, may take RunOptions::async_passes.
bool MayRunAsynchronously(const RunOptions& options);

}  // namespace edgemill

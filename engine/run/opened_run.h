// A run whose graph is open: its indexes are loaded, its State is allocated.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/api/answer.h"
#include "engine/report/recorder.h"
#include "engine/run/run_options.h"
#include "engine/run/run_report.h"
#include "engine/run/run_result.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"

namespace edgemill {

class Checkpoints;
struct PreparedRun;
struct RunContext;
struct RunPlan;
class Processor;

/// How a run gets its reader; tests give one over memory.
using ReaderFactory = std::function<StatusOr<std::unique_ptr<BlockReader>>(
    const GraphStore& store, const BlockReaderOptions& options, MemoryBudget& budget)>;

/// What a run may use, and where it reports its progress.
struct RunResources {
  MemoryBudget& budget;
  Progress& progress;
  const ReaderFactory& make_reader;
};

/// A run that can start. All arguments of Open must outlive it. It takes the State out of `run`.
class OpenedRun {
 public:
  /// The run's checkpoints; null: it has none. They must outlive it.
  void Keep(Checkpoints* checkpoints) { checkpoints_ = checkpoints; }
  /// BudgetError; UsageError for a source that is no vertex; BadDataError; IoError.
  static StatusOr<std::unique_ptr<OpenedRun>> Open(PreparedRun& run, const RunPlan& plan,
                                                   const Processor& processor,
                                                   const RunResources& resources);
  /// Runs the algorithm once, uncounted.
  Status Warm();
  /// Runs the algorithm. Describes its answer and, where the options say so, verifies it. No call
  /// may follow.
  StatusOr<std::unique_ptr<RunResult>> RunAndVerify();

 private:
  OpenedRun(PreparedRun& run, const RunPlan& plan, const Processor& processor,
            const RunResources& resources)
      : run_(run), plan_(plan), processor_(processor), resources_(resources) {}
  RunContext Context() const;
  Status FindSources();
  Status RunOnce(Recorder& recorder, Checkpoints* checkpoints, Answer* answer);
  Status RunTimed(Answer* answer);
  /// Fills in the report's edges/s.
  Status CountEdges(const Answer& answer);
  Status Describe(Answer* answer);
  Status Verify();

  PreparedRun& run_;
  const RunPlan& plan_;
  const Processor& processor_;
  const RunResources resources_;
  Checkpoints* checkpoints_ = nullptr;
  std::unique_ptr<BlockReader> reader_;
  std::unique_ptr<LoadedGraph> graph_;
  std::vector<VertexId> sources_;  // internal, each once, in the order in which they were given
  // What the reader has read for others: before this run, and for Warm.
  uint64_t other_bytes_ = 0;
  uint64_t other_reads_ = 0;
  RunReport report_;
};

}  // namespace edgemill

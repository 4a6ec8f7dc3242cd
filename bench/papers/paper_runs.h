// Runs what figures of the papers show: each algorithm in each way that some figure names, once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/papers/paper_figure.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/run/run_options.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// How figures are measured.
struct PaperOptions {
  /// Of all runs: the GPU's memory where edges do not fit it, calibration, threads.
  RunOptions run;
  uint64_t gpu_memory_bytes = 0;  // 0: a quarter of the raw edges' bytes
  uint64_t csr_memory_bytes = 0;  // for raw CSR
  uint64_t trials = 3;
  uint64_t seed = 0;  // chooses the sources
  bool verify = true;
};

/// All runs on one graph.
struct PaperRuns {
  using Key = std::pair<std::string_view, std::string_view>;  // algorithm, way
  std::map<Key, PaperRun> runs;
  PaperGraph graph;
  std::string gpu;                   // its name; empty: none was used
  std::vector<std::string> remarks;  // what could not run, and why

  /// Null where it could not run.
  const PaperRun* Find(std::string_view algorithm, const PaperWay& way) const;
};

/// Runs all algorithms and ways of `figures`, in turns: Edgemill's first, then those of rivals'
/// plain versions on raw CSR. What this graph or this machine does not allow is left out, with a
/// remark. Stops at the first error of a run or of its verification.
StatusOr<PaperRuns> RunPaperFigures(const GraphStore& store,
                                    const std::vector<const PaperFigure*>& figures,
                                    const PaperOptions& options, MemoryBudget& budget,
                                    Progress& progress);

// What an algorithm of a figure does.
bool ReadsWeights(std::string_view algorithm);
/// Along out- and in-lists, where the graph is directed.
bool SendsBothWays(std::string_view algorithm);

}  // namespace edgemill::bench

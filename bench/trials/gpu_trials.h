// Measures Edgemill's engines on a GPU and those of other systems (raw_run.h), in turns, on one
// graph, and verifies the answers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/record/result_file.h"
#include "bench/rivals/raw_run.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"
#include "engine/run/run.h"
#include "storage/read/graph_store.h"

namespace edgemill::bench {

/// One of Edgemill's ways to bring edges to a GPU.
struct EdgemillEngine {
  Transfer transfer = Transfer::kAuto;
  CostModelKind cost_model = CostModelKind::kCalibrated;  // by which kAuto chooses

  /// "auto", "hytgraph" (auto by its constants), "filter".
  std::string_view Name() const;
};
/// All of them.
const std::vector<EdgemillEngine>& EdgemillEngines();

/// What to measure.
struct GpuTrialOptions {
  /// Any of KnownNames.
  std::vector<std::string> algorithms;
  /// Edgemill's engines; kResident has all of the GPU's memory.
  std::vector<EdgemillEngine> engines;
  Calibration calibration;  // by which the engines choose
  /// Raw engines to compare with; those in the GPU's memory have all of it.
  std::vector<RawChoice> raw_engines;
  uint64_t trials = 3;
  uint64_t gpu_memory_bytes = 0;  // of all other engines; 0: a quarter of the raw edges' bytes
  uint64_t csr_memory_bytes = 0;  // for raw CSR and the checks of answers on it
  uint32_t edge_bytes = 4;        // of neighbours that kernels read across the link: 4 or 8
  uint32_t iterations = 10;       // of pagerank
  double tolerance = 1e-2;        // of pagerank by deltas
  uint32_t streams = 4;
  uint32_t num_pages = 0;  // of edges: kernels of shards are timed on each, in pagerank
  uint64_t seed = 0;
  int threads = 1;
  bool verify = true;
  /// What does not fit its memory is left out, with a remark, and is no error.
  bool leaves_out = false;
};

/// One engine's trials of one algorithm.
struct GpuTrialSeries {
  std::string algorithm;
  std::string engine;  // "Edgemill auto", "EMOGI"
  bool has_source = false;
  std::vector<double> seconds;         // iterations and their transfers; one a trial, also below
  std::vector<double> answer_seconds;  // until the answer is in the host's memory
  std::vector<double> link_bytes;
  /// Requests across the link for 32, 64, 96 and 128 bytes, of raw engines (RawTraffic).
  std::array<std::vector<double>, 4> requests;
  std::vector<double> iterations;
  std::vector<double> edges;                   // that edges/s counts (RunReport::edges_counted)
  std::vector<std::vector<StepReport>> steps;  // of launches that do several iterations
  // Of raw engines:
  std::vector<double> build_seconds;    // of layouts (RawLayout); one a trial
  RawLayout layout;                     // of the last trial
  std::vector<RawIteration> raw_steps;  // of the last trial
  std::vector<double> page_seconds;     // of the last trial: the kernel on each page

  /// One value for each trial.
  std::vector<double> EdgesPerSecond() const;
  /// The steps of a median trial, in the order in which they first came. The last one is what the
  /// iterations took beyond them. Empty where no launch did several iterations.
  std::vector<StepReport> MedianSteps() const;
  /// The medians of requests; all 0 where kernels do not read the host's memory.
  std::array<double, 4> MedianRequests() const;

  std::string Name() const { return algorithm + ", " + engine; }
};

/// All that was measured.
struct GpuTrials {
  std::vector<GpuTrialSeries> series;
  std::vector<ExternalId> sources;
  std::string gpu;  // its name
  uint64_t gpu_memory_bytes = 0;
  uint64_t raw_edge_bytes = 0;  // without weights
  uint64_t weight_bytes = 0;    // of the graph's raw weights
  std::vector<std::string> remarks;
};

/// Runs the trials: the first of each algorithm by every engine in turn, then the second, and so
/// on. Caches are warm: Edgemill's blocks are in memory and pinned, as an untimed run left them,
/// and all of the raw CSR is pinned. Compares every answer with that of textbook programs on the
/// CPU on the same raw CSR. If no raw engine runs, there is no raw CSR, and Edgemill's answers are
/// verified by definition. `budget`, in which `store` was opened, is for Edgemill. Before the first
/// trial, returns BudgetError, with numbers, when the machine or its GPU has too little memory.
/// Returns InternalError when an answer is wrong, and the errors of running.
StatusOr<GpuTrials> RunGpuTrials(const GraphStore& store, const GpuTrialOptions& options,
                                 MemoryBudget& budget, Progress& progress);

/// Adds the metrics, settings and remarks of the trials to `result`.
void AddGpuTrials(const GpuTrialOptions& options, const GpuTrials& trials, const GraphInfo& info,
                  BenchmarkResult* result);

/// The bytes moved over the raw bytes of what the algorithm reads: HyTGraph's table VI.
double MovedShare(const GpuTrialSeries& series, const GpuTrials& trials);

}  // namespace edgemill::bench

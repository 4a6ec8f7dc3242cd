// Edgemill's engines on a GPU and what others do (raw_run.h), in turns, on one graph, verified.
#pragma once

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

/// A way of Edgemill's to bring edges.
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
  Calibration calibration;  // by which they choose
  /// What runs beside; kInMemory has all of the GPU's memory.
  std::vector<RawEngine> beside;
  uint64_t trials = 3;
  uint64_t gpu_memory_bytes = 0;  // of all others; 0: a quarter of the raw edges' bytes
  uint64_t csr_memory_bytes = 0;  // for raw CSR, and what checks answers on it
  uint32_t iterations = 10;       // of pagerank
  double tolerance = 1e-2;        // of pagerank by deltas
  uint32_t streams = 4;
  uint64_t seed = 0;
  int threads = 1;
  bool verify = true;
};

/// One engine's trials of one algorithm.
struct GpuTrialSeries {
  std::string algorithm;
  std::string engine;  // "Edgemill auto", "EMOGI"
  bool has_source = false;
  std::vector<double> seconds;         // iterations, with all that they move; one a trial, as all
  std::vector<double> answer_seconds;  // to an answer in the host's memory
  std::vector<double> link_bytes;
  std::vector<double> iterations;
  std::vector<double> edges;  // that edges/s counts (RunReport::edges_counted)

  /// One a trial.
  std::vector<double> EdgesPerSecond() const;

  std::string Name() const { return algorithm + ", " + engine; }
};

/// All that was measured.
struct GpuTrials {
  std::vector<GpuTrialSeries> series;
  std::vector<ExternalId> sources;
  std::string gpu;  // its name
  uint64_t gpu_memory_bytes = 0;
  uint64_t raw_edge_bytes = 0;  // without weights
  uint64_t weight_bytes = 0;    // of the graph's, raw
  std::vector<std::string> remarks;
};

/// Runs the trials: the first of each algorithm by every engine in turn, then the second, and so
/// on. Caches are warm: Edgemill's blocks are in memory and pinned as an untimed run left them, raw
/// CSR is pinned whole. Every answer is compared with what textbook versions on the CPU compute
/// from the same raw CSR; without raw CSR (none is to run beside) Edgemill's are verified by
/// definition. `budget`, which `store` was opened in, is for Edgemill. BudgetError with numbers
/// when the machine or its GPU has less memory than that takes, before the first trial;
/// InternalError when an answer is wrong; what running may meet.
StatusOr<GpuTrials> RunGpuTrials(const GraphStore& store, const GpuTrialOptions& options,
                                 MemoryBudget& budget, Progress& progress);

/// The trials' metrics, settings and remarks, in `result`.
void AddGpuTrials(const GpuTrialOptions& options, const GpuTrials& trials, const GraphInfo& info,
                  BenchmarkResult* result);

/// Bytes moved over the graph's raw bytes that the algorithm reads once: HyTGraph's table VI.
double MovedShare(const GpuTrialSeries& series, const GpuTrials& trials);

}  // namespace edgemill::bench

// The account of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/threads/parallel.h"
#include "engine/checkpoint/checkpoint_options.h"
#include "engine/report/gpu_preparation.h"
#include "engine/report/iteration_report.h"
#include "engine/report/timeline.h"

namespace edgemill {

/// The account of a run. Seconds are wall-clock.
struct RunReport {
  std::vector<IterationReport> iterations;
  uint64_t num_iterations = 0;  // may exceed iterations.size(): see Recorder
  uint32_t async_passes = 0;    // of the run: RunOptions', or what the plan chose
  bool chose_async = false;     // the plan chose them
  double load_seconds = 0;      // reading the indexes, making a GPU ready
  double run_seconds = 0;       // the iterations
  PhaseTimes times;             // where the threads' time went in it, set-up of a GPU included
  double verify_seconds = 0;
  uint64_t bytes_read = 0;
  uint64_t reads = 0;
  uint64_t edges_processed = 0;  // edges visited in all iterations
  /// The edges that edges_per_second counts: see CountedEdges. In undirected graphs, edges that a
  /// search reached or sent along count once, not in both directions (Graph500).
  uint64_t edges_counted = 0;
  double edges_per_second = 0;  // by run_seconds
  uint64_t min_budget_bytes = 0;
  uint64_t peak_resident_bytes = 0;
  std::string io_engine;
  std::string gpu;                // "NVIDIA H200", "2 x NVIDIA H200"; empty when none was used
  std::string gpu_fallback;       // why auto took the CPU
  uint64_t gpu_memory_bytes = 0;  // the bound of each GPU's memory
  uint64_t peak_gpu_bytes = 0;
  /// Whether a neighbour of each vertex is sampled on a GPU. Whether sampling would help because
  /// all edges are there, but memory is lacking.
  bool samples_neighbors = false;
  bool misses_neighbors = false;
  std::vector<StepReport> steps;  // of kernels that do several iterations
  CellReport cells;               // that pulls on a GPU went by
  uint64_t link_bytes = 0;        // to the GPU
  std::string cost_model;         // its name; empty without a GPU
  std::string calibration;        // where its figures are from
  TransferAccounts transfers;     // of all iterations
  Timeline timeline;              // on a GPU
  CheckpointReport checkpoints;
};

}  // namespace edgemill

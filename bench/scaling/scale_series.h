// Measures how time, bytes read and memory grow with the graph. The same algorithms run on graphs
// of growing scale, by the engine and on plain CSR. The engine's memory is in proportion to the
// vertices. Plain CSR ends where it does not fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/record/result_file.h"
#include "common/os/memory_budget.h"
#include "common/page/chart.h"
#include "common/progress.h"
#include "common/status.h"

namespace edgemill::bench {

/// What to measure.
struct ScaleSeriesOptions {
  std::string directory;  // where graphs are made, one at a time
  uint64_t first_scale = 18;
  uint64_t last_scale = 22;
  uint64_t trials = 3;
  /// The engine's memory, in bytes a vertex. The engine gets at least what its runs need.
  uint64_t bytes_per_vertex = 32;
  uint64_t csr_memory_bytes = 0;  // plain CSR is left out where it takes more
  uint64_t making_bytes = 0;      // memory to make the graphs with
  int threads = 1;
};

/// One program's trials of one algorithm.
struct ScaleTrials {
  std::string program;  // "engine", "plain CSR"
  std::string algorithm;
  uint64_t passes = 1;          // over all edges, by definition: PageRank's iterations
  std::vector<double> seconds;  // without loading
  std::vector<double> bytes_read;
  std::vector<double> peak_bytes;  // resident
};

/// All that was measured on one graph.
struct ScalePoint {
  uint64_t scale = 0;
  uint64_t num_vertices = 0;
  uint64_t num_edges = 0;            // stored: both directions of each
  uint64_t engine_memory_bytes = 0;  // its --memory
  double making_seconds = 0;
  std::vector<ScaleTrials> trials;
};

/// The points measured, and what was left out.
struct ScaleSeries {
  std::vector<ScalePoint> points;
  std::vector<std::string> remarks;
};

/// For each scale, makes GAP's Kronecker graph with weights from 1 to 255. Then runs PageRank (10
/// iterations), BFS, components and SSSP in turn. Each trial starts with an empty cache, and its
/// answer is checked by its definition. Then does the same on plain CSR, where answers must equal
/// the engine's. Always removes the graph at the end, and at the start a graph that a killed series
/// left. Before it makes anything, it checks the options. Returns IoError, with numbers, when the
/// disk has too little space for the largest graph. Returns BudgetError, with numbers, when the
/// machine has less memory than the options say. Returns InternalError when an answer is wrong, and
/// the errors of making graphs and of running.
StatusOr<ScaleSeries> RunScaleSeries(const ScaleSeriesOptions& options, Progress& progress);

/// Adds the metrics, settings and remarks of `series` to `result`.
void AddScales(const ScaleSeriesOptions& options, const ScaleSeries& series,
               BenchmarkResult* result);

/// Ok when AddEarlierScales will accept `earlier` together with a result of `options`.
Status CheckEarlierScales(const BenchmarkResult& earlier, const ScaleSeriesOptions& options);

/// Puts the scales of `earlier`, an AddScales result, before those of `result`. Returns UsageError
/// when `earlier` is of another benchmark, has other settings, or has a scale of `result`.
Status AddEarlierScales(const BenchmarkResult& earlier, BenchmarkResult* result);

/// Draws an AddScales result: time an edge, bytes read an edge and peak memory over the number of
/// edges.
std::vector<Drawing> DrawScales(const BenchmarkResult& result);

}  // namespace edgemill::bench

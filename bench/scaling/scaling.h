// Figures by the number of threads: their names, and the bounds that they are compared with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/record/result_file.h"

namespace edgemill::bench {

/// "copy" on four threads: "copy, 4 threads".
std::string NameWithThreads(std::string_view what, int threads);

/// A time on one number of threads, beside the nearest bound.
struct ScalingRow {
  std::string figure;  // "bfs, warm, shuffled, next searches"
  int threads = 1;
  double seconds = 0;  // the median
  double min_seconds = 0;
  double max_seconds = 0;
  double speed_up = 0;       // over one thread; 0 where that was not measured
  std::string bound;         // "random gathers", the name of the nearest; empty where none is known
  double bound_seconds = 0;  // the least time that the bound allows
};

/// The rows of all metrics named "FIGURE, N threads: time", as bench record names them. Each row
/// has the largest of those bounds for which `result` has the figures:
///
/// - cores: the time on one thread over the number of threads;
/// - disk: the bytes of the input over the rate of plain reads (of bench io);
/// - copy: the same bytes over the rate of copying on as many threads (of bench memory);
/// - first touch: the peak of resident memory over the rate of first touches of huge pages;
/// - random gathers: for PageRank, the edges of its passes over the rate of gathers. Values of hubs
///   stay in caches, and the probe's do not, so PageRank may be faster.
std::vector<ScalingRow> ScalingRows(const BenchmarkResult& result);

}  // namespace edgemill::bench

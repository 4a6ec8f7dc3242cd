// Figures by the number of threads: how they are named, and the bounds beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/record/result_file.h"

namespace edgemill::bench {

/// "copy" on four threads: "copy, 4 threads".
std::string OnThreads(std::string_view what, int threads);

/// A time on one number of threads, beside the nearest bound.
struct ScalingRow {
  std::string figure;  // "bfs, warm, shuffled, next searches"
  int threads = 1;
  double seconds = 0;  // the median
  double min_seconds = 0;
  double max_seconds = 0;
  double speed_up = 0;       // over one thread; 0 where that was not measured
  std::string bound;         // of the nearest: "random gathers"; empty where none is known
  double bound_seconds = 0;  // no less time is possible
};

/// The rows of all metrics named "FIGURE, N threads: time", as bench record names them, with the
/// largest of the bounds that `result` has the figures for:
///
/// - cores: the time on one thread over the number of threads;
/// - disk: what was read of input files over the rate of plain reads (of bench io);
/// - copy: the same bytes over the rate of copying on so many threads (of bench memory);
/// - first touch: the peak of resident memory over the rate of touching huge pages first;
/// - random gathers: of PageRank, the edges that it passed over the rate of gathers. Values of
///   hubs stay in caches, and the probe's do not, so PageRank may be faster.
std::vector<ScalingRow> ScalingRows(const BenchmarkResult& result);

}  // namespace edgemill::bench

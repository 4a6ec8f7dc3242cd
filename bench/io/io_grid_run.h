// A disk benchmark. It measures every point of a grid on each directory by itself and on all
// directories together, with plain reads in between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/io/io_point.h"
#include "bench/io/io_trial.h"
#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/status.h"

namespace edgemill::bench {

struct IoGridRunOptions {
  std::vector<std::string> directories;
  IoGrid grid;
  IoEngineKind engine = IoEngineKind::kAuto;
  uint64_t trials = 3;
  double seconds = 0;                       // of a trial; 0: all trials take about a minute
  uint64_t file_bytes = uint64_t{1} << 30;  // of each file; rounded up to a multiple of kMaxIoSize
};

/// All trials of one point on one set of directories.
struct IoMeasurement {
  std::string where;  // a directory's path, or "all"
  IoPoint point;
  std::vector<double> bytes_per_second;  // one for each trial, also in the next four
  std::vector<double> plain_share;       // rate / mean rate of the plain reads before and after
  std::vector<double> cpu_seconds_per_gb;
  std::vector<double> p50_seconds;
  std::vector<double> p99_seconds;
  LatencyHistogram latency;         // of all trials
  std::vector<double> balance;      // rate of the fastest directory / mean rate; 1: all are equal
  double slowest_sync_seconds = 0;  // only of writes
};

/// Plain reads of one set of directories.
struct PlainMeasurement {
  std::string where;
  std::vector<double> bytes_per_second;
};

struct IoGridRunResult {
  std::string engine;  // "io_uring", "pread"
  double seconds_per_trial = 0;
  uint64_t file_bytes = 0;
  bool direct = true;
  std::vector<IoMeasurement> measurements;
  std::vector<PlainMeasurement> plain;
  /// Texts about what was slow, stalled or uneven: where, at which point, for how long.
  std::vector<std::string> remarks;
};

/// Disk space that must stay free beside the files.
constexpr uint64_t kDiskMarginBytes = uint64_t{256} << 20;

/// Measures all points. Before that, returns UsageError for directories that are named twice, or
/// for too many of them. Returns MissingError or PermissionError for directories that cannot be
/// measured. Returns IoError, with numbers, if there is too little disk space, and BudgetError,
/// with numbers, if `budget` has too little memory. Leaves no file behind, even after an error. The
/// files in a directory take up to twice file_bytes.
StatusOr<IoGridRunResult> RunIoGrid(const IoGridRunOptions& options, MemoryBudget& budget,
                                    Progress& progress);

}  // namespace edgemill::bench

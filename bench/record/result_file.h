// The file format of all benchmarks' results: what ran where, and the samples of each metric.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/record/machine.h"
#include "common/status.h"

namespace edgemill::bench {

/// Whether less or more of a metric is better.
enum class Better { kLess, kMore };

/// One figure, measured one or more times.
struct Metric {
  std::string name;  // unique in its file: "all, random 4 KiB x 32: rate"
  std::string unit;  // "GB/s", "s"
  Better better = Better::kLess;
  std::vector<double> samples;  // at least one, finite, in the order in which they were taken
  /// Whether each sample measures different work, such as another source, which is the same in all
  /// files with the same settings. Two such files are then compared sample by sample.
  bool paired = false;
};

/// A result file's contents.
struct BenchmarkResult {
  std::string benchmark;  // "io", "run", "out of core"
  std::string command;    // what to type to get the result again
  std::string commit;     // of the program
  std::string time;       // of the end, UTC: "2026-01-31T12:00:00Z"
  Machine machine;
  std::vector<std::pair<std::string, std::string>> settings;
  /// Whether each answer that was timed was also checked in the same run, and was right.
  bool verified = false;
  std::vector<Metric> metrics;
  std::vector<std::string> remarks;  // stalls, throttling, what was left out
  /// A JSON value in the benchmark's own form, for people and plots; empty when there is none. It
  /// is not compared.
  std::string details;
};

/// Fills in commit, time and machine (with the disks of `paths`).
void DescribeSurroundings(const std::vector<std::string>& paths, BenchmarkResult* result);

/// The file's text: a JSON object.
std::string ToJson(const BenchmarkResult& result);

/// Reads a result file. Returns MissingError when it does not exist. Returns BadDataError, with the
/// reason, when it is not a result file or has a version that this program does not know.
StatusOr<BenchmarkResult> ReadResultFile(const std::string& path);

/// The commit that the program was built from, with "-dirty" after it if files were changed.
/// "unknown" if the program was built outside a repository.
std::string_view BuildCommit();

}  // namespace edgemill::bench

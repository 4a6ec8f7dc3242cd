// Two result files side by side: what changed beyond noise.
#pragma once

#include <string>
#include <vector>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "common/status.h"

namespace edgemill::bench {

enum class Verdict {
  kSame,     // within noise
  kBetter,   // better, beyond noise
  kWorse,    // worse, beyond noise
  kUnknown,  // no ratio: one of the two is 0
};

/// One metric that both files have.
struct MetricChange {
  std::string name;
  std::string unit;
  double old_median = 0;
  double new_median = 0;
  /// New over old: the ratio of the medians or, where samples are paired, the median of their
  /// ratios. 0 when there is none.
  double ratio = 0;
  /// Ratios from 1 / noise to noise are within the noise.
  double noise = 1;
  bool noise_known = true;  // false: too few samples, so noise is assumed
  /// With ComparisonOptions::in_pairs, used instead of `noise`: the 95 % band of the median ratio.
  Band band;
  Verdict verdict = Verdict::kSame;
};

struct Comparison {
  std::vector<MetricChange> changes;  // in the new file's order
  /// Reasons other than the program for which figures may differ: another machine, other settings,
  /// remarks, answers not verified, metrics that only one file has.
  std::vector<std::string> warnings;
};

struct ComparisonOptions {
  /// A change smaller than this share counts as none.
  double min_change = 0.05;
  /// Whether sample k of each old metric was measured next to sample k of the new one, so that
  /// both met the same disturbances. Then only the ratios of the pairs decide.
  bool in_pairs = false;
  /// In pairs, a metric is worse when two things hold. The median of its ratios is above this
  /// (below its inverse where more is better), and their band lies wholly on that side of 1.
  /// "Better" is the mirror image.
  double worse_ratio = 1.03;
};

/// Compares two results. Returns BadDataError when they are of different benchmarks, or have no
/// metric in common. With in_pairs, also when they have different numbers of samples of a metric,
/// or fewer than six.
///
/// The noise of a ratio is the change that chance exceeds once in 1000 comparisons. It is
/// Student's t times a standard error. This is the error of the difference of the samples'
/// logarithms or, where samples are paired, of the mean of their differences.
///
/// The variance of a few samples is itself uncertain. So it is averaged with the usual variance,
/// over both files, of metrics of the same kind, such as "p99" in ms. Where there are enough such
/// metrics, the usual variance counts as four degrees of freedom. This is empirical Bayes with a
/// fixed prior weight (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004).
/// Where neither variance is known, the noise is taken as 25 %.
StatusOr<Comparison> Compare(const BenchmarkResult& old_result, const BenchmarkResult& new_result,
                             const ComparisonOptions& options);

}  // namespace edgemill::bench

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
  kBetter,   // beyond it
  kWorse,    // beyond it
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
  bool noise_known = true;  // false: too few samples, and an assumption in their place
  /// In pairs, in place of noise: the 95 % band of the median ratio.
  Band band;
  Verdict verdict = Verdict::kSame;
};

struct Comparison {
  std::vector<MetricChange> changes;  // in the new file's order
  /// Why figures may differ for other reasons than the program: other machine, settings, kinds of
  /// build, stalls, answers not verified, metrics that only one file has.
  std::vector<std::string> warnings;
};

struct ComparisonOptions {
  /// Changes below this share are never news.
  double min_change = 0.05;
  /// Whether sample k of each old metric was measured next to sample k of the new one, so that
  /// both met the same disturbances. Then the ratios of the pairs decide, and nothing else.
  bool in_pairs = false;
  /// In pairs, a metric is worse when two things hold. The median of its ratios is above this
  /// (below its inverse where more is better), and their band lies wholly on that side of 1.
  /// "Better" is the mirror image.
  double worse_ratio = 1.03;
};

/// Compares. BadDataError when the files are of different benchmarks, or have no metric in common.
/// In pairs also when a metric has another number of samples in each file, or fewer than six.
///
/// The noise of a ratio is what chance alone exceeds once in 1000 times: Student's t times the
/// standard error of the difference of the samples' logarithms (of paired samples, of the mean of
/// their differences). Few samples may agree, or not, by chance. So their variance is averaged with
/// what is usual in both files for metrics of the kind ("p99", in ms). That usual variance counts
/// as four degrees of freedom where there are enough such metrics (empirical Bayes: Smyth,
/// Statistical Applications in Genetics and Molecular Biology 3, 2004, with a fixed prior weight).
/// Where neither is known, 25 % are assumed.
StatusOr<Comparison> Compare(const BenchmarkResult& old_result, const BenchmarkResult& new_result,
                             const ComparisonOptions& options);

}  // namespace edgemill::bench

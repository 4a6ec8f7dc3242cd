#include "bench/record/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "bench/record/sample_statistics.h"

namespace edgemill::bench {
namespace {

/// The noise that is assumed where it cannot be estimated.
constexpr double kAssumedNoise = 1.25;
/// The least number of metrics of a kind for which their usual variance is used, and the degrees of
/// freedom that it then counts as.
constexpr size_t kMinKin = 4;
constexpr double kUsualDegrees = 4;
/// The largest logarithm of a noise. No ratio exceeds such a noise.
constexpr double kMaxExponent = 10;

/// Student's t that chance exceeds, in either direction, once in 1000 times.
double StudentT(size_t degrees_of_freedom) {
  constexpr double kTable[] = {636.6, 31.60, 12.92, 8.610, 6.869, 5.959, 5.408, 5.041,
                               4.781, 4.587, 4.437, 4.318, 4.221, 4.140, 4.073, 4.015};
  if (degrees_of_freedom <= std::size(kTable)) return kTable[degrees_of_freedom - 1];
  // The limit is 3.29. The error of this formula is under 1 % from 17 degrees on.
  return 3.29 * (1 + 3.0 / static_cast<double>(degrees_of_freedom));
}

const Metric* Find(const BenchmarkResult& result, const std::string& name) {
  const auto found = std::find_if(result.metrics.begin(), result.metrics.end(),
                                  [&](const Metric& metric) { return metric.name == name; });
  return found == result.metrics.end() ? nullptr : &*found;
}

bool AllPositive(std::span<const double> samples) {
  return std::all_of(samples.begin(), samples.end(), [](double sample) { return sample > 0; });
}

/// The kind of a metric: the last part of its name, and its unit.
std::string KindOf(const Metric& metric) {
  const size_t colon = metric.name.rfind(": ");
  return StrCat(colon == std::string::npos ? metric.name : metric.name.substr(colon), " ",
                metric.unit);
}

/// For each kind with enough metrics, the usual variance of the logarithms of samples: the median
/// over its metrics.
std::map<std::string, double> UsualVariances(const BenchmarkResult& a, const BenchmarkResult& b) {
  std::map<std::string, std::vector<double>> variances;
  for (const BenchmarkResult* result : {&a, &b}) {
    for (const Metric& metric : result->metrics) {
      if (metric.paired || metric.samples.size() < 2 || !AllPositive(metric.samples)) continue;
      const double deviation = LogDeviation(metric.samples);
      variances[KindOf(metric)].push_back(deviation * deviation);
    }
  }
  std::map<std::string, double> usual;
  for (const auto& [kind, values] : variances) {
    if (values.size() >= kMinKin) usual[kind] = Median(values);
  }
  return usual;
}

class MetricComparer {
 public:
  /// `usual_variance` is negative where none is known.
  MetricComparer(const Metric& old_metric, const Metric& new_metric, bool same_work,
                 double usual_variance, const ComparisonOptions& options)
      : old_(old_metric.samples),
        new_(new_metric.samples),
        usual_variance_(usual_variance),
        options_(options) {
    change_.name = new_metric.name;
    change_.unit = new_metric.unit;
    change_.old_median = Median(old_);
    change_.new_median = Median(new_);
    more_is_better_ = new_metric.better == Better::kMore;
    paired_ = same_work && old_metric.paired && new_metric.paired && old_.size() == new_.size();
  }

  MetricChange Compare() {
    if (!AllPositive(old_) || !AllPositive(new_)) {
      // Equal medians are no change. Otherwise a zero leaves no ratio to judge.
      const bool same = change_.old_median == change_.new_median;
      change_.ratio = same ? 1 : 0;
      change_.verdict = same ? Verdict::kSame : Verdict::kUnknown;
      return change_;
    }
    if (options_.in_pairs) {
      CompareInPairs();
      return change_;
    }
    if (paired_) {
      ComparePaired();
    } else {
      CompareUnpaired();
    }
    change_.noise = std::max(change_.noise, 1 + options_.min_change);
    Judge(change_.ratio / change_.noise > 1, change_.ratio * change_.noise < 1);
    return change_;
  }

 private:
  void Judge(bool up, bool down) {
    if (up) change_.verdict = more_is_better_ ? Verdict::kBetter : Verdict::kWorse;
    if (down) change_.verdict = more_is_better_ ? Verdict::kWorse : Verdict::kBetter;
  }

  std::vector<double> Ratios() const {
    std::vector<double> ratios;
    for (size_t i = 0; i < old_.size(); ++i) ratios.push_back(new_[i] / old_[i]);
    return ratios;
  }

  void CompareInPairs() {
    const std::vector<double> ratios = Ratios();
    change_.ratio = Median(ratios);
    change_.band = *MedianBand(ratios);
    Judge(change_.ratio > options_.worse_ratio && change_.band.low > 1,
          change_.ratio < 1 / options_.worse_ratio && change_.band.high < 1);
  }

  /// Sets the noise. `variance` is that of one sample or difference, with `degrees` degrees of
  /// freedom. `usual` is that of other metrics of the kind. The variance of the ratio's logarithm
  /// is `errors` times their mean.
  void SetNoise(double variance, double degrees, double usual, double errors) {
    const double usual_degrees = usual >= 0 ? kUsualDegrees : 0;
    const double all_degrees = degrees + usual_degrees;
    change_.noise_known = all_degrees >= 1;
    if (!change_.noise_known) {
      change_.noise = kAssumedNoise;
      return;
    }
    const double mean = (degrees * variance + usual_degrees * std::max(usual, 0.0)) / all_degrees;
    const double exponent = StudentT(static_cast<size_t>(all_degrees)) * std::sqrt(mean * errors);
    change_.noise = std::exp(std::min(exponent, kMaxExponent));
  }

  void ComparePaired() {
    const std::vector<double> ratios = Ratios();
    change_.ratio = Median(ratios);
    const double deviation = LogDeviation(ratios);
    const double count = static_cast<double>(ratios.size());
    SetNoise(deviation * deviation, count - 1, 2 * usual_variance_, 1 / count);
  }

  void CompareUnpaired() {
    change_.ratio = change_.new_median / change_.old_median;
    const double old_count = static_cast<double>(old_.size());
    const double new_count = static_cast<double>(new_.size());
    const double degrees = old_count + new_count - 2;
    const double squares = std::pow(LogDeviation(old_), 2) * (old_count - 1) +
                           std::pow(LogDeviation(new_), 2) * (new_count - 1);
    SetNoise(degrees > 0 ? squares / degrees : 0, degrees, usual_variance_,
             1 / old_count + 1 / new_count);
  }

  MetricChange change_;
  std::span<const double> old_;
  std::span<const double> new_;
  const double usual_variance_;
  const ComparisonOptions& options_;
  bool more_is_better_ = false;
  bool paired_ = false;
};

Status CheckPairs(const Metric& old_metric, const Metric& new_metric) {
  const size_t pairs = new_metric.samples.size();
  if (old_metric.samples.size() != pairs) {
    return BadDataError(StrCat("\"", new_metric.name, "\" has ", old_metric.samples.size(),
                               " samples in the old file and ", pairs,
                               " in the new: give as many old samples as new ones"));
  }
  if (!MedianBand(new_metric.samples).has_value()) {
    return BadDataError(StrCat("\"", new_metric.name, "\" has ", pairs,
                               " samples: give six or more: with fewer the ratio is uncertain"));
  }
  return OkStatus();
}

std::string DisksOf(const Machine& machine) {
  std::string text;
  for (const Disk& disk : machine.disks) {
    text += StrCat(text.empty() ? "" : ", ", disk.device, " ", disk.model, " (", disk.file_system,
                   ", ", disk.scheduler, disk.rotational ? ", rotational)" : ")");
  }
  return text;
}

void Warn(std::string_view what, const std::string& old_value, const std::string& new_value,
          std::vector<std::string>* warnings) {
  if (old_value == new_value) return;
  const auto shown = [](const std::string& value) { return value.empty() ? "none" : value; };
  warnings->push_back(StrCat(what, " differs: ", shown(old_value), " before, ", shown(new_value)));
}

void WarnOfMachines(const Machine& a, const Machine& b, std::vector<std::string>* warnings) {
  Warn("the processor", a.cpu, b.cpu, warnings);
  Warn("the number of cores", StrCat(a.cores), StrCat(b.cores), warnings);
  Warn("the memory", StrCat(a.memory_bytes), StrCat(b.memory_bytes), warnings);
  Warn("the kernel", a.kernel, b.kernel, warnings);
  Warn("the disks", DisksOf(a), DisksOf(b), warnings);
}

/// Warns of settings that differ; false when some do.
bool SameSettings(const BenchmarkResult& a, const BenchmarkResult& b,
                  std::vector<std::string>* warnings) {
  std::map<std::string, std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : a.settings) values[name].first = value;
  for (const auto& [name, value] : b.settings) values[name].second = value;
  const size_t before = warnings->size();
  for (const auto& [name, pair] : values) {
    Warn(StrCat("setting \"", name, "\""), pair.first, pair.second, warnings);
  }
  return warnings->size() == before;
}

}  // namespace

StatusOr<Comparison> Compare(const BenchmarkResult& old_result, const BenchmarkResult& new_result,
                             const ComparisonOptions& options) {
  if (old_result.benchmark != new_result.benchmark) {
    return BadDataError(StrCat("one file is of the benchmark \"", old_result.benchmark,
                               "\", the other of \"", new_result.benchmark,
                               "\": give two files of one benchmark"));
  }
  Comparison comparison;
  std::vector<std::string>& warnings = comparison.warnings;
  WarnOfMachines(old_result.machine, new_result.machine, &warnings);
  const bool same_work = SameSettings(old_result, new_result, &warnings);
  for (const auto& [result, which] : {std::pair(&old_result, "old"), {&new_result, "new"}}) {
    if (!result->verified) warnings.push_back(StrCat("the ", which, " file is not verified"));
    if (!result->remarks.empty()) {
      warnings.push_back(StrCat("the ", which, " file has ", result->remarks.size(),
                                " remarks, the first: ", result->remarks[0]));
    }
  }
  const std::map<std::string, double> usual = UsualVariances(old_result, new_result);
  size_t only_new = 0;
  for (const Metric& metric : new_result.metrics) {
    const Metric* const old_metric = Find(old_result, metric.name);
    if (old_metric == nullptr || old_metric->unit != metric.unit) {
      ++only_new;
      continue;
    }
    if (options.in_pairs) RETURN_IF_ERROR(CheckPairs(*old_metric, metric));
    const auto variance = usual.find(KindOf(metric));
    comparison.changes.push_back(MetricComparer(*old_metric, metric, same_work,
                                                variance == usual.end() ? -1 : variance->second,
                                                options)
                                     .Compare());
  }
  const size_t only_old = old_result.metrics.size() - comparison.changes.size();
  if (comparison.changes.empty()) {
    return BadDataError("the files have no metric in common: give two files of one benchmark");
  }
  if (only_old > 0) warnings.push_back(StrCat(only_old, " metrics are in the old file alone"));
  if (only_new > 0) warnings.push_back(StrCat(only_new, " metrics are in the new file alone"));
  return comparison;
}

}  // namespace edgemill::bench

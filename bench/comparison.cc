#include "bench/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "bench/sample_statistics.h"

namespace edgemill::bench {
namespace {

/// Ratios that two single samples must differ by to be news.
constexpr double kAssumedNoise = 1.25;

/// Student's t that chance exceeds, in either direction, once in 1000 times.
double StudentT(size_t degrees_of_freedom) {
  constexpr double kTable[] = {636.6, 31.60, 12.92, 8.610, 6.869, 5.959, 5.408, 5.041,
                               4.781, 4.587, 4.437, 4.318, 4.221, 4.140, 4.073, 4.015};
  if (degrees_of_freedom <= std::size(kTable)) return kTable[degrees_of_freedom - 1];
  // 3.29 in the limit; the error of this is under 1 % from 17 on.
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

/// The usual spread of a unit's metrics: the median of their deviations.
std::map<std::string, double> UsualSpreads(const BenchmarkResult& a, const BenchmarkResult& b) {
  std::map<std::string, std::vector<double>> spreads;
  for (const BenchmarkResult* result : {&a, &b}) {
    for (const Metric& metric : result->metrics) {
      if (metric.paired || metric.samples.size() < 2 || !AllPositive(metric.samples)) continue;
      spreads[metric.unit].push_back(LogDeviation(metric.samples));
    }
  }
  std::map<std::string, double> usual;
  for (const auto& [unit, values] : spreads) usual[unit] = Median(values);
  return usual;
}

class MetricComparer {
 public:
  MetricComparer(const Metric& old_metric, const Metric& new_metric, bool same_work,
                 double usual_spread, double least_change)
      : old_(old_metric.samples),
        new_(new_metric.samples),
        least_spread_(usual_spread / 2),
        least_change_(least_change) {
    change_.name = new_metric.name;
    change_.unit = new_metric.unit;
    change_.old_median = Median(old_);
    change_.new_median = Median(new_);
    more_is_better_ = new_metric.better == Better::kMore;
    paired_ = same_work && old_metric.paired && new_metric.paired && old_.size() == new_.size();
  }

  MetricChange Compare() {
    if (!AllPositive(old_) || !AllPositive(new_)) {
      // Zeros on both sides are no change; of one only, there is no ratio to judge.
      const bool same = change_.old_median == change_.new_median;
      change_.ratio = same ? 1 : 0;
      change_.verdict = same ? Verdict::kSame : Verdict::kUnknown;
      return change_;
    }
    if (paired_) {
      ComparePaired();
    } else {
      CompareUnpaired();
    }
    change_.noise = std::max(change_.noise, 1 + least_change_);
    const double up = change_.ratio / change_.noise, down = change_.ratio * change_.noise;
    if (up > 1) change_.verdict = more_is_better_ ? Verdict::kBetter : Verdict::kWorse;
    if (down < 1) change_.verdict = more_is_better_ ? Verdict::kWorse : Verdict::kBetter;
    return change_;
  }

 private:
  void SetNoise(double standard_error, size_t degrees_of_freedom) {
    change_.noise = std::exp(std::min(StudentT(degrees_of_freedom) * standard_error, 50.0));
  }

  void AssumeNoise() {
    change_.noise_known = false;
    change_.noise = kAssumedNoise;
  }

  void ComparePaired() {
    std::vector<double> ratios;
    for (size_t i = 0; i < old_.size(); ++i) ratios.push_back(new_[i] / old_[i]);
    change_.ratio = Median(ratios);
    if (ratios.size() < 2) return AssumeNoise();
    const double count = static_cast<double>(ratios.size());
    SetNoise(LogDeviation(ratios) / std::sqrt(count), ratios.size() - 1);
  }

  void CompareUnpaired() {
    change_.ratio = change_.new_median / change_.old_median;
    if (old_.size() < 2 || new_.size() < 2) return AssumeNoise();
    const auto squared_error = [&](std::span<const double> samples) {
      const double spread = std::max(LogDeviation(samples), least_spread_);
      return spread * spread / static_cast<double>(samples.size());
    };
    SetNoise(std::sqrt(squared_error(old_) + squared_error(new_)), old_.size() + new_.size() - 2);
  }

  MetricChange change_;
  std::span<const double> old_;
  std::span<const double> new_;
  const double least_spread_;
  const double least_change_;
  bool more_is_better_ = false;
  bool paired_ = false;
};

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
  const std::map<std::string, double> usual = UsualSpreads(old_result, new_result);
  size_t only_new = 0;
  for (const Metric& metric : new_result.metrics) {
    const Metric* const old_metric = Find(old_result, metric.name);
    if (old_metric == nullptr || old_metric->unit != metric.unit) {
      ++only_new;
      continue;
    }
    const auto spread = usual.find(metric.unit);
    comparison.changes.push_back(MetricComparer(*old_metric, metric, same_work,
                                                spread == usual.end() ? 0 : spread->second,
                                                options.least_change)
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

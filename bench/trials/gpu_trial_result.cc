// Turns GpuTrials into metrics of a result file.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/record/sample_statistics.h"
#include "bench/trials/gpu_trials.h"
#include "bench/trials/known_algorithms.h"

namespace edgemill::bench {
namespace {

std::vector<double> Scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

/// One value a trial: `of` over `by`.
std::vector<double> Quotients(const std::vector<double>& of, const std::vector<double>& by) {
  std::vector<double> values;
  for (size_t i = 0; i < of.size(); ++i) values.push_back(of[i] / by[i]);
  return values;
}

/// Raw bytes of all that the algorithm reads, each read once.
double RawBytes(const GpuTrialSeries& series, const GpuTrials& trials) {
  const bool weights = FindKnown(series.algorithm)->reads_weights;
  const uint64_t raw = trials.raw_edge_bytes + (weights ? trials.weight_bytes : 0);
  return static_cast<double>(std::max<uint64_t>(raw, 1));
}

/// The requests of the engines whose kernels read the host's memory, the steps of launches that do
/// several iterations, and the layouts of raw edges with the times of pages.
std::string Details(const GpuTrials& trials) {
  nlohmann::ordered_json details;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const GpuTrialSeries& series : trials.series) {
    const std::array<double, 4> counts = series.MedianRequests();
    if (counts == std::array<double, 4>{}) continue;
    all.push_back({{"algorithm", series.algorithm},
                   {"engine", series.engine},
                   {"requests_32_bytes", counts[0]},
                   {"requests_64_bytes", counts[1]},
                   {"requests_96_bytes", counts[2]},
                   {"requests_128_bytes", counts[3]}});
  }
  if (!all.empty()) details["requests"] = all;
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const GpuTrialSeries& series : trials.series) {
    for (const StepReport& step : series.MedianSteps()) {
      steps.push_back({{"algorithm", series.algorithm},
                       {"engine", series.engine},
                       {"step", step.name},
                       {"times", step.times},
                       {"seconds", step.seconds}});
    }
  }
  if (!steps.empty()) details["steps"] = steps;
  nlohmann::ordered_json layouts = nlohmann::ordered_json::array();
  for (const GpuTrialSeries& series : trials.series) {
    if (series.layout.bytes == 0) continue;
    layouts.push_back({{"algorithm", series.algorithm},
                       {"engine", series.engine},
                       {"build_seconds", Median(series.build_seconds)},
                       {"bytes", series.layout.bytes},
                       {"mean_copies", series.layout.mean_copies},
                       {"page_seconds", series.page_seconds}});
  }
  if (!layouts.empty()) details["layouts"] = layouts;
  return details.empty() ? "" : details.dump();
}

}  // namespace

std::vector<double> GpuTrialSeries::EdgesPerSecond() const { return Quotients(edges, seconds); }

std::array<double, 4> GpuTrialSeries::MedianRequests() const {
  std::array<double, 4> medians = {};
  for (size_t i = 0; i < medians.size(); ++i) {
    if (!requests[i].empty()) medians[i] = Median(requests[i]);
  }
  return medians;
}

std::vector<StepReport> GpuTrialSeries::MedianSteps() const {
  std::vector<const char*> names;
  for (const std::vector<StepReport>& trial : steps) {
    for (const StepReport& step : trial) {
      const bool is_known = std::any_of(names.begin(), names.end(), [&](const char* name) {
        return std::string_view(name) == step.name;
      });
      if (!is_known) names.push_back(step.name);
    }
  }
  std::vector<StepReport> medians;
  std::vector<double> rest = seconds;
  for (const char* const name : names) {
    std::vector<double> took(steps.size()), times(steps.size());
    for (size_t trial = 0; trial < steps.size(); ++trial) {
      for (const StepReport& step : steps[trial]) {
        if (std::string_view(step.name) != name) continue;
        took[trial] = step.seconds;
        times[trial] = static_cast<double>(step.times);
        rest[trial] -= step.seconds;
      }
    }
    medians.push_back({name, static_cast<uint64_t>(Median(times)), Median(took)});
  }
  if (!medians.empty()) medians.push_back({"launches and the host", 1, Median(rest)});
  return medians;
}

double MovedShare(const GpuTrialSeries& series, const GpuTrials& trials) {
  return Median(series.link_bytes) / RawBytes(series, trials);
}

void AddGpuTrials(const GpuTrialOptions& options, const GpuTrials& trials, const GraphInfo& info,
                  BenchmarkResult* result) {
  result->benchmark = "gpu";
  result->settings.insert(result->settings.end(),
                          {{"gpu", trials.gpu},
                           {"gpu_memory_bytes", StrCat(trials.gpu_memory_bytes)},
                           {"vertices", StrCat(info.num_vertices)},
                           {"edges", StrCat(info.num_edges)},
                           {"directed", info.directed ? "yes" : "no"},
                           {"iterations", StrCat(options.iterations)},
                           {"tolerance", StrCat(options.tolerance)},
                           {"edge_bytes", StrCat(options.edge_bytes)},
                           {"streams", StrCat(options.streams)},
                           {"threads", StrCat(options.threads)},
                           {"seed", StrCat(options.seed)},
                           {"calibration", options.calibration.source}});
  std::string sources;
  for (const ExternalId source : trials.sources) {
    sources += StrCat(sources.empty() ? "" : ",", source);
  }
  result->settings.emplace_back("sources", sources);
  for (const GpuTrialSeries& series : trials.series) {
    if (series.seconds.empty()) continue;
    const bool paired = series.has_source && series.seconds.size() > 1;
    const std::string name = series.Name() + ": ";
    result->metrics.push_back({name + "time", "s", Better::kLess, series.seconds, paired});
    result->metrics.push_back(
        {name + "to the answer", "s", Better::kLess, series.answer_seconds, paired});
    result->metrics.push_back(
        {name + "moved", "GB", Better::kLess, Scaled(series.link_bytes, 1e-9), paired});
    result->metrics.push_back({name + "moved over edges", "of raw bytes", Better::kLess,
                               Scaled(series.link_bytes, 1 / RawBytes(series, trials)), paired});
    result->metrics.push_back({name + "link", "GB/s", Better::kMore,
                               Scaled(Quotients(series.link_bytes, series.seconds), 1e-9), paired});
    result->metrics.push_back(
        {name + "rate", "G edges/s", Better::kMore, Scaled(series.EdgesPerSecond(), 1e-9), paired});
    result->metrics.push_back(
        {name + "iterations", "iterations", Better::kLess, series.iterations, paired});
  }
  result->details = Details(trials);
  for (const std::string& remark : trials.remarks) result->remarks.push_back(remark);
  result->verified = options.verify;
}

}  // namespace edgemill::bench

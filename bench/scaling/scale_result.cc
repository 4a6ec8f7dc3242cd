// Turns a ScaleSeries into metrics of a result file, and plots such a result.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bench/record/sample_statistics.h"
#include "bench/scaling/scale_series.h"
#include "bench/trials/known_algorithms.h"
#include "common/page/chart.h"
#include "common/page/markup.h"

namespace edgemill::bench {
namespace {

constexpr std::string_view kName = "scales";
constexpr std::string_view kTimeAnEdge = "time an edge", kReadAnEdge = "read an edge",
                           kPeak = "peak memory";

std::string ScaleName(uint64_t scale) { return StrCat("scale ", scale); }

std::vector<double> Divided(std::vector<double> values, double divisor) {
  for (double& value : values) value /= divisor;
  return values;
}

/// A metric's name taken apart: "scale 18, engine, bfs: time an edge".
struct MetricName {
  std::string scale;  // "scale 18"
  std::string program;
  std::string algorithm;
  std::string what;

  static bool Parse(const std::string& text, MetricName* name) {
    const size_t first = text.find(", "), second = text.find(", ", first + 1);
    const size_t colon = text.find(": ", second);
    if (first == std::string::npos || second == std::string::npos || colon == std::string::npos) {
      return false;
    }
    *name = {text.substr(0, first), text.substr(first + 2, second - first - 2),
             text.substr(second + 2, colon - second - 2), text.substr(colon + 2)};
    return true;
  }
};

int HueOf(const std::string& algorithm) {
  const KnownAlgorithm* const known = FindKnown(algorithm);
  return known == nullptr ? kGrey : known->hue;
}

}  // namespace

void AddScales(const ScaleSeriesOptions& options, const ScaleSeries& series,
               BenchmarkResult* result) {
  result->benchmark = kName;
  result->settings = {{"memory a vertex", StrCat(options.bytes_per_vertex)},
                      {"threads", StrCat(options.threads)}};
  for (const ScalePoint& point : series.points) {
    const std::string scale = ScaleName(point.scale);
    result->settings.emplace_back(StrCat(scale, ": edges"), StrCat(point.num_edges));
    result->settings.emplace_back(StrCat(scale, ": memory_bytes"),
                                  StrCat(point.engine_memory_bytes));
    result->metrics.push_back(
        {StrCat(scale, ": making"), "s", Better::kLess, {point.making_seconds}});
    for (const ScaleTrials& trials : point.trials) {
      const std::string name = StrCat(scale, ", ", trials.program, ", ", trials.algorithm, ": ");
      const double edges =
          static_cast<double>(std::max<uint64_t>(1, point.num_edges * trials.passes));
      const bool paired = trials.seconds.size() > 1;
      result->metrics.push_back({StrCat(name, "time"), "s", Better::kLess, trials.seconds, paired});
      result->metrics.push_back({StrCat(name, kTimeAnEdge), "ns", Better::kLess,
                                 Divided(trials.seconds, edges * 1e-9), paired});
      if (!trials.bytes_read.empty()) {
        result->metrics.push_back(
            {StrCat(name, "read"), "GB", Better::kLess, Divided(trials.bytes_read, 1e9), paired});
        result->metrics.push_back({StrCat(name, kReadAnEdge), "B", Better::kLess,
                                   Divided(trials.bytes_read, edges), paired});
      }
      result->metrics.push_back(
          {StrCat(name, kPeak), "MiB", Better::kLess, Divided(trials.peak_bytes, 1 << 20), paired});
    }
  }
  for (const std::string& remark : series.remarks) result->remarks.push_back(remark);
  result->verified = true;  // otherwise the series would have failed
}

Status CheckEarlierScales(const BenchmarkResult& earlier, const ScaleSeriesOptions& options) {
  ScaleSeries planned;
  for (uint64_t scale = options.first_scale; scale <= options.last_scale; ++scale) {
    planned.points.push_back({.scale = scale});
  }
  BenchmarkResult result;
  AddScales(options, planned, &result);
  return AddEarlierScales(earlier, &result);
}

Status AddEarlierScales(const BenchmarkResult& earlier, BenchmarkResult* result) {
  if (earlier.benchmark != kName) {
    return UsageError(StrCat("bench scales: --add takes a result of bench scales, and this is of ",
                             earlier.benchmark));
  }
  BenchmarkResult both = *result;
  both.settings = earlier.settings;
  for (const auto& [name, value] : result->settings) {
    const auto before =
        std::find_if(earlier.settings.begin(), earlier.settings.end(),
                     [&name = name](const auto& setting) { return setting.first == name; });
    if (before == earlier.settings.end()) {
      both.settings.emplace_back(name, value);
    } else if (name.starts_with("scale ")) {
      return UsageError(StrCat("bench scales: ", name.substr(0, name.find(':')),
                               " is in the result given with --add already"));
    } else if (before->second != value) {
      return UsageError(StrCat("bench scales: ", name, " was ", before->second,
                               " in the result given with --add, and is ", value,
                               ": give the same"));
    }
  }
  both.metrics = earlier.metrics;
  both.metrics.insert(both.metrics.end(), result->metrics.begin(), result->metrics.end());
  both.remarks = earlier.remarks;
  if (earlier.commit != result->commit) {
    both.remarks.push_back(
        StrCat("the result given with --add was measured with commit ", earlier.commit));
  }
  both.remarks.insert(both.remarks.end(), result->remarks.begin(), result->remarks.end());
  both.command = StrCat(earlier.command, " && ", result->command);
  both.verified = earlier.verified && result->verified;
  *result = std::move(both);
  return OkStatus();
}

std::vector<Drawing> DrawScales(const BenchmarkResult& result) {
  std::map<std::string, double> edges;  // by "scale 18"
  for (const auto& [name, value] : result.settings) {
    double count = 0;
    if (name.ends_with(": edges") && ParseNumber(value, &count)) {
      edges[name.substr(0, name.find(':'))] = count;
    }
  }
  std::vector<Drawing> drawings;
  for (const auto& [what, title] : {std::pair{kTimeAnEdge, "Time per edge and pass, ns"},
                                    std::pair{kReadAnEdge, "Bytes read per edge and pass"},
                                    std::pair{kPeak, "Peak resident memory, MiB"}}) {
    LineChart chart{.title = title,
                    .x = {.label = "edges", .quantity = Quantity::kCount, .logarithmic = true},
                    .y = {.logarithmic = true}};
    for (const Metric& metric : result.metrics) {
      MetricName name;
      if (!MetricName::Parse(metric.name, &name) || name.what != what) continue;
      const std::string line_name = StrCat(name.algorithm, ", ", name.program);
      auto line = std::find_if(chart.lines.begin(), chart.lines.end(),
                               [&](const auto& other) { return other.name == line_name; });
      if (line == chart.lines.end()) {
        line = chart.lines.insert(
            line,
            {.name = line_name, .hue = HueOf(name.algorithm), .dashed = name.program != "engine"});
      }
      line->points.emplace_back(edges[name.scale], Median(metric.samples));
    }
    for (LineChart::Line& line : chart.lines) std::sort(line.points.begin(), line.points.end());
    drawings.push_back(DrawLines(chart));
  }
  return drawings;
}

}  // namespace edgemill::bench

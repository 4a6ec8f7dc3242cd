#include "bench/graph500/graph500_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "bench/record/sample_statistics.h"
#include "common/check.h"
#include "common/number_text.h"
#include "common/strings.h"

namespace edgemill::bench {
namespace {

using Figures = std::vector<std::pair<std::string, double>>;

/// Adds the statistics of seconds, edges or validation.
void AddStatistics(const std::string& prefix, std::string_view what,
                   std::span<const double> samples, Figures* figures) {
  const Graph500Statistics found = Graph500StatisticsOf(samples);
  const auto add = [&](std::string_view name, double value) {
    figures->emplace_back(StrCat(prefix, name, "_", what), value);
  };
  add("min", found.min);
  add("firstquartile", found.first_quartile);
  add("median", found.median);
  add("thirdquartile", found.third_quartile);
  add("max", found.max);
  add("mean", found.mean);
  add("stddev", found.stddev);
}

double SecondsAnEdge(const Graph500Kernel& kernel, size_t search) {
  return std::max(kernel.seconds[search], 1e-9) / std::max(kernel.edges[search], 1.0);
}

void AddTeps(const std::string& prefix, const Graph500Kernel& kernel, Figures* figures) {
  std::vector<double> seconds_an_edge;
  for (size_t i = 0; i < kernel.seconds.size(); ++i) {
    seconds_an_edge.push_back(SecondsAnEdge(kernel, i));
  }
  const Graph500Statistics found = Graph500StatisticsOf(seconds_an_edge);
  const auto add = [&](std::string_view name, double value) {
    figures->emplace_back(StrCat(prefix, name), value);
  };
  add("min_TEPS", 1 / found.max);
  add("firstquartile_TEPS", 1 / found.third_quartile);
  add("median_TEPS", 1 / found.median);
  add("thirdquartile_TEPS", 1 / found.first_quartile);
  add("max_TEPS", 1 / found.min);
  add("harmonic_mean_TEPS", 1 / found.mean);
  const auto count = static_cast<double>(seconds_an_edge.size());
  const double error = count > 1 ? found.stddev / std::sqrt(count - 1) : 0;
  add("harmonic_stddev_TEPS", error / (found.mean * found.mean));
}

}  // namespace

GeneratedGraphOptions Graph500Graph(uint64_t scale, uint64_t seed) {
  return {.generator = {.kind = GeneratorKind::kKron,
                        .scale = static_cast<int>(scale),
                        .edge_factor = kGraph500EdgeFactor,
                        .seed = seed},
          .weights = {.kind = WeightChoice::Kind::kRandom,
                      .low = 0,
                      .high = (1 << kGraph500WeightBits) - 1,
                      .seed = seed}};
}

Graph500Statistics Graph500StatisticsOf(std::span<const double> samples) {
  CHECK(!samples.empty());
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t count = sorted.size(), last = count - 1;
  Graph500Statistics found;
  found.min = sorted[0];
  found.first_quartile = (sorted[last / 4] + sorted[count / 4]) / 2;
  found.median = Median(sorted);
  found.third_quartile = (sorted[last - last / 4] + sorted[last - count / 4]) / 2;
  found.max = sorted[last];
  found.mean = Mean(sorted);
  found.stddev = Deviation(sorted);
  return found;
}

Figures Graph500Figures(const Graph500Report& report) {
  Figures figures = {{"SCALE", static_cast<double>(report.scale)},
                     {"edgefactor", static_cast<double>(kGraph500EdgeFactor)},
                     {"NBFS", static_cast<double>(report.num_keys)},
                     {"graph_generation", 0},
                     {"construction_time", report.construction_seconds}};
  for (const Graph500Kernel& kernel : report.kernels) {
    const std::string prefix = StrCat(kernel.name, " ");
    AddStatistics(prefix, "time", kernel.seconds, &figures);
    AddStatistics(prefix, "nedge", kernel.edges, &figures);
    AddTeps(prefix, kernel, &figures);
    AddStatistics(prefix, "validate", kernel.validation_seconds, &figures);
  }
  return figures;
}

std::string Graph500Text(const Graph500Report& report) {
  constexpr size_t kNameWidth = 32;
  std::string text;
  for (const auto& [name, value] : Graph500Figures(report)) {
    std::string line = StrCat(name, ":");
    line.resize(std::max(line.size() + 1, kNameWidth), ' ');
    text += StrCat(line, NumberText(value), "\n");
  }
  text +=
      "construction_time has the generation of the edges, which are made as they are taken in\n";
  if (report.num_keys < kGraph500Keys) {
    text += StrCat("only ", report.num_keys, " vertices have an edge to another vertex\n");
  }
  return text;
}

void AddGraph500(const Graph500Report& report, BenchmarkResult* result) {
  using Json = nlohmann::ordered_json;
  result->metrics.push_back(
      {"construction: time", "s", Better::kLess, {report.construction_seconds}});
  for (const Graph500Kernel& kernel : report.kernels) {
    std::vector<double> teps;
    for (size_t i = 0; i < kernel.seconds.size(); ++i) teps.push_back(1 / SecondsAnEdge(kernel, i));
    result->metrics.push_back(
        {StrCat(kernel.name, ": TEPS"), "edges/s", Better::kMore, std::move(teps), true});
  }
  Json block = Json::object();
  for (const auto& [name, value] : Graph500Figures(report)) block[name] = value;
  const Json details = {{"graph500", std::move(block)},
                        {"trials", Json::parse(result->details, nullptr, false)}};
  result->details = details.dump();
  if (report.num_keys < kGraph500Keys) {
    result->remarks.push_back(StrCat(
        "only ", report.num_keys, " vertices have an edge to another vertex: they are all keys"));
  }
}

}  // namespace edgemill::bench

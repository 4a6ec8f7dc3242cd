#include "cli/bench/trials_report.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "bench/record/sample_statistics.h"
#include "bench/trials/known_algorithms.h"
#include "cli/display/json_text.h"
#include "cli/options/name_list.h"
#include "cli/run/iteration_json.h"
#include "cli/run/vertex_label.h"
#include "common/page/markup.h"
#include "common/page/text_table.h"
#include "common/strings.h"
#include "common/units.h"
#include "engine/graph/names/vertex_called.h"

namespace edgemill::cli {
namespace {

using bench::Better;
using bench::TrialPlan;
using bench::TrialSeries;

/// The processors that the trials of one command ran on.
std::string ProcessorsOf(const std::vector<TrialSeries>& all) {
  std::vector<std::string> processors;
  for (const TrialSeries& series : all) {
    std::string name = series.gpu.empty() ? "CPU" : series.gpu;
    if (std::find(processors.begin(), processors.end(), name) == processors.end()) {
      processors.push_back(std::move(name));
    }
  }
  return JoinNames(processors, ", ");
}

/// Each series, for the details of a result.
StatusOr<nlohmann::ordered_json> Details(const TrialsReport& report, Session& session) {
  using Json = nlohmann::ordered_json;
  Json json = Json::array();
  const GraphStore& store = report.store;
  ASSIGN_OR_RETURN(const auto reader, LookUpReader(store, session.threads(), session.budget()));
  for (const TrialSeries& series : report.all) {
    const bench::TrialFigures& figures = series.figures;
    const std::vector<double>& checks = figures.verify_seconds;
    Json sources = Json::array();
    for (const ExternalId source : series.sources) {
      ASSIGN_OR_RETURN(const VertexLabel label, LabelOf(store, *reader, source));
      sources.push_back(LabelJson<Json>(label));
    }
    json.push_back({{"name", series.entry},
                    {"algorithm", series.algorithm},
                    {"start", series.warm ? "warm" : "cold"},
                    {"mean_seconds", bench::Mean(figures.seconds)},
                    {"median_seconds", bench::Median(figures.seconds)},
                    {"iterations", figures.iterations},
                    {"edges_per_second", figures.edges_per_second},
                    {"load_seconds", figures.load_seconds},
                    {"verify_seconds", std::accumulate(checks.begin(), checks.end(), 0.0)},
                    {"sources", std::move(sources)},
                    {"last_result", FactsJson<Json>(series.facts)}});
    if (!report.by_iteration) continue;
    Json& iterations = json.back()["last_iterations"] = Json::array();
    for (const IterationReport& iteration : series.iterations) {
      iterations.push_back(IterationJson<Json>(iteration));
    }
  }
  return json;
}

/// The given options of an algorithm's runs, as settings of a result.
std::vector<std::pair<std::string, std::string>> SettingsOf(const TrialPlan::Entry& entry) {
  const RunOptions& options = entry.options;
  std::vector<std::pair<std::string, std::string>> settings;
  const auto add = [&](std::string_view name, std::string value) {
    settings.emplace_back(StrCat(entry.name, " ", name), std::move(value));
  };
  for (const auto& [name, value] : options.values.entries()) add(name.substr(2), value.Text());
  if (options.mode != Mode::kAuto) add("mode", std::string(ModeName(options.mode)));
  const uint32_t async = options.async_passes.value_or(0);
  if (async > 0) add("async passes", StrCat(async));
  const BlockPriority priority = options.gpu.priority;
  if (priority != BlockPriority::kNone) add("priority", std::string(BlockPriorityName(priority)));
  const PullKernel kernel = options.gpu.kernel;
  if (kernel != PullKernel::kAuto) add("kernel", std::string(PullKernelName(kernel)));
  if (!options.gpu.combines) add("combining", "none");
  return settings;
}

TextTable TrialsTable(const std::vector<TrialSeries>& all, bool verified) {
  TextTable table({"algorithm", "trials", "mean s", "median s", "least s", "most s", "load s",
                   "iterations", "M edges/s", "GB read", "GB to GPU", "verified"},
                  1);
  for (const TrialSeries& series : all) {
    const bench::TrialFigures& figures = series.figures;
    const auto [least, most] = std::minmax_element(figures.seconds.begin(), figures.seconds.end());
    table.Add({series.Name(), StrCat(figures.seconds.size()),
               FormatFixed(bench::Mean(figures.seconds), 4),
               FormatFixed(bench::Median(figures.seconds), 4), FormatFixed(*least, 4),
               FormatFixed(*most, 4), FormatFixed(bench::Median(figures.load_seconds), 3),
               FormatFixed(bench::Median(figures.iterations), 0),
               FormatFixed(bench::Median(figures.edges_per_second) * 1e-6, 1),
               FormatFixed(bench::Median(figures.bytes_read) * 1e-9, 3),
               series.gpu.empty() ? "" : FormatFixed(bench::Median(figures.link_bytes) * 1e-9, 3),
               verified ? "yes" : "no"});
  }
  return table;
}

/// A row for each series: least, median and most of the figures that `of` gives.
Drawing DrawTrials(const std::vector<TrialSeries>& all, const AxisSpec& axis,
                   const std::vector<double>& (*of)(const bench::TrialFigures&)) {
  RangeChart chart{.title = axis.label, .x = axis};
  double least_of_all = std::numeric_limits<double>::infinity(), most_of_all = 0;
  for (const TrialSeries& series : all) {
    const std::vector<double>& figures = of(series.figures);
    if (figures.empty()) continue;
    const auto [least, most] = std::minmax_element(figures.begin(), figures.end());
    const double median = bench::Median(figures);
    const bench::KnownAlgorithm* const known = bench::FindKnown(series.group);
    chart.rows.push_back({.name = series.Name(),
                          .hue = known == nullptr ? kGrey : known->hue,
                          .low = *least,
                          .middle = median,
                          .high = *most,
                          .text = StrCat("median ", QuantityText(axis.quantity, median))});
    least_of_all = std::min(least_of_all, *least);
    most_of_all = std::max(most_of_all, *most);
  }
  constexpr double kWide = 30;  // a linear axis would hide the small ones
  chart.x.logarithmic = least_of_all > 0 && most_of_all > kWide * least_of_all;
  chart.x.label += chart.x.logarithmic ? ", logarithmic" : "";
  chart.title += ": least, median, most";
  return DrawRanges(chart);
}

}  // namespace

std::string TrialsText(const std::vector<TrialSeries>& all, bool verified) {
  return StrCat(TrialsTable(all, verified).Text(), "processor  ", ProcessorsOf(all), "\n");
}

ResultPage TrialsPage(const std::vector<TrialSeries>& all, bool verified) {
  const auto fastest = std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return bench::Median(a.figures.seconds) < bench::Median(b.figures.seconds);
  });
  const std::string_view checked =
      verified ? "all answers were checked" : "answers were not checked";
  const std::string lead =
      StrCat(fastest->Name(), all.size() > 1 ? " is the fastest: it takes " : " takes ",
             QuantityText(Quantity::kSeconds, bench::Median(fastest->figures.seconds)),
             ", the median of ", fastest->figures.seconds.size(), " trials, on ",
             fastest->gpu.empty() ? "the CPU" : fastest->gpu, "; ", checked, ".");
  const AxisSpec time{.label = "Time without loading", .quantity = Quantity::kSeconds};
  const AxisSpec bytes{.label = "Bytes read", .quantity = Quantity::kBytes};
  return {.title = "Trials of algorithms",
          .lead = lead,
          .drawings = {DrawTrials(all, time,
                                  [](const auto& figures) -> const std::vector<double>& {
                                    return figures.seconds;
                                  }),
                       DrawTrials(all, bytes,
                                  [](const auto& figures) -> const std::vector<double>& {
                                    return figures.bytes_read;
                                  })},
          .tables = {{"Figures", TrialsTable(all, verified)}}};
}

StatusOr<bench::BenchmarkResult> TrialsResult(const TrialsReport& report, Session& session) {
  const auto& [all, store, plan, graph, rules, seed, verified, by_iteration] = report;
  bench::BenchmarkResult result;
  result.benchmark = "run";
  result.command = session.command_line();
  std::vector<std::string> places = {graph};
  for (const auto& place : session.options().data_directories) places.push_back(place);
  bench::DescribeSurroundings(places, &result);
  result.settings = {{"graph", graph},
                     {"vertices", StrCat(store.info().num_vertices)},
                     {"edges", StrCat(store.info().num_edges)},
                     {"memory_bytes", StrCat(session.memory_bytes())},
                     {"threads", StrCat(session.threads())},
                     {"io", all[0].io_engine},
                     {"processor", ProcessorsOf(all)},
                     {"rules", rules},
                     {"seed", StrCat(seed)}};
  if (const std::string_view weight = store.weight_name(); !weight.empty()) {
    result.settings.emplace_back("weight", weight);
  }
  for (const TrialPlan::Entry& entry : plan.entries) {
    result.settings.emplace_back(StrCat(entry.name, " trials"), StrCat(entry.trials));
    for (auto& setting : SettingsOf(entry)) result.settings.push_back(std::move(setting));
  }
  result.verified = verified;
  for (const TrialSeries& series : all) {
    const bench::TrialFigures& figures = series.figures;
    std::vector<double> edges = figures.edges;
    for (double& count : edges) count *= 1e-9;
    std::vector<double> gigabytes = figures.bytes_read;
    for (double& bytes : gigabytes) bytes *= 1e-9;
    const std::string name = series.Name();
    const bool paired = series.has_source && plan.sources.size() > 1;
    result.metrics.push_back({StrCat(name, ": time"), "s", Better::kLess, figures.seconds, paired});
    result.metrics.push_back({StrCat(name, ": edges"), "G", Better::kLess, edges, paired});
    result.metrics.push_back({StrCat(name, ": read"), "GB", Better::kLess, gigabytes, paired});
    result.metrics.push_back({StrCat(name, ": load"), "s", Better::kLess, figures.load_seconds});
    if (series.gpu.empty()) continue;
    std::vector<double> sent = figures.link_bytes;
    for (double& bytes : sent) bytes *= 1e-9;
    result.metrics.push_back({StrCat(name, ": to the GPU"), "GB", Better::kLess, sent, paired});
  }
  ASSIGN_OR_RETURN(const auto details, Details(report, session));
  result.details = details.dump();
  return result;
}

}  // namespace edgemill::cli

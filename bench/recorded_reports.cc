#include "bench/recorded_reports.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "common/file.h"

namespace edgemill::bench {
namespace {

using Json = nlohmann::ordered_json;

/// A figure of a report, and what it becomes.
struct Figure {
  std::string_view key;
  std::string_view name;
  std::string_view unit;
  double factor;
};
constexpr Figure kFigures[] = {{"seconds", "time", "s", 1},
                               {"load_seconds", "load", "s", 1},
                               {"answer_seconds", "to the answer", "s", 1},
                               {"bytes_read", "read", "GB", 1e-9},
                               {"spill_bytes_written", "spilled", "GB", 1e-9},
                               {"stored_bytes", "stored", "GB", 1e-9},
                               {"peak_resident_bytes", "memory", "GB", 1e-9}};
constexpr std::string_view kSettings[] = {"vertices", "edges", "memory_bytes", "threads",
                                          "io_engine"};

void AddSample(const std::string& name, std::string_view unit, double value,
               std::vector<Metric>* metrics) {
  auto metric = std::find_if(metrics->begin(), metrics->end(),
                             [&](const Metric& known) { return known.name == name; });
  if (metric == metrics->end()) {
    metrics->push_back({.name = name, .unit = std::string(unit)});
    metric = metrics->end() - 1;
  }
  metric->samples.push_back(value);
}

/// Collects reports one by one.
class Collector {
 public:
  /// Throws nlohmann's exceptions where a report has another shape.
  void Add(const Json& report);
  StatusOr<BenchmarkResult> Finish(std::vector<std::string>* graphs);

 private:
  BenchmarkResult result_;
  std::set<std::string> graphs_;
  std::set<std::string> unverified_;  // graphs
  bool runs_verified_ = true;
  Json details_ = Json::array();
};

void Collector::Add(const Json& report) {
  const std::string command = report.at("command").get<std::string>();
  const std::string graph = report.at("graph").get<std::string>();
  graphs_.insert(graph);
  std::string name = command;
  if (command == "run") {
    name = report.at("algorithm").get<std::string>();
    runs_verified_ = runs_verified_ && report.at("verified").get<bool>();
  } else if (command == "verify") {
    if (report.at("good").get<bool>()) unverified_.erase(graph);
  } else {
    unverified_.insert(graph);
  }
  report.at("seconds").get<double>();  // without it there is nothing to record
  for (const Figure& figure : kFigures) {
    if (!report.contains(figure.key)) continue;
    AddSample(StrCat(name, ": ", figure.name), figure.unit,
              report[std::string(figure.key)].get<double>() * figure.factor, &result_.metrics);
  }
  for (const std::string_view key : kSettings) {
    if (!report.contains(key)) continue;
    const Json& value = report[std::string(key)];
    const std::pair<std::string, std::string> setting(
        key, value.is_string() ? value.get<std::string>() : value.dump());
    auto& settings = result_.settings;
    if (std::find(settings.begin(), settings.end(), setting) == settings.end()) {
      const bool known = std::any_of(settings.begin(), settings.end(),
                                     [&](const auto& other) { return other.first == key; });
      if (known) result_.remarks.push_back(StrCat("reports differ in ", key));
      if (!known) settings.push_back(setting);
    }
  }
  details_.push_back(report);
}

StatusOr<BenchmarkResult> Collector::Finish(std::vector<std::string>* graphs) {
  result_.verified = runs_verified_ && unverified_.empty();
  result_.details = details_.dump(-1, ' ', false, Json::error_handler_t::replace);
  graphs->assign(graphs_.begin(), graphs_.end());
  return std::move(result_);
}

}  // namespace

StatusOr<BenchmarkResult> CollectReports(const std::vector<std::string>& paths,
                                         std::vector<std::string>* graphs) {
  Collector collector;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMostFileBytes));
    const auto wrong = [&](std::string_view what) {
      return BadDataError(StrCat(path, ": ", what,
                                 ": give files that --json of ingest, generate, run or verify "
                                 "wrote"));
    };
    const Json report = Json::parse(text, nullptr, false);
    if (report.is_discarded() || !report.is_object()) return wrong("is no JSON object");
    if (report.contains("error")) return wrong("is the report of a failure");
    try {
      collector.Add(report);
    } catch (const Json::exception& error) {  // thrown by nlohmann's library alone
      return wrong(StrCat("is no report (", error.what(), ")"));
    }
  }
  return collector.Finish(graphs);
}

}  // namespace edgemill::bench

#include "bench/scaling/recorded_reports.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "bench/record/json_file.h"
#include "bench/record/sample_statistics.h"
#include "bench/scaling/scaling.h"
#include "bench/trials/known_algorithms.h"

namespace edgemill::bench {
namespace {

using Json = nlohmann::ordered_json;

/// A figure of a report, and the metric that it becomes.
struct Figure {
  std::string_view key;
  std::string_view name;
  std::string_view unit;
  double factor;
};
constexpr Figure kFigures[] = {{"seconds", "time", "s", 1},
                               {"load_seconds", "load", "s", 1},
                               {"answer_seconds", "to the answer", "s", 1},
                               {"input_bytes", "input", "GB", 1e-9},
                               {"bytes_read", "read", "GB", 1e-9},
                               {"spill_bytes_written", "spilled", "GB", 1e-9},
                               {"stored_bytes", "stored", "GB", 1e-9},
                               {"peak_resident_bytes", "memory", "GB", 1e-9}};
constexpr std::string_view kSettings[] = {"vertices", "edges", "memory_bytes", "threads",
                                          "io_engine"};

/// Whether files with one label have the same value of the setting. Trials may be fewer on fewer
/// threads, and the default of --memory differs each time.
bool IsOfLabel(std::string_view setting) {
  return setting != "threads" && setting != "memory_bytes" && !setting.ends_with("trials");
}

/// Collects files one by one.
class Collector {
 public:
  /// Returns what is wrong with a report of another shape (JsonFields::fault).
  std::string AddReport(const RecordedFile& file, const Json& report);
  void AddResult(const RecordedFile& file, const BenchmarkResult& result);
  StatusOr<BenchmarkResult> Finish(std::vector<std::string>* graphs);

 private:
  /// Adds samples to the metric "WHAT: KIND", whose name also has the file's folder, label and
  /// threads. A new metric gets the properties of `metric`.
  void AddSamples(const RecordedFile& file, std::string_view what, std::string_view kind,
                  const Metric& metric, std::span<const double> samples);
  /// Keeps a setting, "WHOSE: KEY" unless `whose` is empty.
  void AddSetting(std::string_view whose, std::string_view key, const std::string& value);

  BenchmarkResult result_;
  std::set<std::string> graphs_;
  std::set<std::string> unverified_;  // graphs
  bool all_verified_ = true;          // of runs and results
  Json details_;                      // the reports, by folder where there are folders
};

void Collector::AddSamples(const RecordedFile& file, std::string_view what, std::string_view kind,
                           const Metric& metric, std::span<const double> samples) {
  if (samples.empty()) return;
  std::string whose = file.threads > 0
                          ? NameWithThreads(StrCat(what, ", ", file.label), file.threads)
                          : std::string(what);
  if (!file.folder.empty()) whose = StrCat(file.folder, ", ", whose);
  const std::string name = kind.empty() ? whose : StrCat(whose, ": ", kind);
  auto known = std::find_if(result_.metrics.begin(), result_.metrics.end(),
                            [&](const Metric& other) { return other.name == name; });
  if (known == result_.metrics.end()) {
    result_.metrics.push_back({name, metric.unit, metric.better, {}, metric.paired});
    known = result_.metrics.end() - 1;
  }
  known->samples.insert(known->samples.end(), samples.begin(), samples.end());
}

void Collector::AddSetting(std::string_view whose, std::string_view key, const std::string& value) {
  const std::string name = whose.empty() ? std::string(key) : StrCat(whose, ": ", key);
  auto& settings = result_.settings;
  const auto known = std::find_if(settings.begin(), settings.end(),
                                  [&](const auto& setting) { return setting.first == name; });
  if (known == settings.end()) {
    settings.emplace_back(name, value);
  } else if (known->second != value) {
    result_.remarks.push_back(StrCat("reports differ in ", name));
  }
}

std::string Collector::AddReport(const RecordedFile& file, const Json& report) {
  JsonFields<Json> fields;
  const std::string command = fields.Text(report, "command");
  const std::string graph = fields.Text(report, "graph");
  graphs_.insert(graph);
  std::string name = command;
  if (command == "run") {
    name = fields.Text(report, "algorithm");
    all_verified_ = fields.Flag(report, "verified") && all_verified_;
  } else if (command == "verify") {
    if (fields.Flag(report, "good")) unverified_.erase(graph);
  } else {
    unverified_.insert(graph);
  }
  fields.Number(report, "seconds");  // without it there is nothing to record
  for (const Figure& figure : kFigures) {
    if (!report.contains(figure.key)) continue;
    const double value = fields.Number(report, figure.key) * figure.factor;
    AddSamples(file, name, figure.name, {.unit = std::string(figure.unit)}, {&value, 1});
  }
  for (const std::string_view key : kSettings) {
    if (!report.contains(key) || (file.threads > 0 && !IsOfLabel(key))) continue;
    const Json& value = report[std::string(key)];
    AddSetting(file.label + file.folder, key,
               value.is_string() ? value.get<std::string>() : value.dump());
  }
  (file.folder.empty() ? details_ : details_[file.folder]).push_back(report);
  return fields.fault();
}

void Collector::AddResult(const RecordedFile& file, const BenchmarkResult& result) {
  all_verified_ = all_verified_ && result.verified;
  const std::string& whose = !file.folder.empty() ? file.folder
                             : file.threads > 0   ? file.label
                                                  : result.benchmark;
  for (const auto& [key, value] : result.settings) {
    if (file.threads == 0 || IsOfLabel(key)) AddSetting(whose, key, value);
    if (key == "graph") graphs_.insert(value);
  }
  if (result_.commit.empty()) result_.commit = result.commit;
  if (result_.commit != result.commit) result_.remarks.push_back("reports differ in commit");
  result_.remarks.insert(result_.remarks.end(), result.remarks.begin(), result.remarks.end());
  std::string first;  // the metrics whose first trial is kept apart
  for (const Metric& metric : result.metrics) {
    const size_t colon = std::min(metric.name.rfind(": "), metric.name.size());
    const std::string what = metric.name.substr(0, colon);
    const std::string kind = metric.name.substr(std::min(colon + 2, metric.name.size()));
    std::span<const double> samples(metric.samples);
    const double median = Median(metric.samples);
    if (!file.folder.empty()) samples = std::span(&median, 1);
    if (first.empty() && file.threads > 0 && result.benchmark == "run") first = what;
    if (what != first) {
      AddSamples(file, what, kind, metric, samples);
      continue;
    }
    const KnownAlgorithm* const known = FindKnown(what);
    const bool search = known != nullptr && known->has_source();
    RecordedFile first_of = file, next_of = file;
    first_of.label += search ? ", first search" : ", first trial";
    next_of.label += search ? ", next searches" : ", next trials";
    AddSamples(first_of, what, kind, metric, samples.first(1));
    AddSamples(next_of, what, kind, metric, samples.subspan(1));
  }
}

StatusOr<BenchmarkResult> Collector::Finish(std::vector<std::string>* graphs) {
  result_.verified = all_verified_ && unverified_.empty();
  result_.details = details_.dump(-1, ' ', false, Json::error_handler_t::replace);
  graphs->assign(graphs_.begin(), graphs_.end());
  return std::move(result_);
}

Status AddFile(const RecordedFile& file, Collector* collector) {
  constexpr std::string_view kWanted =
      "give files that --json of ingest, generate, run, verify or a benchmark wrote";
  ASSIGN_OR_RETURN(const Json report, ReadJsonObject<Json>(file.path, kWanted));
  const auto wrong = [&](std::string_view what) {
    return BadDataError(StrCat(file.path, ": ", what, ": ", kWanted));
  };
  if (report.contains("error")) return wrong("is the report of a failure");
  if (report.contains("format")) {
    ASSIGN_OR_RETURN(const BenchmarkResult result, ReadResultFile(file.path));
    collector->AddResult(file, result);
    return OkStatus();
  }
  const std::string fault = collector->AddReport(file, report);
  return fault.empty() ? OkStatus() : wrong(StrCat("is not a report (", fault, ")"));
}

}  // namespace

RecordedFile ParseRecordedFile(const std::string& text, bool with_folder) {
  const auto named = [&](RecordedFile file) {
    if (with_folder) {
      file.folder = std::filesystem::absolute(file.path).parent_path().filename().string();
    }
    return file;
  };
  const size_t at = text.find('@');
  const size_t sign = text.find('=', std::min(at, text.size()));
  int threads = 0;
  if (at == 0 || sign == std::string::npos ||
      !ParseNumber(std::string_view(text).substr(at + 1, sign - at - 1), &threads) || threads < 1) {
    return named({.path = text});
  }
  return named({.path = text.substr(sign + 1), .label = text.substr(0, at), .threads = threads});
}

StatusOr<BenchmarkResult> CollectReports(const std::vector<RecordedFile>& files,
                                         std::vector<std::string>* graphs) {
  Collector collector;
  for (const RecordedFile& file : files) RETURN_IF_ERROR(AddFile(file, &collector));
  return collector.Finish(graphs);
}

}  // namespace edgemill::bench

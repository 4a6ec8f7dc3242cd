#include "cli/run/run_report.h"

#include <nlohmann/json.hpp>

#include "cli/display/histogram_text.h"
#include "cli/display/json_text.h"
#include "cli/display/phase_times.h"
#include "cli/run/iteration_json.h"
#include "cli/run/run_bound.h"
#include "common/strings.h"
#include "engine/output/output_file.h"

namespace edgemill::cli {
namespace {

using Json = nlohmann::ordered_json;

Json TimelineJson(const Timeline& timeline) {
  Json spans = Json::array();
  for (const TimelineSpan& span : timeline.spans()) {
    spans.push_back({WorkerName(span.worker), span.lane, span.begin, span.end});
  }
  Json busy = Json::object();
  for (int i = 0; i < kNumWorkers; ++i) {
    const Worker worker = static_cast<Worker>(i);
    busy[std::string(WorkerName(worker))] = timeline.BusySeconds(worker);
  }
  return {{"seconds", timeline.Seconds()},
          {"busy_seconds", std::move(busy)},
          {"span", {"worker", "lane", "begin", "end"}},
          {"spans", std::move(spans)},
          {"left_out", timeline.left_out()}};
}

/// [{"id": 50, "rank": 0.025}, ...]
Json LinesJson(std::string_view value_name, const std::vector<RunDescription::TopLine>& lines) {
  Json list = Json::array();
  const std::string name(value_name);
  for (const RunDescription::TopLine& line : lines) {
    Json json = {{"id", LabelJson<Json>(line.vertex)}};
    if (const uint64_t* const integer = std::get_if<uint64_t>(&line.value)) {
      json[name] = *integer;
    } else {
      double rounded = 0;
      ParseNumber(TopValueText(line.value), &rounded);
      json[name] = rounded;
    }
    list.push_back(std::move(json));
  }
  return list;
}

/// ["ada", "bob"]; null for what is no path, or too long.
Json PathJson(const std::optional<std::vector<RunDescription::TopLine>>& path) {
  if (!path.has_value()) return nullptr;
  Json list = Json::array();
  for (const RunDescription::TopLine& line : *path) list.push_back(LabelJson<Json>(line.vertex));
  return list;
}

/// {"iterations": 3, "method": "delta"}. The source has its own entry in the report.
Json OptionsJson(const OptionValues& options) {
  Json json = Json::object();
  for (const auto& [name, value] : options.entries()) {
    if (name == "--source") continue;
    Json& entry = json[name.substr(2)];
    std::visit(
        [&]<typename T>(const T& given) {
          if constexpr (std::is_same_v<T, InputValues>) {
            entry = given.file;
          } else {
            entry = given;
          }
        },
        value.variant());
  }
  return json;
}

Json StepsJson(const std::vector<StepReport>& steps) {
  Json all = Json::array();
  for (const StepReport& step : steps) {
    all.push_back({{"step", step.name}, {"times", step.times}, {"seconds", step.seconds}});
  }
  return all;
}

Json CellsJson(const CellReport& cells) {
  if (cells.times == 0) return nullptr;
  return {{"times", cells.times},
          {"parts", cells.parts},
          {"bytes", cells.bytes},
          {"make_seconds", cells.make_seconds}};
}

Json CheckpointsJson(const CheckpointReport& report) {
  return {{"written", report.written},
          {"bytes", report.bytes},
          {"seconds", report.seconds},
          {"restore_seconds", report.restore_seconds},
          {"resumed_passes", report.resumed_passes}};
}

Json BoundJson(const RunBound& bound) {
  Json json = {{"by", bound.by}, {"share", bound.share}, {"sentence", bound.sentence}};
  if (bound.rate_share > 0) json["share_of_measured_rate"] = bound.rate_share;
  return json;
}

Json DisksJson(const std::vector<RunDescription::DiskShare>& disks) {
  Json json = Json::array();
  for (const RunDescription::DiskShare& disk : disks) {
    json.push_back({{"path", disk.path}, {"stored_bytes", disk.stored_bytes}});
  }
  return json;
}

}  // namespace

std::string TopValueText(const std::variant<uint64_t, double>& value) {
  if (const uint64_t* const integer = std::get_if<uint64_t>(&value)) return StrCat(*integer);
  return FormatSignificant(std::get<double>(value));
}

std::string TopText(const RunDescription::TopLine& line) {
  return StrCat(LabelText(line.vertex), ": ", TopValueText(line.value));
}

double IoAmplification(const RunDescription& description, const RunReport& report) {
  if (description.graph_bytes == 0) return 0;
  return static_cast<double>(report.bytes_read) / static_cast<double>(description.graph_bytes);
}

std::string RunReportJson(const RunDescription& description, const RunReport& report) {
  Json json = {
      {"command", "run"},
      {"algorithm", description.algorithm},
      {"graph", description.graph},
      {"uuid", description.uuid},
      {"vertices", description.num_vertices},
      {"edges", description.num_edges},
      {"source", description.sources.empty() ? Json() : LabelJson<Json>(description.sources[0])},
      {"options", OptionsJson(description.options)},
      {"result", FactsJson<Json>(description.facts)},
      {"top", LinesJson(description.top_name, description.top)},
      {"bottom", LinesJson(description.top_name, description.bottom)},
      {"path", PathJson(description.path)},
      {"histogram", description.histogram ? HistogramJson<Json>(*description.histogram) : Json()},
      {"warnings", description.warnings},
      {"seconds", report.run_seconds},
      {"load_seconds", report.load_seconds},
      {"verified", description.verified},
      {"verify_seconds", report.verify_seconds},
      {"answer_seconds", description.answer_seconds},
      {"trial_seconds", description.trial_seconds},
      {"num_iterations", report.num_iterations},
      {"asynchronous", report.async_passes > 0},
      {"async_passes", report.async_passes},
      {"edges_counted", report.edges_counted},
      {"edges_per_second", report.edges_per_second},
      {"edges_processed", report.edges_processed},
      {"bytes_read", report.bytes_read},
      {"reads", report.reads},
      {"graph_bytes", description.graph_bytes},
      {"bytes_read_over_graph_bytes", IoAmplification(description, report)},
      {"memory_bytes", description.memory_bytes},
      {"least_memory_bytes", report.min_budget_bytes},
      {"peak_resident_bytes", report.peak_resident_bytes},
      {"gpu", report.gpu},
      {"gpu_fallback", report.gpu_fallback},
      {"gpu_memory_bytes", report.gpu_memory_bytes},
      {"peak_gpu_bytes", report.peak_gpu_bytes},
      {"samples_neighbors", report.samples_neighbors},
      {"gpu_steps", StepsJson(report.steps)},
      {"gpu_cells", CellsJson(report.cells)},
      {"link_bytes", report.link_bytes},
      {"cost_model", report.cost_model},
      {"calibration", report.calibration},
      {"transfers", TransfersJson<Json>(report.transfers)},
      {"threads", description.threads},
      {"command_line", description.command_line},
      {"version", EDGEMILL_VERSION},
      {"time", description.time},
      {"data_directories", DisksJson(description.disks)},
      {"bound", BoundJson(WhatBound(report, description.disk_rate))},
      {"times", PhaseTimesJson<Json>(report.times)},
      {"checkpoints", CheckpointsJson(report.checkpoints)},
      {"io_engine", report.io_engine}};
  Json iterations = Json::array();
  for (const IterationReport& iteration : report.iterations) {
    iterations.push_back(IterationJson<Json>(iteration));
  }
  json["iterations"] = std::move(iterations);
  if (description.sources.size() > 1) {
    json["source"] = nullptr;
    for (const VertexLabel& source : description.sources) {
      json["sources"].push_back(LabelJson<Json>(source));
    }
  }
  if (!report.gpu.empty()) json["timeline"] = TimelineJson(report.timeline);
  return JsonText(json);
}

Status CheckReportSuffix(const std::string& path) {
  if (path.ends_with(".json") || path.ends_with(".html")) return OkStatus();
  return UsageError(StrCat("run: --report ", path,
                           ": the suffix names no format: end the name in .json or .html"));
}

Status WriteRunReport(const std::string& path, const RunDescription& description,
                      const RunReport& report) {
  return WriteTextOutput(path, path.ends_with(".html") ? RunReportHtml(description, report)
                                                       : RunReportJson(description, report) + "\n");
}

}  // namespace edgemill::cli

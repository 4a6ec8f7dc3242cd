#include "bench/record/result_file.h"

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/record/json_file.h"

namespace edgemill::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "edgemill benchmark results";
constexpr int kVersion = 1;

std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  char text[32];
  gmtime_r(&now, &utc);
  return std::string(text, std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc));
}

Json MachineJson(const Machine& machine) {
  Json disks = Json::array();
  for (const Disk& disk : machine.disks) {
    disks.push_back({{"path", disk.path},
                     {"file_system", disk.file_system},
                     {"device", disk.device},
                     {"model", disk.model},
                     {"scheduler", disk.scheduler},
                     {"rotational", disk.rotational},
                     {"bytes", disk.bytes}});
  }
  return {{"cpu", machine.cpu},
          {"cores", machine.cores},
          {"memory_bytes", machine.memory_bytes},
          {"kernel", machine.kernel},
          {"disks", std::move(disks)}};
}

Machine MachineFrom(const Json& json, JsonFields<Json>& fields) {
  Machine machine;
  machine.cpu = fields.Text(json, "cpu");
  machine.cores = fields.Count(json, "cores");
  machine.memory_bytes = fields.Count(json, "memory_bytes");
  machine.kernel = fields.Text(json, "kernel");
  for (const Json& entry : fields.Array(json, "disks")) {
    machine.disks.push_back({.path = fields.Text(entry, "path"),
                             .file_system = fields.Text(entry, "file_system"),
                             .device = fields.Text(entry, "device"),
                             .model = fields.Text(entry, "model"),
                             .scheduler = fields.Text(entry, "scheduler"),
                             .rotational = fields.Flag(entry, "rotational"),
                             .bytes = fields.Count(entry, "bytes")});
  }
  return machine;
}

/// What is wrong with a metric; empty when nothing is.
std::string FaultOf(const Metric& metric, std::set<std::string>* names) {
  if (!names->insert(metric.name).second) return "is there twice";
  if (metric.samples.empty()) return "has no samples";
  for (const double sample : metric.samples) {
    if (!std::isfinite(sample) || sample < 0) return "has a sample that is not a measurement";
  }
  return "";
}

BenchmarkResult ResultFrom(const Json& json, JsonFields<Json>& fields) {
  BenchmarkResult result;
  result.benchmark = fields.Text(json, "benchmark");
  result.command = fields.Text(json, "command");
  result.commit = fields.Text(json, "commit");
  result.time = fields.Text(json, "time");
  result.machine = MachineFrom(fields.Object(json, "machine"), fields);
  const Json settings = fields.Object(json, "settings");
  for (const auto& setting : settings.items()) {
    result.settings.emplace_back(setting.key(), fields.Text(settings, setting.key()));
  }
  result.verified = fields.Flag(json, "verified");
  for (const Json& entry : fields.Array(json, "metrics")) {
    const std::string better = fields.Text(entry, "better");
    result.metrics.push_back({.name = fields.Text(entry, "name"),
                              .unit = fields.Text(entry, "unit"),
                              .better = better == "more" ? Better::kMore : Better::kLess,
                              .samples = fields.Numbers(entry, "samples"),
                              .paired = fields.Flag(entry, "paired")});
  }
  result.remarks = fields.Texts(json, "remarks");
  if (json.contains("details")) result.details = json.at("details").dump();
  return result;
}

}  // namespace

void DescribeSurroundings(const std::vector<std::string>& paths, BenchmarkResult* result) {
  result->commit = BuildCommit();
  result->time = Now();
  result->machine = ThisMachine(paths);
}

std::string ToJson(const BenchmarkResult& result) {
  Json settings = Json::object();
  for (const auto& [name, value] : result.settings) settings[name] = value;
  Json metrics = Json::array();
  for (const Metric& metric : result.metrics) {
    metrics.push_back({{"name", metric.name},
                       {"unit", metric.unit},
                       {"better", metric.better == Better::kMore ? "more" : "less"},
                       {"paired", metric.paired},
                       {"samples", metric.samples}});
  }
  Json json = {{"format", kFormat},
               {"version", kVersion},
               {"benchmark", result.benchmark},
               {"command", result.command},
               {"commit", result.commit},
               {"time", result.time},
               {"machine", MachineJson(result.machine)},
               {"settings", std::move(settings)},
               {"verified", result.verified},
               {"metrics", std::move(metrics)},
               {"remarks", result.remarks}};
  if (!result.details.empty()) json["details"] = Json::parse(result.details, nullptr, false);
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

StatusOr<BenchmarkResult> ReadResultFile(const std::string& path) {
  constexpr std::string_view kWanted =
      "give a file that --json of a benchmark wrote (bench io, bench run, bench record)";
  ASSIGN_OR_RETURN(const Json json, ReadJsonObject<Json>(path, kWanted));
  const auto wrong = [&](std::string_view what) {
    return BadDataError(StrCat(path, ": ", what, ": ", kWanted));
  };
  if (!json.contains("format") || json["format"] != kFormat) return wrong("holds no results");
  if (!json.contains("version") || json["version"] != kVersion) {
    return wrong(StrCat("is of another version than ", kVersion));
  }
  JsonFields<Json> fields;
  BenchmarkResult result = ResultFrom(json, fields);
  if (!fields.fault().empty()) return wrong(fields.fault());
  std::set<std::string> names;
  for (const Metric& metric : result.metrics) {
    const std::string fault = FaultOf(metric, &names);
    if (!fault.empty()) return wrong(StrCat("metric \"", metric.name, "\" ", fault));
  }
  return result;
}

}  // namespace edgemill::bench

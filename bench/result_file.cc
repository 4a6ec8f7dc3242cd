#include "bench/result_file.h"

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "common/file.h"

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

Machine MachineFrom(const Json& json) {
  Machine machine;
  machine.cpu = json.at("cpu").get<std::string>();
  machine.cores = json.at("cores").get<uint64_t>();
  machine.memory_bytes = json.at("memory_bytes").get<uint64_t>();
  machine.kernel = json.at("kernel").get<std::string>();
  for (const Json& entry : json.at("disks")) {
    machine.disks.push_back({.path = entry.at("path").get<std::string>(),
                             .file_system = entry.at("file_system").get<std::string>(),
                             .device = entry.at("device").get<std::string>(),
                             .model = entry.at("model").get<std::string>(),
                             .scheduler = entry.at("scheduler").get<std::string>(),
                             .rotational = entry.at("rotational").get<bool>(),
                             .bytes = entry.at("bytes").get<uint64_t>()});
  }
  return machine;
}

/// What is wrong with a metric; empty when nothing is.
std::string FaultOf(const Metric& metric, std::set<std::string>* names) {
  if (!names->insert(metric.name).second) return "is there twice";
  if (metric.samples.empty()) return "has no samples";
  for (const double sample : metric.samples) {
    if (!std::isfinite(sample) || sample < 0) return "has a sample that is no measurement";
  }
  return "";
}

/// Throws nlohmann's exceptions where the shape is another; they are caught below.
BenchmarkResult ResultFrom(const Json& json) {
  BenchmarkResult result;
  result.benchmark = json.at("benchmark").get<std::string>();
  result.command = json.at("command").get<std::string>();
  result.commit = json.at("commit").get<std::string>();
  result.time = json.at("time").get<std::string>();
  result.machine = MachineFrom(json.at("machine"));
  for (const auto& [name, value] : json.at("settings").items()) {
    result.settings.emplace_back(name, value.get<std::string>());
  }
  result.verified = json.at("verified").get<bool>();
  for (const Json& entry : json.at("metrics")) {
    const std::string better = entry.at("better").get<std::string>();
    result.metrics.push_back({.name = entry.at("name").get<std::string>(),
                              .unit = entry.at("unit").get<std::string>(),
                              .better = better == "more" ? Better::kMore : Better::kLess,
                              .samples = entry.at("samples").get<std::vector<double>>(),
                              .paired = entry.at("paired").get<bool>()});
  }
  for (const Json& remark : json.at("remarks")) result.remarks.push_back(remark.get<std::string>());
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
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMostFileBytes));
  const auto wrong = [&](std::string_view what) {
    return BadDataError(StrCat(path, ": ", what,
                               ": give a file that --json of a benchmark wrote (bench io, bench "
                               "run, bench record)"));
  };
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return wrong("is no JSON object");
  if (!json.contains("format") || json["format"] != kFormat) return wrong("holds no results");
  if (!json.contains("version") || json["version"] != kVersion) {
    return wrong(StrCat("is of another version than ", kVersion));
  }
  BenchmarkResult result;
  try {
    result = ResultFrom(json);
  } catch (const Json::exception& error) {  // thrown by nlohmann's library alone
    return wrong(StrCat("has another shape (", error.what(), ")"));
  }
  std::set<std::string> names;
  for (const Metric& metric : result.metrics) {
    const std::string fault = FaultOf(metric, &names);
    if (!fault.empty()) return wrong(StrCat("metric \"", metric.name, "\" ", fault));
  }
  return result;
}

}  // namespace edgemill::bench

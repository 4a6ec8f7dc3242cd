#include "engine/cost/calibration_file.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/os/file.h"
#include "common/os/file_place.h"
#include "common/strings.h"
#include "common/threads/parallel.h"
#include "common/units.h"

namespace edgemill {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxFileBytes = size_t{1} << 20;
/// The start of a calibration's text, without spaces.
constexpr std::string_view kBegin = "{\"version\":";

/// The unit of a figure, for tables.
enum class Unit { kBytesPerSecond, kEdgesPerSecond, kSeconds, kBytes };

struct CurveField {
  const char* name;
  Curve Calibration::*curve;
  Unit unit;
  bool of_gpu;
};
constexpr std::array<CurveField, 5> kCurves = {{
    {"copy_rate", &Calibration::copy_rate, Unit::kBytesPerSecond, true},
    {"read_back_rate", &Calibration::read_back_rate, Unit::kBytesPerSecond, true},
    {"pull_rate", &Calibration::pull_rate, Unit::kEdgesPerSecond, true},
    {"push_rate", &Calibration::push_rate, Unit::kEdgesPerSecond, true},
    {"disk_rate", &Calibration::disk_rate, Unit::kBytesPerSecond, false},
}};

struct FigureField {
  const char* name;
  double Calibration::*figure;
  Unit unit;
  bool of_gpu;
};
constexpr std::array<FigureField, 4> kFigures = {{
    {"zero_copy_rate", &Calibration::zero_copy_rate, Unit::kBytesPerSecond, true},
    {"tlb_coverage_bytes", &Calibration::tlb_coverage_bytes, Unit::kBytes, true},
    {"cpu_pull_rate", &Calibration::cpu_pull_rate, Unit::kEdgesPerSecond, false},
    {"cpu_push_rate", &Calibration::cpu_push_rate, Unit::kEdgesPerSecond, false},
}};

std::string Text(double value, Unit unit) {
  switch (unit) {
    case Unit::kBytesPerSecond:
      return StrCat(FormatFixed(value * 1e-9, 2), " GB/s");
    case Unit::kEdgesPerSecond:
      return StrCat(FormatFixed(value * 1e-9, 2), " G edges/s");
    case Unit::kSeconds:
      return StrCat(FormatFixed(value * 1e6, 2), " us");
    case Unit::kBytes:
      return FormatBytes(static_cast<uint64_t>(value));
  }
  return "";
}

StatusOr<Curve> CurveOf(const Json& json) {
  std::vector<Curve::Point> points;
  for (const Json& point : json) {
    if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) {
      return BadDataError("is not a list of pairs of numbers");
    }
    points.emplace_back(point[0].get<double>(), point[1].get<double>());
  }
  Curve curve(std::move(points));
  if (!curve.valid()) return BadDataError("does not rise, or has a rate that is not positive");
  return curve;
}

/// Fills in the calibration from a JSON object. An error names the figure that is wrong.
Status ParseCalibration(const Json& json, Calibration* calibration) {
  const auto wrong = [](std::string_view name, std::string_view what) {
    return BadDataError(StrCat(name, " ", what));
  };
  if (!json.is_object() || !json.contains("version") || !json["version"].is_number_integer()) {
    return BadDataError("it is not a calibration");
  }
  if (json["version"].get<int64_t>() != kCalibrationVersion) {
    return BadDataError(StrCat("its version is ", json["version"].get<int64_t>(),
                               ", this program's ", kCalibrationVersion));
  }
  const std::pair<const char*, std::string Calibration::*> texts[] = {
      {"machine", &Calibration::machine}, {"gpu", &Calibration::gpu}, {"link", &Calibration::link}};
  for (const auto& [name, text] : texts) {
    if (!json.contains(name) || !json[name].is_string()) return wrong(name, "is not text");
    calibration->*text = json[name].get<std::string>();
  }
  const bool has_gpu = !calibration->gpu.empty();
  for (const CurveField& field : kCurves) {
    if (field.of_gpu && !has_gpu) continue;
    if (!json.contains(field.name)) return wrong(field.name, "is missing");
    auto curve = CurveOf(json[field.name]);
    if (!curve.ok()) return wrong(field.name, curve.status().message());
    calibration->*field.curve = std::move(*curve);
  }
  for (const FigureField& field : kFigures) {
    if (field.of_gpu && !has_gpu) continue;
    if (!json.contains(field.name) || !json[field.name].is_number()) {
      return wrong(field.name, "is not a number");
    }
    const double value = json[field.name].get<double>();
    if (!(value > 0) || !std::isfinite(value)) return wrong(field.name, "is not positive");
    calibration->*field.figure = value;
  }
  return OkStatus();
}

Calibration BuiltInBecause(std::string_view why) {
  Calibration calibration = BuiltInCalibration();
  calibration.source = StrCat("built in, measured on an H200: ", why);
  return calibration;
}

}  // namespace

std::string DefaultCalibrationPath() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return StrCat(state, "/edgemill/calibration.json");
  const char* const home = std::getenv("HOME");
  if (home == nullptr || home[0] == '\0') return "";
  return StrCat(home, "/.local/state/edgemill/calibration.json");
}

std::string ThisMachineName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  std::string name = "unknown processor";
  while (std::getline(file, line)) {
    if (!line.starts_with("model name")) continue;
    name = StripSpace(std::string_view(line).substr(line.find(':') + 1));
    break;
  }
  return StrCat(name, ", ", AvailableThreads(), " cores");
}

Status CheckCalibrationPlace(const std::string& path) {
  if (!PathExists(path)) return OkStatus();
  const auto no_calibration = [&] {
    return OutputError(
        StrCat(path, ": exists already, and is not a calibration: give another --calibration"));
  };
  const StatusOr<FilePlace> place = PlaceOf(path);
  if (!place.ok() || !place->regular() || place->descriptor >= 0) return no_calibration();
  // A file shorter than kBegin must be the start of kBegin. Then it counts as a damaged
  // calibration, which may be overwritten.
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return PermissionError(StrCat(path, ": exists already, and cannot be read"));
  std::string begin;
  for (char c = 0; begin.size() < kBegin.size() && file.get(c);) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) begin += c;
  }
  return kBegin.starts_with(begin) ? OkStatus() : no_calibration();
}

StatusOr<Calibration> ReadCalibration(const std::string& path) {
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) {
    return MissingError(StrCat(path,
                               ": there is no such file: make it: edgemill calibrate "
                               "--calibration ",
                               path));
  }
  if (std::filesystem::is_directory(path)) {
    return MissingError(
        StrCat(path, ": is a directory: give the file that edgemill calibrate made"));
  }
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxFileBytes));
  const Json json = Json::parse(text, nullptr, false);
  Calibration calibration;
  const Status taken =
      json.is_discarded() ? BadDataError("it is not JSON") : ParseCalibration(json, &calibration);
  if (!taken.ok()) {
    return BadDataError(StrCat(path, ": ", taken.message(), ": make it again: edgemill calibrate"));
  }
  calibration.source = path;
  return calibration;
}

std::string CalibrationJson(const Calibration& calibration) {
  Json json = {{"version", kCalibrationVersion},
               {"machine", calibration.machine},
               {"gpu", calibration.gpu},
               {"link", calibration.link}};
  for (const CurveField& field : kCurves) {
    Json points = Json::array();
    for (const auto& [x, y] : (calibration.*field.curve).points()) points.push_back({x, y});
    if (!points.empty()) json[field.name] = std::move(points);
  }
  for (const FigureField& field : kFigures) {
    if (calibration.*field.figure > 0) json[field.name] = calibration.*field.figure;
  }
  return json.dump(1);
}

Status WriteCalibration(const std::string& path, const Calibration& calibration) {
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos && slash > 0) {
    RETURN_IF_ERROR(MakeDirectories(path.substr(0, slash)));
  }
  ASSIGN_OR_RETURN(const FilePlace place, PlaceOf(path));  // writes the target of a symbolic link
  return WriteFileAtomically(place.path, CalibrationJson(calibration) + "\n");
}

std::vector<CalibrationRow> CalibrationRows(const Calibration& calibration) {
  std::vector<CalibrationRow> rows;
  for (const CurveField& field : kCurves) {
    for (const auto& [x, y] : (calibration.*field.curve).points()) {
      rows.push_back({field.name, FormatBytes(static_cast<uint64_t>(x)), Text(y, field.unit)});
    }
  }
  for (const FigureField& field : kFigures) {
    const double value = calibration.*field.figure;
    if (value > 0) rows.push_back({field.name, "", Text(value, field.unit)});
  }
  return rows;
}

StatusOr<Calibration> CalibrationForRun(const std::string& path) {
  if (!path.empty()) {
    ASSIGN_OR_RETURN(Calibration calibration, ReadCalibration(path));
    if (calibration.machine != ThisMachineName()) {
      return UsageError(StrCat(path, ": was measured on ", calibration.machine, ", this is ",
                               ThisMachineName(), ": create one with edgemill calibrate"));
    }
    return calibration;
  }
  const std::string usual = DefaultCalibrationPath();
  if (usual.empty() || !PathExists(usual)) {
    return BuiltInBecause("edgemill calibrate measures this machine");
  }
  StatusOr<Calibration> calibration = ReadCalibration(usual);
  if (!calibration.ok()) return BuiltInBecause(calibration.status().message());
  if (calibration->machine == ThisMachineName()) return calibration;
  return BuiltInBecause(
      StrCat(usual, " is of ", calibration->machine, ": edgemill calibrate measures this machine"));
}

Calibration CalibrationForGpu(const Calibration& calibration, std::string_view gpu,
                              std::string_view link) {
  if (calibration.built_in) return calibration;
  if (calibration.gpu != gpu || calibration.link != link) {
    return BuiltInBecause(StrCat(calibration.source, " is of ",
                                 calibration.gpu.empty() ? "no GPU" : calibration.gpu, " on ",
                                 calibration.link.empty() ? "no link" : calibration.link));
  }
  return calibration;
}

}  // namespace edgemill

#include "cli/display/progress_figures.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/strings.h"
#include "common/units.h"
#include "engine/output/place_json.h"

namespace edgemill::cli {
namespace {

using Json = nlohmann::ordered_json;

/// In a rate, a sample that is this old has the weight 1/e. The time is long, because buckets of
/// edges end seconds apart.
constexpr double kRateSeconds = 10;

/// "950", "1.2 k", "52 M", "3.5 G".
std::string FormatShort(double value) {
  static constexpr std::string_view kUnits[] = {"", " k", " M", " G", " T"};
  size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return StrCat(FormatFixed(value, unit > 0 && value < 10 ? 1 : 0), kUnits[unit]);
}

/// "0:43", "1:02:09".
std::string FormatDuration(double seconds) {
  const uint64_t whole = static_cast<uint64_t>(std::llround(std::min(seconds, 3.6e6)));
  const auto two_digits = [](uint64_t n) { return StrCat(n < 10 ? "0" : "", n); };
  if (whole >= 3600) {
    return StrCat(whole / 3600, ":", two_digits(whole / 60 % 60), ":", two_digits(whole % 60));
  }
  return StrCat(whole / 60, ":", two_digits(whole % 60));
}

double Left(uint64_t total, uint64_t done) {
  return static_cast<double>(total - std::min(total, done));
}

Json NumberOrNull(std::optional<double> number) {
  return number.has_value() ? Json(*number) : Json();
}

Json CountOrNull(uint64_t count) { return count > 0 ? Json(count) : Json(); }

std::string OneLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::optional<double> StageShare(const ProgressFigures& figures) {
  const bool by_units = figures.total > 0;
  const uint64_t total = by_units ? figures.total : figures.total_bytes;
  if (total == 0 && figures.iteration == 0) return std::nullopt;
  const uint64_t done = by_units ? figures.done : figures.bytes;
  const double share =
      total == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  if (figures.iteration == 0) return share;
  if (figures.expected_iterations == 0) return std::nullopt;
  const double iterations = static_cast<double>(figures.iteration - 1) + share;
  return std::min(1.0, iterations / static_cast<double>(figures.expected_iterations));
}

std::optional<double> StageSecondsLeft(const ProgressFigures& figures) {
  const bool by_units = figures.total > 0;
  const double rate = by_units ? figures.units_per_second : figures.bytes_per_second;
  if ((!by_units && figures.total_bytes == 0) || rate <= 0) return std::nullopt;
  if (figures.iteration > 0 && figures.expected_iterations == 0) return std::nullopt;
  if (!by_units) return Left(figures.total_bytes, figures.bytes) / rate;
  const double later = Left(figures.expected_iterations, figures.iteration);
  return (Left(figures.total, figures.done) + later * static_cast<double>(figures.total)) / rate;
}

std::string FormatProgress(const ProgressFigures& figures) {
  std::string line = StrCat(figures.round, figures.round.empty() ? "" : ", ", figures.stage, ": ");
  if (figures.iteration > 0) line += StrCat("iteration ", figures.iteration);
  if (figures.iteration > 0 && figures.expected_iterations > 0) {
    line += StrCat(" of about ", figures.expected_iterations);
  }
  const auto item = [&](std::string_view text) {
    line += StrCat(line.ends_with(": ") ? "" : ", ", text);
  };
  const bool planned = figures.command_share.has_value();
  const std::optional<double> share = planned ? figures.command_share : StageShare(figures);
  const std::optional<double> left =
      planned ? figures.command_seconds_left : StageSecondsLeft(figures);
  if (share.has_value()) item(StrCat(FormatFixed(100 * *share, 0), " %"));
  // The most important figures come first, because a narrow terminal cuts the line.
  if (!share.has_value()) {
    item(StrCat(FormatDuration(figures.elapsed_seconds), " so far"));
  } else if (left.has_value() && *left > 0) {
    item(StrCat(FormatDuration(*left), " left"));
  }
  if (figures.total > 0) {
    const double done = static_cast<double>(std::min(figures.done, figures.total));
    const double total = static_cast<double>(figures.total);
    item(StrCat(FormatShort(done), " of ", FormatShort(total), " ", figures.unit));
  } else if (figures.done > 0) {
    item(StrCat(FormatShort(static_cast<double>(figures.done)), " ", figures.unit));
  }
  if (figures.units_per_second > 0) item(StrCat(FormatShort(figures.units_per_second), "/s"));
  if (figures.bytes_per_second >= 1) {
    item(StrCat(FormatBytes(static_cast<uint64_t>(figures.bytes_per_second)), "/s"));
  }
  return line;
}

std::string ProgressJson(const ProgressFigures& figures, double elapsed_seconds) {
  const auto done = [](uint64_t done, uint64_t total) {
    return total > 0 ? std::min(done, total) : done;
  };
  return OneLine({{"stage", figures.stage},
                  {"round", figures.round.empty() ? Json() : Json(figures.round)},
                  {"unit", figures.unit},
                  {"iteration", CountOrNull(figures.iteration)},
                  {"expected_iterations", CountOrNull(figures.expected_iterations)},
                  {"done", done(figures.done, figures.total)},
                  {"total", CountOrNull(figures.total)},
                  {"bytes", done(figures.bytes, figures.total_bytes)},
                  {"total_bytes", CountOrNull(figures.total_bytes)},
                  {"stage_share", NumberOrNull(StageShare(figures))},
                  {"share", NumberOrNull(figures.command_share)},
                  {"units_per_second", figures.units_per_second},
                  {"bytes_per_second", figures.bytes_per_second},
                  {"stage_seconds_left", NumberOrNull(StageSecondsLeft(figures))},
                  {"seconds_left", NumberOrNull(figures.command_seconds_left)},
                  {"elapsed", elapsed_seconds}});
}

std::string MessageJson(std::string_view key, std::string_view text) {
  return OneLine({{key, text}});
}

std::string ErrorJson(const Status& status, int exit_code) {
  Json json = {{"error", std::string(status.message())}, {"exit_code", exit_code}};
  json.update(PlaceJson<Json>(status.place()));
  return OneLine(json);
}

void RecentRate::Add(double count, double seconds) {
  const double kept = std::exp(-seconds / kRateSeconds);
  count_ = kept * count_ + count;
  seconds_ = kept * seconds_ + seconds;
}

}  // namespace edgemill::cli

// What a stage has done, as a line for people or as JSON for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill::cli {

/// What a stage has done. In a stage with iterations, `done` and `total` are those of the current
/// iteration.
struct ProgressFigures {
  std::string_view stage;
  std::string_view unit;
  std::string_view round = "";       // "trial 3 of 16"; empty: there is only one
  uint64_t iteration = 0;            // from 1; 0: the stage has none
  uint64_t expected_iterations = 0;  // exact or estimated; 0: unknown
  uint64_t done = 0;
  uint64_t total = 0;  // 0: unknown
  uint64_t bytes = 0;
  uint64_t total_bytes = 0;  // 0: unknown
  double units_per_second = 0;
  double bytes_per_second = 0;
  double elapsed_seconds = 0;  // of the stage
  /// The share of the whole command; empty where the command has no plan.
  std::optional<double> command_share = std::nullopt;
  std::optional<double> command_seconds_left = std::nullopt;
};

/// The share of the stage, from 0 to 1. It is a share of units if their total is known, else of
/// bytes. In a stage with iterations, it is a share of the expected iterations. Empty where no
/// total is known.
std::optional<double> StageShare(const ProgressFigures& figures);

/// Seconds to the end of the stage, or to the end of the expected iterations. Empty where the
/// total, the rate or the number of iterations is unknown.
std::optional<double> StageSecondsLeft(const ProgressFigures& figures);

/// "sort: 34 %, 0:43 left, 1.2 G of 3.5 G edges, 52 M/s, 812 MiB/s". Share and time left are those
/// of the command if it has a plan, else of the stage. If no share is known: "reading: 0:43 so far,
/// 52 M edges, 1.2 M/s, 24 MiB/s".
std::string FormatProgress(const ProgressFigures& figures);

/// The same as a JSON object on one line, without a line end. `elapsed_seconds` is the time of the
/// command.
std::string ProgressJson(const ProgressFigures& figures, double elapsed_seconds);

/// {"`key`": "`text`"} on one line, without a line end. Bytes that are not UTF-8 are replaced.
std::string MessageJson(std::string_view key, std::string_view text);
/// An error as JSON: {"error": message, "exit_code": 65, "file": "a.el", "line": 3, "column": 1}.
std::string ErrorJson(const Status& status, int exit_code);

/// A recent rate, with weights that decay exponentially. It is the mean of all samples at first.
class RecentRate {
 public:
  /// Adds `count` units that took `seconds`.
  void Add(double count, double seconds);
  double per_second() const { return seconds_ > 0 ? count_ / seconds_ : 0; }

 private:
  double count_ = 0;
  double seconds_ = 0;
};

}  // namespace edgemill::cli

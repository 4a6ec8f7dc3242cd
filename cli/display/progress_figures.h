// What a stage has done, as a line for people or for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/status.h"

namespace edgemill::cli {

/// What a stage has done. In a stage with iterations, `done` and `total` are those of the iteration
/// under way.
struct ProgressFigures {
  std::string_view stage;
  std::string_view unit;
  std::string_view round = "";       // "trial 3 of 16"; empty: there is one
  uint64_t iteration = 0;            // from 1; 0: the stage has none
  uint64_t expected_iterations = 0;  // about, or exactly; 0: unknown
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

/// The share of the stage, from 0 to 1: of units where their total is known, else of bytes; of
/// iterations where it is known how many there will be. Empty where no total is known.
std::optional<double> StageShare(const ProgressFigures& figures);

/// To the end of the stage; of iterations, to the end of as many as are expected. Empty where the
/// total, the rate or the number of iterations is unknown.
std::optional<double> StageSecondsLeft(const ProgressFigures& figures);

/// "sort: 34 %, 0:43 left, 1.2 G of 3.5 G edges, 52 M/s, 812 MiB/s": share and time left are those
/// of the command where it has a plan, else of the stage. Without either "reading: 0:43 so far, 52
/// M edges, 1.2 M/s, 24 MiB/s".
std::string FormatProgress(const ProgressFigures& figures);

/// The same as a JSON object on one line, without its end. `elapsed_seconds` are those of the
/// command.
std::string ProgressJson(const ProgressFigures& figures, double elapsed_seconds);

/// {"`key`": "`text`"} on one line, without its end. Bytes that are no UTF-8 are replaced.
std::string MessageJson(std::string_view key, std::string_view text);
/// An error by keys: {"error": message, "exit_code": 65, "file": "a.el", "line": 3, "column": 1}.
std::string ErrorJson(const Status& status, int exit_code);

/// A rate over the last seconds, by exponentially decaying weights. From the first sample on it is
/// the mean of what was seen.
class RecentRate {
 public:
  /// `count` more in `seconds`.
  void Add(double count, double seconds);
  double per_second() const { return seconds_ > 0 ? count_ / seconds_ : 0; }

 private:
  double count_ = 0;
  double seconds_ = 0;
};

}  // namespace edgemill::cli

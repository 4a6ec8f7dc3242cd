// What all commands share: common options, budget, threads, progress, and where answers go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/display/progress_display.h"
#include "cli/options/option_set.h"
#include "common/os/memory_budget.h"
#include "common/status.h"

namespace edgemill::cli {

/// Which of the shared options a command has besides --json, --progress and --quiet.
struct SharedChoices {
  bool memory = true;
  bool threads = true;
  std::string_view data_help =
      "where to look for the graph's data directories when they have moved (repeatable)";
};

/// The options that commands share.
struct SharedOptions {
  std::string json;  // a file, or "-" for standard output; empty: none
  bool quiet = false;
  std::string progress = "auto";
  uint64_t memory_bytes = 0;  // 0: DefaultMemoryBytes()
  uint64_t threads = 0;       // 0: AvailableThreads()
  std::vector<std::string> data_directories;

  /// Declares those of `choices`: memory, threads and data directories.
  void Declare(OptionSet& options, const SharedChoices& choices);
};

/// What an operation works with, in the program and in the library.
struct Means {
  MemoryBudget& budget;
  Progress& progress;
  int threads;
};

/// Returns `status`, with `done` after its message: what was done before the report failed. Ok
/// stays ok.
Status WithDoneWork(const Status& status, std::string_view done);

/// One run of one command. Not thread-safe, except for progress().
class Session {
 public:
  Session() = default;

  /// Adds the shared options to a command's own.
  void Declare(OptionSet& options, const SharedChoices& choices);
  /// Applies the parsed options and starts the progress display. Returns OutputError for a --json
  /// file that cannot be made.
  Status Start();

  /// Keeps what the user typed, for results that say how to get them again.
  void SetCommandLine(std::string command_line) { command_line_ = std::move(command_line); }
  const std::string& command_line() const { return command_line_; }

  const SharedOptions& options() const { return options_; }
  uint64_t memory_bytes() const { return memory_bytes_; }
  int threads() const { return threads_; }
  MemoryBudget& budget() { return *budget_; }
  Progress& progress() { return *progress_; }
  Means means() { return {budget(), progress(), threads()}; }
  /// Sets the stages of the command from here on, for progress.
  void Plan(std::vector<PlannedStage> stages) { progress_->Plan(std::move(stages)); }
  /// Whether standard error has only JSON, one object in each line.
  bool json_messages() const { return !options_.quiet && options_.progress == "json"; }

  /// Whether standard output has JSON for a program (--json -), so that text goes elsewhere.
  bool json_on_standard_output() const { return options_.json == "-"; }
  /// Prints a part of the answer on standard output, or on standard error if standard output is
  /// taken. It is no error if the reader of the output has closed it.
  Status Print(std::string_view text);
  /// Sends Print to standard error from now on, because standard output is for an --output -.
  void ReserveStandardOutput() { standard_output_taken_ = true; }

  /// Sets the text for --json, which is a JSON object.
  void SetJson(std::string json) { json_ = std::move(json); }
  bool wants_json() const { return !options_.json.empty(); }

  /// Ends progress and writes --json. `status` is how the command ended. The JSON also describes a
  /// failure.
  Status Finish(std::string_view command, const Status& status);

 private:
  ProgressStyle Style() const;
  Status CheckJsonPath();
  /// Adds warnings_ to the JSON that a command has set.
  void AddWarnings();
  SharedOptions options_;
  uint64_t memory_bytes_ = 0;
  int threads_ = 1;
  bool standard_output_taken_ = false;
  std::unique_ptr<MemoryBudget> budget_;
  std::unique_ptr<ProgressDisplay> progress_;
  std::string json_;
  std::string command_line_;
  std::vector<std::string> warnings_;  // of the session itself
};

}  // namespace edgemill::cli

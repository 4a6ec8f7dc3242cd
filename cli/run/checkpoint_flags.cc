#include "cli/run/checkpoint_flags.h"

#include "common/number_text.h"
#include "common/strings.h"

namespace edgemill::cli {

void CheckpointFlags::Declare(OptionSet& options) {
  options.Section("Long runs");
  options.Text(
      "--checkpoint-every", &every_, "N|Ts",
      "write a checkpoint every N passes over edges, or every T seconds (60s; also 10m, "
      "2h), between passes; a run that was killed goes on from the last one with --resume");
  options.Text("--checkpoint-dir", &directory_, "DIR",
               "where checkpoints go (default: inside the graph directory); a run that SIGTERM "
               "stops writes one more");
  options.Makes("--checkpoint-dir");
  options.Flag("--resume", &resume_,
               "go on from the last checkpoint of this run: the same algorithm, graph and "
               "parameters; all else may differ");
  for (const std::string_view name : {"--checkpoint-every", "--checkpoint-dir", "--resume"}) {
    options.Exclude({name, "--trials"});
    options.Exclude({name, "--warm"});
  }
}

Status ParseInterval(std::string_view text, CheckpointOptions* options) {
  constexpr uint64_t kMost = 1'000'000'000;
  uint64_t seconds = 0;  // in the unit
  if (text.ends_with('s')) seconds = 1;
  if (text.ends_with('m')) seconds = 60;
  if (text.ends_with('h')) seconds = 3600;
  uint64_t number = 0;
  const std::string_view digits = text.substr(0, text.size() - (seconds > 0 ? 1 : 0));
  if (!ParseNumber(digits, &number) || number == 0 || number > kMost) {
    return UsageError(StrCat("--checkpoint-every ", text,
                             ": give a number of passes, such as 500, or a time, such as 60s"));
  }
  if (seconds == 0) {
    options->every_passes = number;
  } else {
    options->every_seconds = static_cast<double>(number * seconds);
  }
  return OkStatus();
}

StatusOr<CheckpointOptions> CheckpointFlags::Parse() const {
  CheckpointOptions options;
  options.directory = directory_;
  options.resume = resume_;
  if (!every_.empty()) RETURN_IF_ERROR(ParseInterval(every_, &options));
  return options;
}

Status OrResumedBy(std::string_view command_line, const GraphStore& store,
                   const RunOptions& options, const Status& status) {
  if (status.code() != Code::kCancelled || !HasCheckpoint(store, options)) return status;
  return status.WithMessage(StrCat(status.message(), ": go on with ", command_line,
                                   options.checkpoints.resume ? "" : " --resume"));
}

}  // namespace edgemill::cli

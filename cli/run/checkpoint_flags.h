// The options of a run about checkpoints, and how it goes on from one.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/option_set.h"
#include "common/status.h"
#include "engine/checkpoint/checkpoint_options.h"
#include "engine/run/run.h"

namespace edgemill::cli {

/// Declares --checkpoint-every, --checkpoint-dir and --resume, and keeps what was given.
class CheckpointFlags {
 public:
  void Declare(OptionSet& options);
  /// UsageError for text that is neither a number of passes nor a time.
  StatusOr<CheckpointOptions> Parse() const;

 private:
  std::string every_;
  std::string directory_;
  bool resume_ = false;
};

/// "500": a number of passes; "60s", "10m", "2h": a time. Sets one of the two options. UsageError
/// for other text.
Status ParseInterval(std::string_view text, CheckpointOptions* options);

/// The error of a run that was stopped: says by which command it goes on, if it can.
Status OrResumedBy(std::string_view command_line, const GraphStore& store,
                   const RunOptions& options, const Status& status);

}  // namespace edgemill::cli

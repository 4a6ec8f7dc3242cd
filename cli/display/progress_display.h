// Progress on standard error: one line rewritten on a terminal, a line now and then in a log, JSON
// for programs.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/display/command_share.h"
#include "cli/display/progress_figures.h"
#include "common/clock.h"
#include "common/progress.h"
#include "common/thread_annotations.h"

namespace edgemill::cli {

/// How progress is shown.
enum class ProgressStyle {
  kTerminal,  // one line, rewritten five times a second
  kLog,       // one line every 10 seconds
  kJson,      // an object a line: every second, and where a stage starts or ends; notes are objects
  kNotes,     // notes alone
  kQuiet,     // none; notes neither
};

/// Shows a Progress on standard error from a thread of its own. Thread-safe.
class ProgressDisplay : public Progress {
 public:
  explicit ProgressDisplay(ProgressStyle style);
  /// Ends the line.
  ~ProgressDisplay() override;

  using Progress::StartStage;
  void StartStage(std::string_view name, std::string_view unit, const StageExtent& extent) override;
  void StartRound(std::string_view name) override;
  void Note(std::string_view message) override;
  /// What the command will do from here on: share and time left are those of all of it.
  void Plan(std::vector<PlannedStage> stages);
  /// Clears the line and shows nothing more, so that other output may follow.
  void Finish();

 private:
  void Run();
  /// Brings the rates up to now.
  void Sample() REQUIRES(mutex_);
  void Show() REQUIRES(mutex_);
  void ClearLine() REQUIRES(mutex_);

  const ProgressStyle style_;
  const Stopwatch since_start_;
  Mutex mutex_;
  CondVar wake_;
  bool finished_ GUARDED_BY(mutex_) = false;
  bool line_shown_ GUARDED_BY(mutex_) = false;
  std::set<std::string> notes_ GUARDED_BY(mutex_);  // that were shown
  std::string round_ GUARDED_BY(mutex_);
  std::string stage_ GUARDED_BY(mutex_);
  std::string unit_ GUARDED_BY(mutex_);
  StageExtent extent_ GUARDED_BY(mutex_);
  CommandShare command_ GUARDED_BY(mutex_);
  Stopwatch stage_clock_ GUARDED_BY(mutex_);
  Stopwatch sample_clock_ GUARDED_BY(mutex_);  // since the figures below were taken
  uint64_t last_done_ GUARDED_BY(mutex_) = 0;
  uint64_t last_bytes_ GUARDED_BY(mutex_) = 0;
  RecentRate unit_rate_ GUARDED_BY(mutex_);
  RecentRate byte_rate_ GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace edgemill::cli

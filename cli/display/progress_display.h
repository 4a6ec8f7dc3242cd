// Progress on standard error: one line that is rewritten on a terminal, lines at intervals in a
// log, or JSON for programs.
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
  kJson,      // an object a line: each second, and at the start and end of stages; notes too
  kNotes,     // only notes
  kQuiet,     // nothing, not even notes
};

/// The recent rates of a stage, as of the last update. Not thread-safe.
class StageRates {
 public:
  /// Starts a stage. `extent` says what was done before.
  void Start(const StageExtent& extent);
  /// Records the units and bytes that are done by now.
  void Update(uint64_t done, uint64_t bytes);

  uint64_t done() const { return done_; }
  uint64_t bytes() const { return bytes_; }
  double units_per_second() const { return unit_rate_.per_second(); }
  double bytes_per_second() const { return byte_rate_.per_second(); }

 private:
  Stopwatch since_update_;
  uint64_t done_ = 0;
  uint64_t bytes_ = 0;
  RecentRate unit_rate_;
  RecentRate byte_rate_;
};

/// Shows a Progress on standard error from a thread of its own. Thread-safe.
class ProgressDisplay : public Progress {
 public:
  explicit ProgressDisplay(ProgressStyle style);
  /// Finishes, which clears the line.
  ~ProgressDisplay() override;

  using Progress::StartStage;
  void StartStage(std::string_view name, std::string_view unit, const StageExtent& extent) override;
  void StartRound(std::string_view name) override;
  void Note(std::string_view message) override;
  /// Sets the stages of the command from here on. The share and the time left are then those of all
  /// stages.
  void Plan(std::vector<PlannedStage> stages);
  /// Clears the line and shows nothing more, so that other output may follow.
  void Finish();

 private:
  struct Stage {
    std::string name;  // empty: none has started
    std::string unit;
    StageExtent extent;
    Stopwatch clock;
  };

  void Run();
  void Show() REQUIRES(mutex_);
  void ClearLine() REQUIRES(mutex_);

  const ProgressStyle style_;
  const Stopwatch since_start_;
  Mutex mutex_;
  CondVar wake_;
  bool finished_ GUARDED_BY(mutex_) = false;
  bool line_shown_ GUARDED_BY(mutex_) = false;
  std::set<std::string> notes_ GUARDED_BY(mutex_);  // those shown already
  std::string round_ GUARDED_BY(mutex_);
  Stage stage_ GUARDED_BY(mutex_);
  StageRates rates_ GUARDED_BY(mutex_);
  CommandShare command_ GUARDED_BY(mutex_);
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace edgemill::cli

// Progress for people: one line rewritten on a terminal, a line now and then in a log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "common/clock.h"
#include "common/progress.h"
#include "common/thread_annotations.h"

namespace edgemill::cli {

/// How progress is shown.
enum class ProgressStyle {
  kTerminal,  // one line, rewritten five times a second
  kLog,       // one line every 30 seconds
  kQuiet,     // none; notes neither
};

/// What a stage has done, as one line shows it.
struct ProgressFigures {
  std::string_view stage;
  std::string_view unit;
  uint64_t done = 0;
  uint64_t total = 0;  // 0: unknown
  double units_per_second = 0;
  double bytes_per_second = 0;
};

/// "sort: 34 %, 1.2 G of 3.5 G edges, 52 M/s, 812 MiB/s, 0:43 left".
std::string FormatProgress(const ProgressFigures& figures);

/// Shows a Progress on standard error from a thread of its own. Thread-safe.
class ProgressDisplay : public Progress {
 public:
  explicit ProgressDisplay(ProgressStyle style);
  /// Ends the line.
  ~ProgressDisplay() override;

  void StartStage(std::string_view name, std::string_view unit, uint64_t total) override;
  void Note(std::string_view message) override;
  /// Clears the line and shows nothing more, so that other output may follow.
  void Finish();

 private:
  void Run();
  void Show() REQUIRES(mutex_);
  void ClearLine() REQUIRES(mutex_);

  const ProgressStyle style_;
  Mutex mutex_;
  CondVar wake_;
  bool finished_ GUARDED_BY(mutex_) = false;
  bool line_shown_ GUARDED_BY(mutex_) = false;
  std::string stage_ GUARDED_BY(mutex_);
  std::string unit_ GUARDED_BY(mutex_);
  uint64_t total_ GUARDED_BY(mutex_) = 0;
  Stopwatch clock_ GUARDED_BY(mutex_);  // since the figures below were taken
  uint64_t last_done_ GUARDED_BY(mutex_) = 0;
  uint64_t last_bytes_ GUARDED_BY(mutex_) = 0;
  double unit_rate_ GUARDED_BY(mutex_) = 0;
  double byte_rate_ GUARDED_BY(mutex_) = 0;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace edgemill::cli

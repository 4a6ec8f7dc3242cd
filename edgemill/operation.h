// One operation of the library: its memory, and its progress on the way to the caller.
#pragma once

#include <string>
#include <string_view>
#include <thread>

#include "common/os/memory_budget.h"
#include "common/progress.h"
#include "common/thread_annotations.h"
#include "edgemill/edgemill.h"

namespace edgemill {

/// Calls Resources::progress from a thread of its own, from construction to the end. Thread-safe.
class ReportedProgress : public Progress {
 public:
  explicit ReportedProgress(const Resources& resources);
  /// Takes back a cancellation that the caller's function asked for.
  ~ReportedProgress() override;

  using Progress::StartStage;
  void StartStage(std::string_view name, std::string_view unit, const StageExtent& extent) override;
  void Note(std::string_view message) override;

 private:
  void Run();

  const Resources& resources_;
  Mutex mutex_;
  CondVar wake_;
  ProgressReport report_ GUARDED_BY(mutex_);
  bool finished_ GUARDED_BY(mutex_) = false;
  bool cancelled_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

/// `resources` must outlive it.
struct Operation {
  explicit Operation(const Resources& resources);

  const int threads;
  MemoryBudget budget;
  ReportedProgress progress;
};

}  // namespace edgemill

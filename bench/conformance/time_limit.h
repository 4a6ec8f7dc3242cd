// A bound of a run's time.
#pragma once

#include <thread>

#include "common/thread_annotations.h"

namespace edgemill::bench {

/// Cancels what runs in this process once so many seconds have passed. The destructor takes its own
/// cancellation back.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  /// Whether the time has passed.
  bool expired() const;

 private:
  void Wait(double seconds);

  mutable Mutex mutex_;
  CondVar ended_;
  bool is_over_ GUARDED_BY(mutex_) = false;
  bool expired_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace edgemill::bench

#include "bench/conformance/time_limit.h"

#include "common/cancel.h"
#include "common/clock.h"

namespace edgemill::bench {

TimeLimit::TimeLimit(double seconds) : thread_([this, seconds] { Wait(seconds); }) {}

TimeLimit::~TimeLimit() {
  {
    const MutexLock lock(mutex_);
    is_over_ = true;
    ended_.NotifyAll();
  }
  thread_.join();
  const MutexLock lock(mutex_);
  if (expired_) ClearCancel();
}

bool TimeLimit::expired() const {
  const MutexLock lock(mutex_);
  return expired_;
}

void TimeLimit::Wait(double seconds) {
  const Stopwatch watch;
  const MutexLock lock(mutex_);
  while (!is_over_ && watch.seconds() < seconds) ended_.WaitFor(mutex_, seconds - watch.seconds());
  if (is_over_) return;
  expired_ = true;
  RequestCancel();
}

}  // namespace edgemill::bench

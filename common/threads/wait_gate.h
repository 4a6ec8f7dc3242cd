// A gate at which threads wait until it is open.
#pragma once

#include "common/thread_annotations.h"

namespace edgemill {

/// Open at first. Thread-safe.
class WaitGate {
 public:
  void Set(bool open) {
    MutexLock lock(mutex_);
    open_ = open;
    if (open) opened_.NotifyAll();
  }
  void Wait() {
    MutexLock lock(mutex_);
    while (!open_) opened_.Wait(mutex_);
  }

 private:
  Mutex mutex_;
  CondVar opened_;
  bool open_ GUARDED_BY(mutex_) = true;
};

}  // namespace edgemill

// Clang's thread safety annotations (-Wthread-safety), which are empty for other compilers. Mutex,
// MutexLock and CondVar have them, and use std::mutex. Waits are measured by their cause.
#pragma once

#include <condition_variable>
#include <mutex>

#include "common/thread_times.h"

#if defined(__clang__)
#define EM_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define EM_THREAD_ANNOTATION(x)
#endif

#define GUARDED_BY(x) EM_THREAD_ANNOTATION(guarded_by(x))
#define REQUIRES(...) EM_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) EM_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace edgemill {

/// A std::mutex that Clang's analysis understands.
class EM_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() EM_THREAD_ANNOTATION(acquire_capability()) {
    if (mutex_.try_lock()) return;
    const WaitScope waiting(WaitCause::kLock);
    mutex_.lock();
  }
  /// Locks unless another thread has the lock. Returns whether it did.
  bool TryLock() EM_THREAD_ANNOTATION(try_acquire_capability(true)) { return mutex_.try_lock(); }
  void Unlock() EM_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class EM_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) EM_THREAD_ANNOTATION(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() EM_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable for Mutex. Callers loop: `while (!ready) cond.Wait(mutex);`
class CondVar {
 public:
  /// Waits; `mutex` is released meanwhile and held again on return.
  void Wait(Mutex& mutex, WaitCause cause = WaitCause::kIdle) REQUIRES(mutex) {
    const WaitScope waiting(cause);
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    cond_.wait(lock);
    lock.release();
  }
  /// As Wait, for at most `seconds`; false on time-out.
  bool WaitFor(Mutex& mutex, double seconds, WaitCause cause = WaitCause::kIdle) REQUIRES(mutex) {
    const WaitScope waiting(cause);
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const auto status = cond_.wait_for(lock, std::chrono::duration<double>(seconds));
    lock.release();
    return status == std::cv_status::no_timeout;
  }
  void NotifyOne() { cond_.notify_one(); }
  void NotifyAll() { cond_.notify_all(); }

 private:
  std::condition_variable cond_;
};

}  // namespace edgemill

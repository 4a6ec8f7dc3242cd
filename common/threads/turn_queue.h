// Threads that go one after the other, in the order of numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/thread_annotations.h"

namespace edgemill {

/// Lets one thread at a time through: first the one with turn `first`, then the next number. Wakes
/// only the thread whose turn is due: if each turn woke all of sixteen threads, they would use the
/// lock for longer than the turn takes. Thread-safe.
class TurnQueue {
 public:
  explicit TurnQueue(uint64_t first = 0) : due_(first) {}

  /// Waits until `turn` is due; false when the queue ends before this turn. No two threads have the
  /// same turn.
  bool Await(uint64_t turn) {
    MutexLock lock(mutex_);
    while (due_ != turn && turn < end_) WaitersFor(turn).Wait(mutex_, WaitCause::kTurn);
    return turn < end_;
  }
  /// Whether `turn` is due by now.
  bool IsDue(uint64_t turn) const {
    MutexLock lock(mutex_);
    return due_ == turn;
  }
  /// Ends the turn that is due. Called by its thread.
  void Pass() {
    uint64_t next = 0;
    {
      MutexLock lock(mutex_);
      next = ++due_;
    }
    WaitersFor(next).NotifyAll();
  }
  /// Ends the queue before `turn`.
  void EndAt(uint64_t turn) {
    {
      MutexLock lock(mutex_);
      end_ = std::min(end_, turn);
    }
    for (CondVar& waiters : waiters_) waiters.NotifyAll();
  }

 private:
  /// Threads that are fewer than this many turns apart are not woken for each other.
  static constexpr size_t kNumWaiters = 64;
  CondVar& WaitersFor(uint64_t turn) { return waiters_[turn % kNumWaiters]; }

  mutable Mutex mutex_;
  std::array<CondVar, kNumWaiters> waiters_;
  uint64_t due_ GUARDED_BY(mutex_);
  uint64_t end_ GUARDED_BY(mutex_) = std::numeric_limits<uint64_t>::max();
};

}  // namespace edgemill

// Copies of a program, or of a function on vertices or edges, that threads call. The tallies of all
// copies are merged at the end.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "common/check.h"
#include "common/thread_annotations.h"
#include "engine/program/program_calls.h"

namespace edgemill {

/// A copy for each thread. The copies of other threads than the calling one are made when they are
/// needed, because small passes have no other threads. Also keeps the tallies of copies that
/// callers make (AddTallies).
template <typename F>
class ThreadCopies {
 public:
  ThreadCopies(const F& given, int threads)
      : given_(given),
        merged_(given),
        first_{given},
        others_(static_cast<size_t>(std::max(threads, 1)) - 1) {}

  /// The program or function as it was given, its tallies empty.
  const F& given() const { return given_; }
  /// A thread's copy. Work on a local copy of it, and store that back afterwards, so that its
  /// tallies stay in registers.
  F& CopyFor(int thread) {
    CHECK(thread >= 0 && static_cast<size_t>(thread) <= others_.size());
    if (thread == 0) return first_.function;
    std::unique_ptr<Copy>& copy = others_[static_cast<size_t>(thread) - 1];
    if (copy == nullptr) copy = std::make_unique<Copy>(Copy{given_});
    return copy->function;
  }
  /// Adds the tallies of `copy`, a copy of given(). Thread-safe.
  void AddTallies(F& copy) {
    CheckNumbers(given_, copy);
    if constexpr (kHasTallies<F>) {
      MutexLock lock(mutex_);
      MergeTallies(merged_, copy);
    }
  }
  /// Adds the tallies of all copies to their totals. Call it last.
  void End() {
    EndTallies(merged_);
    EndCopy(first_);
    for (const std::unique_ptr<Copy>& copy : others_) {
      if (copy != nullptr) EndCopy(*copy);
    }
  }

 private:
  struct alignas(64) Copy {
    F function;
  };

  void EndCopy(Copy& copy) {
    CheckNumbers(given_, copy.function);
    EndTallies(copy.function);
  }

  const F given_;
  Mutex mutex_;  // protects merged_ while threads work
  F merged_;
  Copy first_;
  std::vector<std::unique_ptr<Copy>> others_;
};

}  // namespace edgemill

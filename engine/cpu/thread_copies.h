// Copies of a program, or of a function on vertices or edges, that threads call. What a copy adds
// to its tallies is merged in the end.
#pragma once

#include <vector>

#include "common/thread_annotations.h"
#include "engine/program/program_calls.h"

namespace edgemill {

/// A copy for each thread, and the tallies of copies that are made beside these.
template <typename F>
class ThreadCopies {
 public:
  ThreadCopies(const F& given, int threads)
      : given_(given), kept_(given), copies_(static_cast<size_t>(threads), Copy{given}) {}

  /// The program or function as it was given, its tallies empty.
  const F& given() const { return given_; }
  /// A thread's copy. Work on a copy of it, and put that back: its tallies are kept in registers
  /// so.
  F& of(int thread) { return copies_[static_cast<size_t>(thread)].function; }
  /// Keeps what `copy`, one of given(), has added to its tallies. Thread-safe.
  void KeepTallies(F& copy) {
    CheckNumbers(given_, copy);
    if constexpr (kHasTallies<F>) {
      MutexLock lock(mutex_);
      MergeTallies(kept_, copy);
    }
  }
  /// Adds what all copies have added to their tallies to the totals. Last.
  void End() {
    EndTallies(kept_);
    for (Copy& copy : copies_) {
      CheckNumbers(given_, copy.function);
      EndTallies(copy.function);
    }
  }

 private:
  struct alignas(64) Copy {
    F function;
  };

  const F given_;
  Mutex mutex_;  // of kept_ while threads work
  F kept_;
  std::vector<Copy> copies_;
};

}  // namespace edgemill

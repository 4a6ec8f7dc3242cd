// Where the time of threads goes: the processor's, and waits by their cause.
//
// A PhaseTimer measures a part of work: its own thread, and those that RunThreads gives it. What a
// thread waits for is told by the code that waits (WaitScope; Mutex, CondVar and File have theirs);
// the kernel counts processor time and, in /proc/thread-self/schedstat, how long the thread was
// ready to run but had no core. Each is measured by itself: nothing is a remainder, so that
// PhaseTimes::unaccounted says how much of the truth they tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace edgemill {

/// What a thread waits for.
enum class WaitCause : uint8_t {
  kTurn,    // for threads whose work comes before its own in an order that must be kept
  kMemory,  // for buffers or pages to come free
  kDisk,    // for reads, writes and syncs
  kLock,    // for a mutex
  kDevice,  // for a GPU
  kIdle,    // it has nothing to do: other threads are at work, or none has any
};
inline constexpr size_t kNumWaitCauses = 6;

/// "turn", "memory" and so on.
std::string_view WaitCauseName(WaitCause cause);

/// Times of one thread, or of several added up; in nanoseconds.
struct ThreadTimes {
  int64_t wall_ns = 0;
  int64_t processor_ns = 0;
  int64_t core_ns = 0;  // ready to run, on no core; inside waits too
  std::array<int64_t, kNumWaitCauses> waits_ns{};

  void Add(const ThreadTimes& other);
  void Subtract(const ThreadTimes& other);
};

/// From construction to destruction this thread waits, but for what processor time it takes and for
/// what time it has no core. Costs some 3 us at the start where the thread is measured, nothing
/// elsewhere: for what may take longer. The outermost counts.
class WaitScope {
 public:
  explicit WaitScope(WaitCause cause);
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  const WaitCause cause_;
  const bool counts_;
  int64_t begin_wall_ns_ = 0;
  int64_t begin_blocked_ns_ = 0;
};

/// What a phase's threads did. Seconds; but for `wall_seconds` added up over threads.
struct PhaseTimes {
  int threads = 1;
  double wall_seconds = 0;
  double processor_seconds = 0;
  double core_seconds = 0;  // waits for a core
  std::array<double, kNumWaitCauses> wait_seconds{};
  /// The seconds of the process's other threads, which are not among `threads`: those that do I/O.
  double background_seconds = 0;

  double wait(WaitCause cause) const { return wait_seconds[static_cast<size_t>(cause)]; }
  /// threads x wall, less processor time and all waits.
  double unaccounted_seconds() const;
  /// Adds another phase; of the two, that of fewer threads had some idle.
  void Add(const PhaseTimes& other);
};

/// Measures a phase of the calling thread's work, on `threads` threads (RunThreads), or more where
/// a team is larger. A phase may be part of another.
class PhaseTimer {
 public:
  explicit PhaseTimer(int threads);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

  /// What has been done since construction.
  PhaseTimes Times() const;

 private:
  const int threads_;
  const bool outer_measured_;
  const int outer_largest_team_;
  int64_t process_start_ns_;
  int64_t start_ns_;
  ThreadTimes start_;
};

/// The threads that RunThreads runs for the calling thread; they are measured if it is.
class TeamTimes {
 public:
  explicit TeamTimes(int threads);
  /// Adds what the others did to the account of the calling thread.
  ~TeamTimes();
  TeamTimes(const TeamTimes&) = delete;
  TeamTimes& operator=(const TeamTimes&) = delete;

  /// While it lives, the thread that made it works for the team as number `thread`.
  class Member {
   public:
    Member(TeamTimes& team, int thread);
    ~Member();
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

   private:
    ThreadTimes* const times_;  // null: not measured, or the calling thread, which measures itself
    ThreadTimes start_;
  };

 private:
  const bool measured_;
  std::vector<ThreadTimes> times_;  // by number
};

}  // namespace edgemill

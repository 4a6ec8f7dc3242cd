// How threads spend their time: processor time, and waits by their cause.
//
// A PhaseTimer measures a part of work: its own thread, and those that RunThreads gives it. The
// code that waits names the cause (WaitScope; Mutex, CondVar and File have their own). The kernel
// counts processor time and, in /proc/thread-self/schedstat, how long a thread was ready to run but
// had no core. Each time is measured by itself and none is a remainder, so that
// PhaseTimes::unaccounted_seconds shows how complete they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace edgemill {

/// What a thread waits for.
enum class WaitCause : uint8_t {
  kTurn,    // for threads whose work must come before its own
  kMemory,  // for buffers or pages to come free
  kDisk,    // for reads, writes and syncs
  kLock,    // for a mutex
  kDevice,  // for a GPU
  kIdle,    // for work: other threads work, or no thread has work
};
inline constexpr size_t kNumWaitCauses = 6;

/// "turn", "memory" and so on.
std::string_view WaitCauseName(WaitCause cause);

/// Times of one thread, or sums over several threads, in nanoseconds.
struct ThreadTimes {
  int64_t wall_ns = 0;
  int64_t processor_ns = 0;
  int64_t core_ns = 0;  // ready to run but without a core, also during waits
  std::array<int64_t, kNumWaitCauses> waits_ns{};

  void Add(const ThreadTimes& other);
  void Subtract(const ThreadTimes& other);
};

/// Counts the time from construction to destruction as a wait of this thread, less its processor
/// time and the time without a core. If the thread is measured, the start costs some 3 us, so use
/// it for longer waits. Of nested scopes only the outermost counts.
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

/// What a phase's threads did, in seconds. All except `wall_seconds` are sums over threads.
struct PhaseTimes {
  int threads = 1;
  double wall_seconds = 0;
  double processor_seconds = 0;
  double core_seconds = 0;  // waits for a core
  std::array<double, kNumWaitCauses> wait_seconds{};
  /// Processor seconds of the process's other threads, such as those that do I/O.
  double background_seconds = 0;

  double wait(WaitCause cause) const { return wait_seconds[static_cast<size_t>(cause)]; }
  /// `threads` times wall time, less processor time and all waits.
  double unaccounted_seconds() const;
  /// Adds another phase. In the phase with fewer threads, the missing threads count as idle.
  void Add(const PhaseTimes& other);
};

/// Measures a phase of the calling thread's work on `threads` threads (RunThreads), or on more if a
/// team is larger. A phase may be part of another phase.
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

/// The threads that RunThreads runs for the calling thread. They are measured if this thread is.
class TeamTimes {
 public:
  explicit TeamTimes(int threads);
  /// Adds what the others did to the account of the calling thread.
  ~TeamTimes();
  TeamTimes(const TeamTimes&) = delete;
  TeamTimes& operator=(const TeamTimes&) = delete;

  /// While this object exists, its thread works for the team as number `thread`.
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

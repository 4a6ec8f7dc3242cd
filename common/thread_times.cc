#include "common/thread_times.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace edgemill {
namespace {

int64_t ClockNs(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

/// How long this thread has been ready to run without a core, as the kernel counts it.
class RunDelay {
 public:
  RunDelay() = default;
  ~RunDelay() {
    if (file_ >= 0) close(file_);
  }
  RunDelay(const RunDelay&) = delete;
  RunDelay& operator=(const RunDelay&) = delete;

  /// 0 if the kernel does not tell.
  int64_t Nanoseconds() {
    if (file_ == kNotOpened) file_ = Open();
    std::array<char, 64> text;  // "processor-ns delay-ns slices"
    const ssize_t size = file_ < 0 ? 0 : pread(file_, text.data(), text.size(), 0);
    if (size <= 0) return 0;
    const char* const end = text.data() + size;
    const char* const delay = std::find<const char*>(text.data(), end, ' ');
    int64_t nanoseconds = 0;
    if (delay != end) std::from_chars(delay + 1, end, nanoseconds);
    return nanoseconds;
  }

 private:
  static constexpr int kNotOpened = -2;

  static int Open() {
    const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    // If descriptors are few, all are left to code that cannot work without them.
    rlimit limit;
    if (file >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
        static_cast<rlim_t>(file) >= limit.rlim_cur / 2) {
      close(file);
      return -1;
    }
    return file;
  }

  int file_ = kNotOpened;
};

/// A wait that has ended. It is counted when the clocks are read next.
struct EndedWait {
  WaitCause cause{};
  int64_t begin_blocked_ns = 0;
  int64_t max_ns = 0;  // its wall time
};

/// The times of one thread.
struct Account {
  bool measured = false;
  bool waiting = false;
  std::array<int64_t, kNumWaitCauses> waits_ns{};
  EndedWait ended;
  ThreadTimes teams;  // of the threads that have worked for it
  int largest_team = 1;
  RunDelay delay;
};

thread_local Account account;

/// This thread's clocks, read as if at one moment.
struct Clocks {
  int64_t wall_ns;
  int64_t processor_ns;
  int64_t core_ns;

  /// The time in which the thread was neither running nor ready to run.
  int64_t blocked_ns() const { return wall_ns - processor_ns - core_ns; }
};

Clocks ReadClocks() {
  // A thread that loses its core between two clocks would count wrong milliseconds, so it then
  // reads the clocks again. Reading takes some 2 us.
  constexpr int64_t kInterruptedNs = 50'000;
  constexpr int kTrials = 10;
  Clocks clocks;
  for (int trial = 0; trial < kTrials; ++trial) {
    clocks.wall_ns = ClockNs(CLOCK_MONOTONIC);
    clocks.core_ns = account.delay.Nanoseconds();
    clocks.processor_ns = ClockNs(CLOCK_THREAD_CPUTIME_ID);
    if (ClockNs(CLOCK_MONOTONIC) - clocks.wall_ns < kInterruptedNs) break;
  }
  return clocks;
}

/// Reads the clocks, and counts the wait that ended before. The clocks are not read at the end of a
/// wait, since other threads often wait for what this thread does next. After the wait the thread
/// was running or ready to run, so its blocked time has not changed.
Clocks CountEndedWait() {
  const Clocks clocks = ReadClocks();
  const EndedWait ended = std::exchange(account.ended, {});
  account.waits_ns[static_cast<size_t>(ended.cause)] +=
      std::min(clocks.blocked_ns() - ended.begin_blocked_ns, ended.max_ns);
  return clocks;
}

/// The times so far of this thread, and of the threads that have worked for it.
ThreadTimes TimesSoFar() {
  const Clocks clocks = CountEndedWait();
  ThreadTimes times{.wall_ns = clocks.wall_ns,
                    .processor_ns = clocks.processor_ns,
                    .core_ns = clocks.core_ns,
                    .waits_ns = account.waits_ns};
  times.Add(account.teams);
  return times;
}

double Seconds(int64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }

}  // namespace

std::string_view WaitCauseName(WaitCause cause) {
  constexpr std::array<std::string_view, kNumWaitCauses> kNames = {"turn", "memory", "disk",
                                                                   "lock", "device", "idle"};
  return kNames[static_cast<size_t>(cause)];
}

void ThreadTimes::Add(const ThreadTimes& other) {
  wall_ns += other.wall_ns;
  processor_ns += other.processor_ns;
  core_ns += other.core_ns;
  for (size_t i = 0; i < kNumWaitCauses; ++i) waits_ns[i] += other.waits_ns[i];
}

void ThreadTimes::Subtract(const ThreadTimes& other) {
  wall_ns -= other.wall_ns;
  processor_ns -= other.processor_ns;
  core_ns -= other.core_ns;
  for (size_t i = 0; i < kNumWaitCauses; ++i) waits_ns[i] -= other.waits_ns[i];
}

WaitScope::WaitScope(WaitCause cause)
    : cause_(cause), counts_(account.measured && !account.waiting) {
  if (!counts_) return;
  account.waiting = true;
  const Clocks clocks = CountEndedWait();
  begin_wall_ns_ = clocks.wall_ns;
  begin_blocked_ns_ = clocks.blocked_ns();
}

WaitScope::~WaitScope() {
  if (!counts_) return;
  account.waiting = false;
  account.ended = {cause_, begin_blocked_ns_, ClockNs(CLOCK_MONOTONIC) - begin_wall_ns_};
}

double PhaseTimes::unaccounted_seconds() const {
  double seconds = threads * wall_seconds - processor_seconds - core_seconds;
  for (const double wait : wait_seconds) seconds -= wait;
  return seconds;
}

void PhaseTimes::Add(const PhaseTimes& other) {
  const int most = std::max(threads, other.threads);
  wait_seconds[static_cast<size_t>(WaitCause::kIdle)] +=
      (most - threads) * wall_seconds + (most - other.threads) * other.wall_seconds;
  threads = most;
  wall_seconds += other.wall_seconds;
  processor_seconds += other.processor_seconds;
  core_seconds += other.core_seconds;
  background_seconds += other.background_seconds;
  for (size_t i = 0; i < kNumWaitCauses; ++i) wait_seconds[i] += other.wait_seconds[i];
}

PhaseTimer::PhaseTimer(int threads)
    : threads_(threads),
      outer_measured_(std::exchange(account.measured, true)),
      outer_largest_team_(std::exchange(account.largest_team, 1)) {
  process_start_ns_ = ClockNs(CLOCK_PROCESS_CPUTIME_ID);
  start_ns_ = ClockNs(CLOCK_MONOTONIC);
  start_ = TimesSoFar();
}

PhaseTimer::~PhaseTimer() {
  account.measured = outer_measured_;
  account.largest_team = std::max(account.largest_team, outer_largest_team_);
}

PhaseTimes PhaseTimer::Times() const {
  ThreadTimes times = TimesSoFar();
  times.Subtract(start_);
  const int64_t wall_ns = ClockNs(CLOCK_MONOTONIC) - start_ns_;
  const int64_t process_ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID) - process_start_ns_;
  PhaseTimes phase{.threads = std::max(threads_, account.largest_team),
                   .wall_seconds = Seconds(wall_ns),
                   .processor_seconds = Seconds(times.processor_ns),
                   .core_seconds = Seconds(times.core_ns)};
  // While no team works, its other threads count as idle.
  times.waits_ns[static_cast<size_t>(WaitCause::kIdle)] += phase.threads * wall_ns - times.wall_ns;
  for (size_t i = 0; i < kNumWaitCauses; ++i) phase.wait_seconds[i] = Seconds(times.waits_ns[i]);
  phase.background_seconds = Seconds(std::max<int64_t>(process_ns - times.processor_ns, 0));
  return phase;
}

TeamTimes::TeamTimes(int threads) : measured_(account.measured) {
  if (!measured_) return;
  times_.resize(static_cast<size_t>(threads));
  account.largest_team = std::max(account.largest_team, threads);
}

TeamTimes::~TeamTimes() {
  for (const ThreadTimes& times : times_) account.teams.Add(times);
}

TeamTimes::Member::Member(TeamTimes& team, int thread)
    : times_(team.measured_ && thread > 0 ? &team.times_[static_cast<size_t>(thread)] : nullptr) {
  account.measured = team.measured_;
  if (times_ != nullptr) start_ = TimesSoFar();
}

TeamTimes::Member::~Member() {
  if (times_ == nullptr) return;
  *times_ = TimesSoFar();
  times_->Subtract(start_);
}

}  // namespace edgemill

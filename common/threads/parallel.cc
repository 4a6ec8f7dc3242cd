#include "common/threads/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"
#include "common/os/control_groups.h"
#include "common/thread_annotations.h"
#include "common/thread_times.h"

namespace edgemill {

int AvailableThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  uint64_t processors = std::thread::hardware_concurrency();
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    processors = static_cast<uint64_t>(CPU_COUNT(&set));
  }
  if (const auto quota = CpuQuotaProcessors()) processors = std::min(processors, *quota);
  return static_cast<int>(std::max<uint64_t>(processors, 1));
}

StatusOr<std::thread> StartThread(std::function<void()> body) {
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& error) {  // thrown only by std::thread
    return Status(Code::kBudget,
                  StrCat("cannot start another thread: ", error.code().message(),
                         ": raise the limit (ulimit -u, -v or pids.max), or give fewer --threads"),
                  error.code().value());
  }
}

namespace {

/// Threads that sleep until there is something to run. Waking a thread takes less time than
/// starting one, and algorithms on deep graphs would start thousands. As many exist as ever ran at
/// a time.
///
/// A team's threads share only a count here, since they would wait for a shared lock at every start
/// and end. Each thread sleeps on a word of its own, and wakes two more before it works.
class SleepingThreads {
 public:
  /// Whether a team's threads all run, or only those that come before the caller's has ended.
  enum class Who { kAll, kThoseInTime };

  /// The process's only object. Its threads end with the process; a forked child has none yet.
  static SleepingThreads& Get() {
    static SleepingThreads* threads = std::make_unique<SleepingThreads>().release();
    static const int forks_known = pthread_atfork(
        nullptr, nullptr, [] { threads = std::make_unique<SleepingThreads>().release(); });
    CHECK_EQ(forks_known, 0);
    return *threads;
  }

  /// Calls `body(thread)` for thread = 0 .. threads - 1: 0 on the caller's thread, the others each
  /// on a sleeping thread. If too few threads can start, returns StartThread's error without a
  /// call.
  Status Run(int threads, Who who, const std::function<void(int thread)>& body) {
    Job job{.body = body, .running = threads};
    ASSIGN_OR_RETURN(const std::vector<Sleeper*> team, Claim(static_cast<size_t>(threads - 1)));
    for (size_t i = 0; i < team.size(); ++i) {
      team[i]->job = &job;
      team[i]->thread = static_cast<int>(i) + 1;
      for (size_t child = 0; child < 2; ++child) {
        const size_t wakes = 2 * i + child + 1;
        team[i]->wakes[child] = wakes < team.size() ? team[wakes] : nullptr;
      }
    }
    woken_.fetch_add(team.size(), std::memory_order_relaxed);
    if (!team.empty()) team[0]->Wake();
    body(0);
    int done = 1;
    if (who == Who::kThoseInTime) {
      for (Sleeper* const sleeper : team) done += sleeper->CallOff();
    }
    if (job.running.fetch_sub(done, std::memory_order_acq_rel) > done) {
      MutexLock lock(job.mutex);
      while (!job.finished) job.done.Wait(job.mutex);
    }
    for (Sleeper* const sleeper : team) sleeper->state.store(Sleeper::kAsleep);
    return OkStatus();
  }

  uint64_t woken() const { return woken_.load(std::memory_order_relaxed); }

 private:
  struct Job {
    const std::function<void(int thread)>& body;
    std::atomic<int> running;  // threads, with the caller's, that have not ended or been called off
    Mutex mutex;
    CondVar done;
    bool finished = false;  // guarded by mutex: all have ended, the caller's thread not as the last
  };

  /// A sleeping thread. The caller of a job claims it, and frees it once the job is done. In
  /// between only three threads change it: itself, the one that wakes it, and the caller that calls
  /// it off.
  struct alignas(64) Sleeper {
    enum State : uint32_t { kAsleep, kClaimed, kAwake, kWorking, kCalledOff };
    std::atomic<uint32_t> state{kClaimed};
    // Written by the thread that has claimed it.
    Job* job = nullptr;
    int thread = 0;
    std::array<Sleeper*, 2> wakes{};

    bool Move(uint32_t from, uint32_t to) { return state.compare_exchange_strong(from, to); }
    void Wake() {
      if (Move(kClaimed, kAwake)) state.notify_one();
    }
    /// Calls the thread off. False if it has begun already.
    bool CallOff() { return Move(kClaimed, kCalledOff) || Move(kAwake, kCalledOff); }
    void Run() {
      while (true) {
        for (uint32_t seen; (seen = state.load(std::memory_order_acquire)) != kAwake;) {
          state.wait(seen, std::memory_order_acquire);
        }
        if (!Move(kAwake, kWorking)) continue;
        for (Sleeper* const sleeper : wakes) {
          if (sleeper != nullptr) sleeper->Wake();
        }
        Job* const its_job = job;
        its_job->body(thread);
        if (its_job->running.fetch_sub(1, std::memory_order_acq_rel) > 1) continue;
        MutexLock lock(its_job->mutex);  // the job ends with its caller, which waits for the lock
        its_job->finished = true;
        its_job->done.NotifyOne();
      }
    }
  };

  /// Claims `count` threads. No other caller gets them until they are asleep again.
  StatusOr<std::vector<Sleeper*>> Claim(size_t count) EXCLUDES(mutex_) {
    std::vector<Sleeper*> claimed;
    claimed.reserve(count);
    MutexLock lock(mutex_);
    for (Sleeper& sleeper : sleepers_) {
      if (claimed.size() == count) break;
      if (sleeper.Move(Sleeper::kAsleep, Sleeper::kClaimed)) claimed.push_back(&sleeper);
    }
    while (claimed.size() < count) {
      Sleeper& sleeper = sleepers_.emplace_back();
      StatusOr<std::thread> thread = StartThread([&sleeper] { sleeper.Run(); });
      if (!thread.ok()) {
        sleepers_.pop_back();
        for (Sleeper* const unused : claimed) unused->state.store(Sleeper::kAsleep);
        return std::move(thread).status();
      }
      thread->detach();
      claimed.push_back(&sleeper);
    }
    return claimed;
  }

  Mutex mutex_;
  std::deque<Sleeper> sleepers_ GUARDED_BY(mutex_);  // elements never move
  std::atomic<uint64_t> woken_{0};
};

using Who = SleepingThreads::Who;

Status RunTeam(int threads, Who who, const std::function<Status(int thread)>& body) {
  CHECK_GT(threads, 0);
  if (threads == 1) return body(0);
  std::vector<Status> statuses(static_cast<size_t>(threads));
  TeamTimes times(threads);
  // An exception may not leave a body that other threads run too: it would destroy what they share.
  RETURN_IF_ERROR(SleepingThreads::Get().Run(threads, who, [&](int thread) noexcept {
    const TeamTimes::Member member(times, thread);
    statuses[static_cast<size_t>(thread)] = body(thread);
  }));
  for (Status& status : statuses) RETURN_IF_ERROR(std::move(status));
  return OkStatus();
}

}  // namespace

Status RunThreads(int threads, const std::function<Status(int thread)>& body) {
  return RunTeam(threads, Who::kAll, body);
}

Status ShareWork(int threads, const std::function<Status(int thread)>& body) {
  return RunTeam(threads, Who::kThoseInTime, body);
}

int TeamFor(uint64_t work, uint64_t share, int threads) {
  return static_cast<int>(std::clamp<uint64_t>(work / share, 1, static_cast<uint64_t>(threads)));
}

uint64_t ThreadsWoken() { return SleepingThreads::Get().woken(); }

void ForEachChunk(size_t size, size_t grain, int threads,
                  const std::function<void(size_t begin, size_t end)>& body) {
  CHECK_GT(grain, 0u);
  const size_t chunks = (size + grain - 1) / grain;
  std::atomic<size_t> next{0};
  const auto work = [&](int) {
    while (true) {
      const size_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks) return OkStatus();
      body(chunk * grain, std::min(size, (chunk + 1) * grain));
    }
  };
  const auto team = std::clamp<size_t>(chunks, 1, static_cast<size_t>(threads));
  if (!ShareWork(static_cast<int>(team), work).ok()) CHECK(work(0).ok());  // no threads: alone
}

size_t FirstTouchGrain(size_t size, int threads) {
  constexpr size_t kMin = size_t{1} << 16, kHugePage = size_t{1} << 19;
  const size_t share = size / (4 * static_cast<size_t>(threads));
  return std::clamp(std::bit_floor(share), kMin, kHugePage);
}

Status ParallelFor(size_t size, size_t grain, int threads,
                   const std::function<Status(size_t begin, size_t end)>& body) {
  std::atomic<bool> stopped{false};
  Mutex mutex;
  Status error;
  ForEachChunk(size, grain, threads, [&](size_t begin, size_t end) {
    if (stopped.load(std::memory_order_relaxed)) return;
    Status status = CheckCancelled();
    if (status.ok()) status = body(begin, end);
    if (status.ok()) return;
    MutexLock lock(mutex);
    if (!stopped.exchange(true)) error = std::move(status);
  });
  return error;
}

}  // namespace edgemill

#include "common/parallel.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "common/cancel.h"
#include "common/check.h"
#include "common/thread_annotations.h"

namespace edgemill {

int AvailableThreads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

namespace {

/// Threads that sleep until there is something to run: waking one takes less time than starting
/// one, of which algorithms on deep graphs would start thousands. As many as ever ran at a time.
class SleepingThreads {
 public:
  /// The process's. They end with it; a forked child has none yet.
  static SleepingThreads& Get() {
    static SleepingThreads* threads = std::make_unique<SleepingThreads>().release();
    static const int forks_known = pthread_atfork(
        nullptr, nullptr, [] { threads = std::make_unique<SleepingThreads>().release(); });
    CHECK_EQ(forks_known, 0);
    return *threads;
  }

  /// Calls `body(thread)` for thread = 0 .. threads - 1: 0 on the caller's, each other on one of
  /// these.
  void Run(int threads, const std::function<void(int thread)>& body) EXCLUDES(mutex_) {
    Job job{.body = body, .running = threads - 1};
    for (int thread = 1; thread < threads; ++thread) Wake(thread, &job);
    body(0);
    MutexLock lock(mutex_);
    while (job.running > 0) job.done.Wait(mutex_);
  }

 private:
  struct Job {
    const std::function<void(int thread)>& body;
    int running;  // under mutex_
    CondVar done;
  };
  struct Sleeper {
    Job* job = nullptr;  // what to run, as which thread; under mutex_
    int thread = 0;
    CondVar wake;
  };

  void Wake(int thread, Job* job) EXCLUDES(mutex_) {
    Sleeper* sleeper = nullptr;
    {
      MutexLock lock(mutex_);
      if (!asleep_.empty()) {
        sleeper = asleep_.back();
        asleep_.pop_back();
        sleeper->job = job;
        sleeper->thread = thread;
      }
    }
    if (sleeper == nullptr) {
      std::thread([=, this] { RunAndSleep(thread, job); }).detach();
    } else {
      sleeper->wake.NotifyOne();
    }
  }

  void RunAndSleep(int thread, Job* job) EXCLUDES(mutex_) {
    Sleeper sleeper;  // of this thread, which never ends
    while (true) {
      job->body(thread);
      MutexLock lock(mutex_);
      asleep_.push_back(&sleeper);
      if (--job->running == 0) job->done.NotifyOne();  // locked: the job goes with its caller
      sleeper.job = nullptr;
      while (sleeper.job == nullptr) sleeper.wake.Wait(mutex_);
      job = sleeper.job;
      thread = sleeper.thread;
    }
  }

  Mutex mutex_;
  std::vector<Sleeper*> asleep_ GUARDED_BY(mutex_);
};

}  // namespace

Status RunThreads(int threads, const std::function<Status(int thread)>& body) {
  CHECK_GT(threads, 0);
  if (threads == 1) return body(0);
  std::vector<Status> statuses(static_cast<size_t>(threads));
  SleepingThreads::Get().Run(
      threads, [&](int thread) { statuses[static_cast<size_t>(thread)] = body(thread); });
  for (Status& status : statuses) RETURN_IF_ERROR(std::move(status));
  return OkStatus();
}

Status ParallelFor(size_t size, size_t grain, int threads,
                   const std::function<Status(size_t begin, size_t end)>& body) {
  CHECK_GT(grain, 0u);
  const size_t chunks = (size + grain - 1) / grain;
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  const auto work = [&](int) -> Status {
    while (!stop.load(std::memory_order_relaxed)) {
      const size_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks) break;
      Status status = CheckCancelled();
      if (status.ok()) status = body(chunk * grain, std::min(size, (chunk + 1) * grain));
      if (!status.ok()) {
        stop.store(true, std::memory_order_relaxed);
        return status;
      }
    }
    return OkStatus();
  };
  return RunThreads(static_cast<int>(std::clamp<size_t>(chunks, 1, static_cast<size_t>(threads))),
                    work);
}

}  // namespace edgemill

// Reports of threads' time are complete: threads x wall time is the sum of processor time and
// waits.
#include "common/thread_times.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "common/clock.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// Keeps the thread's core busy.
void Compute(double seconds) {
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
  }
}

void Sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

void ExpectWhole(const PhaseTimes& times) {
  const double all = times.threads * times.wall_seconds;
  EXPECT_LT(std::abs(times.unaccounted_seconds()), .05 * all)
      << times.unaccounted_seconds() << " of " << all;
  for (const double wait : times.wait_seconds) EXPECT_GE(wait, -1e-3);
}

TEST(PhaseTimer, ReportedWaitsAndIdleTeams) {
  const PhaseTimer timer(4);
  ASSERT_TRUE(RunThreads(2, [](int thread) {
                if (thread == 0) return OkStatus();  // then it waits for the other thread
                Compute(.05);
                const WaitScope waiting(WaitCause::kDisk);
                Sleep(.1);
                return OkStatus();
              }).ok());
  const PhaseTimes times = timer.Times();
  ExpectWhole(times);
  EXPECT_EQ(4, times.threads);
  EXPECT_GE(times.processor_seconds + times.core_seconds, .045);
  EXPECT_GE(times.wait(WaitCause::kDisk), .095);
  EXPECT_LT(times.wait(WaitCause::kDisk), .15);
  EXPECT_GE(times.wait(WaitCause::kIdle), 3 * .14);
}

/// The control of the test above: a wait that is not reported is missing from the times.
TEST(PhaseTimer, UnreportedWaitsAreMissing) {
  const PhaseTimer timer(1);
  Sleep(.1);
  EXPECT_GE(timer.Times().unaccounted_seconds(), .09);
}

TEST(PhaseTimer, WaitsForALockAndForATurn) {
  Mutex mutex;
  CondVar changed;
  int turn = 0;
  const PhaseTimer timer(3);
  ASSERT_TRUE(RunThreads(3, [&](int thread) {
                for (int round = 0; round < 10; ++round) {
                  MutexLock lock(mutex);
                  while (turn % 3 != thread) changed.Wait(mutex, WaitCause::kTurn);
                  Sleep(.001);
                  Compute(.003);
                  ++turn;
                  changed.NotifyAll();
                }
                return OkStatus();
              }).ok());
  const PhaseTimes times = timer.Times();
  EXPECT_GT(times.wait(WaitCause::kTurn) + times.wait(WaitCause::kLock), .1);
  EXPECT_GT(times.wait(WaitCause::kTurn), 0);
  // No report has the sleeps, which are 10 ms for each thread.
  EXPECT_GE(times.unaccounted_seconds(), .01);
  EXPECT_LE(times.unaccounted_seconds(), .03 + .05 * 3 * times.wall_seconds);
}

/// Two threads share one core, so each waits for the core half of the time.
TEST(PhaseTimer, WaitsForACore) {
  cpu_set_t before, one;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core) {
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  }
  std::atomic<int> ready{0};
  PhaseTimes times;
  {
    const PhaseTimer timer(2);
    ASSERT_TRUE(RunThreads(2, [&](int) {
                  sched_setaffinity(0, sizeof(one), &one);
                  for (++ready; ready < 2;) sched_yield();
                  Compute(.2);
                  sched_setaffinity(0, sizeof(before), &before);
                  return OkStatus();
                }).ok());
    times = timer.Times();
  }
  ExpectWhole(times);
  EXPECT_GT(times.core_seconds, .1);
}

TEST(PhaseTimer, NestedTeamsAndPhasesWithinPhases) {
  const PhaseTimer outer(2);
  PhaseTimes inner_times;
  {
    const PhaseTimer inner(2);
    ASSERT_TRUE(RunThreads(2, [](int) {
                  return RunThreads(2, [](int) {
                    const WaitScope waiting(WaitCause::kMemory);
                    Sleep(.05);
                    return OkStatus();
                  });
                }).ok());
    inner_times = inner.Times();
  }
  Compute(.05);
  // Four threads waited at once where the timer expects two. The wait is 4 x 0.05 s.
  EXPECT_NEAR(.2, inner_times.wait(WaitCause::kMemory), .05);
  const PhaseTimes times = outer.Times();
  EXPECT_NEAR(.2, times.wait(WaitCause::kMemory), .05);
  EXPECT_GE(times.wall_seconds, .095);
}

TEST(PhaseTimes, AddUpWithThreadsThatWereNotThere) {
  PhaseTimes sum{.threads = 4, .wall_seconds = 1, .processor_seconds = 4};
  sum.Add({.threads = 1, .wall_seconds = 2, .processor_seconds = 1.5, .core_seconds = .5});
  EXPECT_DOUBLE_EQ(3, sum.wall_seconds);
  EXPECT_DOUBLE_EQ(6, sum.wait(WaitCause::kIdle));
  EXPECT_DOUBLE_EQ(0, sum.unaccounted_seconds());
  PhaseTimes more{.threads = 1, .wall_seconds = 1, .processor_seconds = 1};
  more.Add(sum);
  EXPECT_EQ(4, more.threads);
  EXPECT_DOUBLE_EQ(6 + 3, more.wait(WaitCause::kIdle));
  EXPECT_DOUBLE_EQ(0, more.unaccounted_seconds());
}

TEST(PhaseTimer, WaitsOfUnrelatedThreadsAreNotMeasured) {
  std::thread([] {
    const WaitScope waiting(WaitCause::kDisk);
    Sleep(.01);
  }).join();
  const PhaseTimer timer(1);
  EXPECT_EQ(0, timer.Times().wait(WaitCause::kDisk));
}

}  // namespace
}  // namespace edgemill

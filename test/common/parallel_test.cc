// Functions run on several threads, which sleep between two functions.
#include "common/threads/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "common/cancel.h"
#include "common/random.h"
#include "common/threads/parallel_sort.h"
#include "test/sanitized.h"

namespace edgemill {
namespace {

TEST(RunThreads, EachNumberRunsOnceOnAThreadOfItsOwn) {
  for (int round = 0; round < 200; ++round) {
    const int threads = 1 + round % 9;
    std::vector<std::thread::id> ids(static_cast<size_t>(threads));
    std::atomic<int> together{0};
    ASSERT_TRUE(RunThreads(threads, [&](int thread) {
                  ids[static_cast<size_t>(thread)] = std::this_thread::get_id();
                  ++together;
                  while (together < threads) std::this_thread::yield();  // all at the same time
                  return OkStatus();
                }).ok());
    EXPECT_EQ(std::this_thread::get_id(), ids[0]);
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(ids.end(), std::adjacent_find(ids.begin(), ids.end()));
  }
}

TEST(RunThreads, TheLowestNumberedErrorIsReturned) {
  const Status status = RunThreads(
      4, [](int thread) { return thread >= 2 ? UsageError(std::to_string(thread)) : OkStatus(); });
  EXPECT_EQ("2", status.message());
}

TEST(ShareWork, WaitsForThreadsThatHaveBegunAndForNoOthers) {
  for (int round = 0; round < 300; ++round) {
    const int threads = 1 + round % 9;
    std::atomic<int> begun{0}, ended{0};
    std::vector<int> runs(static_cast<size_t>(threads));
    ASSERT_TRUE(ShareWork(threads, [&](int thread) {
                  ++begun;
                  ++runs[static_cast<size_t>(thread)];
                  const bool waits = thread == 0 && round % 2 == 0 && threads > 1;
                  while (waits && begun < 2) std::this_thread::yield();
                  if (thread > 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
                  ++ended;
                  return OkStatus();
                }).ok());
    EXPECT_EQ(begun, ended);
    EXPECT_EQ(1, runs[0]);
    EXPECT_GE(1, *std::max_element(runs.begin(), runs.end()));
    // Threads that were no longer needed are free for other work.
    std::atomic<int> together{0};
    ASSERT_TRUE(RunThreads(threads, [&](int) {
                  ++together;
                  while (together < threads) std::this_thread::yield();
                  return OkStatus();
                }).ok());
  }
}

TEST(ThreadsWoken, DoesNotCountTheCaller) {
  const uint64_t before = ThreadsWoken();
  ForEachChunk(100, 1000, 8, [](size_t, size_t) {});
  ASSERT_TRUE(RunThreads(1, [](int) { return OkStatus(); }).ok());
  EXPECT_EQ(before, ThreadsWoken());
  ASSERT_TRUE(RunThreads(4, [](int) { return OkStatus(); }).ok());
  EXPECT_EQ(before + 3, ThreadsWoken());
}

TEST(TeamFor, AThreadForEachShareOfTheWork) {
  EXPECT_EQ(1, TeamFor(0, 10, 4));
  EXPECT_EQ(1, TeamFor(19, 10, 4));
  EXPECT_EQ(2, TeamFor(20, 10, 4));
  EXPECT_EQ(4, TeamFor(~uint64_t{0}, 10, 4));
}

TEST(RunThreads, WithinEachOtherAndSideBySide) {
  std::atomic<int> ran{0};
  const auto nested = [&](int) {
    return RunThreads(3, [&](int) {
      return ParallelFor(10, 1, 2, [&](size_t begin, size_t end) {
        ran += static_cast<int>(end - begin);
        return OkStatus();
      });
    });
  };
  std::thread beside([&] { EXPECT_TRUE(RunThreads(3, nested).ok()); });
  EXPECT_TRUE(RunThreads(3, nested).ok());
  beside.join();
  EXPECT_EQ(2 * 3 * 3 * 10, ran);
}

TEST(ForEachChunk, RunsToItsEndAfterACancellation) {
  RequestCancel();
  std::atomic<size_t> sum{0};
  ForEachChunk(1000, 7, 3, [&](size_t begin, size_t end) { sum += end - begin; });
  const Status status =
      ParallelFor(1000, 7, 3, [&](size_t, size_t) { return InternalError("ran"); });
  ClearCancel();
  EXPECT_EQ(1000u, sum);
  EXPECT_EQ(Code::kCancelled, status.code());
}

TEST(FirstTouchGrain, IsAHugePageOfFourByteElementsWhereThereIsWorkForAll) {
  EXPECT_EQ(size_t{1} << 19, FirstTouchGrain(size_t{1} << 25, 16));
  EXPECT_EQ(size_t{1} << 16, FirstTouchGrain(size_t{1} << 20, 16));
  EXPECT_EQ(size_t{1} << 16, FirstTouchGrain(10, 1));
}

TEST(RunThreads, InAForkedChild) {
#if defined(EDGEMILL_TEST_THREAD_SANITIZED)
  GTEST_SKIP() << "the thread sanitizer allows a forked child no threads";
#endif
  ASSERT_TRUE(RunThreads(4, [](int) { return OkStatus(); }).ok());
  const pid_t child = fork();
  if (child == 0) _exit(RunThreads(4, [](int) { return OkStatus(); }).ok() ? 0 : 1);
  int exit_status = -1;
  ASSERT_EQ(child, waitpid(child, &exit_status, 0));
  EXPECT_TRUE(WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
}

TEST(ParallelFor, ChunksCoverTheRangeOnceAndStopAtAnError) {
  std::vector<std::atomic<int>> visits(1001);
  ASSERT_TRUE(ParallelFor(visits.size(), 7, 4, [&](size_t begin, size_t end) {
                EXPECT_EQ(0u, begin % 7);
                for (size_t i = begin; i < end; ++i) ++visits[i];
                return OkStatus();
              }).ok());
  for (const auto& count : visits) EXPECT_EQ(1, count);
  EXPECT_EQ("at 35", ParallelFor(70, 7, 1, [](size_t begin, size_t) {
                       return begin == 35 ? UsageError("at 35") : OkStatus();
                     }).message());
  RequestCancel();
  EXPECT_EQ(Code::kCancelled,
            ParallelFor(70, 7, 2, [](size_t, size_t) { return OkStatus(); }).code());
  ClearCancel();
}

TEST(ParallelSort, SortsAsOneThreadDoes) {
  Random random(3);
  for (const size_t size : {0, 1, 1000, 40'000, 200'001}) {
    std::vector<uint64_t> values(size);
    for (uint64_t& value : values) value = random.Below(size / 3 + 1);
    std::vector<uint64_t> want = values;
    std::sort(want.begin(), want.end(), std::greater<>());
    for (const int threads : {1, 2, 3, 16}) {
      std::vector<uint64_t> sorted = values;
      ParallelSort(std::span(sorted), threads, std::greater<>());
      EXPECT_EQ(sorted, want) << size << " on " << threads;
    }
  }
}

}  // namespace
}  // namespace edgemill

// The memory probe does every kind of work on every number of threads, and refuses wrong options.
#include "bench/scaling/memory_probe.h"

#include <gtest/gtest.h>

#include <set>

#include "common/cancel.h"

namespace edgemill::bench {
namespace {

constexpr MemoryProbeOptions kSmall{.threads = 3,
                                    .trials = 2,
                                    .copy_bytes = 2 * kMebibyte,
                                    .gather_bytes = kMebibyte,
                                    .accesses = 1 << 17};

StatusOr<std::vector<MemorySeries>> Probe(const MemoryProbeOptions& options,
                                          uint64_t memory_bytes) {
  MemoryBudget budget(memory_bytes);
  Progress progress;
  return ProbeMemory(options, budget, progress);
}

TEST(MemoryProbeTest, CountsThreadsByDoubling) {
  EXPECT_EQ(ThreadCounts(1), (std::vector<int>{1}));
  EXPECT_EQ(ThreadCounts(16), (std::vector<int>{1, 2, 4, 8, 16}));
  EXPECT_EQ(ThreadCounts(6), (std::vector<int>{1, 2, 4, 6}));
}

TEST(MemoryProbeTest, MeasuresEachWorkOnEachNumberOfThreads) {
  const auto all = Probe(kSmall, 64 * kMebibyte);
  ASSERT_TRUE(all.ok()) << all.status().message();
  std::set<std::pair<std::string_view, int>> expected, measured;
  for (const std::string_view work :
       {kArithmetic, kCopy, kTouchHugePages, kTouchSmallPages, kGather, kSetBits}) {
    for (const int threads : {1, 2, 3}) expected.emplace(work, threads);
  }
  for (const MemorySeries& series : *all) {
    measured.emplace(series.work, series.threads);
    EXPECT_EQ(series.rates.size(), kSmall.trials) << "the warm-up is left out";
    for (const double rate : series.rates) EXPECT_GT(rate, 0) << series.work;
  }
  EXPECT_EQ(measured, expected);
  EXPECT_EQ(all->size(), expected.size());
}

TEST(MemoryProbeTest, RefusesALowBudgetWithTheOneThatWillDo) {
  const auto refused = Probe(kSmall, 35 * kMebibyte);
  ASSERT_EQ(refused.status().code(), Code::kBudget);
  EXPECT_NE(refused.status().message().find("at least --memory 36MiB"), std::string::npos)
      << refused.status().message();
  EXPECT_TRUE(Probe(kSmall, 36 * kMebibyte).ok());
}

TEST(MemoryProbeTest, RefusesArraysThatMeasureNothing) {
  MemoryProbeOptions options = kSmall;
  options.gather_bytes = kMebibyte - 1;
  EXPECT_EQ(Probe(options, 64 * kMebibyte).status().code(), Code::kUsage);
  options = kSmall;
  options.copy_bytes = 0;
  EXPECT_EQ(Probe(options, 64 * kMebibyte).status().code(), Code::kUsage);
}

TEST(MemoryProbeTest, StopsWhenAskedTo) {
  RequestCancel();
  EXPECT_EQ(Probe(kSmall, 64 * kMebibyte).status().code(), Code::kCancelled);
  ClearCancel();
}

}  // namespace
}  // namespace edgemill::bench

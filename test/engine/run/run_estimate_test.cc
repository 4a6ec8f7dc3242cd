// Estimates of runs: the tables of known runs, and what follows from them.
#include "engine/estimate/run_estimate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/api/algorithm.h"
#include "engine/estimate/known_runs.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

TEST(KnownRuns, EachKindIsMostLikeItself) {
  EXPECT_EQ(KnownGraphs().size(), 6u);
  for (const KnownGraph& known : KnownGraphs()) EXPECT_EQ(KindLike(known.shape), known.kind);
}

/// A new algorithm is measured too: bench/known_runs.py.
TEST(KnownRuns, HaveEveryAlgorithm) {
  for (const Algorithm* const algorithm : AllAlgorithms()) {
    const auto runs = KnownRuns();
    EXPECT_TRUE(std::any_of(runs.begin(), runs.end(), [&](const KnownRun& run) {
      return run.algorithm == algorithm->name;
    })) << algorithm->name;
  }
  for (const KnownRun& run : KnownRuns()) {
    EXPECT_NE(FindAlgorithm(run.algorithm), nullptr) << run.algorithm;
    EXPECT_LT(run.small.vertices, run.large.vertices);
  }
  EXPECT_EQ(FindKnownRun("bfs", "star"), nullptr);
}

TEST(KnownRuns, AreExtrapolatedByPowers) {
  const KnownRun run{
      .algorithm = "bfs",
      .kind = "grid",
      .small = {.vertices = 100, .iterations = 10, .passes = 4, .reads_uncached = 0},
      .large = {.vertices = 400, .iterations = 20, .passes = 2, .reads_uncached = 3}};
  const RunSize larger = Extrapolate(run, 1600);
  EXPECT_NEAR(larger.iterations, 40, 1e-9);
  EXPECT_NEAR(larger.passes, 2, 1e-9);  // falling measures stay
  EXPECT_NEAR(larger.reads_uncached, 3, 1e-9);
  EXPECT_NEAR(Extrapolate(run, 0).iterations, 1, 1e-9);
}

class RunEstimateTest : public testing::Test {
 protected:
  StatusOr<RunEstimate> Estimate(const OptionValues& values, uint64_t bytes) {
    const RunOptions options{.algorithm = "pagerank",
                             .values = values,
                             .gpu = {.calibration = BuiltInCalibration()},
                             .threads = 1};
    const MemoryBudget budget(bytes);
    return EstimateRun(*graph_, options, budget, progress_);
  }
  RunEstimate Of(const OptionValues& values, uint64_t bytes) {
    const StatusOr<RunEstimate> estimate = Estimate(values, bytes);
    EXPECT_TRUE(estimate.ok()) << estimate.status().message();
    return estimate.ok() ? *estimate : RunEstimate();
  }

  static constexpr uint64_t kAmple = uint64_t{256} << 20;
  const std::unique_ptr<InMemoryGraph> graph_ =
      InMemoryGraph::Dense(10'000, RandomTestEdges(3, 10'000, 300'000), {});
  Progress progress_;
};

TEST_F(RunEstimateTest, LessMemoryReadsMore) {
  const RunEstimate ample = Of({}, kAmple);
  EXPECT_TRUE(ample.fits);
  EXPECT_EQ(ample.kept_share, 1);
  ASSERT_TRUE(ample.work.has_value());
  EXPECT_GT(ample.work->iterations, 5u);
  EXPECT_GT(*ample.work->seconds, 0);
  EXPECT_GT(ample.edge_bytes, 300'000u);
  const RunEstimate least = Of({}, ample.least_memory_bytes);
  EXPECT_TRUE(least.fits);
  EXPECT_LT(least.kept_share, 1);
  ASSERT_TRUE(least.work.has_value());
  EXPECT_GT(least.work->bytes_read, 3 * ample.work->bytes_read);
}

TEST_F(RunEstimateTest, WhatDoesNotFitIsNoError) {
  const uint64_t least = Of({}, kAmple).least_memory_bytes;
  const RunEstimate small = Of({}, least - 1);
  EXPECT_FALSE(small.fits);
  EXPECT_EQ(small.least_memory_bytes, least);
  EXPECT_GT(small.edge_bytes, 0u);
  EXPECT_FALSE(small.work.has_value());
}

TEST_F(RunEstimateTest, GivenIterationsDecide) {
  const RunEstimate ten = Of({{"--iterations", uint64_t{10}}}, kAmple);
  const RunEstimate more = Of({{"--iterations", uint64_t{100}}}, kAmple);
  ASSERT_TRUE(ten.work.has_value() && more.work.has_value());
  EXPECT_EQ(ten.work->iterations, 10u);
  EXPECT_EQ(more.work->iterations, 100u);
  EXPECT_GT(*more.work->seconds, 4 * *ten.work->seconds);  // the first pass reads
}

TEST_F(RunEstimateTest, RunsThatCannotStartAreRefused) {
  EXPECT_EQ(Estimate({{"--damping", 2.0}}, kAmple).status().code(), Code::kUsage);
}

}  // namespace
}  // namespace edgemill

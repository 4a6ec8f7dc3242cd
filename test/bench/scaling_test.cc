// Figures for each number of threads, compared with the nearest bound.
#include "bench/scaling/scaling.h"

#include <gtest/gtest.h>

#include "bench/scaling/memory_probe.h"
#include "common/strings.h"

namespace edgemill::bench {
namespace {

Metric Rate(std::string_view work, int threads, double rate) {
  return {StrCat(NameWithThreads(work, threads), ": rate"), "GB/s", Better::kMore, {rate}};
}

/// The row of `figure` on `threads` threads.
ScalingRow RowOf(const BenchmarkResult& result, std::string_view figure, int threads) {
  for (const ScalingRow& row : ScalingRows(result)) {
    if (row.figure == figure && row.threads == threads) return row;
  }
  ADD_FAILURE() << "no row of " << figure << " on " << threads << " threads";
  return {};
}

TEST(ScalingTest, TheNearestBoundIsTheLargest) {
  BenchmarkResult result;
  result.metrics = {{"ingest, pairs, 1 thread: time", "s", Better::kLess, {8}},
                    {"ingest, pairs, 4 threads: time", "s", Better::kLess, {5, 3, 4}},
                    {"ingest, pairs, 4 threads: input", "GB", Better::kLess, {4}},
                    {"ingest, pairs, 4 threads: memory", "GB", Better::kLess, {10}}};
  ScalingRow row = RowOf(result, "ingest, pairs", 4);
  EXPECT_EQ(row.seconds, 4);
  EXPECT_EQ(row.min_seconds, 3);
  EXPECT_EQ(row.max_seconds, 5);
  EXPECT_EQ(row.speed_up, 2);
  EXPECT_EQ(row.bound, "cores");
  EXPECT_EQ(row.bound_seconds, 2);
  const auto add = [&](Metric metric, std::string_view bound, double seconds) {
    result.metrics.push_back(std::move(metric));
    row = RowOf(result, "ingest, pairs", 4);
    EXPECT_EQ(row.bound, bound);
    EXPECT_EQ(row.bound_seconds, seconds);
  };
  add({"., plain O_DIRECT reads: rate", "GB/s", Better::kMore, {1.6}}, "disk", 2.5);
  add(Rate(kCopy, 4, 4), "disk", 2.5);
  add(Rate(kCopy, 1, 1), "disk", 2.5);
  add(Rate(kTouchHugePages, 4, 2.5), "first touch", 4);
  add(Rate(kGather, 4, 0.001), "first touch", 4);  // an ingest gathers nothing
}

TEST(ScalingTest, PageRankGathersAValueForEachEdge) {
  BenchmarkResult result;
  result.metrics = {{"pagerank, warm, k, 1 thread: time", "s", Better::kLess, {3}},
                    {"pagerank, warm, k, 1 thread: edges", "G", Better::kLess, {0.2}},
                    Rate(kGather, 1, 0.1)};
  const ScalingRow row = RowOf(result, "pagerank, warm, k", 1);
  EXPECT_EQ(row.bound, "random gathers");
  EXPECT_EQ(row.bound_seconds, 2);
}

TEST(ScalingTest, OneThreadHasNoBoundAndOtherMetricsHaveNoRows) {
  BenchmarkResult result;
  result.metrics = {{"generate, k, 1 thread: time", "s", Better::kLess, {3}},
                    {"generate, k, 2 threads: time", "s", Better::kLess, {2}},
                    {"bfs, warm: time", "s", Better::kLess, {1}},
                    {"bfs, 2 thread: time", "s", Better::kLess, {1}},
                    {"time", "s", Better::kLess, {1}}};
  EXPECT_EQ(ScalingRows(result).size(), 2u);
  EXPECT_EQ(RowOf(result, "generate, k", 1).bound, "");
  EXPECT_EQ(RowOf(result, "generate, k", 1).speed_up, 1);
  EXPECT_EQ(RowOf(result, "generate, k", 2).bound_seconds, 1.5);
}

}  // namespace
}  // namespace edgemill::bench

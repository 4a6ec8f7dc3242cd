// Latencies and rates that benchmarks record: quantiles are within their error, and every stall is
// found.
#include "bench/io/completion_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/io/latency_histogram.h"
#include "common/random.h"

namespace edgemill::bench {
namespace {

TEST(LatencyHistogramTest, QuantilesAreWithinOnePercent) {
  for (const uint64_t seed : {1, 2, 3}) {
    Random random(seed);
    LatencyHistogram histogram;
    std::vector<double> values;
    for (int i = 0; i < 20000; ++i) {
      values.push_back(std::exp(random.Unit() * 25) * 1e-9);  // 1 ns to 72 s
      histogram.Add(values.back());
    }
    std::sort(values.begin(), values.end());
    for (const double q : {0.0, 0.01, 0.5, 0.9, 0.99, 0.999}) {
      const size_t rank = static_cast<size_t>(std::max(1.0, std::ceil(q * 20000)));
      const double exact = values[rank - 1];
      EXPECT_NEAR(histogram.Quantile(q), exact, exact * 0.01 + 1e-9) << q;
    }
    EXPECT_EQ(histogram.Quantile(1), values.back());
    EXPECT_EQ(histogram.max_seconds(), values.back());
    EXPECT_EQ(histogram.count(), values.size());
  }
}

TEST(LatencyHistogramTest, MergesAsIfCountedTogether) {
  LatencyHistogram a, b, both;
  for (int i = 1; i < 1000; ++i) {
    (i % 3 == 0 ? a : b).Add(i * 1e-5);
    both.Add(i * 1e-5);
  }
  a.Merge(b);
  EXPECT_EQ(a.count(), both.count());
  EXPECT_EQ(a.max_seconds(), both.max_seconds());
  for (const double q : {0.1, 0.5, 0.99}) EXPECT_EQ(a.Quantile(q), both.Quantile(q));
}

TEST(LatencyHistogramTest, TakesAnything) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.Quantile(0.5), 0);
  for (const double seconds : {0.0, -1.0, 1e-12, 8796.0, 1e9, 1e300}) histogram.Add(seconds);
  EXPECT_EQ(histogram.count(), 6u);
  EXPECT_EQ(histogram.max_seconds(), 1e300);
  EXPECT_LE(histogram.Quantile(0.9), 1e300);
}

/// A log of `seconds` with a completion of 64 KiB every millisecond, without those that `skip`
/// names. Each request takes 1 ms.
template <typename Skip>
CompletionLog LogOf(double seconds, Skip skip) {
  CompletionLog log;
  for (int ms = 1; ms < seconds * 1000; ++ms) {
    if (!skip(ms)) log.Add(ms * 1e-3, 65536, 1e-3);
  }
  log.Finish(seconds);
  return log;
}

TEST(CompletionLogTest, SteadyIsNotFaulted) {
  for (const double seconds : {0.05, 0.3, 5.0, 300.0}) {
    EXPECT_TRUE(LogOf(seconds, [](int) { return false; }).FindDisturbances().empty()) << seconds;
  }
  // Two completions a second are slow but even.
  CompletionLog log;
  for (int i = 1; i < 40; ++i) log.Add(i * 0.5, 4096, 0.5);
  log.Finish(20);
  EXPECT_TRUE(log.FindDisturbances().empty());
}

TEST(CompletionLogTest, FindsSilence) {
  const auto found = LogOf(5, [](int ms) { return ms > 2000 && ms < 3500; }).FindDisturbances();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Disturbance::Kind::kSilence);
  EXPECT_NEAR(found[0].at_seconds, 2, 0.01);
  EXPECT_NEAR(found[0].seconds, 1.5, 0.01);
  EXPECT_NE(found[0].Describe().find("nothing completed for 1.50 s, 2.00 s after"),
            std::string::npos);
}

TEST(CompletionLogTest, FindsSilenceAtTheEndsAndOfAll) {
  const auto at_end = LogOf(3, [](int ms) { return ms > 1500; }).FindDisturbances();
  ASSERT_EQ(at_end.size(), 1u);
  EXPECT_NEAR(at_end[0].seconds, 1.5, 0.01);
  const auto whole = LogOf(2, [](int) { return true; }).FindDisturbances();
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_NEAR(whole[0].seconds, 2, 0.01);
}

TEST(CompletionLogTest, FindsASlowStretch) {
  // The rate is a tenth for 0.4 s. An average over 5 s would be only 7 % lower.
  const auto found =
      LogOf(5, [](int ms) { return ms > 1000 && ms <= 1400 && ms % 10 != 0; }).FindDisturbances();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Disturbance::Kind::kSlow);
  EXPECT_NEAR(found[0].at_seconds, 1, 0.06);
  EXPECT_NEAR(found[0].seconds, 0.4, 0.06);
  EXPECT_NEAR(found[0].usual_rate, 65536e3, 65536e1 * 5);
  EXPECT_LT(found[0].rate, found[0].usual_rate / 4);
}

TEST(CompletionLogTest, FindsSlownessAfterWindowsWereMerged) {
  const auto found =
      LogOf(500, [](int ms) { return ms > 200000 && ms < 200900; }).FindDisturbances();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Disturbance::Kind::kSlow);
  EXPECT_NEAR(found[0].at_seconds, 200, 0.3);
}

TEST(CompletionLogTest, SyncsAreExcused) {
  const auto gap = [](int ms) { return ms > 2000 && ms < 2400; };
  CompletionLog log = LogOf(4, gap);
  EXPECT_EQ(log.FindDisturbances().size(), 1u);
  log.Excuse(2.0, 2.4);
  EXPECT_TRUE(log.FindDisturbances().empty());
}

TEST(CompletionLogTest, FindsOneLateRequest) {
  CompletionLog log;
  for (int ms = 1; ms < 3000; ++ms) log.Add(ms * 1e-3, 4096, ms == 1700 ? 0.2 : 1e-3);
  log.Finish(3);
  const auto found = log.FindDisturbances();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Disturbance::Kind::kLatency);
  EXPECT_NEAR(found[0].seconds, 0.2, 1e-9);
  EXPECT_NEAR(found[0].at_seconds, 1.5, 1e-6);
}

TEST(CompletionLogTest, ListsAreBounded) {
  const auto found = LogOf(100, [](int ms) { return ms / 200 % 3 == 0; }).FindDisturbances();
  EXPECT_EQ(found.size(), CompletionLog::kMaxFound);
}

}  // namespace
}  // namespace edgemill::bench

// The series of scales, on small scales: what it measures, what it refuses, and its results.
#include "bench/scaling/scale_series.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "bench/plain/plain_algorithms.h"
#include "bench/record/answer_digest.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::bench {
namespace {

class ScaleSeriesTest : public testing::Test {
 protected:
  ScaleSeriesOptions Options(uint64_t from, uint64_t to) const {
    return {.directory = directory_.path(),
            .first_scale = from,
            .last_scale = to,
            .trials = 2,
            .csr_memory_bytes = uint64_t{128} << 20,
            .making_bytes = uint64_t{128} << 20,
            .threads = 2};
  }
  BenchmarkResult ResultOf(const ScaleSeriesOptions& options) {
    const auto series = RunScaleSeries(options, progress_);
    EXPECT_TRUE(series.ok()) << series.status().message();
    BenchmarkResult result;
    if (series.ok()) AddScales(options, *series, &result);
    return result;
  }
  bool LeftNothing() const { return std::filesystem::is_empty(directory_.path()); }

  TemporaryDirectory directory_;
  Progress progress_;
};

TEST_F(ScaleSeriesTest, MeasuresBothProgramsOnEveryScale) {
  const auto series = RunScaleSeries(Options(8, 10), progress_);
  ASSERT_TRUE(series.ok()) << series.status().message();
  ASSERT_EQ(series->points.size(), 3u);
  EXPECT_TRUE(series->remarks.empty());
  uint64_t edges = 0;
  for (size_t i = 0; i < 3; ++i) {
    const ScalePoint& point = series->points[i];
    EXPECT_EQ(point.scale, 8 + i);
    EXPECT_EQ(point.num_vertices, uint64_t{256} << i);
    EXPECT_GT(point.num_edges, edges);
    edges = point.num_edges;
    ASSERT_EQ(point.trials.size(), 8u);
    for (const ScaleTrials& trials : point.trials) {
      const bool engine = trials.program == "engine";
      EXPECT_EQ(trials.passes, trials.algorithm == "pagerank" ? 10u : 1u);
      ASSERT_EQ(trials.seconds.size(), 2u);
      ASSERT_EQ(trials.peak_bytes.size(), 2u);
      ASSERT_EQ(trials.bytes_read.size(), engine ? 2u : 0u);
      for (const double seconds : trials.seconds) EXPECT_GT(seconds, 0);
      for (const double bytes : trials.peak_bytes) EXPECT_GT(bytes, 1 << 20);
      for (const double bytes : trials.bytes_read) EXPECT_GT(bytes, 0);
    }
  }
  EXPECT_TRUE(LeftNothing());
}

TEST_F(ScaleSeriesTest, MemoryFollowsTheVertices) {
  ScaleSeriesOptions options = Options(8, 9);
  options.bytes_per_vertex = uint64_t{1} << 20;
  const auto series = RunScaleSeries(options, progress_);
  ASSERT_TRUE(series.ok()) << series.status().message();
  EXPECT_EQ(series->points[0].engine_memory_bytes, uint64_t{256} << 20);
  EXPECT_EQ(series->points[1].engine_memory_bytes, uint64_t{512} << 20);
}

TEST_F(ScaleSeriesTest, PlainCsrIsLeftOutWhereItDoesNotFit) {
  ScaleSeriesOptions options = Options(9, 9);
  options.csr_memory_bytes = uint64_t{40} << 20;
  const auto series = RunScaleSeries(options, progress_);
  ASSERT_TRUE(series.ok()) << series.status().message();
  EXPECT_EQ(series->points[0].trials.size(), 4u);
  ASSERT_EQ(series->remarks.size(), 1u);
  EXPECT_NE(series->remarks[0].find("40.0 MiB"), std::string::npos) << series->remarks[0];
}

TEST_F(ScaleSeriesTest, TooLittleDiskOrMemoryIsRefusedBeforeFilesAreMade) {
  EXPECT_EQ(RunScaleSeries(Options(9, 8), progress_).status().code(), Code::kUsage);
  ScaleSeriesOptions options = Options(8, 31);
  // 2 PiB are more than any machine has, but the disk is checked before the memory.
  options.bytes_per_vertex = 1 << 20;
  EXPECT_EQ(RunScaleSeries(options, progress_).status().code(), Code::kIo);
  options = Options(8, 8);
  options.bytes_per_vertex = uint64_t{1} << 40;
  EXPECT_EQ(RunScaleSeries(options, progress_).status().code(), Code::kBudget);
  options = Options(8, 8);
  options.making_bytes = uint64_t{1} << 20;  // too little to ingest in
  EXPECT_EQ(RunScaleSeries(options, progress_).status().code(), Code::kBudget);
  EXPECT_TRUE(LeftNothing());
}

TEST_F(ScaleSeriesTest, ResultsOfEarlierScalesComeFirst) {
  const BenchmarkResult earlier = ResultOf(Options(8, 8));
  const BenchmarkResult later = ResultOf(Options(9, 9));
  EXPECT_TRUE(CheckEarlierScales(earlier, Options(9, 10)).ok());
  EXPECT_EQ(CheckEarlierScales(earlier, Options(8, 9)).code(), Code::kUsage);
  BenchmarkResult both = later;
  ASSERT_TRUE(AddEarlierScales(earlier, &both).ok());
  EXPECT_EQ(both.metrics.size(), earlier.metrics.size() + later.metrics.size());
  EXPECT_EQ(both.metrics.front().name, earlier.metrics.front().name);
  EXPECT_TRUE(both.verified);
  EXPECT_EQ(AddEarlierScales(earlier, &both).code(), Code::kUsage);  // scale 8 again
  BenchmarkResult other = earlier;
  other.settings[0].second = "40";
  both = later;
  EXPECT_EQ(AddEarlierScales(other, &both).code(), Code::kUsage);
  other = earlier;
  other.benchmark = "io";
  EXPECT_EQ(AddEarlierScales(other, &both).code(), Code::kUsage);
  EXPECT_EQ(both.metrics.size(), later.metrics.size());
  // The plot has both scales, with a dot for each program and algorithm in each of its panels.
  ASSERT_TRUE(AddEarlierScales(earlier, &both).ok());
  const std::string svg = SvgFile("growth", DrawScales(both), {});
  size_t dots = 0;
  for (size_t at = 0; (at = svg.find("<circle ", at)) != std::string::npos; ++at) ++dots;
  EXPECT_EQ(dots, 2 * (8 + 4 + 8));
}

TEST(AnswerDigestTest, AnyOtherValueIsAnotherAnswer) {
  const std::vector<uint32_t> values = {0, 1, 2, kPlainUnreached, 1};
  const AnswerDigest digest = AnswerDigest::Of(values);
  EXPECT_TRUE(digest.Agrees(AnswerDigest::Of(values)));
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<uint32_t> other = values;
    other[i] ^= 1;
    EXPECT_FALSE(digest.Agrees(AnswerDigest::Of(other))) << i;
  }
  std::vector<uint32_t> swapped = values;
  std::swap(swapped[1], swapped[2]);
  EXPECT_FALSE(digest.Agrees(AnswerDigest::Of(swapped)));
  const std::vector<float> ranks = {0.25f, 0.25f, 0.5f};
  EXPECT_TRUE(
      AnswerDigest::Of(ranks).Agrees(AnswerDigest::Of(std::vector{0.25f, 0.250001f, 0.5f})));
  EXPECT_FALSE(AnswerDigest::Of(ranks).Agrees(AnswerDigest::Of(std::vector{0.25f, 0.2501f, 0.5f})));
  EXPECT_FALSE(AnswerDigest::Of(ranks).Agrees(digest));
}

}  // namespace
}  // namespace edgemill::bench

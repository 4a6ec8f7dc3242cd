// Result files come back as written. Other files are refused. A comparison distinguishes changes
// from noise.
#include "bench/record/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <tuple>

#include "bench/record/result_file.h"
#include "bench/record/sample_statistics.h"
#include "bench/scaling/recorded_reports.h"
#include "common/random.h"
#include "test/graphs/written_graph.h"

namespace edgemill::bench {
namespace {

/// Samples around `mean` with a relative spread of about `spread`.
std::vector<double> Around(double mean, double spread, size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<double> samples;
  for (size_t i = 0; i < count; ++i) {
    double sum = 0;  // twelve uniform numbers: nearly normal, deviation 1
    for (int k = 0; k < 12; ++k) sum += random.Unit();
    samples.push_back(mean * std::exp(spread * (sum - 6)));
  }
  return samples;
}

BenchmarkResult Result(std::vector<Metric> metrics) {
  BenchmarkResult result;
  result.benchmark = "io";
  result.command = "edgemill bench io";
  result.commit = "1234";
  result.time = "2026-01-31T12:00:00Z";
  result.machine = {"a cpu", 2, 1 << 30, "6.1", {{"/d", "ext4", "vda", "", "none", false, 1000}}};
  result.settings = {{"trials", "3"}, {"engine", "io_uring"}};
  result.verified = true;
  result.metrics = std::move(metrics);
  return result;
}

MetricChange Changed(const Metric& before, const Metric& after) {
  const auto comparison = Compare(Result({before}), Result({after}), {});
  EXPECT_TRUE(comparison.ok());
  EXPECT_TRUE(comparison->warnings.empty());
  return comparison->changes.at(0);
}

TEST(SampleStatisticsTest, AreThoseOfTheSamples) {
  EXPECT_EQ(Median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(Median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Mean(std::vector<double>{1, 2, 6}), 3);
  EXPECT_NEAR(LogDeviation(std::vector<double>{1, std::exp(2.0)}), std::sqrt(2), 1e-12);
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(LogDeviation(std::vector<double>{5}), 0);
}

TEST(SampleStatisticsTest, BandsOfTheMedianAreThoseOfTables) {
  // These ranks are in tables of the sign test for 95 %.
  for (const auto& [count, rank] : {std::pair<size_t, size_t>{6, 1},
                                    {8, 1},
                                    {9, 2},
                                    {12, 3},
                                    {15, 4},
                                    {18, 5},
                                    {25, 8},
                                    {100, 40},
                                    {3000, 1446}}) {
    std::vector<double> samples;
    for (size_t i = count; i > 0; --i) samples.push_back(static_cast<double>(i));
    const std::optional<Band> band = MedianBand(samples);
    ASSERT_TRUE(band.has_value()) << count;
    EXPECT_EQ(band->low, static_cast<double>(rank)) << count;
    EXPECT_EQ(band->high, static_cast<double>(count + 1 - rank)) << count;
  }
  EXPECT_FALSE(MedianBand(std::vector<double>{1, 2, 3, 4, 5}).has_value());
  EXPECT_FALSE(MedianBand({}).has_value());
}

TEST(ComparisonTest, NoiseIsRarelyCalledAChange) {
  int num_changes = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const auto change = Changed({"m", "s", Better::kLess, Around(1, 0.1, 5, 2 * seed)},
                                {"m", "s", Better::kLess, Around(1, 0.1, 5, 2 * seed + 1)});
    num_changes += change.verdict != Verdict::kSame;
  }
  EXPECT_LE(num_changes, 10);  // 2 are expected
}

TEST(ComparisonTest, RealChangesAreFound) {
  int found = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto slower = Changed({"m", "s", Better::kLess, Around(1, 0.03, 5, 2 * seed)},
                                {"m", "s", Better::kLess, Around(1.3, 0.03, 5, 2 * seed + 1)});
    found += slower.verdict == Verdict::kWorse;
    EXPECT_NEAR(slower.ratio, 1.3, 0.15);
  }
  EXPECT_GE(found, 190);
}

TEST(ComparisonTest, NoiseOfFewSamplesIsTakenFromSimilarMetrics) {
  std::vector<Metric> before, after;
  for (uint64_t i = 0; i < 2000; ++i) {
    before.push_back({StrCat(i, ": time"), "s", Better::kLess, Around(1, 0.1, 2, 2 * i)});
    after.push_back({StrCat(i, ": time"), "s", Better::kLess, Around(1, 0.1, 2, 2 * i + 1)});
  }
  for (double& sample : after[7].samples) sample *= 3;
  // The noise of a metric with one sample is known here from the other metrics.
  before.push_back({"single: time", "s", Better::kLess, {1}});
  after.push_back({"single: time", "s", Better::kLess, {5}});
  const auto comparison = Compare(Result(before), Result(after), {});
  ASSERT_TRUE(comparison.ok());
  int num_changes = 0;
  for (const MetricChange& change : comparison->changes)
    num_changes += change.verdict != Verdict::kSame;
  EXPECT_LE(num_changes, 12);
  EXPECT_EQ(comparison->changes[7].verdict, Verdict::kWorse);
  EXPECT_EQ(comparison->changes.back().verdict, Verdict::kWorse);
  EXPECT_TRUE(comparison->changes.back().noise_known);
}

TEST(ComparisonTest, EachMetricSaysWhetherLessIsBetter) {
  const std::vector<double> low = {1, 1.01, 0.99, 1}, high = {2, 2.02, 1.98, 2};
  EXPECT_EQ(Changed({"m", "s", Better::kLess, low}, {"m", "s", Better::kLess, high}).verdict,
            Verdict::kWorse);
  EXPECT_EQ(Changed({"m", "s", Better::kLess, high}, {"m", "s", Better::kLess, low}).verdict,
            Verdict::kBetter);
  EXPECT_EQ(Changed({"m", "s", Better::kMore, low}, {"m", "s", Better::kMore, high}).verdict,
            Verdict::kBetter);
  EXPECT_EQ(Changed({"m", "s", Better::kMore, high}, {"m", "s", Better::kMore, low}).verdict,
            Verdict::kWorse);
}

TEST(ComparisonTest, SmallChangesAreIgnoredHoweverCertain) {
  const Metric before{"m", "s", Better::kLess, {1, 1, 1, 1}};
  EXPECT_EQ(Changed(before, {"m", "s", Better::kLess, {1.04, 1.04, 1.04, 1.04}}).verdict,
            Verdict::kSame);
  EXPECT_EQ(Changed(before, {"m", "s", Better::kLess, {1.06, 1.06, 1.06, 1.06}}).verdict,
            Verdict::kWorse);
}

TEST(ComparisonTest, PairedSamplesAreComparedOneByOne) {
  // The times of sources differ by a factor of 100, and each became 10 % slower.
  Metric before{"m", "s", Better::kLess, {}, true}, after = before;
  for (int i = 0; i < 16; ++i) {
    before.samples.push_back(std::pow(10, i % 3));
    after.samples.push_back(before.samples.back() * (i % 2 == 0 ? 1.09 : 1.11));
  }
  EXPECT_EQ(Changed(before, after).verdict, Verdict::kWorse);
  after.paired = false;
  EXPECT_EQ(Changed(before, after).verdict, Verdict::kSame);
}

TEST(ComparisonTest, SingleSamplesHaveAnAssumedNoise) {
  const Metric one{"m", "s", Better::kLess, {1}};
  const auto change = Changed(one, {"m", "s", Better::kLess, {1.2}});
  EXPECT_FALSE(change.noise_known);
  EXPECT_EQ(change.verdict, Verdict::kSame);
  EXPECT_EQ(Changed(one, {"m", "s", Better::kLess, {1.3}}).verdict, Verdict::kWorse);
}

TEST(ComparisonTest, ZerosHaveNoRatio) {
  const Metric zero{"m", "GB", Better::kLess, {0, 0}}, some{"m", "GB", Better::kLess, {1, 1}};
  EXPECT_EQ(Changed(zero, zero).verdict, Verdict::kSame);
  EXPECT_EQ(Changed(zero, some).verdict, Verdict::kUnknown);
}

TEST(ComparisonTest, WarnsOfWhatElseDiffers) {
  const Metric metric{"m", "s", Better::kLess, {1, 1}};
  BenchmarkResult before = Result({metric}), after = Result({metric, {"n", "s", {}, {1}}});
  after.machine.cpu = "another";
  after.machine.disks[0].device = "vdb";
  after.settings[1].second = "pread";
  after.verified = false;
  after.remarks = {"a stall"};
  const auto comparison = Compare(before, after, {});
  ASSERT_TRUE(comparison.ok());
  for (const char* text :
       {"processor differs: a cpu before, another", "disks differ", "\"engine\" differs",
        "new file is not verified", "a stall", "1 metrics are in the new file alone"}) {
    EXPECT_TRUE(std::any_of(
        comparison->warnings.begin(), comparison->warnings.end(),
        [&](const std::string& warning) { return warning.find(text) != std::string::npos; }))
        << text;
  }
  after.benchmark = "run";
  EXPECT_EQ(Compare(before, after, {}).status().code(), Code::kBadData);
  EXPECT_EQ(Compare(before, Result({{"n", "s", {}, {1}}}), {}).status().code(), Code::kBadData);
}

/// Compares one metric of nine pairs. The new samples are `ratio` times as large. A disturbance
/// that lasts some minutes slows both samples of a pair; the noise of one sample has the spread
/// `spread`.
MetricChange ChangedInPairs(double ratio, double spread, uint64_t seed) {
  Metric before{"m", "s", Better::kLess, Around(1, spread, 9, 2 * seed)};
  Metric after{"m", "s", Better::kLess, Around(ratio, spread, 9, 2 * seed + 1)};
  for (size_t i = 0; i < 9; ++i) {
    const double disturbance = i < 4 ? 1 : 1.7;
    before.samples[i] *= disturbance;
    after.samples[i] *= disturbance;
  }
  const auto comparison = Compare(Result({before}), Result({after}), {.in_pairs = true});
  EXPECT_TRUE(comparison.ok());
  return comparison->changes.at(0);
}

TEST(PairedComparisonTest, SmallSlowdownsAreFound) {
  int found = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const MetricChange change = ChangedInPairs(1.05, 0.01, seed);
    found += change.verdict == Verdict::kWorse;
    EXPECT_NEAR(change.ratio, 1.05, 0.03);
    EXPECT_LT(change.band.low, change.ratio);
    EXPECT_GT(change.band.high, change.ratio);
  }
  EXPECT_GE(found, 190);
  EXPECT_EQ(ChangedInPairs(1 / 1.2, 0.02, 1).verdict, Verdict::kBetter);
}

TEST(PairedComparisonTest, NoiseIsSeldomCalledWorse) {
  // A verdict of worse needs eight of nine ratios above 1. Chance gives 10 cases in 512, whatever
  // the noise.
  for (const double spread : {0.02, 0.1, 0.5}) {
    int worse = 0;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
      worse += ChangedInPairs(1, spread, seed).verdict == Verdict::kWorse;
    }
    EXPECT_LE(worse, 60) << spread;  // 39 are expected
  }
}

TEST(PairedComparisonTest, SmallChangesAreNotWorseHoweverSure) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const MetricChange change = ChangedInPairs(1.02, 0.001, seed);
    EXPECT_GT(change.band.low, 1);
    EXPECT_EQ(change.verdict, Verdict::kSame);
  }
}

TEST(PairedComparisonTest, BothBandAndMedianDecide) {
  const Metric before{"m", "s", Better::kLess, std::vector<double>(9, 2.0)};
  const auto judge = [&](std::vector<double> samples, double worse_ratio, Better better) {
    Metric old_metric = before;
    old_metric.better = better;
    const auto comparison =
        Compare(Result({old_metric}), Result({{"m", "s", better, std::move(samples)}}),
                {.in_pairs = true, .worse_ratio = worse_ratio});
    EXPECT_TRUE(comparison.ok());
    return comparison->changes.at(0).verdict;
  };
  const std::vector<double> sure = {1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1};
  const std::vector<double> unsure = {1, 1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1, 2.1};
  EXPECT_EQ(judge(sure, 1.03, Better::kLess), Verdict::kWorse);
  EXPECT_EQ(judge(sure, 1.06, Better::kLess), Verdict::kSame);
  EXPECT_EQ(judge(unsure, 1.03, Better::kLess), Verdict::kSame);
  EXPECT_EQ(judge(sure, 1.03, Better::kMore), Verdict::kBetter);
  const std::vector<double> less = {3, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9, 1.9};
  EXPECT_EQ(judge(less, 1.03, Better::kMore), Verdict::kWorse);
  EXPECT_EQ(judge(less, 1.03, Better::kLess), Verdict::kBetter);
  EXPECT_EQ(judge(std::vector<double>(9, 0), 1.03, Better::kLess), Verdict::kUnknown);
}

TEST(PairedComparisonTest, MetricsThatOnlyOneFileHasAreLeftOut) {
  const Metric both{"both", "s", Better::kLess, std::vector<double>(9, 1.0)};
  const Metric only{"only", "s", Better::kLess, {1}};
  for (const auto& [before, after, which] :
       {std::tuple{Result({both}), Result({both, only}), "new"},
        {Result({only, both}), Result({both}), "old"}}) {
    const auto comparison = Compare(before, after, {.in_pairs = true});
    ASSERT_TRUE(comparison.ok());
    EXPECT_EQ(comparison->changes.size(), 1u);
    EXPECT_EQ(comparison->warnings,
              std::vector<std::string>{StrCat("1 metrics are in the ", which, " file alone")});
  }
}

TEST(PairedComparisonTest, PairsMustBeWholeAndEnough) {
  const auto error = [](size_t before, size_t after) {
    const auto of = [](size_t count) {
      return Result({{"m", "s", Better::kLess, std::vector<double>(count, 1.0)}});
    };
    const auto comparison = Compare(of(before), of(after), {.in_pairs = true});
    return comparison.ok() ? OkStatus() : comparison.status();
  };
  EXPECT_EQ(error(9, 8).code(), Code::kBadData);
  EXPECT_NE(error(9, 8).message().find("\"m\" has 9 samples in the old file and 8"),
            std::string_view::npos);
  EXPECT_EQ(error(5, 5).code(), Code::kBadData);
  EXPECT_NE(error(5, 5).message().find("six or more"), std::string_view::npos);
  EXPECT_TRUE(error(6, 6).ok());
}

class ResultFileTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, std::string_view text) {
    const std::string path = directory_ / name;
    EXPECT_TRUE(WriteFileAtomically(path, text).ok());
    return path;
  }
  TemporaryDirectory directory_;
};

TEST_F(ResultFileTest, ComesBackAsWritten) {
  BenchmarkResult result = Result(
      {{"a \"b\"", "s", Better::kLess, {1.5, 0.1}, true}, {"c", "GB/s", Better::kMore, {1e-9}}});
  result.remarks = {"one", "two"};
  result.details = "{\"x\":[1,2]}";
  const auto back = ReadResultFile(Write("r.json", ToJson(result)));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(ToJson(*back), ToJson(result));
  EXPECT_EQ(back->metrics[0].samples, result.metrics[0].samples);
  EXPECT_TRUE(back->metrics[0].paired);
  EXPECT_EQ(back->metrics[1].better, Better::kMore);
}

TEST_F(ResultFileTest, RefusesEverythingElse) {
  const std::string good = ToJson(Result({{"m", "s", Better::kLess, {1}}}));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), good.substr(0, good.size() / 2),
        with("\"version\": 1", "\"version\": 2"), with("\"format\"", "\"formats\""),
        with("\"metrics\": [", "\"metrics\": [3,"), with("\"cores\": 2", "\"cores\": \"two\""),
        with("\"trials\": \"3\"", "\"trials\": 3"), with("    1.0\n", "    -1\n"),
        with("    1.0\n", "    1e999\n"), with("    1.0\n", "\n"),
        with("\"commit\"", "\"comit\"")}) {
    const auto result = ReadResultFile(Write("bad.json", text));
    ASSERT_FALSE(result.ok()) << text;
    EXPECT_EQ(result.status().code(), Code::kBadData);
    EXPECT_NE(result.status().message().find("bad.json: "), std::string::npos);
  }
  EXPECT_EQ(ReadResultFile(directory_ / "none").status().code(), Code::kMissing);
}

TEST_F(ResultFileTest, ReportsBecomeMetrics) {
  const std::string ingest = R"({"command": "ingest", "graph": "g", "seconds": 2, "edges": 7})";
  const std::string run = R"({"command": "run", "algorithm": "bfs", "graph": "g", "seconds": 1,
      "bytes_read": 5e9, "verified": true, "edges": 7})";
  const std::string verify = R"({"command": "verify", "graph": "g", "good": true, "seconds": 1})";
  const auto collect = [&](const std::vector<std::string>& texts) {
    std::vector<RecordedFile> files;
    std::vector<std::string> graphs;
    for (size_t i = 0; i < texts.size(); ++i) {
      files.push_back({.path = Write(StrCat(i, ".json"), texts[i])});
    }
    return CollectReports(files, &graphs);
  };
  const auto result = collect({ingest, verify, run, run});
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_TRUE(result->verified);
  ASSERT_EQ(result->metrics.size(), 4u);
  EXPECT_EQ(result->metrics[2].name, "bfs: time");
  EXPECT_EQ(result->metrics[2].samples, (std::vector<double>{1, 1}));
  EXPECT_EQ(result->metrics[3].samples, (std::vector<double>{5, 5}));
  EXPECT_FALSE(collect({verify, ingest})->verified) << "checked before it was ingested";
  EXPECT_FALSE(collect({ingest, run})->verified);
  for (const char* bad : {"{}", "no", R"({"command": "run", "error": "x", "exit_code": 65})"}) {
    EXPECT_EQ(collect({bad}).status().code(), Code::kBadData) << bad;
  }
}

TEST_F(ResultFileTest, FoldersAndBenchmarksBecomeMetrics) {
  BenchmarkResult benchmark = Result(
      {{"bfs, warm: time", "s", Better::kLess, {1, 9, 2}}, {"rate", "GB/s", Better::kMore, {5}}});
  benchmark.settings = {{"graph", "g"}, {"memory_bytes", "7"}};
  benchmark.commit = "theirs";
  std::vector<RecordedFile> files;
  std::vector<std::string> graphs;
  for (const char* folder : {"in RAM", "cold"}) {
    std::filesystem::create_directory(directory_ / folder);
    for (const char* name : {"1.json", "2.json"}) {
      files.push_back(ParseRecordedFile(Write(StrCat(folder, "/", name), ToJson(benchmark)), true));
    }
    benchmark.settings[1].second = "8";
  }
  files.push_back(ParseRecordedFile(
      Write("cold/3.json", R"({"command": "verify", "graph": "h", "good": true, "seconds": 1})"),
      true));
  const auto result = CollectReports(files, &graphs);
  ASSERT_TRUE(result.ok()) << result.status().message();
  ASSERT_EQ(result->metrics.size(), 5u);
  EXPECT_EQ(result->metrics[0].name, "in RAM, bfs, warm: time");
  EXPECT_EQ(result->metrics[0].samples, (std::vector<double>{2, 2}));
  EXPECT_EQ(result->metrics[1].better, Better::kMore);
  EXPECT_EQ(result->metrics[4].name, "cold, verify: time");
  EXPECT_EQ(result->settings[1], std::pair(std::string("in RAM: memory_bytes"), std::string("7")));
  EXPECT_TRUE(result->remarks.empty());
  EXPECT_TRUE(result->verified);
  EXPECT_EQ(result->commit, "theirs");
  EXPECT_EQ(graphs, (std::vector<std::string>{"g", "h"}));
  EXPECT_EQ(ReadResultFile(Write("r.json", ToJson(*result)))->metrics.size(), 5u);

  benchmark.verified = false;
  benchmark.commit = "others";
  files.push_back(ParseRecordedFile(Write("cold/4.json", ToJson(benchmark)), true));
  const auto mixed = CollectReports(files, &graphs);
  ASSERT_TRUE(mixed.ok());
  EXPECT_FALSE(mixed->verified);
  EXPECT_EQ(mixed->remarks, std::vector<std::string>{"reports differ in commit"});
}

}  // namespace
}  // namespace edgemill::bench

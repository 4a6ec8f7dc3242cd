// What ingests and runs tell of their threads' time is whole: in each stage and each iteration,
// threads x wall time is processor time and waits, within 5 %.
#include <gtest/gtest.h>

#include <cmath>

#include "common/parallel.h"
#include "loaders/generate/generator.h"
#include "loaders/ingest/ingest.h"
#include "test/graph_builder.h"
#include "test/sanitized.h"

namespace edgemill {
namespace {

/// Threads x wall time from which on a phase is looked at: shorter ones are a few clock readings,
/// and one thread that waits for its processor between two of them.
#ifdef EDGEMILL_TEST_SANITIZED
constexpr double kLeastSeconds = .5;
#else
constexpr double kLeastSeconds = .05;
#endif

void ExpectWhole(const PhaseTimes& times, std::string_view phase) {
  const double all = times.threads * times.wall_seconds;
  if (all < kLeastSeconds) return;
  EXPECT_LT(std::abs(times.unaccounted_seconds()), .05 * all)
      << phase << ": " << times.unaccounted_seconds() << " s of " << all;
  EXPECT_GT(times.processor_seconds, 0) << phase;
}

class ToldTimes : public testing::TestWithParam<int> {
 protected:
  int threads() const { return GetParam(); }

  IngestReport Generate(const std::string& path, Renumbering renumbering, uint64_t memory_bytes) {
    auto source = MakeGenerator({.scale = 16});
    EXPECT_TRUE(source.ok());
    IngestOptions options;
    SetIngestDefaults(GeneratorKind::kKron, &options);
    options.weights = {.kind = WeightChoice::Kind::kRandom, .low = 1, .high = 255};
    options.renumbering = renumbering;
    options.threads = threads();
    options.block_edges = 4096;
    MemoryBudget budget(memory_bytes);
    Progress progress;
    const auto report = Ingest(**source, path, options, budget, progress);
    EXPECT_TRUE(report.ok()) << report.status().message();
    return *report;
  }
  TemporaryDirectory root_;
};

TEST_P(ToldTimes, EachStageOfAnIngest) {
  for (const auto renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
    for (const uint64_t mebibytes : {64, 1024}) {  // with temporary files, and in memory
      const std::string path = root_ / StrCat(int(renumbering), "-", mebibytes, ".mill");
      const IngestReport report = Generate(path, renumbering, mebibytes << 20);
      PhaseTimes all;
      for (const StageTime& stage : report.stages) {
        if (!stage.times.has_value()) continue;
        ExpectWhole(*stage.times, stage.name);
        EXPECT_EQ(stage.seconds, stage.times->wall_seconds);
        EXPECT_GE(stage.times->threads, threads());
        all.Add(*stage.times);
      }
      EXPECT_GT(all.threads * all.wall_seconds, kLeastSeconds);
      ExpectWhole(all, "all");
    }
  }
}

TEST_P(ToldTimes, EachIterationOfARun) {
  const std::string path = root_ / "graph.mill";
  Generate(path, Renumbering::kNone, uint64_t{1} << 30);
  for (const std::string algorithm : {"bfs", "sssp", "cc", "pagerank"}) {
    RunOptions options{.algorithm = algorithm};
    if (algorithm == "pagerank") options.iterations = 5;
    if (algorithm == "bfs" || algorithm == "sssp") options.source = 3;  // reaches most
    options.threads = threads();
    const StatusOr<uint64_t> least = LeastBudgetOf(path, options);
    ASSERT_TRUE(least.ok()) << least.status().message();
    for (const uint64_t extra : {uint64_t{0}, uint64_t{256} << 20}) {  // from disk; cached
      options.warm = extra > 0;
      const Outcome outcome = RunOnDisk(path, options, *least + extra);
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
      ASSERT_FALSE(outcome.report.iterations.empty());
      double seconds = 0;
      for (const IterationReport& iteration : outcome.report.iterations) {
        ExpectWhole(iteration.times, algorithm);
        EXPECT_GE(iteration.times.threads, threads());
        seconds += iteration.times.wall_seconds;
      }
      ExpectWhole(outcome.report.times, algorithm);
      EXPECT_LE(seconds, outcome.report.times.wall_seconds);
      EXPECT_TRUE(extra > 0 || outcome.report.times.wait(WaitCause::kDisk) > 0) << algorithm;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ToldTimes, testing::Values(1, 2, 4, AvailableThreads()),
                         [](const auto& info) { return StrCat(info.index, "_", info.param); });

}  // namespace
}  // namespace edgemill

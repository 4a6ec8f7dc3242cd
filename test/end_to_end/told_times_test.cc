// Ingests and runs report all of their threads' time. In each stage and iteration, threads x wall
// time is the sum of processor time and waits, within 5 %.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "common/threads/parallel.h"
#include "loaders/generate/generator.h"
#include "loaders/ingest/ingest.h"
#include "test/graphs/graph_builder.h"
#include "test/sanitized.h"

namespace edgemill {
namespace {

/// The least threads x wall time of a phase that is checked. In shorter phases, one thread's wait
/// for its processor between two clock readings is too large a part.
#ifdef EDGEMILL_TEST_SANITIZED
constexpr double kMinSeconds = .5;
#else
constexpr double kMinSeconds = .05;
#endif

/// The missing part of a phase's times; empty where nothing is missing.
std::string Unreported(const PhaseTimes& times, std::string_view phase) {
  const double all = times.threads * times.wall_seconds;
  if (all < kMinSeconds) return "";
  if (times.processor_seconds <= 0) return StrCat(phase, ": no processor time. ");
  if (std::abs(times.unaccounted_seconds()) < .05 * all) return "";
  return StrCat(phase, ": ", times.unaccounted_seconds(), " s of ", all, ". ");
}

/// Expects that `measure` finds no missing time in one of three tries. No counter shows time in
/// which the host takes a virtual machine's processor.
void ExpectAllReported(const std::function<std::string()>& measure) {
  std::string unreported;
  for (int tries = 0; tries < 3; ++tries) {
    unreported = measure();
    if (unreported.empty() || testing::Test::HasFailure()) return;
  }
  ADD_FAILURE() << unreported;
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
      ExpectAllReported([&] {
        root_.Empty();
        const IngestReport report = Generate(root_ / "graph.mill", renumbering, mebibytes << 20);
        PhaseTimes all;
        std::string unreported;
        for (const StageTime& stage : report.stages) {
          if (!stage.times.has_value()) continue;
          unreported += Unreported(*stage.times, stage.name);
          EXPECT_EQ(stage.seconds, stage.times->wall_seconds);
          EXPECT_GE(stage.times->threads, threads());
          all.Add(*stage.times);
        }
        EXPECT_GT(all.threads * all.wall_seconds, kMinSeconds);
        return unreported + Unreported(all, "all");
      });
    }
  }
}

TEST_P(ToldTimes, EachIterationOfARun) {
  const std::string path = root_ / "graph.mill";
  Generate(path, Renumbering::kNone, uint64_t{1} << 30);
  for (const std::string algorithm : {"bfs", "sssp", "cc", "pagerank"}) {
    RunOptions options{.algorithm = algorithm};
    if (algorithm == "pagerank") options.values.Set("--iterations", 5);
    if (algorithm == "bfs" || algorithm == "sssp")
      options.values.Set("--source", 3);  // reaches most
    options.threads = threads();
    const StatusOr<uint64_t> least = LeastBudgetOf(path, options);
    ASSERT_TRUE(least.ok()) << least.status().message();
    for (const uint64_t extra : {uint64_t{0}, uint64_t{256} << 20}) {  // from disk, then cached
      options.warm = extra > 0;
      ExpectAllReported([&] {
        const Outcome outcome = RunOnDisk(path, options, *least + extra);
        EXPECT_TRUE(outcome.status.ok()) << outcome.status.message();
        EXPECT_FALSE(outcome.report.iterations.empty());
        double seconds = 0;
        std::string unreported;
        for (const IterationReport& iteration : outcome.report.iterations) {
          unreported += Unreported(iteration.times, algorithm);
          EXPECT_GE(iteration.times.threads, threads());
          seconds += iteration.times.wall_seconds;
        }
        EXPECT_LE(seconds, outcome.report.times.wall_seconds);
        EXPECT_TRUE(extra > 0 || outcome.report.times.wait(WaitCause::kDisk) > 0) << algorithm;
        return unreported + Unreported(outcome.report.times, algorithm);
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ToldTimes, testing::Values(1, 2, 4, AvailableThreads()),
                         [](const auto& info) { return StrCat(info.index, "_", info.param); });

}  // namespace
}  // namespace edgemill

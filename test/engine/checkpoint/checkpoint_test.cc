// Runs that are killed, or stopped, and go on from a checkpoint.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>

#include "common/cancel.h"
#include "test/engine/checkpoint/checkpoint_runs.h"
#include "test/ingest_in_child.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

size_t FilesIn(const std::string& directory) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

/// A run that goes on from any of its boundaries gives the same answer, to the last bit.
TEST(CheckpointTest, ResumedFromEachBoundary) {
  const CheckpointGraphs graphs;
  std::set<std::string> algorithms;
  uint64_t resumed = 0;
  for (const CheckpointCase& c : CheckpointCases(graphs)) {
    SCOPED_TRACE(c.name);
    algorithms.insert(c.options.algorithm);
    const Outcome want = RunCase(c, {});
    ASSERT_TRUE(want.status.ok()) << want.status.message();
    const ScratchInMemory scratch;
    const auto copies = CopiesAtBoundaries(scratch, [&](const CheckpointOptions& checkpoints) {
      ASSERT_EQ(Difference(c, RunCase(c, checkpoints), want), "");
    });
    EXPECT_FALSE(copies.empty());
    for (const std::string& copy : copies) {
      ++resumed;
      const Outcome got = RunCase(c, {.directory = copy, .resume = true});
      ASSERT_EQ(Difference(c, got, want), "") << copy;
    }
  }
  EXPECT_EQ(algorithms.size(), AllAlgorithms().size());
  std::printf("resumed from %llu boundaries\n", static_cast<unsigned long long>(resumed));
}

/// A run that is killed at each boundary, and resumed from there, advances by one each time.
TEST(CheckpointTest, KilledAtEachBoundary) {
  const CheckpointGraphs graphs;
  const ScratchInMemory scratch;
  uint64_t kills = 0;
  for (const CheckpointCase& c : CheckpointCases(graphs)) {
    // No checkpoint has the graph of communities: a run must come through its last pass at once.
    if (c.options.algorithm == "louvain" || c.options.algorithm == "leiden") continue;
    SCOPED_TRACE(c.name);
    scratch.Empty();
    const Outcome want = RunCase(c, {});
    CheckpointOptions options{.every_seconds = kAtEachBoundary, .directory = scratch.path()};
    const uint64_t before = kills;
    for (int code = 1; code != 0; ++kills) {
      ASSERT_LT(kills, before + 10'000);
      code = RunInChild("checkpoint.renamed:1", [&] {
        const Outcome got = RunCase(c, options);
        if (!got.status.ok()) return got.status;
        const std::string difference = Difference(c, got, want);
        return difference.empty() ? OkStatus() : InternalError(difference);
      });
      ASSERT_TRUE(code == 0 || code == 1000 + SIGKILL) << code;
      options.resume = true;
    }
  }
  std::printf("killed and resumed %llu times\n", static_cast<unsigned long long>(kills));
}

/// Killed while a checkpoint is written: the one before is taken.
TEST(CheckpointTest, KilledWhileWriting) {
  const CheckpointGraphs graphs;
  const ScratchInMemory scratch;
  for (const CheckpointCase& c : CheckpointCases(graphs)) {
    SCOPED_TRACE(c.name);
    const Outcome want = RunCase(c, {});
    for (const char* const point :
         {"checkpoint.boundary:1", "checkpoint.boundary:2", "checkpoint.written:2"}) {
      scratch.Empty();
      const CheckpointOptions writes{.every_seconds = kAtEachBoundary, .directory = scratch.path()};
      const int code = RunInChild(point, [&] { return RunCase(c, writes).status; });
      if (code == 0) continue;
      const Outcome got = RunCase(c, {.directory = scratch.path(), .resume = true});
      if (std::string_view(point).ends_with(":1")) {
        EXPECT_EQ(got.status.code(), Code::kMissing);
      } else {
        EXPECT_EQ(Difference(c, got, want), "") << point;
      }
    }
  }
}

/// The number of threads, the budget, the mode and asynchronous passes may differ.
TEST(CheckpointTest, ResumedOtherwise) {
  const CheckpointGraphs graphs;
  const ScratchInMemory scratch;
  uint64_t resumed = 0;
  for (const CheckpointCase& c : CheckpointCases(graphs)) {
    SCOPED_TRACE(c.name);
    const Outcome want = RunCase(c, {});
    for (const char* const point : {"checkpoint.renamed:2", "checkpoint.renamed:5"}) {
      const auto changes = {
          std::function<void(RunOptions*)>([](RunOptions* options) { options->threads = 5; }),
          std::function<void(RunOptions*)>([](RunOptions* options) { options->threads = 1; }),
          std::function<void(RunOptions*)>([](RunOptions* options) {
            // Stopped by -i, an asynchronous run may have other values.
            const bool bounded = options->values.Has("--iterations");
            if (MayRunAsynchronously(*options) && !bounded) options->async_passes = 4;
          })};
      for (const auto& change : changes) {
        const std::string& algorithm = c.options.algorithm;
        const bool undirected =
            algorithm == "cc" || algorithm == "kcore" || algorithm == "coloring";
        const bool both_ways = undirected && c.graph->info().directed;
        if (both_ways && &change == changes.end() - 1) continue;  // --async refuses these
        scratch.Empty();
        const CheckpointOptions writes{.every_seconds = kAtEachBoundary,
                                       .directory = scratch.path()};
        const int code = RunInChild(point, [&] { return RunCase(c, writes).status; });
        if (code == 0) continue;
        ++resumed;
        const Outcome got =
            RunCase(c, {.directory = scratch.path(), .resume = true}, change, uint64_t{48} << 20);
        EXPECT_EQ(Difference(c, got, want, /*bits=*/false), "");
      }
    }
  }
  EXPECT_GT(resumed, 100u);
}

/// Checkpoints change no answer. Two generations are kept until they are removed.
TEST(CheckpointTest, AWholeRun) {
  const CheckpointGraphs graphs;
  const ScratchInMemory scratch;
  for (const CheckpointCase& c : CheckpointCases(graphs)) {
    SCOPED_TRACE(c.name);
    const Outcome want = RunCase(c, {});
    const CheckpointOptions each{.every_seconds = kAtEachBoundary, .directory = scratch.path()};
    const Outcome got = RunCase(c, each);
    EXPECT_EQ(Difference(c, got, want), "");
    const CheckpointReport& report = got.report.checkpoints;
    EXPECT_GT(report.written, 0u);
    EXPECT_GT(report.bytes, 0u);
    EXPECT_GT(report.seconds, 0);
    EXPECT_EQ(FilesIn(scratch.path()), std::min<size_t>(2, report.written));
    ASSERT_TRUE(RemoveCheckpointsOf(c, each).ok());
    EXPECT_EQ(FilesIn(scratch.path()), 0u);
    const Outcome after_passes = RunCase(c, {.every_passes = 3, .directory = scratch.path()});
    EXPECT_EQ(Difference(c, after_passes, want), "");
    EXPECT_LE(after_passes.report.checkpoints.written, report.written);
    ASSERT_TRUE(RemoveCheckpointsOf(c, each).ok());
  }
}

/// A run that is asked to halt writes its last checkpoint at the next boundary.
TEST(CheckpointTest, HaltsAtACheckpoint) {
  const CheckpointGraphs graphs;
  const ScratchInMemory scratch;
  for (const CheckpointCase& c : CheckpointCases(graphs)) {
    SCOPED_TRACE(c.name);
    scratch.Empty();
    const Outcome want = RunCase(c, {});
    AcceptHalts(true);
    ASSERT_TRUE(RequestHalt());
    const CheckpointOptions only_at_halt{.directory = scratch.path()};
    const Outcome halted = RunCase(c, only_at_halt);
    EXPECT_EQ(halted.status.code(), Code::kCancelled);
    EXPECT_NE(halted.status.message().find("with a checkpoint"), std::string::npos)
        << halted.status.message();
    ClearHalt();
    ClearCancel();
    EXPECT_FALSE(RequestHalt());  // the run has ended
    const Outcome got = RunCase(c, {.directory = scratch.path(), .resume = true});
    EXPECT_EQ(Difference(c, got, want), "");
  }
}

}  // namespace
}  // namespace edgemill

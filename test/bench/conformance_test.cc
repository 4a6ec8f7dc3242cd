// `edgemill test`: its graphs, its ways, and what it says of algorithms.
#include "bench/conformance/conformance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "bench/conformance/run_ways.h"
#include "bench/conformance/test_graphs.h"
#include "common/cancel.h"
#include "test/temporary_directory.h"

namespace edgemill::bench {
namespace {

constexpr uint64_t kMemory = uint64_t{1} << 30;

StatusOr<ConformanceReport> TestOf(const std::string& algorithm, const OptionValues& values = {}) {
  const TemporaryDirectory scratch("/dev/shm");  // no disk is tested
  MemoryBudget budget(kMemory);
  Progress progress;
  ConformanceOptions options{.seeds = 1, .scratch = scratch.path()};
  options.run.algorithm = algorithm;
  options.run.values = values;
  return TestConformance(options, budget, progress);
}

TEST(Conformance, GraphsAndWaysDiffer) {
  std::set<std::string> commands;
  const std::vector<TestGraph> graphs = TestGraphs(3);
  for (const TestGraph& graph : graphs) commands.insert(graph.command);
  EXPECT_EQ(commands.size(), graphs.size());
  EXPECT_GE(graphs.size(), 30u);
  for (const bool gpu : {false, true}) {
    std::set<std::pair<std::string, bool>> texts;
    const std::vector<RunWay> ways = RunWays(gpu);
    for (const RunWay& way : ways) texts.emplace(way.text, way.least_memory);
    EXPECT_EQ(texts.size(), ways.size());
    EXPECT_EQ(ways.size() > 16, gpu);
  }
}

TEST(Conformance, ShippedAlgorithmsGiveOneAnswer) {
  for (const char* const name : {"sssp", "pagerank"}) {
    const StatusOr<ConformanceReport> report = TestOf(name);
    ASSERT_TRUE(report.ok()) << report.status().message();
    EXPECT_GE(report->graphs, 15u) << name;
    EXPECT_GE(report->ways.size(), 6u) << name;
    EXPECT_GT(report->runs, report->graphs * 6) << name;
  }
}

/// Parents are any of several, so ways differ. Only the verifier can tell then.
TEST(Conformance, AnswersThatDifferAreNamed) {
  const StatusOr<ConformanceReport> report = TestOf("bfs", {{"--parents", true}});
  ASSERT_EQ(report.status().code(), Code::kInternal);
  const std::string message(report.status().message());
  EXPECT_NE(message.find("; the verifier accepts both (edgemill generate "), std::string::npos)
      << message;
  EXPECT_NE(message.find("edgemill run bfs g.mill --verify --parents --source "), std::string::npos)
      << message;
}

TEST(Conformance, OptionsThatAnAlgorithmLacksAreRefused) {
  EXPECT_EQ(TestOf("bfs", {{"--damping", .5}}).status().code(), Code::kUsage);
  EXPECT_EQ(TestOf("pagerank", {{"--tolerance", -1.0}}).status().code(), Code::kUsage);
}

/// A run that takes too long is wrong, and the next test is not cancelled by it.
TEST(Conformance, RunsHaveATimeLimit) {
  const TemporaryDirectory scratch("/dev/shm");
  MemoryBudget budget(kMemory);
  Progress progress;
  ConformanceOptions options{.seeds = 1, .run_seconds = 1e-6, .scratch = scratch.path()};
  options.run.algorithm = "hs";
  options.run.values = {{"--iterations", uint64_t{1'000'000}}};
  const Status status = TestConformance(options, budget, progress).status();
  EXPECT_EQ(status.code(), Code::kInternal) << status.message();
  EXPECT_NE(status.message().find("it did not end in 1e-06 s, which --limit sets (edgemill "),
            std::string_view::npos)
      << status.message();
  EXPECT_FALSE(CancelRequested());
}

/// Too little memory is refused before a graph is made.
TEST(Conformance, NeedsItsMemory) {
  MemoryBudget budget(kConformanceBytes);
  Progress progress;
  ConformanceOptions options;
  options.run.algorithm = "cc";
  EXPECT_EQ(TestConformance(options, budget, progress).status().code(), Code::kBudget);
}

}  // namespace
}  // namespace edgemill::bench

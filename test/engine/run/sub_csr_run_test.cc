// Runs that push along SubCSRs on the CPU: their answers, the least budget, disks that fail, and
// what is refused before work.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "common/units.h"
#include "test/engine_testing.h"
#include "test/graphs/graph_builder.h"
#include "test/io_faults.h"

namespace edgemill {
namespace {

struct NamedRun {
  std::string name;
  RunOptions options;
  bool undirected = false;  // of undirected graphs only
};

/// Every algorithm and method that pushes, with SubCSRs.
std::vector<NamedRun> PushingRuns() {
  std::vector<NamedRun> runs;
  const auto add = [&](std::string name, std::string algorithm, OptionValues values) {
    NamedRun run{.name = std::move(name)};
    run.options = {.algorithm = std::move(algorithm), .values = std::move(values), .threads = 2};
    run.options.gpu.transfer = Transfer::kSubCsr;
    run.options.verify = true;
    runs.push_back(std::move(run));
  };
  add("bfs", "bfs", {{"--source", 0}});
  add("parents", "bfs", {{"--source", 0}, {"--parents", true}});
  add("ssnsp", "ssnsp", {{"--source", 0}});
  add("sssp", "sssp", {{"--source", 0}});
  add("sswp", "sswp", {{"--source", 0}});
  add("labels", "cc", {{"--method", "labels"}});
  runs.back().undirected = true;
  add("kcore", "kcore", {});
  runs.back().undirected = true;
  add("betweenness", "betweenness", {{"--source", InputVertices{{0, 1}}}});
  add("msbfs", "msbfs", {{"--source", InputVertices{{0, 1}}}});
  add("closeness", "closeness", {{"--sample", 100}});
  add("pagerank", "pagerank", {{"--iterations", 5}});
  add("delta", "pagerank", {{"--method", "delta"}, {"--tolerance", 1e-6}});
  return runs;
}

/// Expects the answer of a run without SubCSRs. Trees may differ; the verifier has checked these.
void ExpectSameAnswer(const Outcome& right, const Outcome& outcome, const NamedRun& run) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(right.values.size(), outcome.values.size());
  for (size_t i = 0; i < right.values.size(); ++i) {
    ASSERT_EQ(right.values[i].reached, outcome.values[i].reached) << "vertex " << i;
    if (run.name == "parents" || !right.values[i].reached) continue;
    ASSERT_EQ(right.values[i].integer, outcome.values[i].integer) << "vertex " << i;
    if (right.values[i].real == outcome.values[i].real) continue;
    ASSERT_NEAR(right.values[i].real, outcome.values[i].real,
                1e-5 * std::max(1.0, std::abs(right.values[i].real)))
        << "vertex " << i;
  }
}

TEST(SubCsrRun, HardGraphsHaveTheSameAnswers) {
  constexpr WeightType kWeights[] = {WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64,
                                     WeightType::kNone};
  size_t number = 0;
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges,
                                              {.directed = directed,
                                               .weights = kWeights[number++ % 4],
                                               .block_edges = directed ? 128u : 1024u});
      for (NamedRun run : PushingRuns()) {
        if (run.undirected && directed) continue;
        for (const Mode mode : {Mode::kAuto, Mode::kPush}) {
          SCOPED_TRACE(StrCat(run.name, " on ", hard.name, directed ? ", directed, " : ", ",
                              ModeName(mode)));
          run.options.mode = mode;
          RunOptions by_blocks = run.options;
          by_blocks.gpu.transfer = Transfer::kAuto;
          const Outcome right = RunInMemory(*graph, by_blocks);
          const Outcome outcome = RunInMemory(*graph, run.options);
          ASSERT_EQ(right.status.code(), outcome.status.code()) << outcome.status.message();
          if (right.status.ok()) ExpectSameAnswer(right, outcome, run);
          ASSERT_FALSE(testing::Test::HasFatalFailure());
        }
      }
    }
  }
}

/// From disk, from the least budget up. With less, the run names the least.
TEST(SubCsrRun, TheLeastBudgetIsEnough) {
  const TemporaryDirectory directory;
  IngestOptions ingest;
  ingest.block_edges = 4096;
  const std::string path = directory / "graph.mill";
  const TestCase graph{"random", 20'000, RandomTestEdges(31, 20'000, 150'000, 3)};
  const auto made = BuildGraph(DenseList(graph), path, ingest);
  ASSERT_TRUE(made.ok()) << made.status().message();
  int num_greater = 0;
  for (NamedRun run : PushingRuns()) {
    if (run.undirected) continue;
    SCOPED_TRACE(run.name);
    RunOptions by_blocks = run.options;
    by_blocks.gpu.transfer = Transfer::kAuto;
    const Outcome right = RunOnDisk(path, by_blocks);
    ASSERT_TRUE(right.status.ok()) << right.status.message();
    const auto least = LeastBudgetOf(path, run.options);
    const auto least_by_blocks = LeastBudgetOf(path, by_blocks);
    ASSERT_TRUE(least.ok() && least_by_blocks.ok());
    EXPECT_GE(*least, *least_by_blocks);  // equal where the answer takes most
    num_greater += *least > *least_by_blocks ? 1 : 0;
    for (const uint64_t more : {uint64_t{0}, uint64_t{1} << 20, uint64_t{64} << 20}) {
      ExpectSameAnswer(right, RunOnDisk(path, run.options, *least + more), run);
      ASSERT_FALSE(testing::Test::HasFatalFailure());
    }
    const Outcome refused = RunOnDisk(path, run.options, *least - 1);
    EXPECT_EQ(refused.status.code(), Code::kBudget);
    const std::string message(refused.status.message());
    for (const std::string& named : {FormatMebibytesUp(*least), std::string("--transfer subcsr")}) {
      EXPECT_NE(message.find(named), std::string::npos) << message;
    }
  }
  EXPECT_GT(num_greater, 4);
}

/// The nth read of a segment fails, for n = 0, 1, 2, ...: an error, or the right answer.
TEST(SubCsrRun, FailingDisksGiveErrors) {
  const TemporaryDirectory directory;
  IngestOptions ingest;
  ingest.block_edges = 1024;
  const std::string path = directory / "graph.mill";
  const TestCase graph{"random", 5000, RandomTestEdges(32, 5000, 30'000)};
  const auto made = BuildGraph(DenseList(graph), path, ingest);
  ASSERT_TRUE(made.ok()) << made.status().message();
  NamedRun run = PushingRuns().front();
  run.options.mode = Mode::kPush;
  run.options.verify = false;
  const Outcome right = RunOnDisk(path, run.options);
  ASSERT_TRUE(right.status.ok()) << right.status.message();
  int num_failed = 0;
  for (uint64_t read = 0;; ++read) {
    ASSERT_LT(read, 5000u);
    const ScopedIoFaults faults(
        FaultOn(IoRequest::Op::kRead, ".seg", read, {IoFault::Kind::kErrno, EIO}, true));
    const Outcome outcome = RunOnDisk(path, run.options);
    if (outcome.status.ok()) {
      ExpectSameAnswer(right, outcome, run);
      break;
    }
    ASSERT_EQ(outcome.status.code(), Code::kIo) << outcome.status.message();
    ++num_failed;
  }
  EXPECT_GT(num_failed, 5);
}

/// One line names the option and what does not allow it, before anything is read.
TEST(SubCsrRun, WhatCannotPushIsRefused) {
  const auto edges = RandomTestEdges(5, 500, 3000);
  const auto graph = InMemoryGraph::Dense(500, edges, {.weights = WeightType::kInt32});
  const auto refusal = [&](const InMemoryGraph& on, const RunOptions& options) {
    const Outcome outcome = RunInMemory(on, options);
    EXPECT_EQ(outcome.status.code(), Code::kUsage) << outcome.status.message();
    const std::string message(outcome.status.message());
    EXPECT_NE(message.find("--transfer subcsr"), std::string::npos) << message;
    return message;
  };
  const auto names = [&](const std::string& message, const char* what) {
    EXPECT_NE(message.find(what), std::string::npos) << message;
  };
  RunOptions bfs = PushingRuns().front().options;
  bfs.mode = Mode::kPull;
  names(refusal(*graph, bfs), "--mode pull");
  bfs.mode = Mode::kNotifyPull;
  names(refusal(*graph, bfs), "--mode notify-pull");
  bfs.mode = Mode::kAuto;
  RunOptions sssp = PushingRuns()[3].options;
  sssp.async_passes = kAsyncPasses;
  names(refusal(*graph, sssp), "--async");
  sssp.async_passes.reset();
  RunOptions components{.algorithm = "cc"};
  components.gpu.transfer = Transfer::kSubCsr;
  names(refusal(*graph, components), "cc");
  const auto only_in = InMemoryGraph::Dense(500, edges, {.out_columns = false});
  names(refusal(*only_in, bfs), "memory.mill lacks the columns");
  const auto out_unweighted =
      InMemoryGraph::Dense(500, edges, {.weights = WeightType::kInt32, .out_weights = false});
  names(refusal(*out_unweighted, sssp), "memory.mill lacks the weights");
  EXPECT_TRUE(RunInMemory(*graph, bfs).status.ok());
  EXPECT_TRUE(RunInMemory(*graph, sssp).status.ok());
}

/// A choice that the options leave open is made for passes that can take SubCSRs.
TEST(SubCsrRun, RunsFromDiskStaySynchronous) {
  const TemporaryDirectory directory;
  IngestOptions ingest;
  ingest.block_edges = 1024;
  const std::string path = directory / "grid.mill";
  ASSERT_TRUE(BuildGraph(DenseList(WeightedGrid(200)), path, ingest).ok());
  RunOptions options = PushingRuns()[3].options;
  for (const bool sub_csrs : {false, true}) {
    options.gpu.transfer = sub_csrs ? Transfer::kSubCsr : Transfer::kAuto;
    const auto least = LeastBudgetOf(path, options);
    ASSERT_TRUE(least.ok());
    const Outcome outcome = RunOnDisk(path, options, *least);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
    EXPECT_EQ(outcome.report.async_passes, sub_csrs ? 0 : kAsyncPasses);
  }
}

}  // namespace
}  // namespace edgemill

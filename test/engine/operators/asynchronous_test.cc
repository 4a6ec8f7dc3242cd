// Asynchronous runs on the CPU: the answers of synchronous ones, in fewer iterations.
#include <gtest/gtest.h>

#include <string_view>

#include "common/random.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// What may be run asynchronously, from vertex 0.
std::vector<RunOptions> AsynchronousRuns(bool directed) {
  std::vector<RunOptions> runs = {
      {.algorithm = "sssp", .values = {{"--source", 0}}},
      {.algorithm = "sswp", .values = {{"--source", 0}}},
      {.algorithm = "pagerank", .values = {{"--iterations", 1000}, {"--tolerance", 1e-7}}}};
  runs[2].values.Set("--method", "delta");
  if (!directed) {
    runs.push_back({.algorithm = "cc"});
    runs.back().values.Set("--method", "labels");
  }
  return runs;
}

void ExpectSame(const Outcome& synchronous, const Outcome& asynchronous) {
  ASSERT_TRUE(synchronous.status.ok()) << synchronous.status.message();
  ASSERT_TRUE(asynchronous.status.ok()) << asynchronous.status.message();
  ASSERT_EQ(synchronous.values.size(), asynchronous.values.size());
  for (size_t i = 0; i < synchronous.values.size(); ++i) {
    ASSERT_EQ(synchronous.values[i].reached, asynchronous.values[i].reached) << "vertex " << i;
    ASSERT_EQ(synchronous.values[i].integer, asynchronous.values[i].integer) << "vertex " << i;
    // Both ranks are within 1e-7 / (1 - d) of exact ones, plus the rounding of floats.
    ASSERT_NEAR(synchronous.values[i].real, asynchronous.values[i].real, 2e-6) << "vertex " << i;
  }
}

class AsynchronousPasses : public testing::TestWithParam<uint32_t> {};

TEST_P(AsynchronousPasses, AnswersAreTheSame) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 1u << 15}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.weights = WeightType::kInt32;
        shape.block_edges = block_edges;
        const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
        for (RunOptions options : AsynchronousRuns(directed)) {
          const Outcome synchronous = RunInMemory(*graph, options);
          options.async_passes = GetParam();
          options.verify = true;
          for (const int threads : ThreadCounts({1, 4})) {
            for (const Mode mode : {Mode::kAuto, Mode::kPush}) {
              SCOPED_TRACE(StrCat(hard.name, ", ", options.algorithm, ", ", threads, " threads, ",
                                  ModeName(mode), ", blocks of ", block_edges));
              options.threads = threads;
              options.mode = mode;
              ExpectSame(synchronous, RunInMemory(*graph, options, block_edges + threads));
            }
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AsynchronousPasses, testing::Values(1, 2, 16, 1000));

/// Many threads add to and take from the same words of a frontier, over and over.
TEST(Asynchronous, RandomGraphsOnManyThreads) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const auto edges = RandomTestEdges(seed, 5000, 20'000, seed % 2 == 0 ? 3 : 1);
    const auto graph = InMemoryGraph::Dense(
        5000, edges, {.directed = false, .weights = WeightType::kInt32, .block_edges = 256});
    for (RunOptions options : AsynchronousRuns(false)) {
      const Outcome synchronous = RunInMemory(*graph, options);
      options.threads = 8;
      options.mode = Mode::kPush;
      options.async_passes = 4;
      SCOPED_TRACE(StrCat(options.algorithm, ", seed ", seed));
      ExpectSame(synchronous, RunInMemory(*graph, options, seed));
    }
  }
}

uint64_t BlocksVisited(const RunReport& report) {
  uint64_t blocks = 0;
  for (const IterationReport& iteration : report.iterations) blocks += iteration.blocks;
  return blocks;
}

/// On a graph whose neighbours lie near each other, blocks come a fraction as often.
TEST(Asynchronous, BlocksComeLessOftenWhereNeighboursAreNear) {
  const TestCase grid = WeightedGrid(100);
  TestGraphOptions shape;
  shape.directed = false;
  shape.weights = WeightType::kInt32;
  shape.block_edges = 2048;
  const auto graph = InMemoryGraph::Dense(grid.num_vertices, grid.edges, shape);
  for (RunOptions options : AsynchronousRuns(false)) {
    SCOPED_TRACE(options.algorithm);
    options.mode = Mode::kPush;
    if (options.algorithm == "pagerank") options.values.Set("--tolerance", 1e-4);
    const Outcome synchronous = RunInMemory(*graph, options);
    options.async_passes = kAsyncPasses;
    const Outcome asynchronous = RunInMemory(*graph, options);
    ASSERT_TRUE(asynchronous.status.ok());
    uint64_t live = 0, again = 0;
    for (const IterationReport& iteration : asynchronous.report.iterations) {
      live += iteration.repeated_vertices;
      again += iteration.blocks_repeated;
    }
    EXPECT_GT(live, grid.num_vertices / 2);
    EXPECT_GT(again, 0u);
    EXPECT_LT(2 * BlocksVisited(asynchronous.report), BlocksVisited(synchronous.report));
    EXPECT_EQ(asynchronous.report.async_passes, kAsyncPasses);
    EXPECT_EQ(synchronous.report.iterations[0].repeated_vertices, 0u);
  }
}

/// Along a path in the order of its vertices one pass is enough, whatever the blocks.
TEST(Asynchronous, APathInOrderTakesOnePass) {
  std::vector<TestEdge> path;
  for (uint64_t v = 0; v + 1 < 3000; ++v) path.push_back({v, v + 1, 2});
  const auto graph =
      InMemoryGraph::Dense(3000, path, {.weights = WeightType::kInt32, .block_edges = 4096});
  RunOptions options{.algorithm = "sssp", .values = {{"--source", 0}}};
  options.values.Set("--delta", 1e9);
  options.async_passes = 5000;
  const Outcome outcome = RunInMemory(*graph, options);
  ASSERT_TRUE(outcome.status.ok());
  EXPECT_EQ(outcome.values[2999].integer, 2u * 2999);
  ASSERT_LE(outcome.report.iterations.size(), 2u);  // the last vertex has nothing to send
  EXPECT_EQ(outcome.report.iterations[0].repeated_vertices, 2998u);
  EXPECT_EQ(outcome.report.iterations[0].blocks_repeated, 2998u);
}

/// Where blocks come from disk again, and the answer stays the same.
TEST(Asynchronous, IsChosenWhereItSavesReads) {
  const TestCase grid = WeightedGrid(100);
  TestGraphOptions undirected{
      .directed = false, .weights = WeightType::kInt32, .block_edges = 2048};
  const auto graph = InMemoryGraph::Dense(grid.num_vertices, grid.edges, undirected);
  const auto directed = InMemoryGraph::Dense(grid.num_vertices, grid.edges,
                                             {.weights = WeightType::kInt32, .block_edges = 2048});
  const auto chosen = [](const InMemoryGraph& on, RunOptions options, bool stays) {
    if (options.algorithm != "cc") options.values.Set("--source", 0);
    constexpr uint64_t kAmple = uint64_t{256} << 20;
    const auto least = LeastBudget(on, options, MemoryBudget(kAmple));
    EXPECT_TRUE(least.ok());
    const Outcome outcome = RunInMemory(on, options, 1, stays ? kAmple : *least);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.message();
    return outcome.report.async_passes;
  };
  const OptionValues labels{{"--method", "labels"}};
  for (const RunOptions& options :
       {RunOptions{.algorithm = "sssp"}, RunOptions{.algorithm = "sswp"}}) {
    SCOPED_TRACE(options.algorithm);
    EXPECT_EQ(kAsyncPasses, chosen(*graph, options, false));
    EXPECT_EQ(0u, chosen(*graph, options, true));
    RunOptions given = options;
    given.async_passes = 0;
    EXPECT_EQ(0u, chosen(*graph, given, false));
    given = options;
    given.values.Set("--iterations", 3);  // a path of three edges at most is another answer
    EXPECT_EQ(0u, chosen(*graph, given, false));
  }
  EXPECT_EQ(0u, chosen(*graph, {.algorithm = "bfs"}, false));
  EXPECT_EQ(0u, chosen(*graph, {.algorithm = "betweenness"}, false));
  EXPECT_EQ(0u, chosen(*graph, {.algorithm = "cc", .values = labels}, false));  // may read more
  EXPECT_EQ(0u, chosen(*directed, {.algorithm = "cc", .values = labels}, false));
  RunOptions both_ways{.algorithm = "cc", .values = labels};
  both_ways.async_passes = kAsyncPasses;
  EXPECT_EQ(Code::kUsage, RunInMemory(*directed, both_ways).status.code());
}

/// A graph of one kind, drawn by the seed.
TestCase SeededGraph(std::string_view kind, uint64_t seed) {
  constexpr uint64_t kVertices = 1024;
  TestCase graph{kind == "grid" ? WeightedGrid(32) : TestCase{"", kVertices, {}}};
  graph.name = kind;
  if (kind == "uniform") graph.edges = RandomTestEdges(seed, kVertices, 4000);
  if (kind == "skewed") graph.edges = RandomTestEdges(seed, kVertices, 6000, 3);
  if (kind == "path") {
    for (uint64_t v = 0; v + 1 < kVertices; ++v) {
      graph.edges.push_back({v, v + 1, static_cast<double>(Mix64(v + seed) % 50)});
    }
  }
  if (kind == "local") {  // as the pages of a web site
    for (const TestEdge& edge : RandomTestEdges(seed, kVertices, 5000)) {
      graph.edges.push_back(
          {edge.source, (edge.source + edge.target % 20) % kVertices, edge.weight});
    }
  }
  return graph;
}

/// Where it is the default: as the engine chooses it, with room for the fewest blocks.
TEST(Asynchronous, ReadsLessOnGraphsOfEachKindAndGivesTheSameBits) {
  for (const std::string_view kind : {"uniform", "skewed", "grid", "path", "local"}) {
    for (const std::string algorithm : {"sssp", "sswp"}) {
      uint64_t bytes = 0, synchronous_bytes = 0, more = 0;
      for (uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(StrCat(kind, ", seed ", seed, ", ", algorithm));
        const TestCase test = SeededGraph(kind, seed);
        const auto graph = InMemoryGraph::Dense(
            test.num_vertices, test.edges,
            {.directed = false, .weights = WeightType::kInt32, .block_edges = 256});
        RunOptions options{.algorithm = algorithm,
                           .values = {{"--source", seed % test.num_vertices}},
                           .threads = 1 + static_cast<int>(seed % 4)};
        const auto least = LeastBudget(*graph, options, MemoryBudget(uint64_t{256} << 20));
        ASSERT_TRUE(least.ok());
        const Outcome asynchronous = RunInMemory(*graph, options, seed, *least);
        options.async_passes = 0;
        const Outcome synchronous = RunInMemory(*graph, options, seed, *least);
        ExpectSame(synchronous, asynchronous);
        ASSERT_EQ(asynchronous.report.async_passes, kAsyncPasses);
        bytes += asynchronous.report.bytes_read;
        synchronous_bytes += synchronous.report.bytes_read;
        more += asynchronous.report.bytes_read > synchronous.report.bytes_read ? 1 : 0;
      }
      EXPECT_LT(bytes, .95 * static_cast<double>(synchronous_bytes)) << kind << ", " << algorithm;
      EXPECT_LE(more, 10u) << kind << ", "
                           << algorithm;  // by the order in which threads meet blocks
    }
  }
}

TEST(Asynchronous, RefusesWhatIsMadeOfIterations) {
  const auto graph = InMemoryGraph::Dense(3, {{0, 1}}, {.directed = false});
  for (const std::string algorithm : {"bfs", "cc", "pagerank", "betweenness"}) {
    RunOptions options{.algorithm = algorithm};
    if (algorithm[0] == 'b') options.values.Set("--source", 0);
    options.async_passes = 1;
    const Outcome outcome = RunInMemory(*graph, options);
    EXPECT_EQ(outcome.status.code(), Code::kUsage);
    EXPECT_NE(outcome.status.message().find("--async"), std::string_view::npos)
        << outcome.status.message();
  }
}

}  // namespace
}  // namespace edgemill

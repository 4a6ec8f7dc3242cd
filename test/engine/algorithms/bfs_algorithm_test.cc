// BFS against a queue, on hard graphs, over modes, threads and block sizes.
#include <gtest/gtest.h>

#include <deque>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

constexpr uint64_t kUnreached = ~uint64_t{0};

std::vector<uint64_t> QueueBfs(const TestCase& graph, uint64_t source, bool directed) {
  std::vector<std::vector<uint64_t>> neighbors(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    neighbors[edge.source].push_back(edge.target);
    if (!directed) neighbors[edge.target].push_back(edge.source);
  }
  std::vector<uint64_t> level(graph.num_vertices, kUnreached);
  std::deque<uint64_t> queue = {source};
  level[source] = 0;
  for (; !queue.empty(); queue.pop_front()) {
    for (const uint64_t next : neighbors[queue.front()]) {
      if (level[next] != kUnreached) continue;
      level[next] = level[queue.front()] + 1;
      queue.push_back(next);
    }
  }
  return level;
}

void ExpectLevels(const Outcome& outcome, const std::vector<uint64_t>& expected) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(v, outcome.values[v].id);
    ASSERT_EQ(expected[v] != kUnreached, outcome.values[v].reached) << "vertex " << v;
    if (expected[v] != kUnreached) {
      ASSERT_EQ(expected[v], outcome.values[v].integer) << "vertex " << v;
    }
  }
}

class BfsModes : public testing::TestWithParam<std::tuple<Mode, int>> {};

TEST_P(BfsModes, LevelsMatchQueue) {
  const auto [mode, threads] = GetParam();
  for (const TestCase& graph : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 1024u}) {
        const auto store = InMemoryGraph::Dense(
            graph.num_vertices, graph.edges,
            {.directed = directed, .block_edges = block_edges, .renumber_seed = threads + 0ull});
        for (const uint64_t source :
             {uint64_t{0}, graph.num_vertices / 2, graph.num_vertices - 1}) {
          SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric", ", source ",
                              source, ", blocks of ", block_edges));
          RunOptions options{.algorithm = "bfs", .values = {{"--source", source}}};
          options.mode = mode;
          options.threads = threads;
          options.verify = true;
          ExpectLevels(RunInMemory(*store, options), QueueBfs(graph, source, directed));
        }
      }
    }
  }
}

/// A second run has the sampled neighbours of the first. It gives the same levels and parents, with
/// or without memory for sampled neighbours.
TEST_P(BfsModes, SecondRunsFindTheSame) {
  const auto [mode, threads] = GetParam();
  if (mode == Mode::kPush) return;  // the first message decides the parent
  for (const TestCase& graph : HardGraphs()) {
    for (const auto& [directed, by_degree] : {std::pair(true, false), std::pair(false, false),
                                              std::pair(true, true), std::pair(false, true)}) {
      const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                              {.directed = directed, .by_degree = by_degree});
      RunOptions options{.algorithm = "bfs", .values = {{"--source", graph.num_vertices / 2}}};
      options.values.Set("--parents", mode == Mode::kPull);
      options.mode = mode;
      options.threads = threads;
      SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric",
                          by_degree ? ", by degree" : ""));
      const Outcome first = RunInMemory(*store, options);
      ASSERT_TRUE(first.status.ok()) << first.status.message();
      options.warm = true;
      options.verify = true;
      const Outcome ample = RunInMemory(*store, options);
      const Outcome tight = RunInMemory(*store, options, 1, ample.report.min_budget_bytes);
      for (const Outcome* const again : {&ample, &tight}) {
        ASSERT_TRUE(again->status.ok()) << again->status.message();
        ASSERT_EQ(first.values.size(), again->values.size());
        for (size_t v = 0; v < first.values.size(); ++v) {
          ASSERT_EQ(first.values[v].reached, again->values[v].reached) << "vertex " << v;
          ASSERT_EQ(first.values[v].integer, again->values[v].integer) << "vertex " << v;
        }
      }
    }
  }
}

RunOptions PullFrom(uint64_t source) {
  RunOptions options{.algorithm = "bfs", .values = {{"--source", source}}};
  options.mode = Mode::kPull;
  options.threads = 2;
  options.verify = true;
  return options;
}

/// In a graph by degree, the hub is the first neighbour in every list. With memory for sampled
/// neighbours, the first pull stores it, so the pull after the hub was found reads no block.
TEST(Bfs, KeptFirstNeighborsSpareBlocks) {
  const TestCase wheel = LoopedWheel();
  const auto store =
      InMemoryGraph::Dense(wheel.num_vertices, wheel.edges, {.directed = false, .by_degree = true});
  const RunOptions options = PullFrom(1);
  const Outcome ample = RunInMemory(*store, options);
  ASSERT_TRUE(ample.status.ok()) << ample.status.message();
  ASSERT_EQ(3u, ample.report.iterations.size());
  EXPECT_EQ(store->info().num_blocks(), ample.report.iterations[0].blocks);
  EXPECT_EQ(0u, ample.report.iterations[1].blocks);
  const Outcome tight = RunInMemory(*store, options, 1, ample.report.min_budget_bytes);
  ASSERT_TRUE(tight.status.ok()) << tight.status.message();
  EXPECT_GT(tight.report.iterations[1].blocks, 0u);
}

/// In the order of the input, the hub is the first neighbour in only half of the lists. With memory
/// for sampled neighbours, a second search knows from the first that the hub found all others.
TEST(Bfs, FoundNeighborsSpareBlocksOfLaterSearches) {
  const TestCase wheel = LoopedWheel();
  const auto store = InMemoryGraph::Dense(wheel.num_vertices, wheel.edges, {.directed = false});
  RunOptions options = PullFrom(1);
  const Outcome first = RunInMemory(*store, options);
  options.warm = true;
  const Outcome second = RunInMemory(*store, options);
  const Outcome tight = RunInMemory(*store, options, 1, second.report.min_budget_bytes);
  for (const Outcome* const outcome : {&first, &second, &tight}) {
    ASSERT_TRUE(outcome->status.ok()) << outcome->status.message();
    ASSERT_EQ(3u, outcome->report.iterations.size());
  }
  const uint64_t blocks = store->info().num_blocks();
  EXPECT_EQ(blocks, first.report.iterations[0].blocks);
  EXPECT_LT(second.report.iterations[0].blocks, blocks);  // the hub's list is not read
  EXPECT_GT(first.report.iterations[1].blocks, blocks / 4);
  EXPECT_EQ(0u, second.report.iterations[1].blocks);
  EXPECT_GT(tight.report.iterations[1].blocks, blocks / 2);
}

TEST_P(BfsModes, ParentsMakeTreeOfShortestPaths) {
  const auto [mode, threads] = GetParam();
  for (const TestCase& graph : HardGraphs()) {
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {});
    const uint64_t source = graph.num_vertices / 2;
    const auto level = QueueBfs(graph, source, true);
    RunOptions options{.algorithm = "bfs", .values = {{"--source", source}}};
    options.values.Set("--parents", true);
    options.mode = mode;
    options.threads = threads;
    options.verify = true;
    const Outcome outcome = RunInMemory(*store, options);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
    for (const VertexValue& value : outcome.values) {
      ASSERT_EQ(level[value.id] != kUnreached, value.reached);
      if (!value.reached) continue;
      if (value.id == source) {
        EXPECT_EQ(source, value.integer);
        continue;
      }
      EXPECT_EQ(level[value.id], level[value.integer] + 1);
      EXPECT_TRUE(std::any_of(graph.edges.begin(), graph.edges.end(), [&](const TestEdge& edge) {
        return edge.source == value.integer && edge.target == value.id;
      }));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BfsModes,
                         testing::Combine(testing::Values(Mode::kAuto, Mode::kPull, Mode::kPush,
                                                          Mode::kNotifyPull),
                                          testing::ValuesIn(ThreadCounts({1, 2, 4}))));

TEST(Bfs, OneDirectionOfColumnsIsEnough) {
  const TestCase graph{"random", 500, RandomTestEdges(3, 500, 1500)};
  for (const bool out : {true, false}) {
    const auto store =
        InMemoryGraph::Dense(500, graph.edges, {.out_columns = out, .in_columns = !out});
    RunOptions options{.algorithm = "bfs", .values = {{"--source", 7}}};
    options.verify = true;
    ExpectLevels(RunInMemory(*store, options), QueueBfs(graph, 7, true));
    options.mode = out ? Mode::kPull : Mode::kPush;
    EXPECT_EQ(Code::kUsage, RunInMemory(*store, options).status.code());
  }
}

TEST(Bfs, ReadsOnlyBlocksOfTheFrontier) {
  // On a path, each iteration has one active vertex, whose edges are in one block.
  TestCase graph{"path", 5000, {}};
  for (uint64_t v = 0; v + 1 < 5000; ++v) graph.edges.push_back({v, v + 1});
  const auto store = InMemoryGraph::Dense(5000, graph.edges, {});
  RunOptions options{.algorithm = "bfs", .values = {{"--source", 4000}}};
  options.mode = Mode::kPush;
  const Outcome outcome = RunInMemory(*store, options);
  ExpectLevels(outcome, QueueBfs(graph, 4000, true));
  uint64_t blocks = 0;
  for (const IterationReport& iteration : outcome.report.iterations) {
    EXPECT_LE(iteration.blocks, iteration.iterations);
    blocks += iteration.blocks;
  }
  EXPECT_EQ(999u, blocks);
}

}  // namespace
}  // namespace edgemill

// Searches: several pulls of a first-wins program in one launch, by sampled neighbours.
#include <algorithm>

#include "test/gpu/gpu_runs.h"
#include "test/graphs/graph_builder.h"

namespace edgemill {
namespace {

class Searches : public GpuRuns {
 protected:
  void ExpectSameComponents(const InMemoryGraph& graph, const std::string& what) {
    NamedOptions run{"afforest", {}};
    run.options.algorithm = "cc";
    run.options.gpu.transfer = Transfer::kResident;
    ExpectSame(graph, run, what);
  }
  /// Checks levels and parents from vertex 0, and components, against the CPU, in every mode that
  /// searches.
  void ExpectSameSearches(const InMemoryGraph& graph, const std::string& what) {
    ExpectSameComponents(graph, what);
    ASSERT_FALSE(HasFailure());
    for (const bool parents : {false, true}) {
      NamedOptions run{parents ? "parents" : "bfs", {}};
      run.options.algorithm = "bfs";
      run.options.values.Set("--source", 0);
      if (parents) run.options.values.Set("--parents", true);
      run.options.gpu.transfer = Transfer::kResident;
      for (const Mode mode : {Mode::kAuto, Mode::kPull}) {
        run.options.mode = mode;
        ExpectSame(graph, run, StrCat(what, mode == Mode::kPull ? ", pulls alone" : ""));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
};

/// Graphs by degree or not, directed or not, with lists of one block and of several.
std::vector<TestGraphOptions> Shapes() {
  std::vector<TestGraphOptions> shapes;
  for (const bool directed : {true, false}) {
    for (const bool by_degree : {true, false}) {
      for (const uint32_t block_edges : {128u, 4096u}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.by_degree = by_degree;
        shape.block_edges = block_edges;
        shapes.push_back(shape);
      }
    }
  }
  return shapes;
}

TEST_F(Searches, HardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const TestGraphOptions& shape : Shapes()) {
      const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
      ExpectSameSearches(*graph, StrCat(hard.name, shape.directed ? ", directed" : ""));
      ASSERT_FALSE(HasFailure());
    }
  }
}

/// Vertices with 20,000 to 100,000 edges, several times more than a warp looks at. Some are found
/// by their last edge, some never, and some are active from the start.
TEST_F(Searches, ListsOfManyWarps) {
  constexpr uint64_t kVertices = 120'000;
  std::vector<TestEdge> edges;
  for (uint64_t v = 20; v < kVertices; ++v) {
    edges.push_back({v, 10});
    if (v % 5 == 0) edges.push_back({v, 11});
    if (v >= 60'000) edges.push_back({v, 12});
  }
  edges.push_back({0, 1});
  edges.push_back({1, kVertices - 1});  // to 10, 11 and 12
  for (uint64_t v = 30; v < 90; ++v) {  // many levels behind them
    edges.push_back({v == 30 ? 12 : v - 1, v});
  }
  for (uint64_t v = 20; v < 40'000; ++v) edges.push_back({v, 13});  // only these lead to 13
  for (const TestGraphOptions& shape : Shapes()) {
    const auto graph = InMemoryGraph::Dense(kVertices, edges, shape);
    ExpectSameSearches(*graph, shape.directed ? "hubs, directed" : "hubs");
    ASSERT_FALSE(HasFailure());
  }
}

/// More than kMaxQueued vertices are left for many levels, then fewer, over far more than eight
/// levels. A search ends when its sets are full, and the next one continues.
TEST_F(Searches, ManyLevels) {
  constexpr uint64_t kVertices = 200'000;
  Random random(71);
  std::vector<TestEdge> edges;
  for (uint64_t v = 1; v < kVertices; ++v) {  // 20 levels or more, each some times wider
    edges.push_back({v < 40 ? v - 1 : v / 2 + random.Below(v / 4), v});
    if (v % 3 == 0) edges.push_back({random.Below(v), v});
  }
  for (const TestGraphOptions& shape : Shapes()) {
    const auto graph = InMemoryGraph::Dense(kVertices, edges, shape);
    ExpectSameSearches(*graph, shape.directed ? "a deep tree, directed" : "a deep tree");
    ASSERT_FALSE(HasFailure());
  }
}

/// Trees of sampled neighbours whose roots are far away:
/// - a path in order, alone and behind a hub, whose vertices hang in a row,
/// - parts that join the largest component by one edge, with ids below its least member,
/// - a component whose least member is far from the first vertices.
TEST_F(Searches, ComponentsThatHangFar) {
  constexpr uint64_t kVertices = 50'000;
  std::vector<std::vector<TestEdge>> graphs(4);
  for (uint64_t v = 0; v + 1 < kVertices; ++v) graphs[0].push_back({v, v + 1});
  graphs[1] = graphs[0];
  for (uint64_t v = 100; v < kVertices; v += 3) graphs[1].push_back({40'000, v});
  for (uint64_t v = 1000; v < kVertices; ++v) {
    graphs[2].push_back({v, v < 1010 ? 1000 : 1000 + v % 10});
    if (v % 1000 == 7) graphs[2].push_back({v, v / 1000});  // to 1 to 49, in parts of three
  }
  for (uint64_t v = 0; v < 300; ++v) graphs[2].push_back({v, v / 3 * 3});
  for (uint64_t v = 20'000; v < kVertices; ++v) {
    graphs[3].push_back({v, 30'000 + v % 7});
    graphs[3].push_back({v, 20'000 + v % 5});
  }
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const TestGraphOptions& shape : Shapes()) {
      const auto graph = InMemoryGraph::Dense(kVertices, graphs[i], shape);
      ExpectSameComponents(*graph, StrCat("far ", i));
      ASSERT_FALSE(HasFailure());
    }
  }
}

/// Pinned memory of the host has all blocks, or those that do not fit on the GPU. Searches read
/// lists across the link, unless a pass would have to look at too many.
class SearchesAcrossTheLink : public Searches {
 protected:
  struct Seen {
    bool across = false;  // one launch for several passes, all blocks there
    bool mixed = false;   // and some
  };

  /// Runs on the graph at `path` by zero-copy, and with the least GPU memory and somewhat more.
  void ExpectSameAcross(const std::string& path, bool directed, RunOptions options, Seen* seen) {
    const Outcome cpu = RunOnDisk(path, options);
    ASSERT_OK(cpu.status);
    options.device = Device::kGpu;
    options.verify = true;
    options.gpu.batch_bytes = uint64_t{1} << 17;
    const bool is_any_tree = options.values.Has("--parents");
    const auto run = [&](bool* looped) {
      const Outcome gpu = RunOnDisk(path, options);
      ASSERT_OK(gpu.status);
      EXPECT_TRUE(is_any_tree || SameAnswers(cpu, gpu)) << path;
      EXPECT_TRUE(directed || !options.warm || gpu.report.samples_neighbors) << path;
      *looped = *looped || (gpu.report.samples_neighbors &&
                            gpu.report.iterations.size() < gpu.report.num_iterations);
    };
    for (const bool warm : {false, true}) {
      options.warm = warm;
      options.gpu.transfer = Transfer::kZeroCopy;
      options.gpu.gpu.memory_bytes = 0;
      run(&seen->across);
      options.gpu.transfer = Transfer::kAuto;
      options.gpu.gpu.memory_bytes = uint64_t{1} << 20;
      const Outcome refused = RunOnDisk(path, options);
      ASSERT_EQ(refused.status.code(), Code::kBudget);
      const uint64_t least = NamedMebibytes(refused.status.message(), "--gpu-memory");
      for (const uint64_t more : {2, 4}) {
        options.gpu.gpu.memory_bytes = (least + more) << 20;
        run(&seen->mixed);
      }
    }
  }
};

TEST_F(SearchesAcrossTheLink, GiveTheSameAnswers) {
  constexpr uint64_t kVertices = 30'000;
  std::vector<TestEdge> hubs;  // one sampled neighbour is enough for most vertices
  for (uint64_t v = 3; v < kVertices; ++v) {
    hubs.push_back({v % 3, v});
    for (uint64_t i = 1; i <= 60; ++i) hubs.push_back({v, (v + i * i) % kVertices});
  }
  const std::vector<std::vector<TestEdge>> graphs = {hubs,
                                                     RandomTestEdges(74, kVertices, 2'000'000, 3),
                                                     RandomTestEdges(75, kVertices, 1'500'000)};
  const TemporaryDirectory directory;
  Seen seen;
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const bool directed : {true, false}) {
      IngestOptions ingest;
      ingest.block_edges = 1024;
      if (!directed) ingest.direction = EdgeDirection::kUndirected;
      ingest.renumbering = directed == (i % 2 == 0) ? Renumbering::kDegree : Renumbering::kNone;
      const std::string path = directory / StrCat(i, directed ? "-directed" : "", ".mill");
      const auto built = BuildGraph(DenseList({"", kVertices, graphs[i]}), path, ingest);
      ASSERT_TRUE(built.ok()) << built.status().message();
      RunOptions options;
      options.algorithm = "cc";
      ExpectSameAcross(path, directed, options, &seen);
      options.algorithm = "bfs";
      options.values.Set("--source", 0);
      for (const Mode mode : {Mode::kAuto, Mode::kPull}) {
        options.mode = mode;
        ExpectSameAcross(path, directed, options, &seen);
        ASSERT_FALSE(HasFailure());
      }
      options.values.Set("--parents", true);
      ExpectSameAcross(path, directed, options, &seen);
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_TRUE(seen.across);
  EXPECT_TRUE(seen.mixed);
}

/// Dense graphs take two or three passes, one of which is a search.
TEST_F(Searches, AreFewLaunches) {
  TestGraphOptions shape;
  shape.directed = false;
  const auto graph = InMemoryGraph::Dense(20'000, RandomTestEdges(72, 20'000, 400'000, 3), shape);
  RunOptions options;
  options.algorithm = "bfs";
  options.values.Set("--source", 0);
  options.mode = Mode::kPull;
  options.device = Device::kGpu;
  options.gpu.transfer = Transfer::kResident;
  const Outcome outcome = RunInMemory(*graph, options);
  ASSERT_OK(outcome.status);
  EXPECT_GT(outcome.report.num_iterations, 2u);
  EXPECT_EQ(outcome.report.iterations.size(), 1u);
}

/// A search from the start is one launch: its first passes push. With parents none does: found
/// vertices would look for their senders in the longest lists.
TEST_F(Searches, BeginWithPushesInTheSameLaunch) {
  for (const bool directed : {false, true}) {
    TestGraphOptions shape;
    shape.directed = directed;
    const auto graph = InMemoryGraph::Dense(20'000, RandomTestEdges(76, 20'000, 400'000, 3), shape);
    for (const bool parents : {false, true}) {
      RunOptions options;
      options.algorithm = "bfs";
      options.values.Set("--source", 0);
      if (parents) options.values.Set("--parents", true);
      options.device = Device::kGpu;
      options.gpu.transfer = Transfer::kResident;
      const Outcome outcome = RunInMemory(*graph, options);
      ASSERT_OK(outcome.status);
      const auto has_step = [&](std::string_view name) {
        const std::vector<StepReport>& steps = outcome.report.steps;
        return std::any_of(steps.begin(), steps.end(),
                           [&](const StepReport& step) { return step.name == name; });
      };
      EXPECT_GT(outcome.report.num_iterations, 2u);
      EXPECT_NE(has_step("push"), parents);
      if (parents) continue;
      for (const char* const name : {"open", "test", "take"}) EXPECT_TRUE(has_step(name)) << name;
      EXPECT_EQ(outcome.report.iterations.size(), 1u);
    }
  }
}

/// If memory holds all edges but not the sampled neighbours too, passes work without searches.
TEST_F(Searches, PassesWorkWithoutSearchesWhereMemoryIsShort) {
  TestGraphOptions shape;
  shape.directed = false;
  const auto graph =
      InMemoryGraph::Dense(400'000, RandomTestEdges(73, 400'000, 4'000'000, 3), shape);
  NamedOptions run{"bfs", {}};
  run.options.algorithm = "bfs";
  run.options.values.Set("--source", 0);
  run.options.mode = Mode::kPull;
  run.options.gpu.transfer = Transfer::kResident;
  run.options.device = Device::kGpu;
  run.options.gpu.gpu.memory_bytes = uint64_t{1} << 20;
  const Outcome refused = RunInMemory(*graph, run.options);
  ASSERT_EQ(refused.status.code(), Code::kBudget);
  const uint64_t least = NamedMebibytes(refused.status.message(), "--gpu-memory") << 20;
  // The neighbours take 1.6 MB, and the arrays of a search 2.8.
  for (const uint64_t more : {uint64_t{0}, uint64_t{8} << 20}) {
    run.options.gpu.gpu.memory_bytes = least + more;
    const Outcome outcome = RunInMemory(*graph, run.options);
    ASSERT_OK(outcome.status);
    EXPECT_EQ(outcome.report.iterations.size() < outcome.report.num_iterations, more > 0);
    EXPECT_EQ(outcome.report.samples_neighbors, more > 0);
    EXPECT_EQ(outcome.report.misses_neighbors, more == 0);
    ExpectSame(*graph, run, more > 0 ? "with neighbours" : "without");
  }
}

}  // namespace
}  // namespace edgemill

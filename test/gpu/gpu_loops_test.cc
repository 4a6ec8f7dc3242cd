// Loops on the GPU: many iterations in one launch, with edges on the GPU or across the link.
#include <algorithm>
#include <numeric>

#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

using GpuLoops = GpuRuns;

/// Adds a row of `count` fans. In each, a hub leads to `width` vertices, which all lead to the next
/// hub. The first hub is vertex 0. Adds the number of new vertices to `*num_vertices`.
void AddFans(uint64_t count, uint64_t width, Random& random, std::vector<TestEdge>* edges,
             uint64_t* num_vertices) {
  const auto weight = [&] { return static_cast<double>(1 + random.Below(1000)); };
  for (uint64_t fan = 0; fan < count; ++fan) {
    const uint64_t hub = *num_vertices;
    *num_vertices += width + 1;
    for (uint64_t v = hub + 1; v < *num_vertices; ++v) {
      edges->push_back({hub, v, weight()});
      edges->push_back({v, *num_vertices, weight()});
    }
  }
}

/// Frontiers alternate between one vertex and many. Lists have several parts, or more than a loop
/// takes. With more than 65,536 vertices, all thread blocks search for waiting vertices.
struct Fans {
  uint64_t num_vertices = 0;
  uint64_t num_looped = 0;  // edges of fans that are few enough for a loop
  std::vector<TestEdge> edges;

  Fans() {
    Random random(53);
    AddFans(30, 1000, random, &edges, &num_vertices);
    AddFans(200, 40, random, &edges, &num_vertices);
    AddFans(1, 70'000, random, &edges, &num_vertices);
    AddFans(20, 300, random, &edges, &num_vertices);
    ++num_vertices;  // the last hub
    num_looped = edges.size() - 2 * 70'000;
  }
};

/// Options for `algorithm` on the CPU from vertex 0, by pushes.
RunOptions PushesFrom0(const std::string& algorithm) {
  RunOptions options;
  options.algorithm = algorithm;
  options.values.Set("--source", 0);
  options.mode = Mode::kPush;
  options.warm = true;
  return options;
}

/// BFS on the GPU from the first of `length` vertices in a row.
Outcome BfsOfAPath(uint64_t length, const TestGraphOptions& shape) {
  std::vector<TestEdge> path;
  for (uint64_t v = 0; v + 1 < length; ++v) path.push_back({v, v + 1});
  const auto graph = InMemoryGraph::Dense(length, path, shape);
  RunOptions options;
  options.algorithm = "bfs";
  options.values.Set("--source", 0);
  options.device = Device::kGpu;
  return RunInMemory(*graph, options);
}

/// If all edges fit on the GPU and the host must copy them, each block is brought once, even if few
/// of its edges are wanted.
TEST_F(GpuLoops, BlocksThatFitAreBroughtOnce) {
  const Outcome outcome = BfsOfAPath(3000, {.directed = false, .renumber_seed = 7});
  ASSERT_OK(outcome.status);
  for (const IterationReport& iteration : outcome.report.iterations) {
    for (const Transfer transfer :
         {Transfer::kFilter, Transfer::kCompaction, Transfer::kZeroCopy}) {
      EXPECT_EQ(iteration.transfers[transfer].blocks, 0u) << TransferName(transfer);
    }
  }
  EXPECT_EQ(outcome.report.num_iterations, 3000u);
}

/// A long path wants few blocks at a time. All blocks come once loops on the GPU would have saved
/// the time of bringing them.
TEST_F(GpuLoops, AllBlocksAreBroughtOnceALoopSavesTheTime) {
  const Outcome outcome = BfsOfAPath(20'000, {.directed = false, .block_edges = 256});
  ASSERT_OK(outcome.status);
  EXPECT_EQ(outcome.report.num_iterations, 20'000u);
  EXPECT_LT(outcome.report.iterations.size(), 2000u);
}

/// Shortest paths in a grid take hundreds of steps of few vertices. One launch does many of them,
/// with weights of every type and buckets of every width.
TEST_F(GpuLoops, SmallStepsAreALoopOnTheGpu) {
  constexpr uint64_t kSide = 60;
  Random random(51);
  std::vector<TestEdge> grid;
  for (uint64_t v = 0; v < kSide * kSide; ++v) {
    const auto weight = [&] { return static_cast<double>(1 + random.Below(100)); };
    if (v % kSide + 1 < kSide) grid.push_back({v, v + 1, weight()});
    if (v + kSide < kSide * kSide) grid.push_back({v, v + kSide, weight()});
  }
  for (const WeightType weights :
       {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64}) {
    TestGraphOptions shape;
    shape.directed = false;
    shape.weights = weights;
    shape.block_edges = 1024;
    shape.renumber_seed = 9;
    const auto graph = InMemoryGraph::Dense(kSide * kSide, grid, shape);
    NamedOptions run{"sssp", {}};
    run.options.algorithm = "sssp";
    run.options.values.Set("--source", 0);
    run.options.gpu.transfer = Transfer::kResident;
    for (const double delta : {0.0, 1.0, 30.0, 1e6}) {
      if (delta > 0) run.options.values.Set("--delta", delta);
      ExpectSame(*graph, run, StrCat("a grid, delta ", delta));
      ASSERT_FALSE(HasFailure());
    }
    run.options.values.Set("--delta", 1);
    run.options.device = Device::kGpu;
    const Outcome outcome = RunInMemory(*graph, run.options);
    ASSERT_OK(outcome.status);
    EXPECT_GT(outcome.report.num_iterations, 100u);
    EXPECT_LT(outcome.report.iterations.size() * 4, outcome.report.num_iterations);
  }
}

/// With -i, no vertex waits for a bucket, also in passes that are one launch. So after N passes
/// each distance is at most that of the paths of N edges. Where no vertex is left to send, all are
/// final.
TEST_F(GpuLoops, ASearchOfBoundedPassesWaitsForNoBucket) {
  constexpr uint64_t kVertices = 2000;
  constexpr uint64_t kFar = ~uint64_t{0};
  Random random(53);
  std::vector<TestEdge> edges;
  for (uint64_t v = 1; v < kVertices; ++v) {  // a tree, and a few more edges
    for (uint64_t i = 0; i < 1 + random.Below(2); ++i) {
      edges.push_back({random.Below(v), v, static_cast<double>(1 + random.Below(200))});
    }
  }
  const auto graph = InMemoryGraph::Dense(kVertices, edges, {.weights = WeightType::kInt32});
  std::vector<uint64_t> bounded(kVertices, kFar);
  bounded[0] = 0;
  bool stopped = false, ended = false;
  for (uint64_t passes = 1; passes <= 30; ++passes) {
    std::vector<uint64_t> next = bounded;
    for (const TestEdge& edge : edges) {
      if (bounded[edge.source] == kFar) continue;
      const uint64_t through = bounded[edge.source] + static_cast<uint64_t>(edge.weight);
      next[edge.target] = std::min(next[edge.target], through);
    }
    bounded = std::move(next);
    for (const char* const algorithm : {"sssp", "sswp"}) {
      RunOptions options;
      options.algorithm = algorithm;
      options.values.Set("--source", 0);
      options.values.Set("--iterations", passes);
      options.device = Device::kGpu;
      options.mode = Mode::kPush;
      options.gpu.transfer = Transfer::kResident;
      options.verify = true;
      const Outcome outcome = RunInMemory(*graph, options);
      ASSERT_OK(outcome.status);
      (outcome.warnings.empty() ? ended : stopped) = true;
      if (options.algorithm == "sswp") continue;
      for (uint64_t v = 0; v < kVertices; ++v) {
        if (bounded[v] == kFar) continue;
        EXPECT_LE(outcome.values[v].integer, bounded[v]) << v << ", " << passes;
      }
    }
  }
  EXPECT_TRUE(stopped && ended);
}

/// The host may stop a long loop. The loop along a path takes several launches, and no step is lost
/// or repeated between two launches.
TEST_F(GpuLoops, LongLoopsTakeSeveralLaunches) {
  constexpr uint64_t kVertices = 40'000;
  std::vector<TestEdge> path;
  for (uint64_t v = 0; v + 1 < kVertices; ++v) path.push_back({v, v + 1, 1.0 + v % 7});
  TestGraphOptions shape;
  shape.weights = WeightType::kInt32;
  shape.block_edges = 1024;
  const auto graph = InMemoryGraph::Dense(kVertices, path, shape);
  for (const std::string algorithm : {"bfs", "sssp"}) {
    NamedOptions run{algorithm, {}};
    run.options.algorithm = algorithm;
    run.options.values.Set("--source", 0);
    if (algorithm == "sssp") run.options.values.Set("--delta", 3);
    run.options.gpu.transfer = Transfer::kResident;
    ExpectSame(*graph, run, "a path");
    ASSERT_FALSE(HasFailure());
    run.options.device = Device::kGpu;
    const Outcome outcome = RunInMemory(*graph, run.options);
    ASSERT_OK(outcome.status);
    EXPECT_GE(outcome.report.num_iterations, kVertices - 1) << algorithm;
    EXPECT_GT(outcome.report.iterations.size(), 2u) << algorithm;
    EXPECT_LT(outcome.report.iterations.size(), 20u) << algorithm;
  }
}

TEST_F(GpuLoops, FrontiersGrowAndShrink) {
  const Fans fans;
  for (const bool directed : {true, false}) {
    TestGraphOptions shape;
    shape.directed = directed;
    shape.weights = WeightType::kInt32;
    shape.block_edges = 1024;
    shape.renumber_seed = 10;
    const auto graph = InMemoryGraph::Dense(fans.num_vertices, fans.edges, shape);
    for (const std::string algorithm : {"bfs", "sssp", "cc"}) {
      NamedOptions run{algorithm, {}};
      run.options.algorithm = algorithm;
      if (algorithm == "cc") {
        if (directed) continue;
        run.options.values.Set("--method", "labels");
      } else {
        run.options.values.Set("--source", 0);
      }
      run.options.gpu.transfer = Transfer::kResident;
      run.options.mode = Mode::kPush;
      for (const double delta : {1.0, 200.0, 1e6}) {
        if (algorithm == "sssp") run.options.values.Set("--delta", delta);
        ExpectSame(*graph, run, StrCat("fans, delta ", delta));
        ASSERT_FALSE(HasFailure());
        if (algorithm != "sssp") break;
      }
      run.options.device = Device::kGpu;
      const Outcome outcome = RunInMemory(*graph, run.options);
      ASSERT_OK(outcome.status);
      EXPECT_LT(outcome.report.iterations.size(), outcome.report.num_iterations) << algorithm;
      if (algorithm == "cc") continue;
      EXPECT_GT(outcome.report.num_iterations, 500u) << algorithm;
      EXPECT_LT(outcome.report.iterations.size(), 50u) << algorithm;
    }
  }
}

/// Bytes that loops read across the link from the iteration number `first` of the report on.
uint64_t LoopBytesAcross(const RunReport& report, size_t first = 0) {
  uint64_t bytes = 0;
  for (size_t i = first; i < report.iterations.size(); ++i) {
    const IterationReport& iteration = report.iterations[i];
    if (iteration.iterations > 1) bytes += iteration.transfers[Transfer::kZeroCopy].bytes;
  }
  return bytes;
}

/// The same after the iteration with the most edges.
uint64_t LaterLoopBytesAcross(const RunReport& report) {
  const auto& iterations = report.iterations;
  const auto most = std::max_element(iterations.begin(), iterations.end(),
                                     [](const IterationReport& a, const IterationReport& b) {
                                       return a.active_edges < b.active_edges;
                                     });
  return LoopBytesAcross(report, static_cast<size_t>(most - iterations.begin()));
}

/// A graph in pinned memory needs no passes for few vertices. The report has the bytes that cross
/// the link.
TEST_F(GpuLoops, ListsAreReadAcrossTheLink) {
  const Fans fans;
  const TemporaryDirectory directory;
  for (const bool integers : {true, false}) {
    const auto path =
        BuildWeighted({"fans", fans.num_vertices, fans.edges}, integers, 1024, directory);
    ASSERT_TRUE(path.ok()) << path.status().message();
    for (const std::string algorithm : {"bfs", "sssp"}) {
      RunOptions options = PushesFrom0(algorithm);
      const Outcome cpu = RunOnDisk(*path, options);
      ASSERT_OK(cpu.status);
      options.device = Device::kGpu;
      options.gpu.transfer = Transfer::kZeroCopy;
      const Outcome gpu = RunOnDisk(*path, options);
      ASSERT_OK(gpu.status);
      EXPECT_TRUE(SameAnswers(cpu, gpu)) << algorithm;
      EXPECT_GT(gpu.report.num_iterations, 500u) << algorithm;
      EXPECT_LT(gpu.report.iterations.size(), 50u) << algorithm;
      // At least one byte crosses for each edge.
      EXPECT_GT(LoopBytesAcross(gpu.report), fans.num_looped) << algorithm;
    }
  }
}

/// Loops along edges and against them read half of these, a byte each, or more across the link.
TEST_F(GpuLoops, BothDirectionsAreReadAcrossTheLink) {
  const Fans fans;
  const TemporaryDirectory directory;
  const auto path = BuildWeighted({"fans", fans.num_vertices, fans.edges}, true, 1024, directory);
  ASSERT_TRUE(path.ok()) << path.status().message();
  RunOptions options;
  options.algorithm = "scc";
  options.verify = true;
  const Outcome cpu = RunOnDisk(*path, options);
  ASSERT_OK(cpu.status);
  options.device = Device::kGpu;
  options.gpu.transfer = Transfer::kZeroCopy;
  const Outcome gpu = RunOnDisk(*path, options);
  ASSERT_OK(gpu.status);
  EXPECT_TRUE(SameAnswers(cpu, gpu));
  EXPECT_GT(LoopBytesAcross(gpu.report), fans.num_looped / 2);
}

/// If GPU memory does not hold the whole graph, a loop reads some lists there and others across the
/// link.
TEST_F(GpuLoops, ListsAreOnTheGpuAndAcrossTheLink) {
  Random random(54);
  // The leaves of a tree have most edges, and passes read them, so their blocks stay.
  constexpr uint64_t kWidth = 320;
  constexpr uint64_t kTree = 1 + kWidth + kWidth * kWidth;
  TestCase fans{"a tree, then fans", kTree, {}};
  for (uint64_t v = 1; v < kTree; ++v) {
    fans.edges.push_back({(v - 1) / kWidth, v, 1.0});
    if (v <= kWidth) continue;
    fans.edges.push_back({v, kTree, 1.0});
    for (int i = 0; i < 16; ++i) {
      fans.edges.push_back({v, random.Below(kTree), static_cast<double>(1 + random.Below(1000))});
    }
  }
  AddFans(200, 40, random, &fans.edges, &fans.num_vertices);
  AddFans(40, 300, random, &fans.edges, &fans.num_vertices);
  ++fans.num_vertices;
  // Blocks have lists of all fans.
  std::vector<uint64_t> number(fans.num_vertices);
  std::iota(number.begin(), number.end(), 0);
  for (uint64_t v = fans.num_vertices; v-- > 1;) std::swap(number[v], number[random.Below(v + 1)]);
  for (TestEdge& edge : fans.edges) edge = {number[edge.source], number[edge.target], edge.weight};
  const TemporaryDirectory directory;
  const auto path = BuildWeighted(fans, true, 1024, directory);
  ASSERT_TRUE(path.ok()) << path.status().message();
  for (const std::string algorithm : {"bfs", "sssp"}) {
    RunOptions options = PushesFrom0(algorithm);
    options.values.Set("--source", number[0]);
    options.gpu.batch_bytes = uint64_t{1} << 17;
    const Outcome cpu = RunOnDisk(*path, options);
    ASSERT_OK(cpu.status);
    options.device = Device::kGpu;
    options.gpu.transfer = Transfer::kZeroCopy;
    const Outcome across = RunOnDisk(*path, options);
    ASSERT_OK(across.status);
    options.gpu.transfer = Transfer::kAuto;
    bool were_mixed = false;
    for (uint64_t mebibytes = 2; mebibytes <= 24; mebibytes += 2) {
      options.gpu.gpu.memory_bytes = mebibytes << 20;
      const Outcome gpu = RunOnDisk(*path, options);
      if (gpu.status.code() == Code::kBudget) continue;
      ASSERT_OK(gpu.status);
      EXPECT_TRUE(SameAnswers(cpu, gpu)) << algorithm << ", " << mebibytes << " MiB";
      const uint64_t bytes = LaterLoopBytesAcross(gpu.report);
      were_mixed =
          were_mixed || (bytes > 0 && bytes < LaterLoopBytesAcross(across.report) * 9 / 10);
    }
    EXPECT_TRUE(were_mixed) << algorithm;
  }
}

/// The nth call of CUDA fails while loops read across the link.
TEST_F(GpuLoops, EachCallMayFail) {
  TestCase path{"path", 400, {}};
  for (uint64_t v = 0; v + 1 < path.num_vertices; ++v) {
    path.edges.push_back({v, v + 1, 1.0 + static_cast<double>(v % 7)});
  }
  const TemporaryDirectory directory;
  const auto graph = BuildWeighted(path, true, 1024, directory);
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  for (const std::string algorithm : {"bfs", "sssp"}) {
    NamedOptions run{algorithm, PushesFrom0(algorithm)};
    run.options.gpu.transfer = Transfer::kZeroCopy;
    run.options.device = Device::kGpu;
    const Outcome whole = RunOnDisk(*graph, run.options);
    ASSERT_OK(whole.status);
    EXPECT_GT(LoopBytesAcross(whole.report), path.edges.size()) << algorithm;
    ExpectErrorOrAnswer([&](const RunOptions& options) { return RunOnDisk(*graph, options); }, run,
                        Device::kGpu);
    ASSERT_FALSE(HasFailure());
  }
}

/// The lists of a damaged block lead beyond the last vertex. The loop reports the block and does
/// not follow them.
TEST_F(GpuLoops, ADamagedBlockIsNamed) {
  const Fans fans;
  for (const std::string algorithm : {"bfs", "sssp"}) {
    const auto graph = InMemoryGraph::Dense(fans.num_vertices, fans.edges,
                                            {.weights = WeightType::kInt32, .block_edges = 1024});
    // Changes the base in a group's header. Its list, of the first hub, begins in an earlier group.
    const auto payload = graph->mutable_payload(ColumnKind::kOutNeighbors, 0);
    for (size_t i = 0; i < 4; ++i) payload[3 * sizeof(uint64_t) + i] = std::byte{0x77};
    RunOptions options = PushesFrom0(algorithm);
    options.warm = false;
    options.device = Device::kGpu;
    options.gpu.transfer = Transfer::kResident;
    const Outcome outcome = RunInMemory(*graph, options);
    EXPECT_EQ(outcome.status.code(), Code::kBadData) << algorithm;
    EXPECT_NE(outcome.status.message().find("block 0"), std::string_view::npos)
        << outcome.status.message();
  }
}

}  // namespace
}  // namespace edgemill

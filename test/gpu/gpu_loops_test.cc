// Loops on the card: many iterations in one launch, with all edges there and across the link.
#include "test/gpu/gpu_runs.h"
#include "test/graph_builder.h"

namespace edgemill {
namespace {

using GpuLoops = GpuRuns;

/// `count` hubs in a row, each of `width` vertices that all lead to the next hub. The first hub is
/// vertex 0; `*num_vertices` counts on from what it was.
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

/// Frontiers of one vertex and of many by turns: lists of several pieces, of more than a loop
/// takes, and, among more than 65,536 vertices, what waits is looked for by all.
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

/// BFS on the GPU from the first of `length` vertices in a row.
Outcome BfsOfAPath(uint64_t length, const TestGraphOptions& shape) {
  std::vector<TestEdge> path;
  for (uint64_t v = 0; v + 1 < length; ++v) path.push_back({v, v + 1});
  const auto graph = InMemoryGraph::Dense(length, path, shape);
  RunOptions options;
  options.algorithm = "bfs";
  options.source = 0;
  options.device = Device::kGpu;
  return RunInMemory(*graph, options);
}

/// Where all edges fit on the card, and the host has to copy them, each block is brought once,
/// however few of its edges are wanted.
TEST_F(GpuLoops, WhatFitsStays) {
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

/// Few blocks of a long path are wanted at a time. All come when loops on the card would have saved
/// what bringing them takes.
TEST_F(GpuLoops, WhatFitsComesForALoop) {
  const Outcome outcome = BfsOfAPath(20'000, {.directed = false, .block_edges = 256});
  ASSERT_OK(outcome.status);
  EXPECT_EQ(outcome.report.num_iterations, 20'000u);
  EXPECT_LT(outcome.report.iterations.size(), 2000u);
}

/// A grid's shortest paths take hundreds of steps of few vertices: the card takes many at a time,
/// with weights of every kind, and buckets of every width.
TEST_F(GpuLoops, SmallStepsAreALoopOnTheCard) {
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
    run.options.source = 0;
    run.options.gpu.transfer = Transfer::kResident;
    for (const double delta : {0.0, 1.0, 30.0, 1e6}) {
      if (delta > 0) run.options.delta = delta;
      ExpectSame(*graph, run, StrCat("a grid, delta ", delta));
      ASSERT_FALSE(HasFailure());
    }
    run.options.delta = 1;
    run.options.device = Device::kGpu;
    const Outcome outcome = RunInMemory(*graph, run.options);
    ASSERT_OK(outcome.status);
    EXPECT_GT(outcome.report.num_iterations, 100u);
    EXPECT_LT(outcome.report.iterations.size() * 4, outcome.report.num_iterations);
  }
}

/// The host may stop a loop that goes on for long: a path's takes several launches, and no step is
/// lost or taken twice between two.
TEST_F(GpuLoops, LongLoopsAreSeveral) {
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
    run.options.source = 0;
    if (algorithm == "sssp") run.options.delta = 3;
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
        run.options.method = "labels";
      } else {
        run.options.source = 0;
      }
      run.options.gpu.transfer = Transfer::kResident;
      run.options.mode = Mode::kPush;
      for (const double delta : {1.0, 200.0, 1e6}) {
        if (algorithm == "sssp") run.options.delta = delta;
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

/// A graph that is kept in pinned memory needs no sweeps for few vertices, and what crosses the
/// link is in the report.
TEST_F(GpuLoops, ListsAreReadAcrossTheLink) {
  const Fans fans;
  EdgeList list{"fans", {}, fans.edges, true};
  for (uint64_t id = 0; id < fans.num_vertices; ++id) list.ids.push_back(id);
  TemporaryDirectory directory;
  for (const bool integers : {true, false}) {
    if (!integers) {
      for (TestEdge& edge : list.edges) edge.weight += 0.25;
    }
    const std::string path = directory / (integers ? "integers.mill" : "reals.mill");
    IngestOptions ingest;
    ingest.block_edges = 1024;
    const auto built = BuildGraph(list, path, ingest);
    ASSERT_TRUE(built.ok()) << built.status().message();
    for (const std::string algorithm : {"bfs", "sssp"}) {
      RunOptions options;
      options.algorithm = algorithm;
      options.source = 0;
      options.mode = Mode::kPush;
      options.warm = true;
      const Outcome cpu = RunOnDisk(path, options);
      ASSERT_OK(cpu.status);
      options.device = Device::kGpu;
      options.gpu.transfer = Transfer::kZeroCopy;
      const Outcome gpu = RunOnDisk(path, options);
      ASSERT_OK(gpu.status);
      EXPECT_TRUE(SameAnswers(cpu, gpu)) << algorithm;
      EXPECT_GT(gpu.report.num_iterations, 500u) << algorithm;
      EXPECT_LT(gpu.report.iterations.size(), 50u) << algorithm;
      uint64_t bytes = 0;
      for (const IterationReport& iteration : gpu.report.iterations) {
        if (iteration.iterations > 1) bytes += iteration.transfers[Transfer::kZeroCopy].bytes;
      }
      EXPECT_GT(bytes, fans.num_looped) << algorithm;  // each edge, of a byte at least
    }
  }
}

}  // namespace
}  // namespace edgemill

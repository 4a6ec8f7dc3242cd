// Asynchronous runs on a GPU, and on CPU and GPU together, against synchronous ones on the CPU.
// They run with every transfer engine, with budgets from the least up, and with many batches at a
// time. Also tests that asynchronous runs save bytes.
#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

using Asynchronous = GpuRuns;

/// All runs that may be asynchronous.
std::vector<NamedOptions> AsynchronousRuns() {
  std::vector<NamedOptions> runs;
  for (NamedOptions run : AllRuns()) {
    constexpr std::array<std::string_view, 4> kNames = {"sssp", "sswp", "labels", "delta"};
    if (std::find(kNames.begin(), kNames.end(), run.name) == kNames.end()) continue;
    if (run.name == "delta") {
      run.options.values.Set("--iterations", 1000);
      run.options.values.Set("--tolerance", 1e-7);
    }
    run.options.mode = Mode::kPush;
    runs.push_back(std::move(run));
  }
  return runs;
}

TEST_F(Asynchronous, HardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 2048u}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.block_edges = block_edges;
        shape.weights = WeightType::kInt32;
        const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
        for (NamedOptions run : AsynchronousRuns()) {
          for (int i = 0; i < 2; ++i) {
            const Transfer transfer = run.options.gpu.transfer = OneOf(kTransfers);
            run.options.async_passes = block_edges == 128 ? 2 : 5;
            ExpectSame(*graph, run, StrCat(hard.name, " by ", TransferName(transfer)));
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

/// Many batches of a few small blocks are on their way at a time. They share words of frontiers.
TEST_F(Asynchronous, BatchesBesideEachOther) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    TestGraphOptions shape;
    shape.directed = false;
    shape.block_edges = 256;
    shape.weights = WeightType::kInt32;
    const auto graph = InMemoryGraph::Dense(
        20'000, RandomTestEdges(seed, 20'000, 200'000, 1 + 2 * (seed % 2)), shape);
    for (NamedOptions run : AsynchronousRuns()) {
      run.options.gpu.batch_bytes = uint64_t{1} << 14;
      run.options.gpu.num_batches = 8;
      run.options.threads = 4;
      run.options.async_passes = 1 + seed;
      for (const Transfer transfer : {Transfer::kFilter, Transfer::kCompaction}) {
        run.options.gpu.transfer = transfer;
        ExpectSame(*graph, run, StrCat("seed ", seed, " by ", TransferName(transfer)));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

/// Blocks in pinned memory go to the GPU by priority. Answers are the same in every order of
/// blocks, with each block by itself or many together.
TEST_F(Asynchronous, EveryOrderOfBlocks) {
  const TemporaryDirectory directory;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    IngestOptions ingest;
    ingest.block_edges = 256;
    ingest.direction = EdgeDirection::kUndirected;
    const std::string path = directory / StrCat(seed, ".mill");
    const TestCase test{"", 5'000, RandomTestEdges(seed, 5'000, 60'000, 3)};
    ASSERT_OK(BuildGraph(DenseList(test), path, ingest).status());
    for (NamedOptions run : AsynchronousRuns()) {
      RunOptions& options = run.options;
      const Outcome cpu = RunOnDisk(path, options);
      ASSERT_OK(cpu.status);
      options.device = Device::kGpu;
      options.verify = true;
      options.warm = true;  // blocks are in pinned memory then
      options.async_passes = 2;
      options.gpu.combines = seed % 2 == 0;
      options.gpu.transfer = seed < 3 ? Transfer::kFilter : Transfer::kAuto;
      for (const BlockPriority priority :
           {BlockPriority::kNone, BlockPriority::kHub, BlockPriority::kDelta}) {
        if (priority == BlockPriority::kDelta && run.name != "delta") continue;
        options.gpu.priority = priority;
        const Outcome gpu = RunOnDisk(path, options);
        ASSERT_OK(gpu.status);
        EXPECT_TRUE(run.name == "delta" || SameAnswers(cpu, gpu))
            << run.name << ", seed " << seed << ", priority " << BlockPriorityName(priority);
      }
    }
  }
}

/// The source reaches vertex 1 directly, and by a shorter path over a hub, whose block has a higher
/// number. If the hub's block comes first, vertex 1 emits once.
TEST_F(Asynchronous, HubsFirst) {
  constexpr uint64_t kHub = 300, kLeaves = 400, kNumVertices = 1000;
  std::vector<TestEdge> edges = {{0, 1, 100}, {0, kHub, 1}, {kHub, 1, 1}};
  for (uint64_t i = 0; i < 100; ++i) edges.push_back({1, kLeaves + i, 1});
  for (uint64_t i = 0; i < 500; ++i) edges.push_back({kHub, kLeaves + 100 + i, 1});
  for (uint64_t v = 2; v < kHub; ++v) edges.push_back({v, v, 1});  // so that blocks differ
  const TemporaryDirectory directory;
  const std::string path = directory / "hub.mill";
  IngestOptions ingest;
  ingest.block_edges = 128;
  ingest.direction = EdgeDirection::kDirected;
  ASSERT_OK(BuildGraph(DenseList({"", kNumVertices, edges}), path, ingest).status());
  const auto emitted = [&](BlockPriority priority) {
    RunOptions options{.algorithm = "sssp", .async_passes = 1, .device = Device::kGpu};
    options.values = {{"--source", 0}, {"--delta", 1e9}};
    options.mode = Mode::kPush;
    options.warm = true;
    options.gpu.transfer = Transfer::kFilter;
    options.gpu.combines = false;
    options.gpu.num_batches = 1;
    options.gpu.loops = false;
    options.gpu.priority = priority;
    const Outcome outcome = RunOnDisk(path, options);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.message();
    uint64_t vertices = 0;
    for (const IterationReport& iteration : outcome.report.iterations) {
      vertices += iteration.active_vertices + iteration.repeated_vertices;
    }
    return vertices;
  };
  EXPECT_LT(emitted(BlockPriority::kHub), emitted(BlockPriority::kNone));
}

TEST_F(Asynchronous, EveryEngineFromTheLeastBudgetUp) {
  std::vector<NamedOptions> runs = AsynchronousRuns();
  for (NamedOptions& run : runs) {
    run.options.mode = Mode::kAuto;
    run.options.async_passes = kAsyncPasses;
  }
  ExpectSameByEveryEngine(std::move(runs));
}

/// The CPU shares iterations, with shares from nothing to all. The processors also report to each
/// other which vertices have already emitted.
TEST_F(Asynchronous, SharedIterations) {
  for (const TestCase& hard : HardGraphs()) {
    TestGraphOptions shape;
    shape.directed = false;
    shape.weights = WeightType::kInt32;
    shape.block_edges = 256;
    const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
    for (NamedOptions run : AsynchronousRuns()) {
      run.options.threads = 3;
      run.options.async_passes = 3;
      constexpr std::array kCopied = {Transfer::kAuto, Transfer::kFilter, Transfer::kCompaction};
      for (const double share : {0.0, 0.3, 0.7, 1.0}) {
        run.options.gpu.transfer = OneOf(kCopied);
        run.options.hybrid = {.cpu_share = share};
        ExpectSame(*graph, run, StrCat(hard.name, ", share ", share), Device::kHybrid);
        ASSERT_FALSE(HasFailure());
      }
      run.options.hybrid = {.random_seed = 3};
      ExpectSame(*graph, run, StrCat(hard.name, ", at random"), Device::kHybrid);
      ASSERT_FALSE(HasFailure());
      if (run.options.algorithm == "pagerank") continue;  // deltas can only be pushed
      run.options.mode = Mode::kPull;                     // no vertex emits ahead of an iteration
      run.options.hybrid = {.cpu_share = 0.3};
      ExpectSame(*graph, run, StrCat(hard.name, ", pulled"), Device::kHybrid);
      ASSERT_FALSE(HasFailure());
    }
  }
}

/// If neighbours lie near each other, blocks cross the link much less often.
TEST_F(Asynchronous, FewerBlocksCross) {
  const TestCase grid = WeightedGrid(80);
  TestGraphOptions shape;
  shape.directed = false;
  shape.weights = WeightType::kInt32;
  shape.block_edges = 2048;
  const auto graph = InMemoryGraph::Dense(grid.num_vertices, grid.edges, shape);
  for (NamedOptions run : AsynchronousRuns()) {
    if (run.name == "delta") run.options.values.Set("--tolerance", 1e-4);
    run.options.device = Device::kGpu;
    for (const Transfer transfer : {Transfer::kFilter, Transfer::kCompaction}) {
      run.options.gpu.transfer = transfer;
      run.options.async_passes = 0;
      const Outcome synchronous = RunInMemory(*graph, run.options);
      ASSERT_OK(synchronous.status);
      run.options.async_passes = kAsyncPasses;
      const Outcome asynchronous = RunInMemory(*graph, run.options);
      ASSERT_OK(asynchronous.status);
      uint64_t live = 0, again = 0;
      for (const IterationReport& iteration : asynchronous.report.iterations) {
        live += iteration.repeated_vertices;
        again += iteration.blocks_repeated;
      }
      EXPECT_GT(live, 0u) << run.name;
      EXPECT_GT(again, 0u) << run.name;
      // Compacted blocks have only the lists that were active when they were gathered.
      if (transfer == Transfer::kCompaction) continue;
      EXPECT_LT(2 * asynchronous.report.link_bytes, synchronous.report.link_bytes) << run.name;
    }
  }
}

}  // namespace
}  // namespace edgemill

// Runs on a GPU that bring SubCSRs, against runs on the CPU by blocks: every program that pushes,
// every budget, from disk, and with calls of CUDA that fail.
#include "engine/run/prepared_run.h"
#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

using SubCsrOnGpu = GpuRuns;

/// The runs that may take SubCSRs on `graph`.
std::vector<NamedOptions> RunsWithSubCsrs(const InMemoryGraph& graph) {
  std::vector<NamedOptions> runs;
  for (NamedOptions& run : AllRuns()) {
    if (run.undirected && graph.info().directed) continue;
    run.options.gpu.transfer = Transfer::kSubCsr;
    if (PrepareRun(graph, run.options).ok()) runs.push_back(std::move(run));
  }
  return runs;
}

TEST_F(SubCsrOnGpu, HardGraphs) {
  constexpr WeightType kWeights[] = {WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64,
                                     WeightType::kNone};
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 2048u}) {
        const auto graph = InMemoryGraph::Dense(
            hard.num_vertices, hard.edges,
            {.directed = directed, .weights = OneOf(kWeights), .block_edges = block_edges});
        for (NamedOptions& run : RunsWithSubCsrs(*graph)) {
          for (const Mode mode : {Mode::kAuto, Mode::kPush}) {
            run.options.mode = mode;
            ExpectSame(*graph, run, hard.name);
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

/// With few vertices active at a time, nearly all blocks come as SubCSRs, and fewer bytes cross the
/// link than of whole blocks.
TEST_F(SubCsrOnGpu, FewActiveListsAreFewBytes) {
  const auto graph = InMemoryGraph::Dense(40'000, RandomTestEdges(24, 40'000, 400'000),
                                          {.weights = WeightType::kInt32, .block_edges = 4096});
  RunOptions options;
  options.algorithm = "sssp";
  options.values.Set("--source", 0);
  options.values.Set("--delta", 1);
  options.device = Device::kGpu;
  options.verify = true;
  TransferAccounts by_transfer[2];
  for (const Transfer transfer : {Transfer::kFilter, Transfer::kSubCsr}) {
    options.gpu.transfer = transfer;
    const Outcome outcome = RunInMemory(*graph, options);
    ASSERT_OK(outcome.status);
    TransferAccounts& all = by_transfer[transfer == Transfer::kSubCsr];
    for (const IterationReport& iteration : outcome.report.iterations) {
      all.Add(iteration.transfers);
    }
    EXPECT_EQ(all[Transfer::kFilter].blocks + all[Transfer::kSubCsr].blocks, all.total().blocks);
  }
  EXPECT_GT(by_transfer[1][Transfer::kSubCsr].blocks, by_transfer[1][Transfer::kFilter].blocks);
  EXPECT_GT(by_transfer[1][Transfer::kSubCsr].bytes, 0u);
  EXPECT_LT(by_transfer[1].total().bytes, by_transfer[0].total().bytes);
}

TEST_F(SubCsrOnGpu, EveryBudget) {
  const auto undirected =
      InMemoryGraph::Dense(2, {{0, 1, 1}}, {.directed = false, .weights = WeightType::kInt32});
  std::vector<NamedOptions> runs = RunsWithSubCsrs(*undirected);
  for (NamedOptions& run : runs) {
    if (run.options.algorithm == "pagerank") run.options.values.Set("--iterations", 3);
    run.options.mode = OneOf(std::array{Mode::kAuto, Mode::kPush});
  }
  constexpr Transfer kOnly[] = {Transfer::kSubCsr};
  ExpectSameByEveryEngine(std::move(runs), kOnly);
}

/// Blocks that come from disk, with a pinned cache for all, a part or none of them.
TEST_F(SubCsrOnGpu, DiskAndPinnedCache) {
  const TemporaryDirectory directory;
  const TestCase graph{"random", 30'000, RandomTestEdges(31, 30'000, 300'000, 3)};
  for (const bool integers : {true, false}) {
    const auto path = BuildWeighted(graph, integers, 4096, directory);
    ASSERT_TRUE(path.ok()) << path.status().message();
    for (const std::string algorithm : {"bfs", "sssp", "sswp", "ssnsp"}) {
      RunOptions options;
      options.algorithm = algorithm;
      options.values.Set("--source", 0);
      options.mode = Mode::kPush;
      const Outcome cpu = RunOnDisk(*path, options);
      ASSERT_OK(cpu.status);
      options.gpu.transfer = Transfer::kSubCsr;
      options.gpu.gpu.memory_bytes = uint64_t{6} << 20;
      options.verify = true;
      for (const Device device : {Device::kGpu, Device::kHybrid}) {
        options.device = device;
        const auto least = LeastBudgetOf(*path, options);
        ASSERT_TRUE(least.ok());
        for (const uint64_t budget : {*least, *least + (2u << 20), uint64_t{256} << 20}) {
          const Outcome gpu = RunOnDisk(*path, options, budget);
          ASSERT_OK(gpu.status);
          for (size_t i = 0; i < cpu.values.size(); ++i) {
            ASSERT_EQ(cpu.values[i].integer, gpu.values[i].integer) << algorithm << ", " << i;
            ExpectNear(cpu.values[i].real, gpu.values[i].real, algorithm, i);
          }
        }
      }
    }
  }
}

TEST_F(SubCsrOnGpu, EachCallMayFail) {
  const auto graph = InMemoryGraph::Dense(500, RandomTestEdges(25, 500, 4000),
                                          {.directed = false, .weights = WeightType::kFloat32});
  for (NamedOptions& run : RunsWithSubCsrs(*graph)) {
    if (run.name != "bfs" && run.name != "sssp" && run.name != "labels") continue;
    run.options.mode = Mode::kPush;
    ExpectErrorOrAnswer(*graph, run, Device::kGpu);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(SubCsrOnGpu, ADamagedBlockIsNamed) {
  const auto graph = InMemoryGraph::Dense(700, RandomTestEdges(24, 700, 9000));
  const auto payload = graph->mutable_payload(ColumnKind::kOutNeighbors, 20);
  for (int i = 0; i < 4; ++i) payload[i] = std::byte{0x77};
  RunOptions options;
  options.algorithm = "bfs";
  options.values.Set("--source", 0);
  options.mode = Mode::kPush;
  options.device = Device::kGpu;
  options.gpu.transfer = Transfer::kSubCsr;
  const Outcome outcome = RunInMemory(*graph, options);
  EXPECT_EQ(outcome.status.code(), Code::kBadData);
  EXPECT_NE(outcome.status.message().find("block 20"), std::string_view::npos)
      << outcome.status.message();
}

}  // namespace
}  // namespace edgemill

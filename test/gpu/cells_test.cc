// Pulls by cells on a GPU, against runs on the CPU and pulls by lists.
#include "engine/gpu/program/program_launchers.h"
#include "engine/gpu/workspace/device_cells.h"
#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

using CellsOnGpu = GpuRuns;

/// The runs that have pulls by cells.
std::vector<NamedOptions> DenseRuns() {
  std::vector<NamedOptions> runs;
  for (NamedOptions& run : AllRuns()) {
    if (run.options.algorithm != "pagerank") continue;
    run.options.gpu.kernel = PullKernel::kDense;
    runs.push_back(std::move(run));
  }
  EXPECT_EQ(runs.size(), 2u);
  return runs;
}

TEST_F(CellsOnGpu, HardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 2048u}) {
        const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges,
                                                {.directed = directed, .block_edges = block_edges});
        for (const NamedOptions& run : DenseRuns()) {
          ExpectSame(*graph, run, hard.name);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

/// Hubs with more parts than a warp's tiles, vertices without edges, and several ranges of senders
/// and receivers.
TEST_F(CellsOnGpu, SeveralRanges) {
  constexpr VertexId kVertices = 150'000;
  for (const bool directed : {true, false}) {
    for (const bool skewed : {true, false}) {
      auto edges = RandomTestEdges(31, kVertices, 600'000);
      for (size_t i = 0; skewed && i < edges.size(); ++i) {
        if (i % 3 == 0) edges[i].source = static_cast<VertexId>(i % 7);
        if (i % 5 == 0) edges[i].target = static_cast<VertexId>(77'777 + i % 3);
      }
      const auto graph = InMemoryGraph::Dense(kVertices, edges, {.directed = directed});
      for (const NamedOptions& run : DenseRuns()) {
        ExpectSame(*graph, run, skewed ? "hubs" : "even");
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

/// Every run gives the same bits, and uses cells that are made once.
TEST_F(CellsOnGpu, SumsHaveOneOrder) {
  const auto graph =
      InMemoryGraph::Dense(100'000, RandomTestEdges(32, 100'000, 2'000'000), {.directed = false});
  NamedOptions jacobi = DenseRuns()[0];
  jacobi.options.device = Device::kGpu;
  const Outcome first = RunInMemory(*graph, jacobi.options);
  ASSERT_OK(first.status);
  EXPECT_EQ(first.report.cells.times, 1u);
  EXPECT_GT(first.report.cells.parts, 0u);
  for (int i = 0; i < 3; ++i) {
    const Outcome again = RunInMemory(*graph, jacobi.options);
    ASSERT_OK(again.status);
    ASSERT_EQ(first.values.size(), again.values.size());
    for (size_t v = 0; v < first.values.size(); ++v) {
      ASSERT_EQ(first.values[v].real, again.values[v].real) << v;
    }
  }
  jacobi.options.gpu.kernel = PullKernel::kLists;
  const Outcome lists = RunInMemory(*graph, jacobi.options);
  ASSERT_OK(lists.status);
  EXPECT_EQ(lists.report.cells.times, 0u);
}

/// Too little memory is refused by name, also where cells would fit once they are made.
TEST_F(CellsOnGpu, NeedMemory) {
  const auto graph =
      InMemoryGraph::Dense(50'000, RandomTestEdges(33, 50'000, 1'000'000), {.directed = false});
  RunOptions options = DenseRuns()[0].options;
  options.device = Device::kGpu;
  options.gpu.gpu.memory_bytes = uint64_t{24} << 20;
  const Status refused = RunInMemory(*graph, options).status;
  EXPECT_EQ(refused.code(), Code::kBudget);
  EXPECT_NE(refused.message().find("--kernel dense: cells of"), std::string::npos)
      << refused.message();
  options.gpu.kernel = PullKernel::kAuto;
  ASSERT_OK(RunInMemory(*graph, options).status);
}

TEST_F(CellsOnGpu, FailedCalls) {
  const auto graph =
      InMemoryGraph::Dense(3000, RandomTestEdges(34, 3000, 20'000), {.directed = true});
  NamedOptions jacobi = DenseRuns()[0];
  jacobi.options.values.Set("--iterations", 2);
  ExpectErrorOrAnswer(*graph, jacobi, Device::kGpu);
}

}  // namespace
}  // namespace edgemill

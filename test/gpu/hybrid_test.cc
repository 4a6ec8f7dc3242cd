// CPU and GPU together against the CPU only. Shares are forced from nothing to all, so that
// messages and values cross in every way. Also tests processors that change between iterations,
// budgets, modes, streams, and CUDA calls that fail.
#include "test/gpu/gpu_runs.h"
#include "test/graphs/graph_builder.h"

namespace edgemill {
namespace {

using Hybrid = GpuRuns;

constexpr double kShares[] = {0, 0.3, 0.7, 1};

TEST_F(Hybrid, HardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 2048u}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.block_edges = block_edges;
        const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
        for (NamedOptions run : AllRuns()) {
          run.options.threads = 3;
          const double share = OneOf(kShares);
          Share(share, &run);
          ExpectSame(*graph, run, StrCat(hard.name, ", share ", share), Device::kHybrid);
          run.options.hybrid = {};
          if (OneOf(std::array{true, false})) run.options.hybrid.random_seed = block_edges;
          ExpectSame(*graph, run, StrCat(hard.name, ", at random or chosen"), Device::kHybrid);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

TEST_F(Hybrid, ModesAndWeights) {
  const auto edges = RandomTestEdges(61, 3000, 30'000, 3);
  for (const WeightType weights :
       {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64}) {
    for (const bool directed : {true, false}) {
      TestGraphOptions shape;
      shape.directed = directed;
      shape.weights = weights;
      shape.block_edges = 1024;
      shape.renumber_seed = 5;
      const auto graph = InMemoryGraph::Dense(3000, edges, shape);
      for (NamedOptions run : AllRuns()) {
        if (weights != WeightType::kNone && !run.weighted) continue;
        run.options.threads = 2;
        for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
          run.options.mode = mode;
          for (const double share : {0.4, 0.9}) {
            Share(share, &run);
            ExpectSame(*graph, run, "random", Device::kHybrid);
          }
          for (uint64_t seed = 1; seed < 4; ++seed) {
            run.options.hybrid = {.random_seed = seed};
            ExpectSame(*graph, run, StrCat("random, seed ", seed), Device::kHybrid);
          }
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

/// Runs with budgets from the least that works up, by every engine, with one stream and several.
TEST_F(Hybrid, BudgetsAndEngines) {
  TestGraphOptions shape;
  shape.block_edges = 4096;
  shape.weights = WeightType::kInt32;
  const auto graph = InMemoryGraph::Dense(40'000, RandomTestEdges(62, 40'000, 1'500'000), shape);
  for (NamedOptions run : ShortRuns()) {
    if (run.options.algorithm == "pagerank") run.options.values.Set("--iterations", 3);
    Share(0.35, &run);
    run.options.threads = 4;
    int worked = 0;
    for (uint64_t mebibytes = 2; mebibytes <= 14; mebibytes += 2) {
      run.options.gpu.gpu.memory_bytes = mebibytes << 20;
      run.options.gpu.transfer = Transfer::kAuto;
      run.options.device = Device::kHybrid;
      if (worked == 0 && RunInMemory(*graph, run.options).status.code() == Code::kBudget) {
        continue;
      }
      ++worked;
      run.options.gpu.num_batches = worked % 3 + 1;
      for (const Transfer transfer :
           {Transfer::kAuto, Transfer::kFilter, Transfer::kCompaction, Transfer::kZeroCopy}) {
        run.options.gpu.transfer = transfer;
        ExpectSame(*graph, run, StrCat(mebibytes, " MiB by ", TransferName(transfer)),
                   Device::kHybrid);
        ASSERT_FALSE(HasFailure());
      }
    }
    EXPECT_GT(worked, 3) << run.name;
  }
}

/// The report has the blocks that the options gave to each processor.
TEST_F(Hybrid, ReportsBothProcessors) {
  const auto graph = InMemoryGraph::Dense(2000, RandomTestEdges(63, 2000, 64'000));
  RunOptions options;
  options.algorithm = "pagerank";
  options.values.Set("--iterations", 4);
  options.device = Device::kHybrid;
  options.hybrid.cpu_share = 0.25;
  const Outcome outcome = RunInMemory(*graph, options);
  ASSERT_OK(outcome.status);
  ASSERT_EQ(outcome.report.iterations.size(), 4u);
  for (const IterationReport& iteration : outcome.report.iterations) {
    EXPECT_TRUE(iteration.on_gpu);
    EXPECT_EQ(iteration.blocks, 500u);
    EXPECT_EQ(iteration.cpu_blocks, 125u);
  }
}

/// Graphs on disk, with a pinned block cache for all or a part of the graph, or without one.
TEST_F(Hybrid, OnDisk) {
  TemporaryDirectory directory;
  EdgeList list{"random", {}, RandomTestEdges(64, 30'000, 1'000'000, 3), true};
  for (uint64_t id = 0; id < 30'000; ++id) list.ids.push_back(id);
  const std::string path = directory / "random.mill";
  IngestOptions ingest;
  ingest.block_edges = 4096;
  ASSERT_TRUE(BuildGraph(list, path, ingest).ok());
  for (NamedOptions run : ShortRuns()) {
    if (run.undirected) continue;
    RunOptions options = run.options;
    options.threads = 3;
    const Outcome cpu = RunOnDisk(path, options);
    ASSERT_OK(cpu.status);
    options.device = Device::kHybrid;
    options.gpu.gpu.memory_bytes = uint64_t{6} << 20;
    const auto least = LeastBudgetOf(path, options);
    ASSERT_TRUE(least.ok());
    for (const uint64_t budget : {*least, *least + (2u << 20), uint64_t{256} << 20}) {
      for (const double share : {0.2, 0.8}) {
        Share(share, &run);
        options.hybrid = run.options.hybrid;
        const Outcome both = RunOnDisk(path, options, budget);
        ASSERT_TRUE(both.status.ok()) << run.name << ": " << both.status.message();
        for (size_t i = 0; i < cpu.values.size(); ++i) {
          ExpectNear(cpu.values[i].reached ? cpu.values[i].real : 0,
                     both.values[i].reached ? both.values[i].real : 0, run.name, i,
                     std::max(2e-8, run.rounding));
          ASSERT_FALSE(HasFailure());
          if (run.name == "parents") continue;
          ASSERT_EQ(cpu.values[i].integer, both.values[i].integer) << run.name << ", vertex " << i;
        }
      }
    }
  }
}

/// The nth call of CUDA fails, for n = 0, 1, 2, ..., in every program and on every processor.
TEST_F(Hybrid, EachCallMayFail) {
  const auto edges = RandomTestEdges(65, 500, 4000);
  for (NamedOptions run : ShortRuns()) {
    if (run.needs_weights) continue;
    const auto graph = InMemoryGraph::Dense(500, edges, {.directed = !run.undirected});
    if (run.options.algorithm == "pagerank" || run.options.values.Has("--iterations")) {
      run.options.values.Set("--iterations", 2);
    }
    run.options.hybrid.random_seed = 4;
    for (const Transfer transfer : {Transfer::kAuto, Transfer::kFilter}) {
      run.options.gpu.transfer = transfer;
      ExpectErrorOrAnswer(*graph, run, Device::kHybrid);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(Hybrid, ADamagedBlockIsNamed) {
  for (const std::string algorithm : {"bfs", "pagerank"}) {
    for (const double share : kShares) {
      const auto graph = InMemoryGraph::Dense(700, RandomTestEdges(24, 700, 9000));
      RunOptions options;
      options.algorithm = algorithm;
      if (algorithm == "bfs") {
        options.values.Set("--source", 0);
        options.mode = Mode::kPush;  // visits every list on either processor
      }
      options.device = Device::kHybrid;
      options.hybrid.cpu_share = share;
      for (const ColumnKind column : {ColumnKind::kOutNeighbors, ColumnKind::kInNeighbors}) {
        const auto payload = graph->mutable_payload(column, 20);
        for (int i = 0; i < 4; ++i) payload[i] = std::byte{0x77};
      }
      const Outcome outcome = RunInMemory(*graph, options);
      EXPECT_EQ(outcome.status.code(), Code::kBadData) << algorithm << ", share " << share;
      EXPECT_NE(outcome.status.message().find("block 20"), std::string_view::npos)
          << outcome.status.message();
    }
  }
}

}  // namespace
}  // namespace edgemill

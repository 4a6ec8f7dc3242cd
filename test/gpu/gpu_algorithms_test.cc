// Every algorithm on the GPU against the CPU. Cases differ in hard graphs, directions, block sizes,
// modes, budgets, transfer engines, streams and threads.
#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

using GpuAlgorithms = GpuRuns;

TEST_F(GpuAlgorithms, HardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 2048u}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.block_edges = block_edges;
        const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
        for (NamedOptions run : AllRuns()) {
          run.options.gpu.loops = block_edges == 128;  // else few vertices take passes too
          for (int i = 0; i < 2; ++i) {
            const Transfer transfer = run.options.gpu.transfer = OneOf(kTransfers);
            ExpectSame(*graph, run, StrCat(hard.name, " by ", TransferName(transfer)));
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

TEST_F(GpuAlgorithms, ModesWeightsAndColumns) {
  const auto edges = RandomTestEdges(21, 3000, 30'000, 3);
  for (const WeightType weights :
       {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64}) {
    for (const bool directed : {true, false}) {
      for (const bool in_columns : {true, false}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.weights = weights;
        shape.in_columns = in_columns;
        shape.block_edges = 1024;
        shape.renumber_seed = 5;
        const auto graph = InMemoryGraph::Dense(3000, edges, shape);
        for (NamedOptions run : AllRuns()) {
          if (weights != WeightType::kNone && !run.weighted) continue;
          run.options.gpu.loops = in_columns;
          for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
            run.options.mode = mode;
            ExpectSame(*graph, run, "random");
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

/// Graphs whose lists of one direction have no weights. All programs run, weighted or not.
TEST_F(GpuAlgorithms, WeightsOfOneDirection) {
  const auto edges = RandomTestEdges(25, 3000, 30'000, 3);
  for (const WeightType weights : {WeightType::kInt32, WeightType::kFloat64}) {
    for (const bool out : {true, false}) {
      TestGraphOptions shape;
      shape.weights = weights;
      shape.out_weights = out;
      shape.in_weights = !out;
      shape.block_edges = 1024;
      const auto graph = InMemoryGraph::Dense(3000, edges, shape);
      for (NamedOptions run : AllRuns()) {
        for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
          run.options.mode = mode;
          run.options.gpu.transfer = OneOf(kTransfers);
          const Device device = OneOf(std::array{Device::kGpu, Device::kHybrid});
          ExpectSame(*graph, run, out ? "out-weights" : "in-weights", device);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

/// If the options name a transfer engine, only that engine brings blocks.
TEST_F(GpuAlgorithms, AskedEnginesAreTaken) {
  TestGraphOptions shape;
  shape.block_edges = 4096;
  const auto graph = InMemoryGraph::Dense(5000, RandomTestEdges(24, 5000, 200'000), shape);
  for (const Transfer asked : kTransfers) {
    if (asked == Transfer::kAuto) continue;
    for (const char* const algorithm : {"cc", "pagerank"}) {
      RunOptions options;
      options.algorithm = algorithm;
      options.device = Device::kGpu;
      options.gpu.transfer = asked;
      const Outcome outcome = RunInMemory(*graph, options);
      ASSERT_OK(outcome.status);
      TransferAccounts all;
      for (const IterationReport& iteration : outcome.report.iterations) {
        all.Add(iteration.transfers);
      }
      EXPECT_GT(all[asked].blocks, 0u) << TransferName(asked) << ", " << algorithm;
      EXPECT_EQ(all[asked].blocks, all.total().blocks) << TransferName(asked) << ", " << algorithm;
    }
  }
}

TEST_F(GpuAlgorithms, EveryEngineFromTheLeastBudgetUp) {
  std::vector<NamedOptions> runs = ShortRuns();
  for (NamedOptions& run : runs) {
    if (run.options.algorithm == "pagerank") run.options.values.Set("--iterations", 3);
  }
  ExpectSameByEveryEngine(std::move(runs));
}

/// Too little memory is detected before anything is read. Then Auto takes the CPU, with a note.
TEST_F(GpuAlgorithms, TooLittleIsRefusedBeforeReading) {
  const auto graph = InMemoryGraph::Dense(400'000, RandomTestEdges(26, 400'000, 400'000));
  for (NamedOptions run : ShortRuns()) {
    if (run.undirected || run.needs_weights) continue;
    run.options.gpu.gpu.memory_bytes = uint64_t{3} << 20;  // less than index and state take
    run.options.device = Device::kGpu;
    MemoryBudget budget(uint64_t{256} << 20);
    Progress progress;
    const auto refused = edgemill::Run(*graph, run.options, budget, progress,
                                       [](const GraphStore&, const BlockReaderOptions&,
                                          MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
                                         return InternalError("a reader was made");
                                       });
    EXPECT_EQ(refused.status().code(), Code::kBudget) << refused.status().message();
    EXPECT_NE(refused.status().message().find("--gpu-memory"), std::string_view::npos);
    run.options.device = Device::kAuto;
    const Outcome fallen = RunInMemory(*graph, run.options);
    ASSERT_OK(fallen.status);
    EXPECT_TRUE(fallen.report.gpu.empty());
    EXPECT_NE(fallen.report.gpu_fallback.find("--gpu-memory"), std::string::npos);
  }
}

TEST_F(GpuAlgorithms, JacobiIsTheSameBitForBit) {
  const auto graph = InMemoryGraph::Dense(2000, RandomTestEdges(23, 2000, 60'000, 3));
  RunOptions options;
  options.algorithm = "pagerank";
  options.values.Set("--iterations", 10);
  options.device = Device::kGpu;
  options.gpu.batch_bytes = uint64_t{1} << 16;
  const Outcome first = RunInMemory(*graph, options);
  ASSERT_OK(first.status);
  for (const Transfer transfer : kTransfers) {
    for (const uint32_t streams : {1u, 4u}) {
      options.gpu.transfer = transfer;
      options.gpu.num_batches = streams;
      const Outcome again = RunInMemory(*graph, options, streams + 10);
      ASSERT_OK(again.status);
      for (size_t i = 0; i < first.values.size(); ++i) {
        ASSERT_EQ(first.values[i].real, again.values[i].real) << i;
      }
    }
  }
}

/// Groups of weights that are all 0 take no words. The graph has such groups and others.
TEST_F(GpuAlgorithms, WeightsOfZero) {
  Random random(52);
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v < 5000; ++v) {
    for (int i = 0; i < 8; ++i) {
      edges.push_back({v, random.Below(5000), double(v / 100 % 4 == 0 ? random.Below(9) : 0)});
    }
  }
  const auto graph =
      InMemoryGraph::Dense(5000, edges, {.weights = WeightType::kInt32, .block_edges = 4096});
  for (const Transfer transfer : kTransfers) {
    for (const bool parents : {false, true}) {
      NamedOptions run{parents ? "parents" : "sssp", {}};
      run.options.algorithm = "sssp";
      run.options.values.Set("--source", 0);
      if (parents) run.options.values.Set("--parents", true);
      run.options.gpu.transfer = transfer;
      ExpectSame(*graph, run, StrCat("weights of zero by ", TransferName(transfer)));
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(GpuAlgorithms, ADamagedBlockIsNamed) {
  for (const std::string algorithm : {"bfs", "pagerank", "cc"}) {
    const auto graph = InMemoryGraph::Dense(700, RandomTestEdges(24, 700, 9000));
    RunOptions options;
    options.algorithm = algorithm;
    if (algorithm == "bfs") {
      options.values.Set("--source", 0);
      options.mode = Mode::kPush;  // visits every list
    }
    options.device = Device::kGpu;
    for (const ColumnKind column : {ColumnKind::kOutNeighbors, ColumnKind::kInNeighbors}) {
      // Changes the base in a group's header, so that ids are far beyond the last vertex.
      const auto payload = graph->mutable_payload(column, 20);
      for (int i = 0; i < 4; ++i) payload[i] = std::byte{0x77};
    }
    const Outcome outcome = RunInMemory(*graph, options);
    EXPECT_EQ(outcome.status.code(), Code::kBadData) << algorithm;
    EXPECT_NE(outcome.status.message().find("block 20"), std::string_view::npos)
        << outcome.status.message();
  }
}

/// Graphs on disk with a pinned block cache that holds all, a part or nothing of a graph. Raw
/// weights go with packed neighbours. Runs use every engine, on a GPU whose memory holds a part.
TEST_F(GpuAlgorithms, DiskAndPinnedCache) {
  const TemporaryDirectory directory;
  const TestCase graph{"random", 30'000, RandomTestEdges(31, 30'000, 1'000'000, 3)};
  for (const bool integers : {true, false}) {
    const auto path = BuildWeighted(graph, integers, 4096, directory);
    ASSERT_TRUE(path.ok()) << path.status().message();
    for (NamedOptions run : ShortRuns()) {
      if (run.undirected) continue;
      RunOptions options = run.options;
      const Outcome cpu = RunOnDisk(*path, options);
      ASSERT_OK(cpu.status);
      options.device = Device::kGpu;
      const auto least = LeastBudgetOf(*path, options);
      ASSERT_TRUE(least.ok());
      for (const Transfer transfer : kTransfers) {
        for (const uint64_t budget : {*least, *least + (2u << 20), uint64_t{256} << 20}) {
          options.gpu.transfer = transfer;
          const bool needs_all = transfer == Transfer::kResident || transfer == Transfer::kManaged;
          options.gpu.gpu.memory_bytes = needs_all ? uint64_t{64} << 20 : uint64_t{6} << 20;
          const Outcome gpu = RunOnDisk(*path, options, budget);
          const std::string name = StrCat(run.name, " by ", TransferName(transfer), " with ",
                                          budget >> 20, " MiB, integers ", integers);
          ASSERT_TRUE(gpu.status.ok()) << name << ": " << gpu.status.message();
          if (transfer == Transfer::kFilter || transfer == Transfer::kZeroCopy) {
            // Blocks are copied to the GPU from where reads or the cache have put them.
            EXPECT_EQ(gpu.report.timeline.BusySeconds(Worker::kHost), 0) << name;
          }
          for (size_t i = 0; i < cpu.values.size(); ++i) {
            ExpectNear(cpu.values[i].reached ? cpu.values[i].real : 0,
                       gpu.values[i].reached ? gpu.values[i].real : 0, name, i,
                       std::max(2e-8, run.rounding));
            ASSERT_FALSE(HasFailure());
            if (run.name != "parents") {
              ASSERT_EQ(cpu.values[i].integer, gpu.values[i].integer) << name << ", vertex " << i;
            }
          }
        }
      }
    }
  }
}

/// If the GPU fails before work starts, `auto` takes the CPU, with a note. Later it is an error.
TEST_F(GpuAlgorithms, AutoTakesTheCpuBeforeWorkStartsOnly) {
  const auto graph = InMemoryGraph::Dense(500, RandomTestEdges(29, 500, 4000));
  RunOptions options = AllRuns().front().options;
  options.device = Device::kAuto;
  options.gpu.gpu.fail_call = 0;
  int num_fallen = 0;
  int num_failed = 0;
  for (bool took_gpu = false; !took_gpu; options.gpu.gpu.fail_call = num_fallen + num_failed) {
    ASSERT_LT(num_failed, 5000);
    const Outcome outcome = RunInMemory(*graph, options);
    if (!outcome.status.ok()) {
      ASSERT_EQ(outcome.status.code(), Code::kGpu) << outcome.status.message();
      ++num_failed;
      continue;
    }
    took_gpu = !outcome.report.gpu.empty();
    if (took_gpu) continue;
    EXPECT_EQ(num_failed, 0) << "call " << num_fallen + num_failed;
    EXPECT_NE(outcome.report.gpu_fallback, "");
    ++num_fallen;
  }
  EXPECT_GT(num_fallen, 3);
  EXPECT_GT(num_failed, 20);
}

/// Any call may fail for lack of memory.
TEST_F(GpuAlgorithms, EachCallMayLackMemory) {
  const auto graph = InMemoryGraph::Dense(500, RandomTestEdges(28, 500, 4000));
  NamedOptions run = AllRuns().front();
  run.options.gpu.gpu.fail_error = kOutOfGpuMemory;
  for (const Transfer transfer : {Transfer::kAuto, Transfer::kManaged}) {
    run.options.gpu.transfer = transfer;
    ExpectErrorOrAnswer(*graph, run, Device::kGpu);
    ASSERT_FALSE(HasFailure());
  }
}

/// The nth call of CUDA fails, for n = 0, 1, 2, ... Every program runs with resident and with
/// copied blocks. One program also runs with gathered, zero-copied and managed blocks.
TEST_F(GpuAlgorithms, EachCallMayFail) {
  const auto edges = RandomTestEdges(25, 500, 4000);
  for (NamedOptions run : ShortRuns()) {
    if (run.needs_weights) continue;
    const auto graph = InMemoryGraph::Dense(500, edges, {.directed = !run.undirected});
    if (run.options.algorithm == "pagerank" || run.options.values.Has("--iterations")) {
      run.options.values.Set("--iterations", 2);
    }
    for (const Transfer transfer : kTransfers) {
      const bool common = transfer == Transfer::kResident || transfer == Transfer::kFilter;
      if (transfer == Transfer::kAuto || (!common && run.name != "bfs")) continue;
      run.options.gpu.transfer = transfer;
      ExpectErrorOrAnswer(*graph, run, Device::kGpu);
      ASSERT_FALSE(HasFailure());
    }
  }
}

}  // namespace
}  // namespace edgemill

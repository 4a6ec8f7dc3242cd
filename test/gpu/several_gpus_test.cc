// Runs on several GPUs against the CPU: passes are forced to be shared, with even and uneven ranges
// of vertices. On a machine of one GPU, all of them are that one.
#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

class SeveralGpus : public GpuRuns {
 protected:
  /// Makes `options` take `count` GPUs, of those that there are.
  static void Take(int count, RunOptions* options) {
    options->gpu.helpers.ordinals.clear();
    for (int i = 1; i < count; ++i) options->gpu.helpers.ordinals.push_back(i % Gpu::Count());
  }
};

TEST_F(SeveralGpus, HardGraphs) {
  for (const TestCase& hard : HardGraphs()) {
    for (const bool directed : {true, false}) {
      for (const uint32_t block_edges : {128u, 2048u}) {
        TestGraphOptions shape;
        shape.directed = directed;
        shape.block_edges = block_edges;
        const auto graph = InMemoryGraph::Dense(hard.num_vertices, hard.edges, shape);
        for (NamedOptions run : AllRuns()) {
          run.options.threads = 2;
          Take(OneOf(std::array{2, 3, 4}), &run.options);
          run.options.gpu.helpers.out_of_reach = OneOf(std::array{true, false});
          run.options.hybrid = {.random_seed = Seed()};
          ExpectSame(*graph, run, StrCat(hard.name, ", uneven"));
          Share(1, &run);
          run.options.gpu.transfer = OneOf(kTransfers);
          ExpectSame(*graph, run, StrCat(hard.name, ", even"));
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

TEST_F(SeveralGpus, ModesAndWeights) {
  const auto edges = RandomTestEdges(71, 3000, 30'000, 3);
  for (const WeightType weights : {WeightType::kNone, WeightType::kInt32, WeightType::kFloat64}) {
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
        for (const Mode mode : {Mode::kAuto, Mode::kPull, Mode::kPush}) {
          run.options.mode = mode;
          for (const int gpus : {2, 3}) {
            Take(gpus, &run.options);
            Share(1, &run);
            ExpectSame(*graph, run, StrCat("random, ", gpus, " GPUs"));
            run.options.hybrid = {.random_seed = Seed()};
            ExpectSame(*graph, run, StrCat("random, uneven, ", gpus, " GPUs"));
          }
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

/// Graphs that do not fit a GPU's memory: blocks come and go on each.
TEST_F(SeveralGpus, EdgesBeyondTheirMemory) {
  TestGraphOptions shape;
  shape.block_edges = 4096;
  shape.weights = WeightType::kInt32;
  const auto graph = InMemoryGraph::Dense(40'000, RandomTestEdges(72, 40'000, 1'500'000), shape);
  for (NamedOptions run : ShortRuns()) {
    if (run.options.algorithm == "pagerank") run.options.values.Set("--iterations", 3);
    run.options.threads = 4;
    Share(1, &run);
    Take(2, &run.options);
    int worked = 0;
    for (uint64_t mebibytes = 2; mebibytes <= 14; mebibytes += 3) {
      run.options.gpu.gpu.memory_bytes = mebibytes << 20;
      run.options.gpu.transfer = Transfer::kAuto;
      run.options.device = Device::kGpu;
      if (worked == 0 && RunInMemory(*graph, run.options).status.code() == Code::kBudget) continue;
      ++worked;
      for (const Transfer transfer : {Transfer::kAuto, Transfer::kFilter, Transfer::kZeroCopy}) {
        run.options.gpu.transfer = transfer;
        ExpectSame(*graph, run, StrCat(mebibytes, " MiB by ", TransferName(transfer)));
        ASSERT_FALSE(HasFailure());
      }
    }
    EXPECT_GT(worked, 1) << run.name;
  }
}

/// A call of CUDA that fails on any GPU ends the run with an error.
TEST_F(SeveralGpus, CallsThatFail) {
  const auto graph = InMemoryGraph::Dense(300, RandomTestEdges(73, 300, 3000));
  for (const char* const algorithm : {"pagerank", "sssp"}) {
    NamedOptions run = Named(algorithm, algorithm);
    if (run.name == "sssp") run.options.values.Set("--source", 0);
    if (run.name == "pagerank") run.options.values.Set("--iterations", 2);
    Share(1, &run);
    Take(2, &run.options);
    ExpectErrorOrAnswer(*graph, run, Device::kGpu);
  }
}

TEST_F(SeveralGpus, BadInput) {
  const auto graph = InMemoryGraph::Dense(300, RandomTestEdges(74, 300, 3000));
  RunOptions options;
  options.algorithm = "cc";
  options.device = Device::kGpu;
  options.gpu.helpers.ordinals = {Gpu::Count()};
  EXPECT_EQ(RunInMemory(*graph, options).status.code(), Code::kGpu);
  options.gpu.helpers.ordinals = {0};
  options.device = Device::kHybrid;
  EXPECT_EQ(RunInMemory(*graph, options).status.code(), Code::kUsage);
}

}  // namespace
}  // namespace edgemill

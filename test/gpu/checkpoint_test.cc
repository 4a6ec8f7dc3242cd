// Checkpoints of runs on a GPU, on a GPU and the CPU, and on the CPU. A run that was killed at a
// boundary goes on on each of these devices.
#include <vector>

#include "test/engine/checkpoint/checkpoint_runs.h"
#include "test/gpu/gpu_runs.h"

namespace edgemill {
namespace {

constexpr Device kDevices[] = {Device::kGpu, Device::kHybrid, Device::kCpu};

class GpuCheckpoint : public GpuRuns {
 protected:
  /// Runs `run` on `device` with checkpoints at all boundaries. Then goes on from some of them,
  /// each time on another device. Answers must be those of an uninterrupted run on the CPU.
  void ExpectResumable(const InMemoryGraph& graph, const NamedOptions& run, Device device) {
    if (run.undirected && graph.info().directed) return;
    RunOptions options = run.options;
    options.threads = 3;
    options.device = Device::kCpu;
    const Outcome want = RunInMemory(graph, options);
    if (!want.status.ok()) return;  // the graph is not for this algorithm
    const ScratchInMemory scratch;
    const auto with_checkpoints = [&](const CheckpointOptions& checkpoints) {
      options.device = device;
      options.checkpoints = checkpoints;
      ExpectEqual(RunInMemory(graph, options), want, run, "with checkpoints");
    };
    constexpr uint64_t kStep = 5;  // a search by levels has hundreds of boundaries
    const auto copies = CopiesAtBoundaries(scratch, with_checkpoints, kStep);
    EXPECT_FALSE(copies.empty()) << run.name;
    constexpr size_t kMostTried = 12;
    const size_t step = copies.size() / kMostTried + 1;
    for (size_t i = num_resumed_ % step; i < copies.size() && !HasFailure(); i += step) {
      ++num_resumed_;
      options.checkpoints = {.directory = copies[i], .resume = true};
      options.device = OneOf(kDevices);
      options.verify = true;
      ExpectEqual(
          RunInMemory(graph, options), want, run,
          StrCat("from boundary ", i, " of ", copies.size(), ", on device ",
                 static_cast<int>(device), ", to device ", static_cast<int>(options.device)));
    }
  }
  uint64_t num_resumed_ = 0;

 private:
  void ExpectEqual(const Outcome& got, const Outcome& want, const NamedOptions& run,
                   const std::string& where) {
    const std::string name = StrCat(run.name, ", ", where);
    ASSERT_TRUE(got.status.ok()) << name << ": " << got.status.message();
    ASSERT_EQ(got.values.size(), want.values.size()) << name;
    for (size_t i = 0; i < want.values.size(); ++i) {
      ASSERT_EQ(got.values[i].reached, want.values[i].reached) << name << ", vertex " << i;
      ExpectNear(want.values[i].real, got.values[i].real, name, i,
                 std::max(kTolerance, run.rounding));
      if (run.name == "parents") continue;  // trees may differ; the verifier has checked it
      ASSERT_EQ(got.values[i].integer, want.values[i].integer) << name << ", vertex " << i;
    }
  }
};

TEST_F(GpuCheckpoint, KilledOnEachDeviceAndResumedOnEach) {
  TestCase grid = WeightedGrid(40);
  for (const TestEdge& edge : RandomTestEdges(77, 1500, 6000, 3)) grid.edges.push_back(edge);
  for (const bool directed : {true, false}) {
    TestGraphOptions shape;
    shape.directed = directed;
    shape.weights = WeightType::kInt32;
    shape.block_edges = 512;
    const auto graph = InMemoryGraph::Dense(grid.num_vertices, grid.edges, shape);
    for (const NamedOptions& run : AllRuns()) {
      for (const Device device : kDevices) {
        ExpectResumable(*graph, run, device);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
  std::printf("resumed %llu times\n", static_cast<unsigned long long>(num_resumed_));
  EXPECT_GT(num_resumed_, 100u);
}

/// Asynchronous passes, blocks that are not all on the GPU, and launches of many passes.
TEST_F(GpuCheckpoint, WaysToAGpu) {
  TestCase road = WeightedGrid(60);
  TestGraphOptions shape;
  shape.directed = false;
  shape.weights = WeightType::kInt32;
  shape.block_edges = 1024;
  const auto graph = InMemoryGraph::Dense(road.num_vertices, road.edges, shape);
  for (const Transfer transfer : kTransfers) {
    for (NamedOptions run : AllRuns()) {
      if (run.options.algorithm == "closeness") continue;
      run.options.gpu.transfer = transfer;
      ExpectResumable(*graph, run, OneOf(std::array{Device::kGpu, Device::kHybrid}));
      if (MayRunAsynchronously(run.options)) {
        run.options.async_passes = 8;
        ExpectResumable(*graph, run, Device::kGpu);
      }
      ASSERT_FALSE(HasFailure());
    }
  }
}

}  // namespace
}  // namespace edgemill

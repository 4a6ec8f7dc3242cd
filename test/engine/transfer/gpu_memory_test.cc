// The memory that a run needs on a GPU, computed from counts. Runs that need too much are refused
// before they start.
#include <gtest/gtest.h>

#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/gpu/workspace/device_needs.h"
#include "test/engine_testing.h"
#include "test/named_budget.h"

namespace edgemill {
namespace {

constexpr int kMultiprocessors = 132;

/// Runs of every algorithm and method, with their options.
std::vector<RunOptions> AllRuns() {
  std::vector<RunOptions> runs(6);
  runs[0].algorithm = "bfs";
  runs[1].algorithm = "bfs";
  runs[1].values.Set("--parents", true);
  runs[2].algorithm = "sssp";
  runs[3].algorithm = "cc";
  runs[4].algorithm = "pagerank";
  runs[5].algorithm = "pagerank";
  runs[5].values.Set("--method", "delta");
  for (int i = 0; i < 3; ++i) runs[i].values.Set("--source", 0);
  return runs;
}

DeviceNeeds NeedsOf(const InMemoryGraph& graph, const RunOptions& options) {
  const auto state = FindAlgorithm(options.algorithm)
                         ->driver.make_state({graph.info(), options.values, options.threads});
  return DeviceNeedsOf(*state, graph, options.mode, options.async_passes.value_or(0));
}

uint64_t ArraysBytes(const InMemoryGraph& graph, const DeviceNeeds& needs) {
  ArenaPlan arena;
  PassArrays arrays;
  arrays.Plan(graph.info(), needs, &arena);
  return arena.bytes();
}

Status Check(const InMemoryGraph& graph, const RunOptions& options, uint64_t bytes) {
  DeviceNeeds needs = NeedsOf(graph, options);
  return FitGpu(graph, options.gpu, {bytes, 0, kMultiprocessors}, &needs);
}

uint64_t NamedIn(const Status& refusal) {
  const uint64_t named = NamedMebibytes(refusal.message(), "--gpu-memory");
  EXPECT_GT(named, 0u) << refusal.message();
  return named;
}

std::unique_ptr<InMemoryGraph> RandomGraph(WeightType weights = WeightType::kInt32,
                                           bool directed = true) {
  TestGraphOptions shape;
  shape.block_edges = 4096;
  shape.weights = weights;
  shape.directed = directed;
  return InMemoryGraph::Dense(100'000, RandomTestEdges(41, 100'000, 900'000), shape);
}

TEST(DeviceMemory, TheNamedMemoryWorksAndLessDoesNot) {
  for (const bool directed : {true, false}) {
    const auto graph = RandomGraph(WeightType::kInt32, directed);
    for (RunOptions options : AllRuns()) {
      for (const Transfer transfer :
           {Transfer::kAuto, Transfer::kResident, Transfer::kFilter, Transfer::kCompaction,
            Transfer::kZeroCopy, Transfer::kManaged, Transfer::kSubCsr}) {
        options.gpu.transfer = transfer;
        const Status refused = Check(*graph, options, 0);
        ASSERT_EQ(refused.code(), Code::kBudget);
        const uint64_t least = NamedIn(refused);
        EXPECT_TRUE(Check(*graph, options, least * kMebibyte).ok()) << options.algorithm;
        const Status less = Check(*graph, options, (least - 2) * kMebibyte);
        EXPECT_EQ(less.code(), Code::kBudget) << options.algorithm;
        EXPECT_EQ(NamedIn(less), least);
      }
    }
  }
}

/// State and index must fit, but edges need not. A vertex takes 4 bytes of level and 4 of index.
TEST(DeviceMemory, StateThatDoesNotFitIsRefused) {
  const auto graph = InMemoryGraph::Dense(3'000'000, {{0, 1}});
  RunOptions options;
  options.algorithm = "bfs";
  options.values.Set("--source", 0);
  const uint64_t state = 3'000'000 * 12;  // two indexes
  EXPECT_EQ(Check(*graph, options, state).code(), Code::kBudget);
  EXPECT_TRUE(Check(*graph, options, state + 8 * kMebibyte).ok());
}

TEST(DeviceMemory, ResidentNeedsAllEdges) {
  const auto graph = RandomGraph(WeightType::kNone);
  RunOptions options;
  options.algorithm = "pagerank";
  const uint64_t some = NamedIn(Check(*graph, options, 0));
  options.gpu.transfer = Transfer::kResident;
  const Status refused = Check(*graph, options, 0);
  EXPECT_GE(
      NamedIn(refused) * kMebibyte,
      some * kMebibyte + graph->column(ColumnKind::kInNeighbors).payload_bytes - 2 * kMebibyte);
  EXPECT_NE(refused.message().find("all edges"), std::string_view::npos);
}

TEST(DeviceMemory, ModesAskForTheirArrays) {
  const auto graph = RandomGraph(WeightType::kNone);
  RunOptions options;
  options.algorithm = "pagerank";
  const DeviceNeeds pull = NeedsOf(*graph, options);
  EXPECT_TRUE(pull.scanned.in && !pull.scanned.out && pull.degrees[0]);
  options.mode = Mode::kPush;
  const DeviceNeeds push = NeedsOf(*graph, options);
  EXPECT_TRUE(push.scanned.out && !push.scanned.in);
  EXPECT_TRUE(push.sums && !pull.sums);
  DeviceNeeds without = push;
  without.sums = false;
  EXPECT_GE(ArraysBytes(*graph, push), ArraysBytes(*graph, without) + 100'000u * 8);
  options = {};
  options.algorithm = "sssp";
  options.values.Set("--source", 0);
  const DeviceNeeds sssp = NeedsOf(*graph, options);
  EXPECT_TRUE(sssp.programs[0].has_priority && !sssp.scanned.weighted);
  EXPECT_TRUE(NeedsOf(*RandomGraph(), options).scanned.weighted);
}

TEST(DeviceMemory, WhatIsUsedAlreadyCounts) {
  const auto graph = RandomGraph();
  RunOptions options;
  options.algorithm = "cc";
  DeviceNeeds needs = NeedsOf(*graph, options);
  const uint64_t least = NamedIn(Check(*graph, options, 0)) * kMebibyte;
  const DeviceMemory used{least, 4 * kMebibyte, kMultiprocessors};
  const Status refused = FitGpu(*graph, options.gpu, used, &needs);
  ASSERT_EQ(refused.code(), Code::kBudget);
  EXPECT_EQ(NamedIn(refused) * kMebibyte, least + 4 * kMebibyte);
}

/// A batch holds its staging buffer for some time, however small it is. So if little memory is left
/// for edges, half of it is for staging.
TEST(DeviceMemory, StagingBuffersKeepTheLinkBusy) {
  const auto graph = RandomGraph();
  RunOptions options;
  options.algorithm = "sssp";
  options.values.Set("--source", 0);
  const DeviceNeeds needs = NeedsOf(*graph, options);
  constexpr uint64_t kFixed = 8 * kMebibyte;
  const auto share_out = [&](uint64_t left) {
    return ShareOutDeviceMemory(*graph, needs.scanned, options.gpu,
                                {kFixed + left, 0, kMultiprocessors}, kFixed);
  };
  const auto little = share_out(2 * kMebibyte);
  ASSERT_TRUE(little.ok()) << little.status().message();
  EXPECT_FALSE(little->all_fits);
  EXPECT_EQ(little->staging_bytes, kMebibyte);
  EXPECT_EQ(little->resident_bytes, kMebibyte);
  const auto much = share_out(64 * kMebibyte);
  ASSERT_TRUE(much.ok());
  EXPECT_TRUE(much->all_fits);
  EXPECT_EQ(much->staging_bytes, 0u);
}

/// More warp tiles than 32 bits can count are refused, for GPUs only.
TEST(DeviceMemory, TooManyRunsAreRefused) {
  class Huge : public GraphStore {
   public:
    Huge() {
      info_.num_vertices = 1000;
      info_.num_edges = EdgeIndex{1} << 41;
      info_.block_edges = 128;
    }
  } const huge;
  DeviceNeeds nothing;
  const Status refused = FitGpu(huge, {}, {uint64_t{1} << 50, 0, kMultiprocessors}, &nothing);
  EXPECT_EQ(refused.code(), Code::kUsage);
  EXPECT_NE(refused.message().find("--block-edges"), std::string_view::npos);
}

}  // namespace
}  // namespace edgemill

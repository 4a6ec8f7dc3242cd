// Heat, circuits and neural networks against the same iterations on plain arrays, in doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "test/simulation_cases.h"

namespace edgemill {
namespace {

class Simulations : public testing::TestWithParam<std::tuple<std::string, Mode, int>> {};

TEST_P(Simulations, DoWhatPlainIterationsDo) {
  const auto& [name, mode, threads] = GetParam();
  RunOptions options;
  options.device = Device::kCpu;
  options.mode = mode;
  options.threads = threads;
  ExpectPlainSimulation(name, options);
}

INSTANTIATE_TEST_SUITE_P(All, Simulations,
                         testing::Combine(testing::Values("hs", "cs", "nn"),
                                          testing::Values(Mode::kAuto, Mode::kPush, Mode::kPull),
                                          testing::Values(1, 3)),
                         [](const auto& info) {
                           return StrCat(std::get<0>(info.param), "_",
                                         ModeName(std::get<1>(info.param)), "_",
                                         std::get<2>(info.param));
                         });

/// A heat of 1 in one vertex of a cycle spreads evenly, and the run says so.
TEST(SimulationRuns, SettleAndWarn) {
  constexpr uint64_t kVertices = 9;
  TestCase cycle{"cycle", kVertices, {}};
  for (uint64_t v = 0; v < kVertices; ++v) cycle.edges.push_back({v, (v + 1) % kVertices, 1});
  const auto store = InMemoryGraph::Dense(kVertices, cycle.edges,
                                          {.directed = false, .weights = WeightType::kInt32});
  RunOptions options;
  options.device = Device::kCpu;
  options.verify = true;
  SimulationStart start = SimulationStart::Of(kVertices, 1, false);
  std::fill(start.value.begin(), start.value.end(), 0);
  start.value[3] = kVertices;
  for (const bool circuit : {false, true}) {
    options.algorithm = circuit ? "cs" : "hs";
    start.fixed[5] = circuit ? std::optional(1.0) : std::nullopt;
    options.values = {{"--tolerance", 1e-5}, {"--scale", .25}};
    if (circuit) options.values.Remove("--scale");
    start.SetIn(&options.values);
    const Outcome settled = RunInMemory(*store, options);
    ASSERT_TRUE(settled.status.ok()) << settled.status.message();
    EXPECT_TRUE(settled.warnings.empty());
    for (const VertexValue& value : settled.values) EXPECT_NEAR(1, value.real, 1e-3);
    options.values.Set("--iterations", 3);
    const Outcome stopped = RunInMemory(*store, options);
    ASSERT_TRUE(stopped.status.ok()) << stopped.status.message();
    EXPECT_EQ(1u, stopped.warnings.size());
  }
}

TEST(SimulationRuns, RefuseWhatTheyCannotTake) {
  const auto graph = [](std::vector<TestEdge> edges, WeightType weights) {
    return InMemoryGraph::Dense(3, edges, {.weights = weights});
  };
  const auto status = [&](const InMemoryGraph& store, std::string name, OptionValues values) {
    RunOptions options;
    options.algorithm = std::move(name);
    options.device = Device::kCpu;
    options.values = std::move(values);
    return RunInMemory(store, options).status;
  };
  const auto whole = graph({{0, 1, 1}, {1, 2, 2}, {2, 0, 3}}, WeightType::kInt32);
  const auto negative = graph({{0, 1, -1}, {1, 2, 2}}, WeightType::kFloat64);
  const auto plain = graph({{0, 1, 1}, {1, 2, 1}}, WeightType::kNone);
  EXPECT_EQ(Code::kUsage, status(*negative, "hs", {}).code());
  EXPECT_EQ(Code::kUsage, status(*negative, "cs", {}).code());
  EXPECT_TRUE(status(*negative, "nn", {}).ok());
  EXPECT_EQ(Code::kUsage, status(*plain, "nn", {}).code());
  EXPECT_TRUE(status(*plain, "hs", {}).ok());
  EXPECT_EQ(Code::kUsage, status(*whole, "hs", {{"--scale", -1.0}}).code());
  EXPECT_EQ(Code::kUsage, status(*whole, "cs", {{"--tolerance", -1.0}}).code());
  const auto expect_bad = [&](const Status& got, std::string_view says) {
    EXPECT_EQ(Code::kBadData, got.code());
    EXPECT_NE(std::string::npos, got.message().find(says)) << got.message();
  };
  expect_bad(status(*whole, "hs", {{"--scale", 1e30}}), "the value of vertex ");
  expect_bad(status(*whole, "nn", {{"--values", ValuesOf({{0, 1}, {2, 1}})}}),
             "values: has no value for vertex 1");
  expect_bad(status(*whole, "nn", {{"--values", ValuesOf({{0, 1}, {1, 1}, {2, 1}, {7, 1}})}}),
             "values: 7 is no vertex of memory.mill");
  expect_bad(status(*whole, "cs", {{"--fixed", ValuesOf({{3, 1}})}}), "3 is no vertex");
}

}  // namespace
}  // namespace edgemill

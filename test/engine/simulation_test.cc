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

/// With --gain, weights of any size are as if they had been scaled by the roots of in-degrees.
TEST(SimulationRuns, GainScalesByInDegree) {
  for (const bool directed : {true, false}) {
    constexpr uint64_t kVertices = 300;  // and some without edges
    TestCase graph{"random", kVertices, RandomTestEdges(5, kVertices - 9, 6000, 3)};
    Random random(8);
    for (TestEdge& edge : graph.edges) edge.weight = static_cast<double>(random.Below(511)) - 255;
    const auto store = InMemoryGraph::Dense(kVertices, graph.edges,
                                            {.directed = directed, .weights = WeightType::kInt32});
    RunOptions options{.algorithm = "nn", .device = Device::kCpu, .verify = true};
    const SimulationStart start = SimulationStart::Of(kVertices, 3, false);
    start.SetIn(&options.values);
    options.values.Set("--iterations", 12);
    options.values.Set("--gain", 0.01);
    std::vector<TestEdge> both = graph.edges;
    for (const TestEdge& edge : graph.edges) {
      if (!directed && edge.source != edge.target) {
        both.push_back({edge.target, edge.source, edge.weight});
      }
    }
    std::vector<double> in_degree(kVertices);
    for (const TestEdge& edge : both) ++in_degree[edge.target];
    for (TestEdge& edge : both) edge.weight *= 0.01 / std::sqrt(in_degree[edge.target]);
    const TestCase scaled{"scaled", kVertices, both};
    const Outcome with = RunInMemory(*store, options);
    ExpectValues(with, PlainSimulation("nn", scaled, true, start, 12));
    EXPECT_TRUE(with.warnings.empty());
    options.values.Remove("--gain");
    const Outcome without = RunInMemory(*store, options);
    const auto near_one =
        std::count_if(without.values.begin(), without.values.end(),
                      [](const VertexValue& value) { return std::abs(value.real) > .99; });
    EXPECT_GT(2 * static_cast<uint64_t>(near_one), kVertices);
    ASSERT_EQ(1u, without.warnings.size());
    EXPECT_NE(std::string::npos,
              without.warnings[0].find("over half of the values are above 0.99"));
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

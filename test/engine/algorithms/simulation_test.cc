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

/// Heat of 1 in one vertex of a cycle spreads until it is even, and the run reports that.
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

/// With --gain, results are the same as with weights scaled by the roots of in-degrees.
TEST(SimulationRuns, GainScalesByInDegree) {
  for (const bool directed : {true, false}) {
    constexpr uint64_t kVertices = 300;  // some have no edges
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

/// If all weights are multiplied by a number of any size, values stay the same. The verifier
/// detects other values.
TEST(SimulationRuns, WeightsOfAnySizeCount) {
  constexpr uint64_t kVertices = 120;
  for (const bool directed : {true, false}) {
    TestCase graph{"random", kVertices, RandomTestEdges(17, kVertices, 700)};
    const SimulationStart start = SimulationStart::Of(kVertices, 5, false);
    for (const std::string name : {"hs", "cs"}) {
      const std::vector<double> want = PlainSimulation(name, graph, directed, start, 6);
      for (const double unit : {1e-320, 1e-305, 1e-300, 1e-40, 1e40, 1e300, 1.7e306}) {
        SCOPED_TRACE(StrCat(name, directed ? " directed " : " ", unit));
        TestCase scaled = graph;
        // Scales by a power of two near the unit, because that does not round.
        const int power = std::ilogb(unit);
        for (TestEdge& edge : scaled.edges) edge.weight = std::ldexp(edge.weight, power);
        const auto store = InMemoryGraph::Dense(
            kVertices, scaled.edges, {.directed = directed, .weights = WeightType::kFloat64});
        RunOptions options{.algorithm = name, .device = Device::kCpu, .verify = true};
        start.SetIn(&options.values);
        options.values.Set("--iterations", 6);
        const Outcome outcome = RunInMemory(*store, options);
        ExpectValues(outcome, want);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

/// Conductances in one graph that differ by many orders of magnitude. Each vertex weighs only its
/// own edges.
TEST(SimulationRuns, WeightsFarApartCount) {
  const auto run = [&](std::vector<TestEdge> edges, const std::string& name, OptionValues values) {
    const auto store = InMemoryGraph::Dense(5, edges, {.weights = WeightType::kFloat64});
    RunOptions options{.algorithm = name, .device = Device::kCpu, .verify = true};
    options.values = std::move(values);
    options.values.Set("--iterations", 1);
    return RunInMemory(*store, options);
  };
  const ValueRows rows = {{0, 2}, {1, 5}, {2, 7}, {3, 1}, {4, 4}};
  const std::vector<TestEdge> edges = {{0, 1, 1e-100}, {2, 1, 3e-100},  {0, 2, 2e100},
                                       {1, 2, 2e100},  {0, 3, 1.7e308}, {1, 3, 1.7e308}};
  const Outcome circuit =
      run({edges.begin(), edges.begin() + 4}, "cs", {{"--values", ValuesOf(rows)}});
  ExpectValues(circuit, {2, 5.75, 3.5, 1, 4});
  // The values follow from the formula, also with small products. Floats hold values this small.
  const Outcome small =
      run({{0, 1, 1e-30}, {2, 1, 3e-30}}, "cs",
          {{"--values", ValuesOf({{0, 1e-12}, {1, 2e-12}, {2, 5e-12}, {3, 0}, {4, 0}})}});
  ASSERT_TRUE(small.status.ok()) << small.status.message();
  EXPECT_NEAR(4e-12, small.values[1].real, 4e-18);
  const Outcome lost = run(edges, "cs", {{"--values", ValuesOf(rows)}});
  EXPECT_EQ(Code::kBadData, lost.status.code());
  EXPECT_NE(std::string::npos, lost.status.message().find("the conductances of vertex 1 are less"))
      << lost.status.message();
  // Heat flows slowly over an edge that is weak compared with the largest weight.
  const Outcome heat = run(edges, "hs", {{"--values", ValuesOf(rows)}});
  ExpectValues(heat, {2, 5, 7, 3.5, 4});
  // An edge of weight 1e-300, with a scale of 1e300.
  const Outcome scaled =
      run({{0, 1, 1e-300}}, "hs", {{"--values", ValuesOf(rows)}, {"--scale", .5e300}});
  ExpectValues(scaled, {2, 3.5, 7, 1, 4});
  // Activations with weights that floats cannot hold. The gain scales them back.
  const Outcome network = run({{0, 1, 1e300}, {2, 1, -2e300}}, "nn",
                              {{"--values", ValuesOf(rows)}, {"--gain", 1e-301}});
  ExpectValues(network, {0, std::tanh(-1.2 / std::sqrt(2)), 0, 0, 0});
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
             "values: 7 is not a vertex of memory.mill");
  expect_bad(status(*whole, "cs", {{"--fixed", ValuesOf({{3, 1}})}}), "3 is not a vertex");
  expect_bad(status(*whole, "hs", {{"--values", ValuesOf({{0, 1}, {1, -1e39}, {2, 1}})}}),
             "the value of vertex 1 is above 3.4");
  expect_bad(status(*whole, "hs", {{"--values", ValuesOf({{0, 1e-39}, {1, 0}, {2, 1e-300}})}}),
             "no value is above 1.17");
}

}  // namespace
}  // namespace edgemill

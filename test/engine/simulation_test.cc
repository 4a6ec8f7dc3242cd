// Heat, circuits and neural networks against the same iterations on plain arrays, in doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

using Rows = std::vector<InputValues::Row>;

InputValues ValuesOf(Rows rows) { return {"values", std::make_shared<Rows>(std::move(rows))}; }

/// What a run starts from.
struct Start {
  std::vector<double> value;
  std::vector<std::optional<double>> fixed;  // of circuits

  static Start Of(uint64_t num_vertices, uint64_t seed, bool fixes) {
    Random random(seed);
    Start start;
    for (uint64_t v = 0; v < num_vertices; ++v) {
      start.value.push_back(2 * random.Unit() - 1);
      start.fixed.emplace_back();
      if (fixes && random.Below(5) == 0) start.fixed.back() = 4 * random.Unit() - 2;
    }
    return start;
  }
  void SetIn(OptionValues* values) const {
    Rows all, some;
    for (uint64_t v = 0; v < value.size(); ++v) {
      all.emplace_back(v, value[v]);
      if (fixed[v].has_value()) some.emplace_back(v, *fixed[v]);
    }
    values->Set("--values", ValuesOf(std::move(all)));
    if (!some.empty()) values->Set("--fixed", ValuesOf(std::move(some)));
  }
};

std::vector<double> Plain(const std::string& name, const TestCase& graph, bool directed,
                          const Start& start, uint32_t iterations, double scale = 0) {
  std::vector<TestEdge> edges = graph.edges;
  if (!directed) {
    for (const TestEdge& edge : graph.edges) {
      if (edge.source != edge.target) edges.push_back({edge.target, edge.source, edge.weight});
    }
  }
  std::vector<double> weights(graph.num_vertices), value = start.value;
  for (const TestEdge& edge : edges) weights[edge.target] += edge.weight;
  if (scale == 0 && !weights.empty()) {
    const double most = *std::max_element(weights.begin(), weights.end());
    scale = most > 0 ? 1 / most : 0;
  }
  for (uint64_t v = 0; v < value.size(); ++v) value[v] = start.fixed[v].value_or(value[v]);
  for (uint32_t i = 0; i < iterations; ++i) {
    std::vector<double> sum(value.size());
    for (const TestEdge& edge : edges) {
      const double flows =
          name == "hs" ? value[edge.source] - value[edge.target] : value[edge.source];
      sum[edge.target] += edge.weight * flows;
    }
    for (uint64_t v = 0; v < value.size(); ++v) {
      if (name == "hs") value[v] += scale * sum[v];
      if (name == "nn") value[v] = std::tanh(sum[v]);
      if (name == "cs" && weights[v] != 0 && !start.fixed[v].has_value()) {
        value[v] = sum[v] / weights[v];
      }
    }
  }
  return value;
}

/// Weights of both signs, scaled by the root of the in-degree: else all activations are near 1.
void ScaleForNetwork(TestCase* graph, bool directed) {
  std::vector<double> degree(graph->num_vertices);
  for (const TestEdge& edge : graph->edges) {
    ++degree[edge.target];
    if (!directed) ++degree[edge.source];
  }
  Random random(91);
  for (TestEdge& edge : graph->edges) {
    const double most = std::max(degree[edge.source], degree[edge.target]);
    edge.weight = 2 * (2 * random.Unit() - 1) / std::sqrt(std::max(1.0, most));
  }
}

/// The hard graphs, and some with weights of zero, equal ones and fractions.
std::vector<TestCase> Graphs() {
  std::vector<TestCase> graphs = HardGraphs();
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const uint64_t vertices = 1 + random.Below(90);
    TestCase graph{StrCat("random ", seed), vertices,
                   RandomTestEdges(seed, vertices, random.Below(4 * vertices))};
    for (TestEdge& edge : graph.edges) {
      if (seed % 4 == 0) edge.weight = static_cast<double>(random.Below(3));
      if (seed % 4 == 1) edge.weight = 1;
      if (seed % 4 == 2) edge.weight = random.Unit();
    }
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

void ExpectValues(const Outcome& outcome, const std::vector<double>& want) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(want.size(), outcome.values.size());
  for (uint64_t v = 0; v < want.size(); ++v) {
    ASSERT_NEAR(want[v], outcome.values[v].real, 1e-5) << "vertex " << v;
  }
}

class Simulations : public testing::TestWithParam<std::tuple<std::string, Mode, int>> {};

TEST_P(Simulations, DoWhatPlainIterationsDo) {
  const auto& [name, mode, threads] = GetParam();
  uint64_t seed = 0;
  for (TestCase& graph : Graphs()) {
    for (const bool directed : {true, false}) {
      SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric"));
      if (name == "nn") ScaleForNetwork(&graph, directed);
      const auto store = InMemoryGraph::Dense(
          graph.num_vertices, graph.edges,
          {.directed = directed, .weights = WeightType::kFloat64, .renumber_seed = ++seed % 3});
      const Start start = Start::Of(graph.num_vertices, seed, name == "cs");
      RunOptions options;
      options.algorithm = name;
      options.device = Device::kCpu;
      options.mode = mode;
      options.threads = threads;
      options.verify = true;
      start.SetIn(&options.values);
      for (const uint32_t iterations : {1, 2, 15}) {
        options.values.Set("--iterations", iterations);
        const Outcome outcome = RunInMemory(*store, options, seed);
        const std::vector<double> want = Plain(name, graph, directed, start, iterations);
        if (name == "nn") {  // else nothing is tested
          const auto near_one = std::count_if(want.begin(), want.end(),
                                              [](double value) { return std::abs(value) > .99; });
          ASSERT_LE(2 * static_cast<size_t>(near_one), want.size());
        }
        ExpectValues(outcome, want);
        if (HasFatalFailure()) return;
      }
    }
  }
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
  Start start = Start::Of(kVertices, 1, false);
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

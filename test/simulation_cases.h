// Simulations by the same iterations on plain arrays of doubles, and graphs to run them on.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "test/engine_testing.h"

namespace edgemill {

using ValueRows = std::vector<InputValues::Row>;

inline InputValues ValuesOf(ValueRows rows) {
  return {"values", std::make_shared<ValueRows>(std::move(rows))};
}

/// The values that a run starts from.
struct SimulationStart {
  std::vector<double> value;
  std::vector<std::optional<double>> fixed;  // potentials that a circuit keeps

  static SimulationStart Of(uint64_t num_vertices, uint64_t seed, bool fixes) {
    Random random(seed);
    SimulationStart start;
    for (uint64_t v = 0; v < num_vertices; ++v) {
      start.value.push_back(2 * random.Unit() - 1);
      start.fixed.emplace_back();
      if (fixes && random.Below(5) == 0) start.fixed.back() = 4 * random.Unit() - 2;
    }
    return start;
  }
  void SetIn(OptionValues* values) const {
    ValueRows all, some;
    for (uint64_t v = 0; v < value.size(); ++v) {
      all.emplace_back(v, value[v]);
      if (fixed[v].has_value()) some.emplace_back(v, *fixed[v]);
    }
    values->Set("--values", ValuesOf(std::move(all)));
    if (!some.empty()) values->Set("--fixed", ValuesOf(std::move(some)));
  }
};

/// The values of the simulation `name` after `iterations` iterations, computed edge by edge.
inline std::vector<double> PlainSimulation(const std::string& name, const TestCase& graph,
                                           bool directed, const SimulationStart& start,
                                           uint32_t iterations, double scale = 0) {
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

/// Sets weights of both signs, divided by the root of the in-degree. Without that division all
/// activations would be near 1.
inline void ScaleForNetwork(TestCase* graph, bool directed) {
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
inline std::vector<TestCase> SimulationGraphs() {
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

inline void ExpectValues(const Outcome& outcome, const std::vector<double>& want) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(want.size(), outcome.values.size());
  for (uint64_t v = 0; v < want.size(); ++v) {
    ASSERT_NEAR(want[v], outcome.values[v].real, 1e-5) << "vertex " << v;
  }
}

/// Runs the simulation `name` with the options `base` on all graphs, from random values. Compares
/// with PlainSimulation.
inline void ExpectPlainSimulation(const std::string& name, const RunOptions& base) {
  uint64_t seed = 0;
  for (TestCase& graph : SimulationGraphs()) {
    for (const bool directed : {true, false}) {
      SCOPED_TRACE(StrCat(graph.name, directed ? " directed" : " symmetric"));
      if (name == "nn") ScaleForNetwork(&graph, directed);
      const auto store = InMemoryGraph::Dense(
          graph.num_vertices, graph.edges,
          {.directed = directed, .weights = WeightType::kFloat64, .renumber_seed = ++seed % 3});
      const SimulationStart start = SimulationStart::Of(graph.num_vertices, seed, name == "cs");
      RunOptions options = base;
      options.algorithm = name;
      options.verify = true;
      start.SetIn(&options.values);
      for (const uint32_t iterations : {1, 2, 15}) {
        options.values.Set("--iterations", iterations);
        const Outcome outcome = RunInMemory(*store, options, seed);
        const std::vector<double> want = PlainSimulation(name, graph, directed, start, iterations);
        if (name == "nn") {  // values near 1 or -1 test nothing
          const auto near_one = std::count_if(want.begin(), want.end(),
                                              [](double value) { return std::abs(value) > .99; });
          ASSERT_LE(2 * static_cast<size_t>(near_one), want.size());
        }
        ExpectValues(outcome, want);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace edgemill

// Running an algorithm on a graph in memory, and graphs that are hard in different ways.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/run.h"
#include "test/graphs/in_memory_graph.h"
#include "test/sanitized.h"

namespace edgemill {

/// The numbers of threads to run on. The thread sanitizer makes runs 20 times as slow. With it,
/// runs on one thread are left out, since one thread cannot race.
inline std::vector<int> ThreadCounts(std::vector<int> counts) {
#ifdef EDGEMILL_TEST_THREAD_SANITIZED
  std::erase(counts, 1);
#endif
  return counts;
}

/// A graph's edges over dense ids.
struct TestCase {
  std::string name;
  uint64_t num_vertices;
  std::vector<TestEdge> edges;
};

/// side * side vertices, row by row, each with an edge to the right and one down, of weights 1 to
/// 7: neighbours lie near each other.
inline TestCase WeightedGrid(uint64_t side) {
  TestCase grid{"grid", side * side, {}};
  for (uint64_t v = 0; v < grid.num_vertices; ++v) {
    if (v % side != side - 1) grid.edges.push_back({v, v + 1, static_cast<double>(1 + v % 5)});
    if (v + side < grid.num_vertices) {
      grid.edges.push_back({v, v + side, static_cast<double>(1 + v % 7)});
    }
  }
  return grid;
}

/// A wheel whose hub has the middle id: the hub comes last in half of the lists, first in the
/// others. Vertices of the rim have loops. Edges are stored both ways. Each list of the rim has 4
/// edges, and the hub's list a multiple of 4, so no list of the rim crosses the border of a block.
inline TestCase LoopedWheel() {
  constexpr uint64_t kVertices = 5001, kHub = 2500;
  TestCase wheel{"looped wheel", kVertices, {}};
  for (uint64_t v = 0; v < kVertices; ++v) {
    if (v == kHub) continue;
    const uint64_t next = (v + 1 == kHub ? v + 2 : v + 1) % kVertices;
    wheel.edges.push_back({kHub, v, 1});
    wheel.edges.push_back({v, next, 1});
    wheel.edges.push_back({v, v, 1});
  }
  return wheel;
}

inline std::vector<TestEdge> RandomTestEdges(uint64_t seed, uint64_t num_vertices,
                                             uint64_t num_edges, double skew = 1) {
  Random random(seed);
  std::vector<TestEdge> edges;
  const auto pick = [&] {
    const double unit = random.Unit();
    return static_cast<uint64_t>((skew == 1 ? unit : unit * unit * unit) *
                                 static_cast<double>(num_vertices));
  };
  for (uint64_t i = 0; i < num_edges; ++i) {
    edges.push_back({pick(), pick(), static_cast<double>(1 + random.Below(100))});
  }
  return edges;
}

/// Small graphs, each with its own trap. Weights are integers 0 to 100.
inline std::vector<TestCase> HardGraphs() {
  std::vector<TestCase> cases = {
      {"one vertex", 1, {}},
      {"no edges", 300, {}},
      {"one loop", 1, {{0, 0, 3}}},
      {"all loops", 200, {}},
      {"multi-edges", 3, {}},
      {"path", 700, {}},
      {"star out", 2000, {}},
      {"star in", 2000, {}},
      {"grid", 400, {}},
      {"two parts and isolated ends", 1000, RandomTestEdges(5, 400, 900)},
      {"random", 500, RandomTestEdges(6, 500, 3000)},
      {"skewed", 1000, RandomTestEdges(7, 1000, 8000, 3)},
      {"sparse", 3000, RandomTestEdges(8, 3000, 2500)},
  };
  for (uint64_t v = 0; v < 200; ++v) cases[3].edges.push_back({v, v, 1});
  for (int i = 0; i < 500; ++i) cases[4].edges.push_back({0, 2, double(i % 50)});
  for (uint64_t v = 0; v + 1 < 700; ++v) cases[5].edges.push_back({v, v + 1, double(v % 7)});
  for (uint64_t v = 1; v < 2000; ++v) {
    cases[6].edges.push_back({0, v, double(v % 5)});
    cases[7].edges.push_back({v, 1000, double(v % 3)});
  }
  for (uint64_t v = 0; v < 400; ++v) {
    if (v % 20 != 19) cases[8].edges.push_back({v, v + 1, double(v % 11)});
    if (v + 20 < 400) cases[8].edges.push_back({v, v + 20, double(v % 13)});
  }
  for (TestEdge& edge : cases[9].edges) {  // leave 0..99 and 500..999 isolated, split at 300
    edge.source = 100 + edge.source;
    edge.target = edge.source < 300 ? 100 + edge.target / 2 : 300 + edge.target / 2;
  }
  return cases;
}

/// A run's answer and reports, copied out.
struct Outcome {
  Status status;
  std::vector<VertexValue> values;
  std::vector<ResultFact> facts;
  std::vector<TopEntry> top;
  std::vector<std::string> warnings;
  RunReport report;
};

/// The fact of this name; null where there is none.
inline const ResultFact* FindFact(const Outcome& outcome, std::string_view name) {
  for (const ResultFact& fact : outcome.facts) {
    if (fact.name == name) return &fact;
  }
  return nullptr;
}

/// Expects real numbers that differ from `expected` by at most `tolerance`, times 1 + the number.
inline void ExpectReals(const Outcome& outcome, const std::vector<double>& expected,
                        double tolerance) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_NEAR(expected[v], outcome.values[v].real, tolerance * (1 + expected[v]))
        << "vertex " << v;
  }
}

/// Copies the answer and the reports of a run, while its graph still exists.
inline Outcome OutcomeOf(StatusOr<std::unique_ptr<RunResult>> result,
                         std::optional<uint32_t> num_top = {}) {
  Outcome outcome;
  if (!result.ok()) {
    outcome.status = result.status();
    return outcome;
  }
  outcome.status = (*result)->Visit([&](std::span<const VertexValue> values) {
    outcome.values.insert(outcome.values.end(), values.begin(), values.end());
    return OkStatus();
  });
  outcome.facts = (*result)->facts();
  auto top = (*result)->Top(num_top, 2);
  if (!top.ok()) outcome.status = top.status();
  if (top.ok()) outcome.top = *std::move(top);
  outcome.warnings = (*result)->warnings();
  outcome.report = (*result)->report();
  return outcome;
}

/// Runs `options` on `graph` through an InMemoryReader with blocks shuffled by `shuffle_seed`.
inline Outcome RunInMemory(const InMemoryGraph& graph, const RunOptions& options,
                           uint64_t shuffle_seed = 1, uint64_t budget_bytes = uint64_t{256} << 20,
                           std::optional<uint32_t> num_top = {}) {
  MemoryBudget budget(budget_bytes);
  Progress progress;
  auto result = Run(
      graph, options, budget, progress,
      [&](const GraphStore&, const BlockReaderOptions&,
          MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
        return std::unique_ptr<BlockReader>(std::make_unique<InMemoryReader>(graph, shuffle_seed));
      });
  return OutcomeOf(std::move(result), num_top);
}

}  // namespace edgemill

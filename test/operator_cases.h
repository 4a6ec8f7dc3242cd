// What tests of operators share: graphs with their edges in the direction of messages, all
// settings, and a plain loop that gives the expected result of an operator.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "test/operator_testing.h"

namespace edgemill::operator_cases {

/// An edge over which the plain loop sends a message.
struct PlainEdge {
  VertexId from;
  VertexId to;
  double weight;
};

/// A graph for the engine, and its edges in the direction of messages.
struct Case {
  std::string name;
  std::unique_ptr<InMemoryGraph> graph;
  bool directed;
  std::vector<PlainEdge> edges;  // from source to target; both ways in symmetric graphs

  std::vector<PlainEdge> Going(Directions directions) const {
    std::vector<PlainEdge> going;
    for (const PlainEdge& edge : edges) {
      if (!directed || directions != Directions::kIn) going.push_back(edge);
      if (directed && directions != Directions::kOut) {
        going.push_back({edge.to, edge.from, edge.weight});
      }
    }
    return going;
  }
};

inline std::vector<Case> Cases(WeightType weights) {
  std::vector<Case> cases;
  for (const TestCase& test : HardGraphs()) {
    for (const bool directed : {true, false}) {
      Case one{test.name + (directed ? ", directed" : ", symmetric"),
               InMemoryGraph::Dense(test.num_vertices, test.edges,
                                    {.directed = directed, .weights = weights}),
               directed,
               {}};
      for (const TestEdge& edge : test.edges) {
        const double weight = weights == WeightType::kNone ? 1 : edge.weight;
        const auto source = static_cast<VertexId>(edge.source);
        const auto target = static_cast<VertexId>(edge.target);
        one.edges.push_back({source, target, weight});
        if (!directed && source != target) one.edges.push_back({target, source, weight});
      }
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

/// A function `run(case, setting, directions, members)`. RunAllCases calls it for all graphs,
/// modes, threads, directions and sets. Without `members`, all vertices are members.
using RunOne = std::function<void(const Case&, const OperatorSetting&, Directions,
                                  const std::optional<std::vector<VertexId>>&)>;
inline void RunAllCases(const RunOne& run, bool may_push = true,
                        WeightType weights = WeightType::kNone) {
  Random random(17);
  for (const Case& one : Cases(weights)) {
    const uint64_t num_vertices = one.graph->info().num_vertices;
    std::vector<std::optional<std::vector<VertexId>>> sets(4);
    sets[1].emplace();
    sets[2].emplace(1, static_cast<VertexId>(random.Below(num_vertices)));
    sets[3].emplace();
    for (VertexId v = 0; v < num_vertices; ++v) {
      if (random.Below(3) == 0) sets[3]->push_back(v);
    }
    for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull, Mode::kNotifyPull}) {
      if (mode == Mode::kPush && !may_push) continue;
      for (const int threads : ThreadCounts({1, 3})) {
        for (const Directions directions : {kOut, kIn, kBoth}) {
          for (const auto& set : sets) {
            SCOPED_TRACE(StrCat(one.name, ", ", ModeName(mode), ", ", threads, " threads, to ",
                                static_cast<int>(directions), ", ",
                                set.has_value() ? set->size() : num_vertices, " members"));
            run(one, {.mode = mode, .threads = threads, .shuffle_seed = random.Below(99)},
                directions, set);
            if (testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
}

/// Calls `take(edge)` for each edge over which a member sends, in a plain loop.
inline void PlainLoop(const Case& one, Directions directions,
                      const std::optional<std::vector<VertexId>>& set,
                      const std::function<void(const PlainEdge&)>& take) {
  std::set<VertexId> members;
  if (set.has_value()) members.insert(set->begin(), set->end());
  for (const PlainEdge& edge : one.Going(directions)) {
    if (!set.has_value() || members.contains(edge.from)) take(edge);
  }
}

inline StatusOr<VertexSet> SetOf(Engine& engine, const std::optional<std::vector<VertexId>>& set) {
  if (!set.has_value()) return engine.sets().All();
  return engine.sets().Of(*set);
}

}  // namespace edgemill::operator_cases

// Small graphs, each with its own difficulty, and the modes of the model.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/model_chance.h"
#include "engine/model/model_graph.h"

namespace edgemill::model {

struct Case {
  std::string name;
  Graph graph;
};

/// Random edges with integer weights 0 to 7. With `skewed`, low ids have most of the edges.
inline std::vector<InputEdge> RandomEdges(uint64_t num_vertices, uint64_t num_edges,
                                          std::mt19937_64& random, bool skewed) {
  std::vector<InputEdge> edges;
  const auto pick = [&] {
    const uint64_t x = random() % num_vertices;
    return static_cast<VertexId>(skewed ? x * (random() % num_vertices) / num_vertices : x);
  };
  for (uint64_t i = 0; i < num_edges; ++i) {
    const VertexId from = pick();
    const VertexId to = pick();
    edges.push_back({from, to, static_cast<double>(random() % 8)});
  }
  return edges;
}

/// A graph whose edges are listed in the source.
struct ListedGraph {
  const char* name;
  uint64_t num_vertices;
  std::vector<std::pair<VertexId, VertexId>> pairs;
};
inline std::vector<ListedGraph> ListedGraphs() {
  std::vector<ListedGraph> graphs = {
      {"empty", 0, {}},
      {"one vertex", 1, {}},
      {"one loop", 1, {{0, 0}, {0, 0}}},
      {"no edges", 5, {}},
      {"one edge", 2, {{0, 1}}},
      {"duplicates and loops",
       4,
       {{0, 1}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3}, {2, 0}, {0, 2}, {0, 2}}},
      {"path", 7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}},
      {"path back", 6, {{5, 4}, {4, 3}, {3, 2}, {2, 1}, {1, 0}}},
      {"cycle", 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}},
      {"star out", 9, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}}},
      {"star in", 9, {{1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {6, 8}, {7, 8}, {0, 8}}},
      {"two components", 9, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 6}, {6, 3}, {3, 5}}},
      {"cliques and a bridge",
       8,
       {{0, 1},
        {0, 2},
        {0, 3},
        {1, 2},
        {1, 3},
        {2, 3},
        {3, 4},
        {4, 5},
        {4, 6},
        {4, 7},
        {5, 6},
        {5, 7},
        {6, 7}}},
      {"pairs in a row",
       8,
       {{0, 1},
        {1, 0},
        {2, 3},
        {3, 2},
        {4, 5},
        {5, 4},
        {6, 7},
        {7, 6},
        {3, 0},
        {2, 1},
        {5, 0},
        {5, 2},
        {4, 3},
        {7, 0},
        {7, 4},
        {6, 3}}},
      {"hub", 40, {}},
  };
  for (VertexId v = 1; v < 40; ++v) {
    graphs.back().pairs.push_back({0, v});
    graphs.back().pairs.push_back({v, v % 7});
  }
  return graphs;
}

/// 42 graphs of at most 100 vertices.
inline std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const ListedGraph& listed : ListedGraphs()) {
    std::vector<InputEdge> edges;
    for (size_t i = 0; i < listed.pairs.size(); ++i) {
      const auto& [from, to] = listed.pairs[i];
      edges.push_back({from, to, static_cast<double>((i * 7 + 3) % 5 + 1)});
    }
    const std::string name = listed.name;
    cases.push_back({name + ", directed", Graph(listed.num_vertices, edges, true)});
    cases.push_back({name + ", undirected", Graph(listed.num_vertices, edges, false)});
  }
  std::mt19937_64 random(7);
  for (uint64_t i = 0; i < 12; ++i) {
    const uint64_t num_vertices = i < 8 ? 5 + random() % 30 : 60 + random() % 40;
    const auto edges = RandomEdges(num_vertices, num_vertices * (1 + i % 4), random, i % 2 == 1);
    cases.push_back({"random " + std::to_string(i), Graph(num_vertices, edges, i % 3 != 0)});
  }
  return cases;
}

/// All modes that differ in their effect.
inline std::vector<Mode> Modes() {
  std::vector<Mode> modes;
  for (const bool two : {false, true}) {
    for (const Move move : {Move::kPull, Move::kNotifyPull}) {
      modes.push_back({move, true, false, two});
    }
    for (const Move move : {Move::kPush, Move::kAny}) {
      modes.push_back({move, false, false, two});
      modes.push_back({move, true, false, two});
      modes.push_back({move, true, true, two});
    }
  }
  return modes;
}

inline std::string NameOf(const Mode& mode) {
  constexpr std::array kMoves = {"any", "push", "pull", "notify-pull"};
  return std::string(kMoves[static_cast<size_t>(mode.move)]) + (mode.relax ? ", relax" : "") +
         (mode.asynchronous ? ", asynchronous" : "") +
         (mode.two_processors ? ", two processors" : "") + ", seed " + std::to_string(mode.seed);
}

}  // namespace edgemill::model

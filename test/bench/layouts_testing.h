// Lists in both directions for tests of layouts, made of edges by a definition of their own.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/plain/plain_csr.h"
#include "common/check.h"
#include "common/random.h"

namespace edgemill::bench {

struct LayoutEdge {
  VertexId source;
  VertexId target;
  int32_t weight;
  auto operator<=>(const LayoutEdge&) const = default;
};

/// A graph whose edges are sorted by source, then target.
struct LayoutGraph {
  std::string name;
  VertexId num_vertices;
  std::vector<LayoutEdge> edges;
};

/// The lists by source, or by target if `reversed`. Only lists by source have weights.
inline PlainLists ListsOf(const LayoutGraph& graph, bool reversed) {
  std::vector<LayoutEdge> edges = graph.edges;
  if (reversed) {
    std::stable_sort(edges.begin(), edges.end(),
                     [](const auto& a, const auto& b) { return a.target < b.target; });
  }
  PlainLists lists;
  lists.offsets = std::move(Array<uint64_t>::Allocate(graph.num_vertices + 1).value());
  lists.neighbors = std::move(Array<VertexId>::Allocate(edges.size()).value());
  if (!reversed) lists.weights = std::move(Array<int32_t>::Allocate(edges.size()).value());
  for (size_t i = 0; i < edges.size(); ++i) {
    ++lists.offsets[(reversed ? edges[i].target : edges[i].source) + 1];
    lists.neighbors[i] = reversed ? edges[i].source : edges[i].target;
    if (!reversed) lists.weights[i] = edges[i].weight;
  }
  for (VertexId v = 0; v < graph.num_vertices; ++v) lists.offsets[v + 1] += lists.offsets[v];
  return lists;
}

/// Adversarial graphs: one vertex, none of its edges, loops and parallel edges, stars in and out, a
/// hub in the midst of many vertices, skewed degrees.
inline std::vector<LayoutGraph> LayoutGraphs() {
  std::vector<LayoutGraph> graphs = {{"one vertex", 1, {}},
                                     {"a loop, thrice", 1, {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}}},
                                     {"no edges", 100'000, {}}};
  LayoutGraph in{"star in", 70'000, {}}, out{"star out", 70'000, {}};
  LayoutGraph skewed{"skewed", 60'000, {}}, hub{"hub", 90'000, {}};
  Random random(7);
  const auto weight = [&] { return static_cast<int32_t>(random.Below(255) + 1); };
  for (VertexId v = 1; v < in.num_vertices; ++v) {
    in.edges.push_back({v, 0, weight()});
    out.edges.push_back({0, v, weight()});
  }
  for (int i = 0; i < 400'000; ++i) {
    const auto target = static_cast<VertexId>(std::pow(random.Unit(), 8) * skewed.num_vertices);
    const auto source = static_cast<VertexId>(random.Below(skewed.num_vertices));
    skewed.edges.push_back({source, target, weight()});
    hub.edges.push_back({static_cast<VertexId>(random.Below(50)), 44'444, weight()});
  }
  for (LayoutGraph& graph : std::vector<LayoutGraph>{in, out, skewed, hub}) {
    std::sort(graph.edges.begin(), graph.edges.end());
    graphs.push_back(std::move(graph));
  }
  return graphs;
}

}  // namespace edgemill::bench

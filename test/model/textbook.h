// Textbook versions of algorithms for small graphs. They are short and slow, and work in another
// way than the algorithms under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/model/model_graph.h"

namespace edgemill::model::textbook {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Every directed edge. Undirected edges come both ways, but loops once.
inline std::vector<InputEdge> Arcs(const Graph& graph) {
  std::vector<InputEdge> arcs;
  for (const InputEdge& edge : graph.input()) {
    arcs.push_back(edge);
    if (!graph.directed() && edge.from != edge.to) {
      arcs.push_back({edge.to, edge.from, edge.weight});
    }
  }
  return arcs;
}
/// The neighbours of each vertex, without directions, loops and duplicates.
inline std::vector<std::set<VertexId>> Neighbors(const Graph& graph) {
  std::vector<std::set<VertexId>> sets(graph.num_vertices());
  for (const InputEdge& edge : graph.input()) {
    if (edge.from == edge.to) continue;
    sets[edge.from].insert(edge.to);
    sets[edge.to].insert(edge.from);
  }
  return sets;
}
/// The graph without loops and duplicates.
inline Graph SimpleGraph(const Graph& graph) {
  std::set<std::pair<VertexId, VertexId>> seen;
  std::vector<InputEdge> edges;
  for (const InputEdge& edge : graph.input()) {
    auto ends = std::pair(edge.from, edge.to);
    if (!graph.directed()) ends = std::minmax(edge.from, edge.to);
    if (edge.from != edge.to && seen.insert(ends).second) edges.push_back(edge);
  }
  return Graph(graph.num_vertices(), std::move(edges), graph.directed());
}
inline std::vector<uint32_t> OutDegrees(const Graph& graph) {
  std::vector<uint32_t> degrees(graph.num_vertices());
  for (const InputEdge& edge : Arcs(graph)) ++degrees[edge.from];
  return degrees;
}

/// Distances by Bellman-Ford. With `hops`, every edge has length 1.
inline std::vector<double> Distances(const Graph& graph, VertexId source, bool hops) {
  std::vector<double> distance(graph.num_vertices(), kInfinite);
  distance[source] = 0;
  const auto arcs = Arcs(graph);
  for (bool changed = true; changed;) {
    changed = false;
    for (const InputEdge& edge : arcs) {
      const double length = distance[edge.from] + (hops ? 1 : edge.weight);
      if (length >= distance[edge.to]) continue;
      distance[edge.to] = length;
      changed = true;
    }
  }
  return distance;
}
/// The width of the widest path: 0 without a path, `at_source` for the source.
inline std::vector<double> Widths(const Graph& graph, VertexId source, double at_source) {
  std::vector<double> width(graph.num_vertices());
  width[source] = at_source;
  const auto arcs = Arcs(graph);
  for (bool changed = true; changed;) {
    changed = false;
    for (const InputEdge& edge : arcs) {
      const double wide = std::min(width[edge.from], edge.weight);
      if (wide <= width[edge.to]) continue;
      width[edge.to] = wide;
      changed = true;
    }
  }
  return width;
}
/// The number of shortest paths to each vertex. `level` has the hops to each vertex.
inline std::vector<double> PathCounts(const Graph& graph, VertexId source,
                                      const std::vector<double>& level) {
  std::vector<double> paths(graph.num_vertices());
  paths[source] = 1;
  const auto arcs = Arcs(graph);
  for (double l = 0; l < static_cast<double>(graph.num_vertices()); ++l) {
    for (const InputEdge& edge : arcs) {
      if (level[edge.from] == l && level[edge.to] == l + 1) paths[edge.to] += paths[edge.from];
    }
  }
  return paths;
}
/// With `hops`, paths are short by their edges; otherwise by their weights, which are above 0.
inline std::vector<double> Betweenness(const Graph& graph, std::span<const VertexId> sources,
                                       bool hops = true) {
  const uint64_t n = graph.num_vertices();
  std::vector<std::vector<InputEdge>> out(n);
  for (const InputEdge& edge : Arcs(graph)) {
    if (edge.from != edge.to) out[edge.from].push_back(edge);
  }
  std::vector<double> score(n);
  for (const VertexId source : sources) {
    const auto distance = Distances(graph, source, hops);
    const auto is_shortest = [&](const InputEdge& edge) {
      return distance[edge.from] + (hops ? 1 : edge.weight) == distance[edge.to];
    };
    std::vector<VertexId> order;
    for (VertexId v = 0; v < n; ++v) {
      if (distance[v] != kInfinite) order.push_back(v);
    }
    std::sort(order.begin(), order.end(),
              [&](VertexId a, VertexId b) { return distance[a] < distance[b]; });
    std::vector<double> paths(n), dependency(n);
    paths[source] = 1;
    for (const VertexId v : order) {
      for (const InputEdge& edge : out[v]) {
        if (is_shortest(edge)) paths[edge.to] += paths[v];
      }
    }
    std::reverse(order.begin(), order.end());
    for (const VertexId v : order) {
      for (const InputEdge& edge : out[v]) {
        if (is_shortest(edge)) {
          dependency[v] += paths[v] / paths[edge.to] * (1 + dependency[edge.to]);
        }
      }
      if (v != source) score[v] += dependency[v];
    }
  }
  return score;
}

/// The least id in the weak component of each vertex.
inline std::vector<VertexId> Components(const Graph& graph) {
  std::vector<VertexId> label(graph.num_vertices());
  std::iota(label.begin(), label.end(), VertexId{0});
  for (VertexId i = 0; i < graph.num_vertices(); ++i) {
    for (const InputEdge& edge : graph.input()) {
      label[edge.from] = label[edge.to] = std::min(label[edge.from], label[edge.to]);
    }
  }
  return label;
}
/// The least id in the strong component of each vertex.
inline std::vector<VertexId> StrongComponents(const Graph& graph) {
  const uint64_t n = graph.num_vertices();
  std::vector<std::vector<double>> reach;
  for (VertexId v = 0; v < n; ++v) reach.push_back(Distances(graph, v, true));
  std::vector<VertexId> label(n);
  for (VertexId v = 0; v < n; ++v) {
    label[v] = v;
    for (VertexId u = v; u-- > 0;) {
      if (reach[u][v] < kInfinite && reach[v][u] < kInfinite) label[v] = u;
    }
  }
  return label;
}

/// The sums of the weights of edges out of each vertex, and into it. Without `weighted`, every edge
/// weighs 1.
inline std::pair<std::vector<double>, std::vector<double>> Strengths(const Graph& graph,
                                                                     bool weighted) {
  std::vector<double> out(graph.num_vertices()), in(graph.num_vertices());
  for (const InputEdge& edge : Arcs(graph)) {
    out[edge.from] += weighted ? edge.weight : 1;
    in[edge.to] += weighted ? edge.weight : 1;
  }
  return {std::move(out), std::move(in)};
}

/// PageRank by power iteration from `start`. Walks return to vertices in proportion to `start`.
/// With `spread`, walks at vertices without out-edges return too. With `weighted`, walks follow
/// edges in proportion to their weights.
inline std::vector<double> PageRank(const Graph& graph, std::vector<double> start, double damping,
                                    bool spread, bool weighted = false) {
  const uint64_t n = graph.num_vertices();
  const std::vector<double> out = Strengths(graph, weighted).first;
  const auto arcs = Arcs(graph);
  const double total = std::accumulate(start.begin(), start.end(), 0.0);
  for (double& part : start) part /= total;
  std::vector<double> rank = start;
  for (int i = 0; i < 300; ++i) {
    double dangling = 0;
    for (VertexId v = 0; v < n; ++v) dangling += out[v] == 0 ? rank[v] : 0;
    std::vector<double> next(n);
    for (VertexId v = 0; v < n; ++v) {
      next[v] = (1 - damping + (spread ? damping * dangling : 0)) * start[v];
    }
    for (const InputEdge& edge : arcs) {
      if (out[edge.from] == 0) continue;
      next[edge.to] += damping * rank[edge.from] * (weighted ? edge.weight : 1) / out[edge.from];
    }
    rank = next;
  }
  return rank;
}

/// The product of the matrix of edges with `values`: what each vertex gets along its in-edges or,
/// with `back`, along its out-edges.
inline std::vector<double> Product(const Graph& graph, const std::vector<double>& values,
                                   bool weighted, bool back = false) {
  std::vector<double> sums(values.size());
  for (const InputEdge& edge : Arcs(graph)) {
    const auto [from, to] = back ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
    sums[to] += values[from] * (weighted ? edge.weight : 1);
  }
  return sums;
}
/// Divides values by the root of the sum of their squares or, with `by_sum`, by their sum.
inline void Normalize(std::vector<double>& values, bool by_sum = false) {
  double total = 0;
  for (const double value : values) total += by_sum ? value : value * value;
  const double length = by_sum ? total : std::sqrt(total);
  for (double& value : values) value = length == 0 ? 0 : value / length;
}
/// Eigenvector centrality after some steps.
inline std::vector<double> Eigenvector(const Graph& graph, bool weighted, int steps) {
  std::vector<double> value(graph.num_vertices(), 1);
  for (int i = 0; i < steps; ++i) {
    const std::vector<double> sums = Product(graph, value, weighted);
    for (size_t v = 0; v < value.size(); ++v) value[v] += sums[v];
    Normalize(value);
  }
  return value;
}
/// Katz centrality after some steps, not normalised.
inline std::vector<double> Katz(const Graph& graph, double alpha, double beta, int steps = 200) {
  std::vector<double> value(graph.num_vertices());
  for (int i = 0; i < steps; ++i) {
    value = Product(graph, value, /*weighted=*/false);
    for (double& v : value) v = alpha * v + beta;
  }
  return value;
}
/// The hub and the authority values of HITS after some steps.
inline std::pair<std::vector<double>, std::vector<double>> Hits(const Graph& graph, int steps,
                                                                bool weighted = false) {
  std::vector<double> hub(graph.num_vertices(), 1), authority;
  for (int i = 0; i < steps; ++i) {
    authority = Product(graph, hub, weighted);
    Normalize(authority, /*by_sum=*/true);
    hub = Product(graph, authority, weighted, /*back=*/true);
    Normalize(hub, /*by_sum=*/true);
  }
  return {std::move(hub), std::move(authority)};
}

/// Core numbers of the graph without loops and duplicates. In a directed graph, edges out and in
/// count.
inline std::vector<uint32_t> CoreNumbers(const Graph& graph) {
  const uint64_t n = graph.num_vertices();
  std::set<std::pair<VertexId, VertexId>> arcs;
  for (const InputEdge& edge : Arcs(graph)) {
    if (edge.from != edge.to) arcs.insert({edge.from, edge.to});
  }
  std::vector<std::multiset<VertexId>> neighbors(n);
  for (const auto& [from, to] : arcs) {
    neighbors[from].insert(to);
    if (graph.directed()) neighbors[to].insert(from);
  }
  std::vector<uint32_t> core(n);
  std::vector<bool> gone(n);
  uint64_t left = n;
  for (uint32_t k = 0; left > 0;) {
    bool any = false;
    for (VertexId v = 0; v < n; ++v) {
      if (gone[v] || neighbors[v].size() > k) continue;
      core[v] = k;
      gone[v] = any = true;
      --left;
      for (const VertexId u : neighbors[v]) {
        if (u != v) neighbors[u].erase(v);
      }
    }
    if (!any) ++k;
  }
  return core;
}

/// The independent set that a greedy choice by descending keys gives. Members have 1, others 2.
template <typename KeyOf>
std::vector<uint8_t> GreedyIndependentSet(const Graph& graph, KeyOf key) {
  const auto neighbors = Neighbors(graph);
  std::vector<VertexId> order(graph.num_vertices());
  std::iota(order.begin(), order.end(), VertexId{0});
  std::sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return key(a) > key(b); });
  std::vector<uint8_t> decided(order.size());
  for (const VertexId v : order) {
    decided[v] = 1;
    for (const VertexId u : neighbors[v]) {
      if (decided[u] == 1) decided[v] = 2;
    }
  }
  return decided;
}

/// An edge of Kruskal's forest: weight, lower end, higher end. A forest is in ascending order.
using ForestEdge = std::tuple<double, VertexId, VertexId>;
inline std::vector<ForestEdge> SpanningForest(const Graph& graph) {
  std::vector<ForestEdge> edges;
  for (const InputEdge& edge : graph.input()) {
    edges.push_back({edge.weight, std::min(edge.from, edge.to), std::max(edge.from, edge.to)});
  }
  std::sort(edges.begin(), edges.end());
  std::vector<VertexId> tree(graph.num_vertices());
  std::iota(tree.begin(), tree.end(), VertexId{0});
  std::vector<ForestEdge> forest;
  for (const auto& [weight, low, high] : edges) {
    const VertexId from = tree[low];
    const VertexId to = tree[high];
    if (from == to) continue;
    std::replace(tree.begin(), tree.end(), from, to);
    forest.push_back({weight, low, high});
  }
  return forest;
}

struct Centralities {
  std::vector<double> closeness;
  std::vector<double> harmonic;
  std::vector<double> eccentricity;  // by distances along out-edges
};
/// Closeness by the distances of incoming paths, as NetworkX defines it.
inline Centralities Closeness(const Graph& graph) {
  const uint64_t n = graph.num_vertices();
  std::vector<double> sum(n);
  std::vector<double> count(n);
  Centralities result{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  for (VertexId source = 0; source < n; ++source) {
    const auto distance = Distances(graph, source, true);
    for (VertexId v = 0; v < n; ++v) {
      if (v == source || distance[v] == kInfinite) continue;
      sum[v] += distance[v];
      ++count[v];
      result.harmonic[v] += 1 / distance[v];
      result.eccentricity[source] = std::max(result.eccentricity[source], distance[v]);
    }
  }
  for (VertexId v = 0; v < n; ++v) {
    if (sum[v] > 0) {
      result.closeness[v] = count[v] / sum[v] * count[v] / (static_cast<double>(n) - 1);
    }
  }
  return result;
}

/// Heat simulation, HS in the paper of Garaph.
inline std::vector<double> Heat(const Graph& graph, std::vector<double> heat, double rate,
                                int steps) {
  const auto arcs = Arcs(graph);
  for (int i = 0; i < steps; ++i) {
    std::vector<double> next = heat;
    for (const InputEdge& edge : arcs) {
      next[edge.to] += rate * edge.weight * (heat[edge.from] - heat[edge.to]);
    }
    heat = next;
  }
  return heat;
}
/// Circuit simulation, CS in the paper of Garaph. Each vertex that is not fixed gets the average of
/// its in-neighbours.
inline std::vector<double> Circuit(const Graph& graph, std::vector<double> potential,
                                   const std::vector<uint8_t>& fixed, int steps) {
  const auto arcs = Arcs(graph);
  for (int i = 0; i < steps; ++i) {
    std::vector<double> sum(potential.size());
    std::vector<double> weight(potential.size());
    for (const InputEdge& edge : arcs) {
      sum[edge.to] += edge.weight * potential[edge.from];
      weight[edge.to] += edge.weight;
    }
    for (size_t v = 0; v < potential.size(); ++v) {
      if (fixed[v] == 0 && weight[v] != 0) potential[v] = sum[v] / weight[v];
    }
  }
  return potential;
}
/// Neural network, NN in the paper of Garaph.
inline std::vector<double> Neurons(const Graph& graph, std::vector<double> activation, int steps) {
  const auto arcs = Arcs(graph);
  for (int i = 0; i < steps; ++i) {
    std::vector<double> sum(activation.size());
    for (const InputEdge& edge : arcs) sum[edge.to] += edge.weight * activation[edge.from];
    for (size_t v = 0; v < sum.size(); ++v) activation[v] = std::tanh(sum[v]);
  }
  return activation;
}

}  // namespace edgemill::model::textbook

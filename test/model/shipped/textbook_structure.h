// Textbook versions of algorithms that look for structure, for small graphs, as in textbook.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "test/model/textbook.h"

namespace edgemill::model::textbook {

/// The colours that vertices get one after the other: each the least that no neighbour has.
/// `is_before(u, v)` is the order.
template <typename IsBefore>
std::vector<double> GreedyColors(const Graph& graph, IsBefore is_before) {
  const auto neighbors = Neighbors(graph);
  std::vector<VertexId> order(graph.num_vertices());
  std::iota(order.begin(), order.end(), VertexId{0});
  std::sort(order.begin(), order.end(), is_before);
  std::vector<double> color(order.size(), -1);
  for (const VertexId v : order) {
    std::set<double> taken;
    for (const VertexId u : neighbors[v]) taken.insert(color[u]);
    for (color[v] = 0; taken.contains(color[v]);) ++color[v];
  }
  return color;
}

/// How many bits the number of neighbours has. Two neighbours with an edge each way count twice in
/// a directed graph.
inline std::vector<int> DegreeBits(const Graph& graph) {
  std::vector<std::set<std::pair<VertexId, bool>>> sets(graph.num_vertices());
  for (const InputEdge& edge : graph.input()) {
    if (edge.from == edge.to) continue;
    sets[edge.from].insert({edge.to, true});
    sets[edge.to].insert({edge.from, !graph.directed()});
  }
  std::vector<int> bits;
  for (const auto& set : sets) {
    int count = 0;
    for (size_t left = set.size(); left > 0; left /= 2) ++count;
    bits.push_back(count);
  }
  return bits;
}

/// Each vertex takes the most frequent label of its neighbours, of several the least.
inline std::vector<double> LabelPropagation(const Graph& graph, int iterations) {
  std::vector<double> label(graph.num_vertices());
  std::iota(label.begin(), label.end(), 0.0);
  for (int i = 0; i < iterations; ++i) {
    std::vector<std::map<double, int>> votes(label.size());
    for (const InputEdge& edge : graph.input()) {
      ++votes[edge.to][label[edge.from]];
      if (graph.directed() || edge.from != edge.to) ++votes[edge.from][label[edge.to]];
    }
    for (size_t v = 0; v < label.size(); ++v) {
      int most = 0;
      for (const auto& [candidate, count] : votes[v]) {
        if (count > most) most = count, label[v] = candidate;
      }
    }
  }
  return label;
}

/// One more than the greatest level of an in-neighbour; infinite on cycles and behind them.
inline std::vector<double> TopologicalLevels(const Graph& graph) {
  std::vector<double> level(graph.num_vertices());
  const auto n = static_cast<double>(level.size());
  for (size_t i = 0; i <= level.size(); ++i) {
    for (const InputEdge& edge : graph.input()) {
      level[edge.to] = std::max(level[edge.to], level[edge.from] + 1);
    }
  }
  for (size_t i = 0; i <= level.size(); ++i) {  // what grows beyond n edges is behind a cycle
    for (const InputEdge& edge : graph.input()) {
      if (level[edge.from] >= n) level[edge.to] = kInfinite;
    }
  }
  for (double& l : level) l = l >= n ? kInfinite : l;
  return level;
}

/// For each vertex, the pairs of neighbours that are joined.
inline std::vector<double> Triangles(const Graph& graph) {
  const auto neighbors = Neighbors(graph);
  std::vector<double> triangles;
  for (const std::set<VertexId>& of_one : neighbors) {
    triangles.push_back(0);
    for (const VertexId a : of_one) {
      for (const VertexId b : of_one) triangles.back() += a < b && neighbors[a].contains(b) ? 1 : 0;
    }
  }
  return triangles;
}

/// For each vertex, the edges from a neighbour to another one, over all ordered pairs of these.
inline std::vector<double> Clustering(const Graph& graph) {
  const auto neighbors = Neighbors(graph);
  std::set<std::pair<VertexId, VertexId>> edges;
  for (const InputEdge& edge : graph.input()) {
    edges.insert({edge.from, edge.to});
    if (!graph.directed()) edges.insert({edge.to, edge.from});
  }
  std::vector<double> clustering;
  for (const std::set<VertexId>& of_one : neighbors) {
    double links = 0;
    for (const VertexId a : of_one) {
      for (const VertexId b : of_one) links += a != b && edges.contains({a, b}) ? 1 : 0;
    }
    const auto d = static_cast<double>(of_one.size());
    clustering.push_back(d < 2 ? 0 : links / (d * (d - 1)));
  }
  return clustering;
}

/// How similar each vertex is to the source, by the vertices to which edges of both lead. With
/// `turned`, edges count turned round.
inline std::vector<double> Similarities(const Graph& graph, VertexId source,
                                        std::string_view measure, bool turned) {
  std::vector<std::set<VertexId>> near(graph.num_vertices()), holders(graph.num_vertices());
  const auto add = [&](VertexId from, VertexId to) {
    if (from == to) return;
    near[from].insert(to);
    holders[to].insert(from);
  };
  for (const InputEdge& edge : graph.input()) {
    if (!turned || !graph.directed()) add(edge.from, edge.to);
    if (turned || !graph.directed()) add(edge.to, edge.from);
  }
  std::vector<double> similarity;
  for (VertexId v = 0; v < near.size(); ++v) {
    double shared = 0, by_log = 0, by_number = 0;
    for (const VertexId w : near[v]) {
      if (v == source || !near[source].contains(w)) continue;
      shared += 1;
      by_log += 1 / std::log(static_cast<double>(holders[w].size()));
      by_number += 1 / static_cast<double>(holders[w].size());
    }
    const auto a = static_cast<double>(near[source].size());
    const auto b = static_cast<double>(near[v].size());
    double value = shared;
    if (measure == "adamic-adar") value = by_log;
    if (measure == "allocation") value = by_number;
    if (shared > 0 && measure == "jaccard") value = shared / (a + b - shared);
    if (shared > 0 && measure == "sorensen") value = 2 * shared / (a + b);
    if (shared > 0 && measure == "overlap") value = shared / std::min(a, b);
    if (shared > 0 && measure == "cosine") value = shared / std::sqrt(a * b);
    similarity.push_back(value);
  }
  return similarity;
}

/// The graph with its edges both ways.
inline Graph Undirected(const Graph& graph) {
  return Graph(graph.num_vertices(), {graph.input().begin(), graph.input().end()}, false);
}

/// The parity of the distance from the component's least vertex; infinite where an edge joins equal
/// parities in the component.
inline std::vector<double> Sides(const Graph& graph) {
  const Graph both = Undirected(graph);
  const auto component = Components(graph);
  std::vector<double> side(graph.num_vertices());
  for (VertexId v = 0; v < side.size(); ++v) {
    side[v] = static_cast<int>(Distances(both, component[v], true)[v]) % 2;
  }
  std::set<VertexId> odd;
  for (const InputEdge& edge : graph.input()) {
    if (side[edge.from] == side[edge.to]) odd.insert(component[edge.from]);
  }
  for (VertexId v = 0; v < side.size(); ++v) {
    if (odd.contains(component[v])) side[v] = kInfinite;
  }
  return side;
}

/// The greatest distance from each vertex in its component, without directions.
inline std::vector<double> Eccentricities(const Graph& graph) {
  const Graph both = Undirected(graph);
  std::vector<double> most;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    most.push_back(0);
    for (const double distance : Distances(both, v, true)) {
      if (distance < kInfinite) most.back() = std::max(most.back(), distance);
    }
  }
  return most;
}

/// Kruskal's forest with each tree's least vertex as its root, by the parent of each vertex.
inline std::vector<double> ForestParents(const Graph& graph) {
  std::vector<std::vector<VertexId>> neighbors(graph.num_vertices());
  for (const auto& [weight, low, high] : SpanningForest(graph)) {
    neighbors[low].push_back(high);
    neighbors[high].push_back(low);
  }
  std::vector<double> parent(graph.num_vertices(), -1);
  for (VertexId root = 0; root < parent.size(); ++root) {
    if (parent[root] >= 0) continue;
    parent[root] = root;
    std::vector<VertexId> stack = {root};
    while (!stack.empty()) {
      const VertexId v = stack.back();
      stack.pop_back();
      for (const VertexId u : neighbors[v]) {
        if (parent[u] >= 0) continue;
        parent[u] = v;
        stack.push_back(u);
      }
    }
  }
  return parent;
}

/// The modularity of communities, which have the same number for each member.
inline double Modularity(const Graph& graph, std::span<const double> community, double resolution) {
  std::map<double, double> inside, total;
  double weight = 0;
  for (const InputEdge& arc : Arcs(graph)) {
    const double own = arc.from == arc.to ? 2 * arc.weight : arc.weight;
    weight += own;
    total[community[arc.from]] += own;
    if (community[arc.from] == community[arc.to]) inside[community[arc.from]] += own;
  }
  double sum = 0;
  for (const auto& [name, strength] : total) {
    const double part = strength / weight;
    sum += inside[name] / weight - resolution * part * part;
  }
  return weight == 0 ? 0 : sum;
}

/// Whether edges inside of each community join all members.
inline bool AreConnected(const Graph& graph, std::span<const double> community) {
  std::vector<InputEdge> inside;
  for (const InputEdge& edge : graph.input()) {
    if (community[edge.from] == community[edge.to]) inside.push_back(edge);
  }
  const auto parts = StrongComponents(Graph(graph.num_vertices(), inside, false));
  std::map<double, double> part_of;
  for (size_t v = 0; v < parts.size(); ++v) {
    if (part_of.insert({community[v], parts[v]}).first->second != parts[v]) return false;
  }
  return true;
}

}  // namespace edgemill::model::textbook

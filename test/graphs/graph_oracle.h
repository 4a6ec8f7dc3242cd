// Answers by textbook algorithms, serial and in memory, for tests of the real ones.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "loaders/options/ingest_options.h"
#include "test/graphs/graph_builder.h"

namespace edgemill {

/// A graph as adjacency lists over ranks, with the edges that ingest must store.
class Oracle {
 public:
  /// The level and distance of vertices that no path reaches.
  static constexpr double kUnreached = -1;

  Oracle(const EdgeList& list, EdgeDirection direction) : ids_(list.ids), out_(list.ids.size()) {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<double>> edges;
    for (const TestEdge& edge : list.edges) {
      const double weight = list.weighted ? edge.weight : 1;
      const uint32_t source = RankOf(edge.source), target = RankOf(edge.target);
      edges[{source, target}].push_back(weight);
      if (direction == EdgeDirection::kUndirected && source != target) {
        edges[{target, source}].push_back(weight);
      }
    }
    if (direction == EdgeDirection::kSymmetrize) AddMissing(&edges);
    for (const auto& [ends, weights] : edges) {
      for (const double weight : weights) out_[ends.first].push_back({ends.second, weight});
    }
  }

  uint32_t RankOf(ExternalId id) const {
    return static_cast<uint32_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  }

  /// The number of hops from the source to each rank, or kUnreached.
  std::vector<double> Levels(ExternalId source) const {
    std::vector<double> level(ids_.size(), kUnreached);
    std::queue<uint32_t> queue({RankOf(source)});
    level[queue.front()] = 0;
    for (; !queue.empty(); queue.pop()) {
      for (const auto& [target, weight] : out_[queue.front()]) {
        if (level[target] != kUnreached) continue;
        level[target] = level[queue.front()] + 1;
        queue.push(target);
      }
    }
    return level;
  }

  /// Distances by Dijkstra's algorithm.
  std::vector<double> Distances(ExternalId source) const {
    std::vector<double> distance(ids_.size(), kUnreached);
    using Entry = std::pair<double, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (queue.push({0, RankOf(source)}); !queue.empty();) {
      const auto [reached, vertex] = queue.top();
      queue.pop();
      if (distance[vertex] != kUnreached) continue;
      distance[vertex] = reached;
      for (const auto& [target, weight] : out_[vertex]) queue.push({reached + weight, target});
    }
    return distance;
  }

  /// The width of the widest path to each rank; `widest` for the source. The width of a path is its
  /// least weight.
  std::vector<double> Widths(ExternalId source, double widest) const {
    std::vector<double> width(ids_.size(), kUnreached);
    std::priority_queue<std::pair<double, uint32_t>> queue;
    for (queue.push({widest, RankOf(source)}); !queue.empty();) {
      const auto [wide, vertex] = queue.top();
      queue.pop();
      if (width[vertex] != kUnreached) continue;
      width[vertex] = wide;
      for (const auto& [target, weight] : out_[vertex]) {
        queue.push({std::min(wide, weight), target});
      }
    }
    return width;
  }

  /// Numbers of paths with fewest edges. Doubles must be able to hold these numbers.
  std::vector<double> PathCounts(ExternalId source) const {
    const std::vector<double> level = Levels(source);
    std::vector<uint32_t> order(ids_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return level[a] < level[b]; });
    std::vector<double> paths(ids_.size());
    paths[RankOf(source)] = 1;
    for (const uint32_t vertex : order) {
      if (level[vertex] == kUnreached) continue;
      for (const auto& [target, weight] : out_[vertex]) {
        if (level[target] == level[vertex] + 1) paths[target] += paths[vertex];
      }
    }
    return paths;
  }

  /// The least id of each vertex's weakly connected component.
  std::vector<ExternalId> Components() const {
    std::vector<uint32_t> parent(ids_.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto find = [&](uint32_t vertex) {
      while (parent[vertex] != vertex) vertex = parent[vertex] = parent[parent[vertex]];
      return vertex;
    };
    for (uint32_t source = 0; source < out_.size(); ++source) {
      for (const auto& [target, weight] : out_[source]) {
        const uint32_t a = find(source), b = find(target);
        parent[std::max(a, b)] = std::min(a, b);
      }
    }
    std::vector<ExternalId> least;
    for (uint32_t vertex = 0; vertex < parent.size(); ++vertex) {
      least.push_back(ids_[find(vertex)]);
    }
    return least;
  }

  /// PageRank by power iteration with damping 0.85. Vertices without out-edges spread their rank
  /// over all vertices.
  std::vector<double> Ranks(int iterations) const {
    const double share = 1 / static_cast<double>(ids_.size());
    std::vector<double> rank(ids_.size(), share);
    for (int i = 0; i < iterations; ++i) {
      std::vector<double> sum(ids_.size(), 0);
      double dangling = 0;
      for (uint32_t source = 0; source < out_.size(); ++source) {
        if (out_[source].empty()) dangling += rank[source];
        const double part = rank[source] / static_cast<double>(out_[source].size());
        for (const auto& [target, weight] : out_[source]) sum[target] += part;
      }
      for (size_t v = 0; v < rank.size(); ++v) {
        rank[v] = (0.15 + 0.85 * dangling) * share + 0.85 * sum[v];
      }
    }
    return rank;
  }

 private:
  using Edges = std::map<std::pair<uint32_t, uint32_t>, std::vector<double>>;
  /// Makes each edge as frequent as its reverse. Edges between the same vertices must have the same
  /// weight.
  static void AddMissing(Edges* edges) {
    const Edges before = *edges;
    for (const auto& [ends, weights] : before) {
      std::vector<double>& reverse = (*edges)[{ends.second, ends.first}];
      if (reverse.size() < weights.size()) reverse.resize(weights.size(), weights[0]);
    }
  }

  const std::vector<ExternalId>& ids_;
  std::vector<std::vector<std::pair<uint32_t, double>>> out_;
};

}  // namespace edgemill

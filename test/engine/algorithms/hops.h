// Searches in lists in memory, which tests compare with.
#pragma once

#include <cstdint>
#include <vector>

#include "test/engine_testing.h"

namespace edgemill {

/// The out-neighbours of each vertex; of an undirected graph both ways.
inline std::vector<std::vector<uint64_t>> OutNeighbors(const TestCase& graph, bool directed) {
  std::vector<std::vector<uint64_t>> out(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    out[edge.source].push_back(edge.target);
    if (!directed) out[edge.target].push_back(edge.source);
  }
  return out;
}

/// The distances from `source` by edges; -1 for none.
inline std::vector<int> HopsFrom(const std::vector<std::vector<uint64_t>>& out, uint64_t source) {
  std::vector<int> level(out.size(), -1);
  std::vector<uint64_t> order = {source};
  level[source] = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    for (const uint64_t to : out[order[i]]) {
      if (level[to] >= 0) continue;
      level[to] = level[order[i]] + 1;
      order.push_back(to);
    }
  }
  return level;
}

}  // namespace edgemill

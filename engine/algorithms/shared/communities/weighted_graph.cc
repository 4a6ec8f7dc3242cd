#include "engine/algorithms/shared/communities/weighted_graph.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/threads/parallel.h"

namespace edgemill {

StatusOr<WeightedGraph> WeightedGraph::Of(uint64_t vertices, uint64_t arcs, ArrayPool& pool) {
  WeightedGraph graph;
  ASSIGN_OR_RETURN(graph.first, CountedArray<uint64_t>::Unset(vertices, pool));
  ASSIGN_OR_RETURN(graph.end, CountedArray<uint64_t>::Unset(vertices, pool));
  ASSIGN_OR_RETURN(graph.strength, CountedArray<uint64_t>::Of(vertices, pool));
  ASSIGN_OR_RETURN(graph.inside, CountedArray<uint64_t>::Of(vertices, pool));
  ASSIGN_OR_RETURN(graph.to, CountedArray<VertexId>::Unset(arcs, pool));
  ASSIGN_OR_RETURN(graph.weight, CountedArray<uint64_t>::Unset(arcs, pool));
  return graph;
}

void MergeArcs(WeightedGraph& graph, int threads) {
  ForEachChunk(graph.num_vertices(), 256, threads, [&](size_t begin, size_t end) {
    std::vector<std::pair<VertexId, uint64_t>> own;
    for (size_t v = begin; v < end; ++v) {
      own.clear();
      graph.ForEachArc(static_cast<VertexId>(v),
                       [&](VertexId to, uint64_t weight) { own.emplace_back(to, weight); });
      std::sort(own.begin(), own.end());
      uint64_t place = graph.first[v];
      for (size_t i = 0; i < own.size(); ++i) {
        if (i > 0 && own[i].first == own[i - 1].first) {
          graph.weight[place - 1] += own[i].second;
        } else {
          graph.to[place] = own[i].first;
          graph.weight[place++] = own[i].second;
        }
      }
      graph.end[v] = place;
    }
  });
}

}  // namespace edgemill

#include "engine/algorithms/shared/communities/weighted_graph.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "common/threads/parallel.h"

namespace edgemill {
StatusOr<WeightedGraph> WeightedGraph::Of(uint64_t vertices, uint64_t arcs, MemoryBudget& budget) {
  WeightedGraph graph;
  ASSIGN_OR_RETURN(graph.first, CountedArray<uint64_t>::Of(vertices + 1, budget));
  ASSIGN_OR_RETURN(graph.strength, CountedArray<uint64_t>::Of(vertices, budget));
  ASSIGN_OR_RETURN(graph.inside, CountedArray<uint64_t>::Of(vertices, budget));
  ASSIGN_OR_RETURN(graph.arcs, CountedArray<WeightedArc>::Of(arcs, budget));
  return graph;
}

void WeightedGraph::MergeArcs(int threads) {
  const std::span<WeightedArc> all = arcs.span();
  CHECK_EQ(first[num_vertices()], all.size());
  ForEachChunk(num_vertices(), 256, threads, [&](size_t begin, size_t end) {
    for (size_t v = begin; v < end; ++v) {
      const std::span<WeightedArc> own = all.subspan(first[v], first[v + 1] - first[v]);
      std::sort(own.begin(), own.end(),
                [](const WeightedArc& a, const WeightedArc& b) { return a.to < b.to; });
      size_t kept = 0;
      for (size_t i = 0; i < own.size(); ++i) {
        if (kept > 0 && own[kept - 1].to == own[i].to) {
          own[kept - 1].weight += own[i].weight;
        } else {
          own[kept++] = own[i];
        }
      }
      for (size_t i = kept; i < own.size(); ++i) own[i].weight = 0;  // dropped below
    }
  });
  uint64_t kept = 0, begin = 0;
  for (uint64_t v = 0; v < num_vertices(); ++v) {
    const uint64_t end = first[v + 1];
    for (uint64_t i = begin; i < end && all[i].weight > 0; ++i) all[kept++] = all[i];
    begin = end;
    first[v + 1] = kept;
  }
}

StatusOr<WeightedGraph> GroupVertices(const WeightedGraph& graph, std::span<const VertexId> group,
                                      uint64_t num_groups, MemoryBudget& budget) {
  const uint64_t n = graph.num_vertices();
  ASSIGN_OR_RETURN(auto begin, CountedArray<uint64_t>::Of(num_groups + 1, budget));
  ASSIGN_OR_RETURN(auto members, CountedArray<VertexId>::Of(n, budget));
  for (uint64_t v = 0; v < n; ++v) ++begin[group[v] + 1];
  for (uint64_t g = 0; g < num_groups; ++g) begin[g + 1] += begin[g];
  for (uint64_t v = n; v-- > 0;) members[--begin[group[v] + 1]] = static_cast<VertexId>(v);
  // begin[g + 1] is the first member of g now.
  const auto members_of = [&](uint64_t g) {
    const uint64_t from = begin[g + 1], to = g + 1 < num_groups ? begin[g + 2] : n;
    return members.span().subspan(from, to - from);
  };
  ASSIGN_OR_RETURN(auto seen, CountedArray<VertexId>::Of(num_groups, budget));  // by which group
  uint64_t arcs = 0;
  for (uint64_t g = 0; g < num_groups; ++g) {
    RETURN_IF_ERROR(CheckCancelledAt(g));
    for (const VertexId v : members_of(g)) {
      for (const WeightedArc& arc : graph.ArcsOf(v)) {
        const VertexId other = group[arc.to];
        if (other == g || seen[other] == g + 1) continue;
        seen[other] = static_cast<VertexId>(g + 1);
        ++arcs;
      }
    }
  }
  ASSIGN_OR_RETURN(WeightedGraph made, WeightedGraph::Of(num_groups, arcs, budget));
  ASSIGN_OR_RETURN(auto place, CountedArray<uint64_t>::Of(num_groups, budget));
  uint64_t next = 0;
  for (uint64_t g = 0; g < num_groups; ++g) {
    RETURN_IF_ERROR(CheckCancelledAt(g));
    made.first[g] = next;
    for (const VertexId v : members_of(g)) {
      made.strength[g] += graph.strength[v];
      made.inside[g] += graph.inside[v];
      for (const WeightedArc& arc : graph.ArcsOf(v)) {
        const VertexId other = group[arc.to];
        if (other == g) {
          made.inside[g] += arc.weight;
          continue;
        }
        // Places of other groups are before made.first[g], or 0 where there is none yet.
        uint64_t& at = place[other];
        if (at <= made.first[g]) {
          made.arcs[next].to = other;
          at = ++next;
        }
        made.arcs[at - 1].weight += arc.weight;
      }
    }
  }
  made.first[num_groups] = next;
  return made;
}

}  // namespace edgemill

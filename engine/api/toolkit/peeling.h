// What verifies core numbers: peeling by them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/found_vertices.h"
#include "engine/api/toolkit/simple_edges.h"

namespace edgemill {

/// The greatest number of those that are not in the k-core; of k = 0, which asks for all numbers,
/// 0.
constexpr uint32_t LastBelow(uint32_t k) { return std::max(k, 1u) - 1; }

/// 8 bytes and a bit a vertex.
struct PeelingCheck : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> left{*this, "the verifier's degrees"};
  VertexBits gone{*this, "the verifier's marks"};
  FoundVertices going{*this, "the verifier's list"};
};

/// BadDataError, and the errors of PlainVisit, unless `core` has all core numbers or, if `k` is not
/// 0, has k for the members of the k-core and 0 for others. A vertex needs as many neighbours of
/// its number or more as that says. And all vertices of a number go: one after the other, they have
/// no more neighbours left than that. Members of the one core that is asked for may stay; others go
/// when they have fewer than k.
inline Status CheckByPeeling(LoadedGraph& graph, std::span<const uint32_t> core, uint32_t k,
                             PeelingCheck& check) {
  const std::span<uint32_t> left = check.left.mutable_span();
  RETURN_IF_ERROR(NoVertexWhere(graph, "has neither 0 nor the core's number",
                                [&](VertexId v) { return k > 0 && core[v] != 0 && core[v] != k; }));
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  RETURN_IF_ERROR(edges.VisitAll([&](const Edge& edge) {
    if (core[edge.from] >= core[edge.to]) AtomicAdd(&left[edge.to], 1u);
  }));
  RETURN_IF_ERROR(NoVertexWhere(graph, "has fewer neighbours of its core number than that",
                                [&](VertexId v) { return left[v] < core[v]; }));
  auto goes = [&, going = FoundVertices::Adder(check.going)](VertexId v) mutable {
    if (LoadRelaxed(&left[v]) > std::max(core[v], LastBelow(k)) || !check.gone.Add(v)) return;
    going.Add(v);
  };
  ForEachVertex(graph, goes);
  while (true) {
    const std::span<const VertexId> going = check.going.NextLevel(graph.threads());
    if (going.empty()) break;
    RETURN_IF_ERROR(edges.VisitFrom(going, [&, goes](const Edge& edge) mutable {
      if (core[edge.from] != core[edge.to]) return;
      AtomicAdd(&left[edge.to], ~0u);
      goes(edge.to);
    }));
  }
  return NoVertexWhere(graph, "has a core number that is too small",
                       [&](VertexId v) { return (k == 0 || core[v] == 0) && !check.gone.has(v); });
}

}  // namespace edgemill

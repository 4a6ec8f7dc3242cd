// The model of Intersect: looks at all triples of vertices that can be triangles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/status.h"
#include "engine/model/model_chance.h"
#include "engine/model/model_graph.h"
#include "engine/model/model_operation.h"
#include "engine/program/functions/triangle.h"

namespace edgemill::model {

/// The number of edges between two vertices, each direction once; 0: they are not joined.
inline uint8_t ArcsBetween(const Graph& graph, VertexId a, VertexId b) {
  const auto has = [&](VertexId from, VertexId to) {
    const auto list = graph.lists(kOut)[0]->of(from);
    return std::any_of(list.begin(), list.end(),
                       [to](const InputEdge& edge) { return edge.to == to; });
  };
  return a == b ? 0 : static_cast<uint8_t>(int{has(a, b)} + int{has(b, a)});
}

/// What f says of the triangle with these corners.
template <typename F>
auto CornersOf(const Graph& graph, const F& f, const std::vector<VertexId>& at) {
  const CallScope<F> scope({}, kInvalidVertex, at[0], at[1], at[2]);
  if constexpr (kAsksForArcs<F>) {
    return f(ArcTriangle{{at[0], at[1], at[2]},
                         ArcsBetween(graph, at[0], at[1]),
                         ArcsBetween(graph, at[0], at[2]),
                         ArcsBetween(graph, at[1], at[2])});
  } else {
    return f(Triangle{at[0], at[1], at[2]});
  }
}

/// Gives f a sum for `v`, and starts another.
template <typename F>
void TakeSum(F& f, VertexId v, typename F::Monoid::Value& sum) {
  const CallScope<F> scope("Take", v);
  f.Take(v, std::exchange(sum, F::Monoid::identity()));
}

/// Calls f(triangle) for each triangle of the simple undirected graph, its corners in random order.
/// What a corner is told comes in parts, or combined.
template <typename F>
Status VisitTriangles(const Graph& graph, bool two_processors, Chance& chance, F& f) {
  using M = typename F::Monoid;
  const uint64_t num_vertices = graph.num_vertices();
  Operation<F> operation(f);
  RETURN_IF_ERROR(operation.BeginPass(two_processors));
  std::vector<std::vector<VertexId>> above(num_vertices);  // neighbours with higher ids
  for (VertexId a = 0; a < num_vertices; ++a) {
    for (VertexId b = a + 1; b < num_vertices; ++b) {
      if (ArcsBetween(graph, a, b) > 0) above[a].push_back(b);
    }
  }
  std::vector<typename M::Value> sums(num_vertices, M::identity());
  const auto some = [&]() -> F& { return operation.at(operation.two() && chance.Coin() ? 1 : 0); };
  const auto tell = [&](VertexId v, typename M::Value value) {
    sums[v] = M::Combine(sums[v], value);
    if (chance.Coin()) TakeSum(some(), v, sums[v]);
  };
  for (VertexId a = 0; a < num_vertices; ++a) {
    for (const VertexId b : above[a]) {
      if constexpr (kTakesPairs<F>) {
        std::vector<VertexId> ends = {a, b};
        chance.Shuffle(ends);
        const auto told = some().Pair(ArcPair{ends[0], ends[1], ArcsBetween(graph, a, b)});
        tell(ends[0], told.u);
        tell(ends[1], told.v);
      }
      for (const VertexId c : above[b]) {
        if (ArcsBetween(graph, a, c) == 0) continue;
        std::vector<VertexId> at = {a, b, c};
        chance.Shuffle(at);
        const auto told = CornersOf(graph, some(), at);
        tell(at[0], told.u);
        tell(at[1], told.v);
        tell(at[2], told.w);
      }
    }
  }
  for (VertexId v = 0; v < num_vertices; ++v) TakeSum(some(), v, sums[v]);
  RETURN_IF_ERROR(operation.EndPass(Bits(num_vertices), Bits(num_vertices)));
  operation.End();
  return OkStatus();
}

}  // namespace edgemill::model

// Adds up dependencies on paths of the least sum of weights, for the verifier of betweenness.
// Numbers of paths are kept as logarithms, which no number of paths is too great for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/verify/dependency_check.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {

inline namespace EM_VIEWS_NAMESPACE {

/// Whether the edge is the last of a shortest path. A loop never is.
inline bool EndsShortestPath(std::span<const double> distance, const WeightedEdge<double>& edge) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  return edge.from != edge.to && distance[edge.from] != kNone &&
         distance[edge.from] + edge.weight == distance[edge.to];
}

/// The binary logarithm of the sum of two numbers that are given by theirs.
inline double LogOfSum(double a, double b) {
  const double most = std::max(a, b), least = std::min(a, b);
  return least == -std::numeric_limits<double>::infinity()
             ? most
             : most + std::log1p(std::exp2(least - most)) / std::log(2.0);
}

/// Lowers distances from `source` until no edge makes a path shorter.
inline Status LowerDistances(LoadedGraph& graph, VertexId source, DependencyCheck& check) {
  const std::span<double> distance = check.distance.mutable_span();
  const std::span<uint32_t> last = check.level.mutable_span();  // the round that found the vertex
  check.distance.Fill(std::numeric_limits<double>::infinity());
  check.level.Fill(0);
  distance[source] = 0;
  std::vector<VertexId> members = {source};
  for (uint32_t round = 1; !members.empty(); ++round) {
    check.found.Clear();
    RETURN_IF_ERROR(PlainVisitFrom(
        graph, members,
        [&, next = FoundVertices::Adder(check.found)](const WeightedEdge<double>& edge) mutable {
          const double through = LoadRelaxed(&distance[edge.from]) + edge.weight;
          if (AtomicMin(&distance[edge.to], through) &&
              AtomicExchange(&last[edge.to], round) != round) {
            next.Add(edge.to);
          }
        }));
    const std::span<const VertexId> lowered = check.found.NextLevel(graph.threads());
    members.assign(lowered.begin(), lowered.end());
  }
  return OkStatus();
}

/// Counts the paths to each vertex, in the order in which their predecessors are counted.
inline Status CountShortestPaths(LoadedGraph& graph, VertexId source, DependencyCheck& check) {
  const std::span<const double> distance = check.distance.span();
  const std::span<uint32_t> level = check.level.mutable_span(), waits = check.waits.mutable_span();
  const std::span<double> log = check.paths.mutable_span();
  check.level.Fill(~0u);
  check.waits.Fill(0);
  check.paths.Fill(-std::numeric_limits<double>::infinity());
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    if (EndsShortestPath(distance, edge)) AtomicAdd(&waits[edge.to], 1u);
  }));
  level[source] = 0;
  log[source] = 0;
  check.found.Clear();
  FoundVertices::Adder(check.found).Add(source);
  for (uint32_t depth = 0;; ++depth) {
    const std::span<const VertexId> members = check.found.NextLevel(graph.threads());
    if (members.empty()) return OkStatus();
    RETURN_IF_ERROR(PlainVisitFrom(
        graph, members,
        [&, next = FoundVertices::Adder(check.found)](const WeightedEdge<double>& edge) mutable {
          if (LoadRelaxed(&level[edge.from]) != depth || !EndsShortestPath(distance, edge)) return;
          AtomicCombine(&log[edge.to], log[edge.from], LogOfSum);
          if (AtomicAdd(&waits[edge.to], ~0u) != 1) return;
          StoreRelaxed(&level[edge.to], depth + 1);
          next.Add(edge.to);
        }));
  }
}

/// Adds to `check.score` the dependencies on shortest paths from `source`, by Brandes' recurrence,
/// in a graph without duplicates. The errors of PlainVisitFrom.
inline Status AddWeightedDependencies(LoadedGraph& graph, VertexId source, DependencyCheck& check) {
  RETURN_IF_ERROR(LowerDistances(graph, source, check));
  RETURN_IF_ERROR(CountShortestPaths(graph, source, check));
  const std::span<const double> distance = check.distance.span(), log = check.paths.span();
  const std::span<const uint32_t> level = check.level.span();
  const std::span<double> dependency = check.dependency.mutable_span();
  check.dependency.Fill(0);
  double most = 1;
  const std::span<const VertexId> found = check.found.levels();
  for (const VertexId v : found) most = std::max(most, log[v]);
  check.rounding = std::max(check.rounding, (1.0 + level[found.back()]) * most * 0x1p-50);
  for (std::span<const VertexId> left = found; !left.empty();) {
    const uint32_t depth = level[left.back()];
    const std::span<const VertexId> members = TakeLastLevel(level, &left);
    RETURN_IF_ERROR(PlainVisitFrom(graph, members, [&](const WeightedEdge<double>& edge) {
      if (level[edge.from] != depth || !EndsShortestPath(distance, edge)) return;
      AtomicAdd(&dependency[edge.from],
                std::exp2(log[edge.from] - log[edge.to]) * (1 + dependency[edge.to]));
    }));
  }
  AddToScores(graph, source, check);
  return OkStatus();
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

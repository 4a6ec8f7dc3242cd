// Dependencies of vertices on shortest paths, of which betweenness is the sum: what verifies them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/api/algorithm.h"
#include "engine/api/toolkit/found_vertices.h"
#include "engine/api/toolkit/simple_edges.h"

namespace edgemill {

/// The state of CheckDependencies.
struct DependencyCheck : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> level{*this, "the verifier's levels"};
  VertexArray<double> paths{*this, "the verifier's paths"};  // times 2^power
  VertexArray<int32_t> power{*this, "the verifier's powers"};
  VertexArray<double> dependency{*this, "the verifier's dependencies"};
  VertexArray<double> score{*this, "the verifier's sums"};
  VertexBits reached{*this, "the verifier's marks"};
  FoundVertices found{*this, "the verifier's list"};
};

namespace internal {

/// Numbers of paths above it make those of the next levels have powers.
inline constexpr double kManyPaths = 0x1p900;

/// How many of the paths to `to` come by `from`: above 0, and 1 at the most.
inline double ShareOfPaths(const DependencyCheck& check, VertexId from, VertexId to) {
  const std::span<const double> paths = check.paths.span();
  const std::span<const int32_t> power = check.power.span();
  const double share = paths[from] / paths[to];
  return power[from] == power[to] ? share : std::ldexp(share, power[from] - power[to]);
}

/// Adds the dependencies on paths from `source`, by Brandes' recurrence.
inline Status AddDependencies(const LoadedGraph& graph, const SimpleEdges& edges, VertexId source,
                              DependencyCheck& check) {
  const std::span<uint32_t> level = check.level.mutable_span();
  const std::span<double> paths = check.paths.mutable_span();
  const std::span<int32_t> power = check.power.mutable_span();
  const std::span<double> dependency = check.dependency.mutable_span();
  check.level.Fill(~0u);
  check.paths.Fill(0);
  check.power.Fill(0);
  check.dependency.Fill(0);
  check.reached.Fill(0);
  check.reached.Add(source);
  level[source] = 0;
  paths[source] = 1;
  check.found.Clear();
  FoundVertices::Adder(check.found).Add(source);
  uint8_t many = 0;
  for (uint32_t depth = 0;; ++depth) {
    const std::span<const VertexId> members = check.found.NextLevel(graph.threads());
    if (members.empty()) break;
    if (many != 0) {  // with its power, no vertex has less than 1, nor much more than edges
      RETURN_IF_ERROR(edges.VisitFrom(members, [&](const Edge& edge) {
        if (level[edge.to] <= depth) return;
        AtomicMax(&power[edge.to], power[edge.from] + std::ilogb(paths[edge.from]));
      }));
    }
    RETURN_IF_ERROR(edges.VisitFrom(
        members, [&, next = FoundVertices::Adder(check.found)](const Edge& edge) mutable {
          const uint32_t before = LoadRelaxed(&level[edge.to]);
          if (before <= depth) return;
          const int32_t from = power[edge.from], to = power[edge.to];
          const double more =
              from == to ? paths[edge.from] : std::ldexp(paths[edge.from], from - to);
          if (AtomicAdd(&paths[edge.to], more) + more > kManyPaths) StoreRelaxed(&many, uint8_t{1});
          if (before != ~0u || !check.reached.Add(edge.to)) return;
          StoreRelaxed(&level[edge.to], depth + 1);
          next.Add(edge.to);
        }));
  }
  for (std::span<const VertexId> left = check.found.levels(); !left.empty();) {
    const uint32_t depth = level[left.back()];
    size_t begin = left.size();
    while (begin > 0 && level[left[begin - 1]] == depth) --begin;
    const std::span<const VertexId> members = left.subspan(begin);
    left = left.first(begin);
    RETURN_IF_ERROR(edges.VisitFrom(members, [&](const Edge& edge) {
      if (level[edge.to] != depth + 1) return;
      AtomicAdd(&dependency[edge.from],
                ShareOfPaths(check, edge.from, edge.to) * (1 + dependency[edge.to]));
    }));
  }
  const std::span<double> score = check.score.mutable_span();
  ForEachVertex(graph, [&](VertexId v) {
    if (v != source) score[v] += dependency[v];
  });
  return OkStatus();
}

}  // namespace internal

/// Checks that `score` sums the dependencies of vertices on shortest paths from `sources`: within
/// rounding, which is of the order of 2^-52 of each a level. InternalError; the errors of
/// PlainVisit.
inline Status CheckDependencies(LoadedGraph& graph, std::span<const double> score,
                                std::span<const VertexId> sources, DependencyCheck& check) {
  constexpr double kTolerance = 1e-9;
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  for (const VertexId source : sources) {
    RETURN_IF_ERROR(internal::AddDependencies(graph, edges, source, check));
  }
  const std::span<const double> right = check.score.span();
  return NoVertexWhere(
      graph, "has a betweenness that is not its dependencies' sum",
      [&](VertexId v) { return !(std::abs(score[v] - right[v]) <= kTolerance * (1 + right[v])); });
}

}  // namespace edgemill

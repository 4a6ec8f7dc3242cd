// Adds up dependencies on shortest paths, level by level, for the verifier of betweenness.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "engine/api/algorithm.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/simple_edges.h"

namespace edgemill {

inline namespace EM_VIEWS_NAMESPACE {

/// The state of AddDependencies, or where `weighted` of AddWeightedDependencies.
struct DependencyCheck : RunState {
  DependencyCheck(const RunSetup& setup, bool weighted)
      : RunState(setup),
        by_weight(UseIf(weighted, ArrayUse::kWork)),
        by_level(UseIf(!weighted, ArrayUse::kWork)) {}
  const ArrayUse by_weight, by_level;
  VertexArray<uint32_t> level{*this, "the verifier's levels"};
  VertexArray<double> paths{*this, "the verifier's paths"};  // times 2^power; or their logarithms
  VertexArray<int32_t> power{*this, "the verifier's powers", by_level};
  VertexArray<double> distance{*this, "the verifier's distances", by_weight};
  VertexArray<uint32_t> waits{*this, "the verifier's counts", by_weight};
  VertexArray<double> dependency{*this, "the verifier's dependencies"};
  VertexArray<double> score{*this, "the verifier's sums"};
  VertexBits reached{*this, "the verifier's marks", by_level};
  FoundVertices found{*this, "the verifier's list"};
  double rounding = 0;  // the greatest relative error of a dependency, by logarithms
};

/// The members of the last level of `levels`, a list in the order of levels. Takes them from it.
inline std::span<const VertexId> TakeLastLevel(std::span<const uint32_t> level,
                                               std::span<const VertexId>* levels) {
  const uint32_t depth = level[levels->back()];
  size_t begin = levels->size();
  while (begin > 0 && level[(*levels)[begin - 1]] == depth) --begin;
  const std::span<const VertexId> members = levels->subspan(begin);
  *levels = levels->first(begin);
  return members;
}

/// Adds the dependencies on paths from `source` to the sums.
inline void AddToScores(const LoadedGraph& graph, VertexId source, DependencyCheck& check) {
  const std::span<const double> dependency = check.dependency.span();
  const std::span<double> score = check.score.mutable_span();
  ForEachVertex(graph, [&](VertexId v) {
    if (v != source) score[v] += dependency[v];
  });
}

/// Once a number of paths is above this, the numbers of the next levels have powers.
inline constexpr double kManyPaths = 0x1p900;

/// The share of the paths to `to` that come through `from`: above 0, at most 1.
inline double ShareOfPaths(const DependencyCheck& check, VertexId from, VertexId to) {
  const std::span<const double> paths = check.paths.span();
  const std::span<const int32_t> power = check.power.span();
  const double share = paths[from] / paths[to];
  return power[from] == power[to] ? share : std::ldexp(share, power[from] - power[to]);
}

/// Adds to `check.score` the dependencies on paths of fewest edges from `source`, by Brandes'
/// recurrence. The errors of PlainVisitFrom.
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
    if (many != 0) {  // powers keep numbers from 1 to about the number of edges
      RETURN_IF_ERROR(edges.VisitFrom(members, [&](const Edge& edge) {
        if (level[edge.from] != depth || level[edge.to] <= depth) return;
        AtomicMax(&power[edge.to], power[edge.from] + std::ilogb(paths[edge.from]));
      }));
    }
    RETURN_IF_ERROR(edges.VisitFrom(
        members, [&, next = FoundVertices::Adder(check.found)](const Edge& edge) mutable {
          const uint32_t before = LoadRelaxed(&level[edge.to]);
          if (LoadRelaxed(&level[edge.from]) != depth || before <= depth) return;
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
    const std::span<const VertexId> members = TakeLastLevel(level, &left);
    RETURN_IF_ERROR(edges.VisitFrom(members, [&](const Edge& edge) {
      if (level[edge.from] != depth || level[edge.to] != depth + 1) return;
      AtomicAdd(&dependency[edge.from],
                ShareOfPaths(check, edge.from, edge.to) * (1 + dependency[edge.to]));
    }));
  }
  AddToScores(graph, source, check);
  return OkStatus();
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

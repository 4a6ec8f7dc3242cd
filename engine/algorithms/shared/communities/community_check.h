// What verifiers of communities by modularity share.
#pragma once

#include <cmath>

#include "engine/algorithms/shared/communities/community_passes.h"
#include "engine/verify/disjoint_sets.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
inline namespace EM_VIEWS_NAMESPACE {

struct CommunityCheck : RunState {
  explicit CommunityCheck(const RunSetup& setup) : RunState(setup) {}
  VertexArray<double> strength{*this, "the verifier's strengths"};
  VertexArray<double> inside{*this, "the verifier's weights inside"};
  VertexArray<double> total{*this, "the verifier's totals"};
  DisjointSets sets{*this, "the verifier's sets"};
};

/// Communities are called after their first vertices. Modularity, added up again from all edges in
/// doubles, is what the run said, and not below that of vertices that are all alone. If
/// `connected`, edges inside of communities join every vertex with the one that names its
/// community.
inline Status VerifyCommunities(LoadedGraph& graph, const CommunityState& state,
                                CommunityCheck& check, bool connected) {
  const std::span<const VertexId> community = state.community.span();
  const std::span<double> strength = check.strength.mutable_span();
  const std::span<double> inside = check.inside.mutable_span();
  const std::span<double> total = check.total.mutable_span();
  RETURN_IF_ERROR(NoVertexWhere(
      graph, "has a community that is not called after its first vertex",
      [&](VertexId v) { return community[v] > v || community[community[v]] != community[v]; }));
  check.sets.Start(graph.threads());
  double loops = 0;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    const bool loop = edge.from == edge.to;
    const double weight = loop ? 2 * edge.weight : edge.weight;
    AtomicAdd(&strength[edge.from], weight);
    if (loop) AtomicAdd(&loops, weight);
    if (community[edge.from] != community[edge.to]) return;
    AtomicAdd(&inside[edge.from], weight);
    if (connected && weight > 0) check.sets.Unite(edge.from, edge.to);
  }));
  if (connected) {
    RETURN_IF_ERROR(NoVertexWhere(graph, "is not joined with its community",
                                  [&](VertexId v) { return !check.sets.Same(v, community[v]); }));
  }
  ForEachVertex(graph, [&](VertexId v) { AtomicAdd(&total[community[v]], strength[v]); });
  const double weight = SumOverVertices(graph, [&](VertexId v) { return strength[v]; });
  const double resolution = check.Get(kResolution);
  double modularity = 0, alone = 0;
  if (weight > 0) {
    const auto squares = [&](std::span<const double> of) {
      return SumOverVertices(graph, [&](VertexId v) { return of[v] / weight * (of[v] / weight); });
    };
    modularity = SumOverVertices(graph, [&](VertexId v) { return inside[v]; }) / weight -
                 resolution * squares(total);
    alone = loops / weight - resolution * squares(strength);
  }
  const double tolerance = 1e-9 * (1 + resolution);
  if (!(std::abs(modularity - state.modularity) <= tolerance)) {
    return InternalError(
        StrCat("the modularity is ", modularity, ", and the run says ", state.modularity));
  }
  if (modularity >= alone - tolerance) return OkStatus();
  return InternalError(StrCat("the modularity is ", modularity, "; single vertices have ", alone));
}

}  // namespace EM_VIEWS_NAMESPACE
}  // namespace edgemill

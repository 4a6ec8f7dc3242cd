// PageRank by Jacobi iterations. The rank of vertices without out-edges is spread over all
// vertices, or dropped. 8 bytes a vertex: shares are floats, sums are doubles.
#pragma once

#include <cmath>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

namespace edgemill::model {

/// What each out-neighbour gets of `rank`; the rank itself where there is none.
inline float ShareOf(double rank, EdgeIndex degree) {
  return static_cast<float>(degree == 0 ? rank : rank / static_cast<double>(degree));
}
inline double RankOf(float share, EdgeIndex degree) {
  return degree == 0 ? double{share} : double{share} * static_cast<double>(degree);
}

struct StartRank {
  View<float> share;
  DegreeView degree;
  TallyView<Sum<double>> dangling;
  double rank;
  void operator()(VertexId v) {
    share[v] = ShareOf(rank, degree[v]);
    if (degree[v] == 0) dangling.Add(rank);
  }
};
struct Jacobi {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  View<const float> share;
  View<float> next_share;
  DegreeView degree;
  TallyView<Sum<double>> change;
  TallyView<Sum<double>> dangling;
  double base;
  double damping;
  float Emit(VertexId u) const { return share[u]; }
  bool Apply(VertexId v, double sum) {
    const double now = base + damping * sum;
    change.Add(std::abs(now - RankOf(share[v], degree[v])));
    if (degree[v] == 0) dangling.Add(now);
    next_share[v] = ShareOf(now, degree[v]);
    return true;
  }
};

struct PageRankState : State {
  using State::State;
  VertexArray<float> share{*this, "share"};
  VertexArray<float> next_share{*this, "next share"};
  Tally<Sum<double>> change{"change", 4};
  Tally<Sum<double>> dangling{"dangling", 2};
  Degrees degrees{*this, kOut};
  Programs<Jacobi> programs{*this, kOut};
};

/// Ranks; they change by less than `tolerance` in the last iteration, in all.
template <typename E>
StatusOr<std::vector<double>> PageRank(E& engine, double damping, double tolerance, bool spread) {
  PageRankState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const VertexSet all = engine.sets().All();
  const DegreeView degree = engine.Degrees(kOut);
  const auto n = static_cast<double>(engine.num_vertices());
  const StartRank start{state.share.view(), degree, state.dangling.view(), 1 / n};
  RETURN_IF_ERROR(engine.VertexMap(all, start));
  for (int i = 0; i < 200; ++i) {
    ASSIGN_OR_RETURN(const double dangling, state.dangling.Take());
    const double base = (1 - damping) / n + (spread ? damping * dangling / n : 0);
    const Jacobi jacobi{state.share.read(),
                        state.next_share.view(),
                        degree,
                        state.change.view(),
                        state.dangling.view(),
                        base,
                        damping};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, jacobi).status());
    state.share.Swap(state.next_share);
    ASSIGN_OR_RETURN(const double change, state.change.Take());
    if (change <= tolerance) break;
  }
  std::vector<double> ranks;
  for (VertexId v = 0; v < engine.num_vertices(); ++v) {
    ranks.push_back(RankOf(state.share.Get(v), degree[v]));
  }
  return ranks;
}

}  // namespace edgemill::model

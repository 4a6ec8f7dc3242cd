// Algorithms by sums over in-edges: HITS and Katz centrality.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "test/model/unshipped/vertex_functions.h"

namespace edgemill::model {

struct Multiply {  // to = adjacency matrix times from
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> from;
  View<double> to;
  double Emit(VertexId u) const { return from[u]; }
  bool Apply(VertexId v, double sum) {
    to[v] = sum;
    return true;
  }
};
struct HitsState : State {
  using State::State;
  VertexArray<double> hub{*this, "hub", ArrayUse::kResult};
  VertexArray<double> authority{*this, "authority", ArrayUse::kResult};
  Programs<Multiply> programs{*this, kBoth};
};
template <typename E>
StatusOr<std::pair<std::vector<double>, std::vector<double>>> Hits(E& engine, int iterations) {
  HitsState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const VertexSet all = engine.sets().All();
  state.hub.Fill(1);
  for (int i = 0; i < iterations; ++i) {
    const Multiply forward{state.hub.read(), state.authority.view()};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, forward).status());
    const Multiply back{state.authority.read(), state.hub.view()};
    RETURN_IF_ERROR(engine.EdgeMap(kIn, all, back).status());
    for (VertexArray<double>* values : {&state.hub, &state.authority}) {
      ASSIGN_OR_RETURN(const double sum,
                       engine.template Reduce<Sum<double>>(all, Read<double>{values->read()}));
      if (sum > 0) RETURN_IF_ERROR(engine.VertexMap(all, Divide{values->view(), sum}));
    }
  }
  return std::pair{CopyOf(state.hub), CopyOf(state.authority)};
}

/// Two values for each vertex: the old one and the new one.
template <typename P>
struct ProductState : State {
  using State::State;
  VertexArray<double> now{*this, "now", ArrayUse::kResult};
  VertexArray<double> next{*this, "next"};
  Tally<Sum<double>> change{"change", 0x1p20};
  Programs<P> programs{*this, kOut};
};

struct KatzStep {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> from;
  View<double> to;
  TallyView<Sum<double>> change;
  double alpha;
  double beta;
  double Emit(VertexId u) const { return from[u]; }
  bool Apply(VertexId v, double sum) {
    const double now = alpha * sum + beta;
    to[v] = now;
    change.Add(std::abs(now - from[v]));
    return true;
  }
};
template <typename E>
StatusOr<std::vector<double>> Katz(E& engine, double alpha, double beta, double tolerance) {
  ProductState<KatzStep> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  for (double change = tolerance + 1; change > tolerance;) {
    const KatzStep step{state.now.read(), state.next.view(), state.change.view(), alpha, beta};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), step).status());
    state.now.Swap(state.next);
    ASSIGN_OR_RETURN(change, state.change.Take());
  }
  return CopyOf(state.now);
}

}  // namespace edgemill::model

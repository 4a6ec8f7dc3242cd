// What a sum over in-edges gives: HITS, Katz centrality, and Garaph's simulations HS, CS and NN
// (Ma et al., ATC 2017).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "test/model/algorithms/vertex_functions.h"

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

/// Two copies of a value a vertex: the old and the new.
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

struct Conduct {  // HS: q'_v = q_v + sum of c_uv (q_u - q_v)
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> heat;
  View<double> next;
  double scale;
  double tolerance;
  double Emit(VertexId u) const { return heat[u]; }
  double Along(double other, const WeightedEdge<double>& edge) const {
    return scale * edge.weight * (other - heat[edge.to]);
  }
  bool Apply(VertexId v, double sum) {
    next[v] = heat[v] + sum;
    return std::abs(sum) > tolerance;
  }
};
template <typename E>
StatusOr<std::vector<double>> HeatSimulation(E& engine, std::span<const double> start, double scale,
                                             double tolerance) {
  ProductState<Conduct> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  std::copy(start.begin(), start.end(), state.now.mutable_span().begin());
  for (bool active = engine.num_vertices() > 0; active; state.now.Swap(state.next)) {
    const Conduct conduct{state.now.read(), state.next.view(), scale, tolerance};
    ASSIGN_OR_RETURN(const VertexSet set, engine.EdgeMap(kOut, engine.sets().All(), conduct));
    active = !set.empty();
  }
  return CopyOf(state.now);
}

struct Average {  // CS: v'_v = sum of g_uv v_u / sum of g_uv, but where the potential is given
  using Monoid = Both<Sum<double>, Sum<double>>;
  static constexpr bool kAppliesToAll = true;
  View<const double> potential;
  View<const uint8_t> fixed;
  View<double> next;
  double tolerance;
  Monoid::Value Emit(VertexId u) const { return {potential[u], 1}; }
  Monoid::Value Along(Monoid::Value sent, const WeightedEdge<double>& edge) const {
    return {sent.first * edge.weight, edge.weight};
  }
  bool Apply(VertexId v, Monoid::Value sum) {
    const bool keeps = fixed[v] != 0 || sum.second == 0;
    const double now = keeps ? potential[v] : sum.first / sum.second;
    next[v] = now;
    return std::abs(now - potential[v]) > tolerance;
  }
};
struct CircuitState : ProductState<Average> {
  using ProductState<Average>::ProductState;
  VertexArray<uint8_t> fixed{*this, "fixed"};
};
template <typename E>
StatusOr<std::vector<double>> CircuitSimulation(E& engine, std::span<const double> start,
                                                std::span<const uint8_t> fixed, double tolerance,
                                                int most) {
  CircuitState state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  std::copy(start.begin(), start.end(), state.now.mutable_span().begin());
  std::copy(fixed.begin(), fixed.end(), state.fixed.mutable_span().begin());
  for (int i = 0; i < most; ++i) {
    const Average average{state.now.read(), state.fixed.read(), state.next.view(), tolerance};
    ASSIGN_OR_RETURN(const VertexSet set, engine.EdgeMap(kOut, engine.sets().All(), average));
    state.now.Swap(state.next);
    if (set.empty()) break;
  }
  return CopyOf(state.now);
}

struct Fire {  // NN: a'_v = tanh(sum of w_uv a_u)
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> activation;
  View<double> next;
  double Emit(VertexId u) const { return activation[u]; }
  double Along(double a, const WeightedEdge<float>& edge) const { return a * edge.weight; }
  bool Apply(VertexId v, double sum) {
    next[v] = std::tanh(sum);
    return true;
  }
  void Next() { Swap(activation, next); }
};
template <typename E>
StatusOr<std::vector<double>> NeuralNetwork(E& engine, std::span<const double> start, int steps) {
  ProductState<Fire> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  std::copy(start.begin(), start.end(), state.now.mutable_span().begin());
  const Fire fire{state.now.read(), state.next.view()};
  RETURN_IF_ERROR(
      engine.Fixpoint(kOut, engine.sets().All(), fire, static_cast<uint64_t>(steps)).status());
  return CopyOf(steps % 2 == 0 ? state.now : state.next);
}

}  // namespace edgemill::model

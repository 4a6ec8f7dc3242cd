// Circuit simulation: the potentials of a network of conductances.
//
// Result   value[v]: sum over in-edges (u, v) of g * value[u] / sum of g, g the weight; of vertices
//          that are fixed, what they were fixed to
// Method   jacobi: every vertex takes part in every iteration, and sums differences, so that equal
//          potentials stay as they are to the last bit
// Paper    Ma et al., Garaph, USENIX ATC 2017: CS
// State    two values of 4 bytes a vertex, and the sum of its conductances
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/simulation.h"

namespace edgemill {
namespace {

constexpr Option<VertexValues> kFixed{
    .names = "--fixed", .help = "potentials that stay: lines with a vertex and its value"};

struct Settle {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  View<const float> before;
  View<float> now;
  TallyView<Max<double>> change;
  View<const float> conductance;  // 0: the potential stays
  float Emit(VertexId u) const { return before[u]; }
  float Along(float potential, const WeightedEdge<float>& edge) const {
    return edge.weight * (potential - before[edge.to]);
  }
  bool Apply(VertexId v, double sum) {
    const float all = conductance[v];
    const auto potential = static_cast<float>(all == 0 ? before[v] : before[v] + sum / all);
    now[v] = potential;
    change.Add(ChangeOf(before[v], potential));
    return false;
  }
};

struct CircuitState : SimulationState {
  using SimulationState::SimulationState;
  VertexArray<float> conductance{*this, "conductance", ArrayUse::kWork};
  Programs<Settle, AddWeights> programs{*this, kOut};
};

Status Solve(Engine& engine, CircuitState& state, const RunContext& context, Answer* answer) {
  RETURN_IF_ERROR(
      engine.EdgeMap(kOut, engine.sets().All(), AddWeights{state.conductance.view()}).status());
  RETURN_IF_ERROR(StartValues(engine.graph(), state, 0, 1));
  if (const InputValues* const fixed = state.Find(kFixed)) {
    const std::span<float> value = state.value.mutable_span();
    const std::span<float> conductance = state.conductance.mutable_span();
    RETURN_IF_ERROR(VisitValues(engine.graph(), *fixed, /*all=*/false, [&](VertexId v, double to) {
      value[v] = static_cast<float>(to);
      conductance[v] = 0;
    }));
  }
  return Simulate(
      engine, state, context,
      [&](auto before, auto now, auto change) {
        return Settle{before, now, change, state.conductance.read()};
      },
      answer);
}

Status Verify(LoadedGraph& graph, CircuitState& state, ValueCheck& check, const RunContext&) {
  const std::span<double> weights = check.weights.mutable_span();
  RETURN_IF_ERROR(
      AddAlong(graph, weights, [](const WeightedEdge<double>& edge) { return edge.weight; }));
  const std::span<double> exact = check.exact.mutable_span();
  RETURN_IF_ERROR(
      VisitStartValues(graph, state, 0, 1, [&](VertexId v, double start) { exact[v] = start; }));
  if (const InputValues* const fixed = state.Find(kFixed)) {
    RETURN_IF_ERROR(VisitValues(graph, *fixed, /*all=*/false, [&](VertexId v, double to) {
      exact[v] = to;
      weights[v] = 0;
    }));
  }
  return CheckValues(
      graph, state, check,
      [](const auto& edge, auto values) { return edge.weight * double{values[edge.from]}; },
      [weights](VertexId v, double value, double sum) {
        return weights[v] == 0 ? value : sum / weights[v];
      });
}

}  // namespace

EDGEMILL_ALGORITHM(cs) = {
    .name = "cs",
    .group = AlgorithmGroup::kSimulations,
    .aliases = {"circuit"},
    .summary = "potentials in a network of conductances, some of them fixed",
    .text =
        R"(In each iteration value[v] becomes the mean of value[u] over in-edges (u, v), weighted
by their conductances, the weights: every vertex takes part. --fixed gives potentials that stay; a
vertex whose conductances sum to 0 keeps its potential as well. Stops when no value changes by more
than -t, or after -i iterations; -i alone runs exactly so many. Vertices start from --values, else
at random from 0 to 1. Edges go from source to target; on symmetric graphs both ways. Duplicate
edges count each, loops hold a vertex back, and without weights every edge counts 1. Negative
weights are refused. Where no potential is fixed, a bipartite graph may swing for ever. Values are 4
bytes, sums 8: so a value is within 1e-6 of exact arithmetic, relative to the largest.
)",
    .paper = "Ma et al., Garaph, USENIX ATC 2017",
    .options = {kRounds, kLargestChange, kFixed, kValues, kValueSeed},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .refuses_negative_weights = true,
    .driver = kDriver<Solve>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

// Circuit simulation: the potentials of a network of conductances.
//
// Result   value[v]: sum over in-edges (u, v) of g * value[u], divided by the sum of g, where g is
//          the weight. Fixed vertices keep their given values.
// Method   jacobi: every vertex takes part in every iteration. It sums differences, so that equal
//          potentials stay the same to the last bit.
// Paper    Ma et al., Garaph, USENIX ATC 2017: CS
// State    two values of 4 bytes and a sum of conductances of 8 bytes a vertex
#include "engine/algorithms/shared/simulation.h"
#include "engine/api/algorithm.h"

namespace edgemill {
namespace {

constexpr Option<VertexValues> kFixed{
    .names = "--fixed", .help = "potentials that stay: lines with a vertex and its value"};

struct BalancePotential {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const float> before;
  View<float> now;
  TallyView<Max<double>> change;
  View<const double> conductance;  // in units; 0: the potential stays
  double unit;
  double Emit(VertexId u) const { return before[u]; }
  double Along(double potential, const WeightedEdge<double>& edge) const {
    return edge.weight * unit * (potential - before[edge.to]);
  }
  bool Apply(VertexId v, double sum) {
    const double all = conductance[v];
    const auto potential = static_cast<float>(all == 0 ? before[v] : before[v] + sum / all);
    now[v] = potential;
    change.Add(ChangeOf(before[v], potential));
    return false;
  }
};

struct CircuitState : SimulationState {
  using SimulationState::SimulationState;
  VertexArray<double> conductance{*this, "conductance", ArrayUse::kWork};
  Programs<BalancePotential, AddWeights> programs{*this, kOut};
};

/// BadDataError for a vertex whose conductances, in units, are so far below the largest that
/// products of them are lost.
Status CheckConductances(LoadedGraph& graph, std::span<const double> conductance) {
  constexpr double kMin = 0x1p-800;
  ASSIGN_OR_RETURN(const VertexId lost, FirstVertexWhere(graph, [&](VertexId v) {
                     return conductance[v] != 0 && conductance[v] < kMin;
                   }));
  if (lost == kInvalidVertex) return OkStatus();
  ASSIGN_OR_RETURN(const std::string text, VertexText(graph, lost));
  return BadDataError(StrCat("the conductances of vertex ", text,
                             " are less than 1e-240 of the largest: leave such edges out"));
}

Status Solve(Engine& engine, CircuitState& state, const RunContext& context, Answer* answer) {
  ASSIGN_OR_RETURN(const WeightUnit weights, FindWeightUnit(engine, state.conductance.view()));
  RETURN_IF_ERROR(CheckConductances(engine.graph(), state.conductance.span()));
  RETURN_IF_ERROR(StartValues(engine.graph(), state, 0, 1, state.value.mutable_span()));
  if (const InputValues* const fixed = state.Find(kFixed)) {
    const std::span<float> value = state.value.mutable_span();
    const std::span<double> conductance = state.conductance.mutable_span();
    RETURN_IF_ERROR(VisitValues(engine.graph(), *fixed, /*all=*/false, [&](VertexId v, double to) {
      value[v] = static_cast<float>(to);
      conductance[v] = 0;
    }));
  }
  return Simulate(
      engine, state, context,
      [&](auto before, auto now, auto change) {
        return BalancePotential{before, now, change, state.conductance.read(), weights.unit};
      },
      answer);
}

Status Verify(LoadedGraph& graph, CircuitState& state, ValueCheck& check, const RunContext&) {
  ASSIGN_OR_RETURN(const double unit, UnitOfLargestWeight(graph));
  const std::span<double> weights = check.weights.mutable_span();
  RETURN_IF_ERROR(AddAlong(graph, weights,
                           [=](const WeightedEdge<double>& edge) { return unit * edge.weight; }));
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
      graph, state.Found(), check,
      [=](const auto& edge, auto values) {
        const double all = weights[edge.to];
        return all == 0 ? 0 : unit * edge.weight / all * double{values[edge.from]};
      },
      [weights](VertexId v, double value, double sum) { return weights[v] == 0 ? value : sum; });
}

}  // namespace

EDGEMILL_ALGORITHM(cs) = {
    .name = "cs",
    .group = AlgorithmGroup::kSimulations,
    .aliases = {"circuit"},
    .summary = "potentials in a network of conductances, some of them fixed",
    .facts = {.formula = "value[v] becomes the sum of w(u, v) value[u] over edges (u, v), divided "
                         "by the sum of w(u, v)",
              .direction = "out-edges",
              .duplicates = "each duplicate counts; a loop holds its vertex back",
              .weights = "conductances; not negative; a graph without weights counts 1 an edge",
              .ends = "when no value changes by more than --tolerance, or after --iterations; "
                      "where no potential is fixed, a bipartite graph may oscillate forever",
              .passes = "one over all edges an iteration, and one for the sums of weights"},
    .text = R"(Every vertex takes part in each iteration. Vertices start from --values, else at
random from 0 to 1. --fixed gives potentials that stay; a vertex whose conductances sum to 0 keeps
its potential as well. -i alone runs exactly so many iterations. Values are 4 bytes, sums 8: so a
value is within 1e-6 of exact arithmetic, relative to the largest.
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

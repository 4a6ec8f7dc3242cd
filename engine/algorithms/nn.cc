// Neural network: activations that pass along weighted edges.
//
// Result   value[v]: tanh of a factor of v times the sum over in-edges (u, v) of weight * value[u]
// Method   jacobi: every vertex takes part in every iteration
// Paper    Ma et al., Garaph, USENIX ATC 2017: NN
// State    two values and a factor of 4 bytes each a vertex
#include "engine/algorithms/shared/simulation.h"
#include "engine/api/algorithm.h"

namespace edgemill {
namespace {

constexpr Option<double> kGain{
    .names = "--gain",
    .help = "multiply each sum by X / sqrt(in-degree), so that few activations are near 1 or -1",
    .range = {.above = 0}};

/// Sets the number by which the sum of each vertex is multiplied, beside the gain.
struct SetFactor {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kAppliesToAll = true;
  View<float> factor;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t in_edges) {
    factor[v] = in_edges == 0 ? 0 : static_cast<float>(1 / std::sqrt(1.0 * in_edges));
    return false;
  }
};

struct Activate {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const float> before;
  View<float> now;
  TallyView<Max<double>> change;
  View<const float> factor;
  double gain;
  double Emit(VertexId u) const { return before[u]; }
  double Along(double activation, const WeightedEdge<double>& edge) const {
    return edge.weight * activation;
  }
  bool Apply(VertexId v, double sum) {
    const auto activation = static_cast<float>(std::tanh(gain * factor[v] * sum));
    now[v] = activation;
    change.Add(ChangeOf(before[v], activation));
    return false;
  }
};

struct NetworkState : SimulationState {
  using SimulationState::SimulationState;
  VertexArray<float> factor{*this, "factor", ArrayUse::kWork};
  Programs<Activate, SetFactor> programs{*this, kOut};
};

Status CheckWeights(const RunSetup& setup) {
  if (setup.info.weights != WeightType::kNone) return OkStatus();
  return UsageError("nn needs weights, and the graph has none: ingest it with --weights");
}

Status Propagate(Engine& engine, NetworkState& state, const RunContext& context, Answer* answer) {
  if (state.Given(kGain)) {
    const SetFactor set{state.factor.view()};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), set).status());
  } else {
    state.factor.Fill(1);
  }
  RETURN_IF_ERROR(StartValues(engine.graph(), state, -1, 1, state.value.mutable_span()));
  const double gain = state.GetOr(kGain, 1.0);
  const auto activate = [&](auto before, auto now, auto change) {
    return Activate{before, now, change, state.factor.read(), gain};
  };
  RETURN_IF_ERROR(Simulate(engine, state, context, activate, answer));
  WarnOfSaturation(state.value.span(), .99, answer);
  return OkStatus();
}

Status Verify(LoadedGraph& graph, NetworkState& state, ValueCheck& check, const RunContext&) {
  const std::span<double> factor = check.weights.mutable_span();
  RETURN_IF_ERROR(AddAlong(graph, factor, [](const Edge&) { return 1.0; }));
  ForEachVertex(graph, [&](VertexId v) {
    const double scaled = 1 / std::sqrt(std::max(1.0, factor[v]));
    factor[v] = state.Given(kGain) ? state.Get(kGain) * static_cast<float>(scaled) : 1.0;
  });
  const std::span<double> exact = check.exact.mutable_span();
  RETURN_IF_ERROR(
      VisitStartValues(graph, state, -1, 1, [&](VertexId v, double start) { exact[v] = start; }));
  return CheckValues(
      graph, state.Found(), check,
      [](const auto& edge, auto values) { return edge.weight * double{values[edge.from]}; },
      [&](VertexId v, double, double sum) { return std::tanh(factor[v] * sum); });
}

}  // namespace

EDGEMILL_ALGORITHM(nn) = {
    .name = "nn",
    .group = AlgorithmGroup::kSimulations,
    .aliases = {"neural-network"},
    .summary = "activations of a neural network whose neurons are vertices",
    .facts = {.formula = "value[v] becomes tanh of the sum of w(u, v) value[u] over edges (u, v); "
                         "with --gain X, of that sum times X / sqrt(in-degree of v)",
              .direction = "out-edges",
              .duplicates = "each duplicate and each loop counts",
              .weights = "of both signs; a graph without weights is refused",
              .ends = "when no value changes by more than --tolerance, or after --iterations; "
                      "where weights are large, values need not settle",
              .passes = "one over all edges an iteration"},
    .text = R"(Every vertex takes part in each iteration. Vertices start from --values, else at
random from -1 to 1. Values are from -1 to 1; a run says so where over half of them are within .01
of 1 or -1. -i alone runs exactly so many iterations. Values are 4 bytes, sums 8; where weights are
large, what is rounded grows from one iteration to the next.
)",
    .paper = "Ma et al., Garaph, USENIX ATC 2017",
    .options = {kRounds, kLargestChange, kGain, kValues, kValueSeed},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .check = CheckWeights,
    .driver = kDriver<Propagate>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

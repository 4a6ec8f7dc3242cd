// Neural network: activations that pass along weighted edges.
//
// Result   value[v]: tanh of the sum over in-edges (u, v) of weight * value[u]
// Method   jacobi: every vertex takes part in every iteration
// Paper    Ma et al., Garaph, USENIX ATC 2017: NN
// State    two values of 4 bytes a vertex
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/simulation.h"

namespace edgemill {
namespace {

struct Activate {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  View<const float> before;
  View<float> now;
  TallyView<Max<double>> change;
  float Emit(VertexId u) const { return before[u]; }
  float Along(float activation, const WeightedEdge<float>& edge) const {
    return edge.weight * activation;
  }
  bool Apply(VertexId v, double sum) {
    const auto activation = static_cast<float>(std::tanh(sum));
    now[v] = activation;
    change.Add(ChangeOf(before[v], activation));
    return false;
  }
};

struct NetworkState : SimulationState {
  using SimulationState::SimulationState;
  Programs<Activate> programs{*this, kOut};
};

Status CheckWeights(const RunSetup& setup) {
  if (setup.info.weights != WeightType::kNone) return OkStatus();
  return UsageError("nn needs weights, and the graph has none: ingest it with --weights");
}

Status Propagate(Engine& engine, NetworkState& state, const RunContext& context, Answer* answer) {
  RETURN_IF_ERROR(StartValues(engine.graph(), state, -1, 1));
  return Simulate(
      engine, state, context,
      [](auto before, auto now, auto change) {
        return Activate{before, now, change};
      },
      answer);
}

Status Verify(LoadedGraph& graph, NetworkState& state, ValueCheck& check, const RunContext&) {
  const std::span<double> exact = check.exact.mutable_span();
  RETURN_IF_ERROR(
      VisitStartValues(graph, state, -1, 1, [&](VertexId v, double start) { exact[v] = start; }));
  return CheckValues(
      graph, state, check,
      [](const WeightedEdge<double>& edge, auto values) {
        return edge.weight * double{values[edge.from]};
      },
      [](VertexId, double, double sum) { return std::tanh(sum); });
}

}  // namespace

EDGEMILL_ALGORITHM(nn) = {
    .name = "nn",
    .group = AlgorithmGroup::kSimulations,
    .aliases = {"neural-network"},
    .summary = "activations of a neural network whose neurons are vertices",
    .text = R"(In each iteration value[v] becomes tanh of the sum, over in-edges (u, v), of weight
times value[u]: every vertex takes part. Stops when no value changes by more than -t, or after -i
iterations; -i alone runs exactly so many. Vertices start from --values, else at random from -1 to
1. Weights have both signs; a graph without weights is refused. Edges go from source to target; on
symmetric graphs both ways. Duplicate edges and loops count each. Where weights are large,
activations need not settle. Values are 4 bytes, sums 8; where weights are large, what is rounded
grows from one iteration to the next.
)",
    .paper = "Ma et al., Garaph, USENIX ATC 2017",
    .options = {kRounds, kLargestChange, kValues, kValueSeed},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .check = CheckWeights,
    .driver = kDriver<Propagate>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

// Heat simulation: heat flows along edges from warmer vertices to colder ones.
//
// Result   value[v]: q[v] becomes q[v] + sum over in-edges (u, v) of c * (q[u] - q[v]), where c is
//          the scale times the weight
// Method   jacobi: every vertex takes part in every iteration. It sums differences, so that equal
//          values stay the same to the last bit.
// Paper    Ma et al., Garaph, USENIX ATC 2017: HS
// State    two values of 4 bytes a vertex
#include "engine/algorithms/shared/simulation.h"
#include "engine/api/algorithm.h"

namespace edgemill {
namespace {

constexpr Option<double> kScale{
    .names = "--scale",
    .help =
        "how much of a difference flows along an edge of weight 1 (default: 1 over the largest "
        "sum of a vertex's weights)",
    .range = {.above = 0}};

struct Flow {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const float> before;
  View<float> now;
  TallyView<Max<double>> change;
  double unit, scale;  // factors of weights, and of the flow along weights in units
  double Emit(VertexId u) const { return before[u]; }
  double Along(double heat, const WeightedEdge<double>& edge) const {
    return edge.weight * unit * (heat - before[edge.to]);
  }
  bool Apply(VertexId v, double sum) {
    const auto heat = static_cast<float>(before[v] + scale * sum);
    now[v] = heat;
    change.Add(ChangeOf(before[v], heat));
    return false;
  }
};

struct HeatState : SimulationState {
  using SimulationState::SimulationState;
  Programs<Flow, AddWeights> programs{*this, kOut};
};

Status Warm(Engine& engine, HeatState& state, const RunContext& context, Answer* answer) {
  double unit = 1, scale = 1;
  if (state.Given(kScale)) {
    unit = state.Get(kScale);
  } else {
    ASSIGN_OR_RETURN(const WeightUnit weights, FindWeightUnit(engine, {}));
    unit = weights.unit;
    scale = weights.most > 0 ? 1 / weights.most : 0;
  }
  RETURN_IF_ERROR(StartValues(engine.graph(), state, 0, 1, state.value.mutable_span()));
  return Simulate(
      engine, state, context,
      [&](auto before, auto now, auto change) {
        return Flow{before, now, change, unit, scale};
      },
      answer);
}

Status Verify(LoadedGraph& graph, HeatState& state, ValueCheck& check, const RunContext&) {
  ASSIGN_OR_RETURN(const double unit, UnitOfLargestWeight(graph));
  const std::span<double> weights = check.weights.mutable_span();
  RETURN_IF_ERROR(AddAlong(graph, weights,
                           [=](const WeightedEdge<double>& edge) { return unit * edge.weight; }));
  const double most = weights.empty() ? 0 : *std::max_element(weights.begin(), weights.end());
  const bool given = state.Given(kScale);
  const double scale = given ? state.Get(kScale) : most > 0 ? 1 / most : 0;
  const std::span<double> exact = check.exact.mutable_span();
  RETURN_IF_ERROR(
      VisitStartValues(graph, state, 0, 1, [&](VertexId v, double start) { exact[v] = start; }));
  return CheckValues(
      graph, state.Found(), check,
      [=](const auto& edge, auto values) {
        const double flows = scale * (given ? edge.weight : unit * edge.weight);
        return flows * (double{values[edge.from]} - double{values[edge.to]});
      },
      [](VertexId, double value, double sum) { return value + sum; });
}

}  // namespace

EDGEMILL_ALGORITHM(hs) = {
    .name = "hs",
    .group = AlgorithmGroup::kSimulations,
    .aliases = {"heat"},
    .summary = "heat that flows along edges until it is even",
    .facts =
        {.formula = "value[v] grows by the scale times the sum of w(u, v) (value[u] - value[v]) "
                    "over edges (u, v)",
         .direction = "out-edges",
         .duplicates = "each duplicate counts; loops change nothing",
         .weights = "not negative; a graph without weights counts 1 an edge",
         .ends = "when no value changes by more than --tolerance, or after --iterations",
         .passes =
             "one over all edges an iteration, and without --scale one for the sums of weights"},
    .text = R"(Every vertex takes part in each iteration. Vertices start from --values, else at
random from 0 to 1. On symmetric graphs heat is conserved. -i alone runs exactly so many iterations.
With a --scale above the default values may grow without bound: one that is no finite number ends
the run with an error, which names its vertex. Values are 4 bytes, sums 8: so a value is within 1e-6
of exact arithmetic, relative to the largest.
)",
    .paper = "Ma et al., Garaph, USENIX ATC 2017",
    .options = {kRounds, kLargestChange, kScale, kValues, kValueSeed},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .refuses_negative_weights = true,
    .driver = kDriver<Warm>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

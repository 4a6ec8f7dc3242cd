// Bonacich's power centrality: a vertex has power through neighbours, and through what power they
// have.
//
// Result   value[v] = sum of 1 + alpha * value[u] over in-edges (u, v)
// Method   Iterates until no value changes by more than the tolerance.
// Paper    Bonacich: Power and centrality: a family of measures, Am. J. Sociology 1987.
#include <edgemill/algorithm.h>

#include <cmath>

namespace edgemill {
namespace {

constexpr Option<double> kAlpha{.names = "--alpha",
                                .help = "how much the power of neighbours counts",
                                .range = {.above = 0},
                                .value = 0.001};
constexpr Option<double> kTolerance{.names = "-t,--tolerance",
                                    .help = "stop when no value changes by more than X",
                                    .range = {.above = 0},
                                    .value = 1e-9};
constexpr Option<uint64_t> kRounds{.names = "-i,--iterations",
                                   .help = "how many iterations, at most",
                                   .range = Whole32(1),
                                   .value = 1000};

struct SumPower {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> before;
  View<double> now;
  TallyView<Max<double>> change;
  double alpha;
  double Emit(VertexId u) const { return 1 + alpha * before[u]; }
  bool Apply(VertexId v, double sum) {
    change.Add(std::abs(sum - before[v]));
    now[v] = sum;
    return false;
  }
};

struct PowerState : RunState {
  using RunState::RunState;
  VertexArray<double> value{*this, "value", ArrayUse::kResult};
  VertexArray<double> next{*this, "next value"};
  double last_change = std::numeric_limits<double>::infinity();
  Programs<SumPower> programs{*this, kOut};
};

Status Iterate(Engine& engine, PowerState& state, const RunContext& context, Answer* answer) {
  state.value.Fill(0);
  Tally<Max<double>> change("the change of values");
  context.progress.SetMostIterations(state.Get(kRounds));
  uint64_t rounds = 0;
  while (rounds < state.Get(kRounds) && state.last_change > state.Get(kTolerance)) {
    const SumPower program{state.value.read(), state.next.view(), change.view(), state.Get(kAlpha)};
    EDGEMILL_RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), program).status());
    EDGEMILL_ASSIGN_OR_RETURN(state.last_change, change.Take());
    if (!std::isfinite(state.last_change)) {
      return UsageError("bonacich: values grow without bound: give a smaller --alpha");
    }
    state.value.Swap(state.next);
    ++rounds;
  }
  answer->passes = rounds;
  answer->AddCount("iterations", rounds);
  answer->CheckSettled("values", state.last_change, state.Get(kTolerance));
  answer->Fill("value", state.value.span());
  return OkStatus();
}

struct PowerCheck : RunState {
  using RunState::RunState;
  VertexArray<double> sum{*this, "the verifier's sums"};
  VertexArray<double> ones{*this, "the verifier's ones"};
  VertexArray<double> degree{*this, "the verifier's in-degrees"};
};

/// One more iteration changes a value by at most the last change, damped, for each in-edge.
Status Verify(LoadedGraph& graph, PowerState& state, PowerCheck& check, const RunContext&) {
  const std::span<const double> value = state.value.span();
  const std::span<double> sum = check.sum.mutable_span();
  const std::span<double> degree = check.degree.mutable_span();
  check.ones.Fill(1);
  EDGEMILL_RETURN_IF_ERROR(AddAlongEdges(graph, value, sum));
  EDGEMILL_RETURN_IF_ERROR(AddAlongEdges(graph, check.ones.span(), degree));
  const double alpha = state.Get(kAlpha);
  return NoVertexWhere(graph, "has a value that its in-neighbours do not give", [&](VertexId v) {
    const double allowed = alpha * degree[v] * state.last_change + 1e-9 * value[v];
    return !(std::abs(degree[v] + alpha * sum[v] - value[v]) <= allowed);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(bonacich) = {
    .name = "bonacich",
    .group = AlgorithmGroup::kCentrality,
    .summary = "Bonacich's power centrality: power through neighbours, and through theirs",
    .facts = {.formula = "value[v] = the sum of 1 + alpha * value[u] over edges (u, v)",
              .direction = "out-edges",
              .duplicates = "each duplicate counts; a loop counts as an edge",
              .weights = "ignored",
              .ends = "when no value changes by more than --tolerance, or after --iterations",
              .passes = "one over all edges an iteration"},
    .text =
        "Values are bounded where --alpha is below 1 over the largest eigenvalue of the graph.\n"
        "With a larger --alpha, values grow until they are no numbers, which is an error.\n",
    .paper = "Bonacich, Power and centrality: a family of measures, Am. J. Sociology 1987",
    .options = {kAlpha, kTolerance, kRounds},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .driver = kDriver<Iterate>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

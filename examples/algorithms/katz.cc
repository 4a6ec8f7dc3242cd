// Katz centrality: how many walks end at a vertex, where a walk counts less the longer it is.
//
// Result   value[v] = 1 + alpha * sum of value[u] over in-edges (u, v)
// Method   Iterates until no value changes by more than the tolerance.
// Paper    Katz: A new status index derived from sociometric analysis, Psychometrika 1953.
#include <edgemill/algorithm.h>

#include <cmath>

namespace edgemill {
namespace {

constexpr Option<double> kAlpha{.names = "--alpha",
                                .help = "how much less a walk counts with each edge",
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

struct CountWalks {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  View<const double> before;
  View<double> now;
  TallyView<Max<double>> change;
  double alpha;
  double Emit(VertexId u) const { return before[u]; }
  bool Apply(VertexId v, double sum) {
    const double value = 1 + alpha * sum;
    change.Add(std::abs(value - before[v]));
    now[v] = value;
    return false;
  }
};

struct KatzState : RunState {
  using RunState::RunState;
  VertexArray<double> value{*this, "value", ArrayUse::kResult};
  VertexArray<double> next{*this, "next value"};
  double last_change = std::numeric_limits<double>::infinity();
  Programs<CountWalks> programs{*this, kOut};
};

Status Iterate(Engine& engine, KatzState& state, const RunContext& context, Answer* answer) {
  state.value.Fill(1);
  Tally<Max<double>> change("the change of values");
  context.progress.SetMostIterations(state.Get(kRounds));
  uint64_t rounds = 0;
  while (rounds < state.Get(kRounds) && state.last_change > state.Get(kTolerance)) {
    const CountWalks walks{state.value.read(), state.next.view(), change.view(), state.Get(kAlpha)};
    EDGEMILL_RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), walks).status());
    EDGEMILL_ASSIGN_OR_RETURN(state.last_change, change.Take());
    if (!std::isfinite(state.last_change)) {
      return UsageError("katz: values grow without bound: give a smaller --alpha");
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

struct KatzCheck : RunState {
  using RunState::RunState;
  VertexArray<double> sum{*this, "the verifier's sums"};
  VertexArray<double> ones{*this, "the verifier's ones"};
  VertexArray<double> degree{*this, "the verifier's in-degrees"};
};

/// One more iteration changes a value by at most the last change, damped, for each in-edge.
Status Verify(LoadedGraph& graph, KatzState& state, KatzCheck& check, const RunContext&) {
  const std::span<const double> value = state.value.span();
  const std::span<double> sum = check.sum.mutable_span();
  const std::span<double> degree = check.degree.mutable_span();
  check.ones.Fill(1);
  EDGEMILL_RETURN_IF_ERROR(AddAlongEdges(graph, value, sum));
  EDGEMILL_RETURN_IF_ERROR(AddAlongEdges(graph, check.ones.span(), degree));
  const double alpha = state.Get(kAlpha);
  return NoVertexWhere(graph, "has a value that its in-neighbours do not give", [&](VertexId v) {
    const double allowed = alpha * degree[v] * state.last_change + 1e-9 * value[v];
    return !(std::abs(1 + alpha * sum[v] - value[v]) <= allowed);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(katz) = {
    .name = "katz",
    .group = AlgorithmGroup::kCentrality,
    .summary = "Katz centrality: walks that end at a vertex, longer ones counting less",
    .facts = {.formula = "value[v] = 1 + alpha * the sum of value[u] over edges (u, v)",
              .direction = "out-edges",
              .duplicates = "each duplicate counts; a loop counts as an edge",
              .weights = "ignored",
              .ends = "when no value changes by more than --tolerance, or after --iterations",
              .passes = "one over all edges an iteration"},
    .text =
        "Values are bounded where --alpha is below 1 over the largest eigenvalue of the graph.\n"
        "With a larger --alpha, values grow until they are no numbers, which is an error.\n",
    .paper = "Katz, A new status index derived from sociometric analysis, Psychometrika 1953",
    .options = {kAlpha, kTolerance, kRounds},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .driver = kDriver<Iterate>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

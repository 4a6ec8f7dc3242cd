// Katz centrality: how many walks lead to a vertex, where long walks count less.
//
// Result   value[v] = alpha * sum of value[u] * w(u, v) over in-edges (u, v) + beta, then divided
// by
//          the Euclidean length of all values. The values of NetworkX's katz_centrality.
// Method   Iterations from 0. They converge if alpha is below 1 over the greatest eigenvalue.
// Paper    Katz: A New Status Index Derived from Sociometric Analysis, Psychometrika 1953.
// State    16 bytes a vertex.
#include "engine/algorithms/shared/convergence.h"
#include "engine/algorithms/shared/products.h"
#include "engine/api/algorithm.h"
#include "engine/verify/iteration_check.h"

namespace edgemill {
namespace {

constexpr Option<uint64_t> kIterations{"-i,--iterations", "how many iterations, at most",
                                       Whole32(1), 1000};
constexpr Option<double> kTolerance = MeanChange(1e-6);
constexpr Option<double> kAlpha{
    "--alpha", "how much less a walk counts for each of its edges", {.above = 0}, 0.1};
constexpr Option<double> kBeta{"--beta", "what a vertex has by itself", {.above = 0}, 1};
constexpr Option<bool> kRaw{"--raw", "do not divide values by their length"};

struct KatzState : RunState {
  using RunState::RunState;
  const Convergence until{*this, kIterations, kTolerance};
  const double alpha = Get(kAlpha), beta = Get(kBeta);
  uint64_t iterations = 0;
  double change = 0;  // the mean one
  VertexArray<double> value{*this, "value", ArrayUse::kResult};
  VertexArray<double> next{*this, "next value"};
  Gathers gathers{*this, kOut, Get(kWeighted)};
};

/// On an undirected graph the greatest eigenvalue is at least the mean degree.
Status Check(const RunSetup& setup) {
  RETURN_IF_ERROR(CheckPositiveWeights(setup));
  const GraphInfo& info = setup.info;
  if (info.directed || setup.Get(kWeighted) || info.num_vertices == 0) return OkStatus();
  const double mean = static_cast<double>(info.num_edges) / static_cast<double>(info.num_vertices);
  if (setup.Get(kAlpha) * mean < 1) return OkStatus();
  return UsageError(StrCat("--alpha ", setup.Get(kAlpha),
                           ": values would grow for ever; it must "
                           "be below 1 over the greatest eigenvalue, which is at least the mean "
                           "degree, ",
                           FormatSignificant(mean)));
}

/// UsageError where changes grow, by `growth` in the last iteration.
Status CheckGrowth(const KatzState& state, double growth) {
  if (std::isfinite(state.change) && growth < 1) return OkStatus();
  const double bound = std::isfinite(growth) && growth > 0 ? state.alpha / growth : 0;
  return UsageError(StrCat("--alpha ", state.alpha,
                           ": values grow for ever; it must be below 1 "
                           "over the greatest eigenvalue, about ",
                           FormatSignificant(bound)));
}

Status FindValues(Engine& engine, KatzState& state, const RunContext& context, Answer* answer) {
  constexpr double kTooMuch = 1e200;
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  const VertexSet all = engine.sets().All();
  state.value.Fill(0);
  double before = 0;
  for (state.iterations = 0; state.iterations < state.until.iterations && !all.empty();) {
    RETURN_IF_ERROR(state.gathers.Run(
        engine, kOut, {state.value.read(), state.next.view(), state.alpha, /*own=*/0, state.beta}));
    ++state.iterations;
    const DistanceOf distance{state.next.read(), state.value.read(), 1, 1};
    ASSIGN_OR_RETURN(const double change, engine.Reduce<Sum<double>>(all, distance));
    state.value.Swap(state.next);
    before = std::exchange(state.change, change / static_cast<double>(all.size()));
    if (!(state.change < kTooMuch)) return CheckGrowth(state, state.change / before);
    forecast.Add(state.change);
    if (state.change < state.until.tolerance) break;
  }
  if (state.until.tolerance > 0 && state.change >= state.until.tolerance && before > 0) {
    RETURN_IF_ERROR(CheckGrowth(state, state.change / before));
  }
  double scale = 1;
  if (!state.Get(kRaw) && !all.empty()) {
    ASSIGN_OR_RETURN(const double norm, NormOf(engine, state.value.read()));
    scale = 1 / norm;
  }
  answer->passes = state.iterations;
  answer->AddCount("iterations", state.iterations);
  answer->AddFact("last change", FormatSignificant(state.change), state.change, "mean_change");
  answer->CheckSettled("values", state.change, state.until.tolerance);
  answer->Fill("value", [value = state.value.span(), scale](VertexId v) -> double {
    return value[v] * scale;
  });
  return OkStatus();
}

Status Verify(LoadedGraph& graph, KatzState& state, IterationCheck& check, const RunContext&) {
  const double tolerance = state.until.tolerance;
  const std::span<const double> found = state.value.span();
  const std::span<double> value = check.value.mutable_span(), sums = check.sums.mutable_span();
  const double size = SumOverVertices(graph, [&](VertexId v) { return std::abs(found[v]); });
  return CheckIterations(
      graph,
      {"values", state.iterations, state.change < tolerance,
       tolerance * static_cast<double>(graph.num_vertices()), 1e-9 * std::max(1.0, size)},
      check, IterationEnds{[](VertexId) { return 0.0; }, [&](VertexId v) { return found[v]; }},
      [&] {
        RETURN_IF_ERROR(AddNeighbors(graph, state.gathers.weighted, value, sums));
        ForEachVertex(graph, [&](VertexId v) { value[v] = state.alpha * sums[v] + state.beta; });
        return OkStatus();
      });
}

}  // namespace

EDGEMILL_ALGORITHM(katz) = {
    .name = "katz",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"katz-centrality"},
    .summary = "Katz centrality: walks that lead to a vertex, where long ones count less",
    .facts = {.formula = "value[v] = alpha (sum of w(u, v) value[u] over edges (u, v)) + beta; all "
                         "values are then divided by the root of the sum of their squares",
              .direction = "out-edges",
              .duplicates = "each duplicate and each loop counts",
              .weights = "ignored (1 an edge); with --weighted not negative",
              .ends = "when values change by less than --tolerance on average, or after "
                      "--iterations, with a warning unless only --iterations was given",
              .passes = "one over all edges an iteration"},
    .text = R"(The values are those of NetworkX's katz_centrality. Values converge only where
--alpha is below 1 over the greatest eigenvalue of the matrix of edges. An --alpha that is surely
too large is refused before the run; otherwise the run finds that values grow, and the error says
about how small it must be. With --raw, values are not divided by their length. -i alone runs
exactly so many iterations.
)",
    .paper = "Katz, A New Status Index Derived from Sociometric Analysis, Psychometrika 1953",
    .options = {kAlpha, kBeta, kRaw, kIterations, kTolerance, kWeighted},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .check = Check,
    .driver = kDriver<FindValues>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

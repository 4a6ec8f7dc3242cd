// HITS: hubs, which point to good authorities, and authorities, which good hubs point to.
//
// Result   authority[v]: in proportion to the sum of hub[u] over in-edges (u, v). With --hubs,
//          hub[v]: in proportion to the sum of authority[u] over out-edges (v, u). Each sums to 1.
// Method   Iterations from equal hubs: authorities from hubs, hubs from authorities.
// Paper    Kleinberg: Authoritative Sources in a Hyperlinked Environment, JACM 1999.
// State    24 bytes a vertex.
#include "engine/algorithms/shared/convergence.h"
#include "engine/algorithms/shared/products.h"
#include "engine/api/algorithm.h"
#include "engine/verify/iteration_check.h"

namespace edgemill {
namespace {

constexpr Option<uint64_t> kIterations{"-i,--iterations", "how many iterations, at most",
                                       Whole32(1), 1000};
constexpr Option<double> kTolerance{
    "-t,--tolerance", "stop when hubs change by less than X in all; 0: never", {.least = 0}, 1e-8};
constexpr Option<bool> kHubs{"--hubs", "give hubs instead of authorities"};

struct HitsState : RunState {
  using RunState::RunState;
  const Convergence until{*this, kIterations, kTolerance};
  uint64_t iterations = 0;
  double change = 0;
  double hub_scale = 1, authority_scale = 1;  // values are hub[v] * hub_scale, and so on
  VertexArray<double> hub{*this, "hub", ArrayUse::kResult};
  VertexArray<double> authority{*this, "authority", ArrayUse::kResult};
  VertexArray<double> next{*this, "next hub"};
  Gathers forward{*this, kOut, Get(kWeighted)};
  Gathers backward{*this, kIn, Get(kWeighted)};
};

/// 1 over the sum of values; 0 where the graph has no edges. BadDataError where it is no number.
StatusOr<double> ScaleOf(Engine& engine, const VertexArray<double>& value) {
  ASSIGN_OR_RETURN(const double sum,
                   engine.Reduce<Sum<double>>(engine.sets().All(), ValueOf{value.read()}));
  if (sum == 0) return 0.0;
  if (std::isfinite(sum)) return 1 / sum;
  return BadDataError("sums of weights are above all numbers: scale the weights");
}

Status FindScores(Engine& engine, HitsState& state, const RunContext& context, Answer* answer) {
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  const VertexSet all = engine.sets().All();
  state.hub.Fill(1);
  state.hub_scale = 1 / std::max(1.0, static_cast<double>(engine.num_vertices()));
  for (state.iterations = 0; state.iterations < state.until.iterations && !all.empty();) {
    const double before = state.hub_scale;
    RETURN_IF_ERROR(state.forward.Run(
        engine, kOut, {state.hub.read(), state.authority.view(), before, /*own=*/0, /*base=*/0}));
    ASSIGN_OR_RETURN(state.authority_scale, ScaleOf(engine, state.authority));
    RETURN_IF_ERROR(state.backward.Run(
        engine, kIn,
        {state.authority.read(), state.next.view(), state.authority_scale, /*own=*/0, /*base=*/0}));
    ASSIGN_OR_RETURN(state.hub_scale, ScaleOf(engine, state.next));
    ++state.iterations;
    const DistanceOf distance{state.next.read(), state.hub.read(), state.hub_scale, before};
    ASSIGN_OR_RETURN(state.change, engine.Reduce<Sum<double>>(all, distance));
    state.hub.Swap(state.next);
    forecast.Add(state.change);
    if (state.change < state.until.tolerance) break;
  }
  answer->passes = 2 * state.iterations;
  answer->AddCount("iterations", state.iterations);
  answer->AddFact("last change", FormatSignificant(state.change), state.change, "last_change_l1");
  answer->CheckSettled("hubs", state.change, state.until.tolerance);
  const bool hubs = state.Get(kHubs);
  answer->Fill(hubs ? "hub" : "authority",
               [value = hubs ? state.hub.span() : state.authority.span(),
                scale = hubs ? state.hub_scale : state.authority_scale](VertexId v) -> double {
                 return value[v] * scale;
               });
  return OkStatus();
}

struct HitsCheck : IterationCheck {
  using IterationCheck::IterationCheck;
  VertexArray<double> authority{*this, "the verifier's authorities"};
};

/// Checks hubs by iterations, and authorities by what leads from hubs to them.
Status Verify(LoadedGraph& graph, HitsState& state, HitsCheck& check, const RunContext&) {
  const bool weighted = state.forward.weighted;
  const double tolerance = state.until.tolerance;
  const std::span<const double> hub = state.hub.span(), authority = state.authority.span();
  const std::span<double> value = check.value.mutable_span(), sums = check.sums.mutable_span();
  const std::span<double> found = check.authority.mutable_span();
  const auto scale = [&](std::span<double> values) {
    const double sum = SumOverVertices(graph, [&](VertexId v) { return values[v]; });
    ForEachVertex(graph, [&](VertexId v) { values[v] = sum == 0 ? 0 : values[v] / sum; });
  };
  const auto step = [&] {
    RETURN_IF_ERROR(AddNeighbors(graph, weighted, value, found));
    scale(found);
    ForEachVertex(graph, [&](VertexId v) { sums[v] = 0; });
    if (weighted) {
      RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
        AtomicAdd(&sums[edge.from], found[edge.to] * edge.weight);
      }));
    } else {
      RETURN_IF_ERROR(PlainVisit(
          graph, [&](const Edge& edge) { AtomicAdd(&sums[edge.from], found[edge.to]); }));
    }
    scale(sums);
    ForEachVertex(graph, [&](VertexId v) { value[v] = sums[v]; });
    return OkStatus();
  };
  RETURN_IF_ERROR(CheckIterations(
      graph, {"hubs", state.iterations, state.change < tolerance, tolerance}, check,
      IterationEnds{[&](VertexId) { return 1 / static_cast<double>(graph.num_vertices()); },
                    [&](VertexId v) { return hub[v] * state.hub_scale; }},
      step));
  // Authorities are those of the hubs before; these may have changed by the tolerance.
  const double apart = SumOverVertices(
      graph, [&](VertexId v) { return std::abs(found[v] - authority[v] * state.authority_scale); });
  const bool settled = state.change < tolerance;
  constexpr double kRounding = 1e-9, kFactor = 1e3;
  if (apart <= kRounding + (settled ? kFactor * tolerance : 0)) return OkStatus();
  return InternalError(StrCat("authorities are ", apart, " from those that hubs lead to"));
}

}  // namespace

EDGEMILL_ALGORITHM(hits) = {
    .name = "hits",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"hubs-and-authorities"},
    .summary = "hubs and authorities: good hubs point to good authorities",
    .facts = {.formula = "authority[v] is in proportion to the sum of w(u, v) hub[u] over edges "
                         "(u, v); hub[v] to the sum of w(v, u) authority[u] over edges (v, u); "
                         "each sums to 1",
              .direction = "both: along out-edges and back",
              .duplicates = "each duplicate and each loop counts",
              .weights = "ignored (1 an edge); with --weighted not negative",
              .ends = "when hubs change by less than --tolerance in all (L1), or after "
                      "--iterations, with a warning unless only --iterations was given",
              .passes = "two over all edges an iteration"},
    .text = R"(The values are those of NetworkX's hits, which counts edges by their weights where
there are some: give --weighted for that. Without edges, all values are 0. Where the two greatest
singular values are nearly the same, this takes many iterations. -i alone runs exactly so many.
)",
    .paper = "Kleinberg, Authoritative Sources in a Hyperlinked Environment, JACM 1999",
    .options = {kHubs, kIterations, kTolerance, kWeighted},
    .results = {{.name = "authority",
                 .type = ResultType::kReal,
                 .top = TopKind::kValues,
                 .default_top = 5},
                {.name = "hub",
                 .type = ResultType::kReal,
                 .top = TopKind::kValues,
                 .default_top = 5,
                 .option = kHubs.names}},
    .check = CheckPositiveWeights,
    .driver = kDriver<FindScores>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

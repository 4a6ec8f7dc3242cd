// Eigenvector centrality: vertices are central if central vertices lead to them.
//
// Result   value[v]: the entry of the eigenvector of the greatest eigenvalue of the matrix of
//          in-edges, of Euclidean length 1. The values of NetworkX's eigenvector_centrality.
// Method   Power iteration of the matrix plus the identity, which does not oscillate on bipartite
//          graphs, from equal values.
// Paper    Bonacich: Power and Centrality, American Journal of Sociology 1987.
// State    16 bytes a vertex.
#include "engine/algorithms/shared/convergence.h"
#include "engine/algorithms/shared/products.h"
#include "engine/api/algorithm.h"
#include "engine/verify/iteration_check.h"

namespace edgemill {
namespace {

constexpr Option<uint64_t> kIterations{"-i,--iterations", "how many iterations, at most",
                                       Whole32(1), 100};
constexpr Option<double> kTolerance = MeanChange(1e-6);

struct EigenvectorState : RunState {
  using RunState::RunState;
  const Convergence until{*this, kIterations, kTolerance};
  uint64_t iterations = 0;
  double change = 0, scale = 1;  // values are value[v] * scale
  VertexArray<double> value{*this, "value", ArrayUse::kResult};
  VertexArray<double> next{*this, "next value"};
  Gathers gathers{*this, kOut, Get(kWeighted)};
};

Status FindValues(Engine& engine, EigenvectorState& state, const RunContext& context,
                  Answer* answer) {
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  const VertexSet all = engine.sets().All();
  const auto vertices = static_cast<double>(engine.num_vertices());
  state.scale = 1 / std::sqrt(std::max(1.0, vertices));
  state.value.Fill(1);
  for (state.iterations = 0; state.iterations < state.until.iterations && !all.empty();) {
    const double scale = state.scale;
    RETURN_IF_ERROR(state.gathers.Run(
        engine, kOut, {state.value.read(), state.next.view(), scale, scale, /*base=*/0}));
    ++state.iterations;
    ASSIGN_OR_RETURN(const double norm, NormOf(engine, state.next.read()));
    state.scale = 1 / norm;
    const DistanceOf distance{state.next.read(), state.value.read(), state.scale, scale};
    ASSIGN_OR_RETURN(const double change, engine.Reduce<Sum<double>>(all, distance));
    state.value.Swap(state.next);
    state.change = change / vertices;
    forecast.Add(state.change);
    if (state.change < state.until.tolerance) break;
  }
  answer->passes = state.iterations;
  answer->AddCount("iterations", state.iterations);
  answer->AddFact("last change", FormatSignificant(state.change), state.change, "mean_change");
  answer->CheckSettled("values", state.change, state.until.tolerance);
  answer->Fill("value", [value = state.value.span(), scale = state.scale](VertexId v) -> double {
    return value[v] * scale;
  });
  return OkStatus();
}

Status Verify(LoadedGraph& graph, EigenvectorState& state, IterationCheck& check,
              const RunContext&) {
  const auto vertices = static_cast<double>(graph.num_vertices());
  const double tolerance = state.until.tolerance;
  const std::span<const double> found = state.value.span();
  const std::span<double> value = check.value.mutable_span(), sums = check.sums.mutable_span();
  return CheckIterations(
      graph,
      {"values", state.iterations, state.change < tolerance, tolerance * vertices,
       1e-9 * std::max(1.0, std::sqrt(vertices))},
      check,
      IterationEnds{[&](VertexId) { return 1 / std::sqrt(vertices); },
                    [&](VertexId v) { return found[v] * state.scale; }},
      [&] {
        RETURN_IF_ERROR(AddNeighbors(graph, state.gathers.weighted, value, sums));
        ForEachVertex(graph, [&](VertexId v) { value[v] += sums[v]; });
        const double norm =
            std::sqrt(SumOverVertices(graph, [&](VertexId v) { return value[v] * value[v]; }));
        ForEachVertex(graph, [&](VertexId v) { value[v] /= norm; });
        return OkStatus();
      });
}

}  // namespace

EDGEMILL_ALGORITHM(eigenvector) = {
    .name = "eigenvector",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"eigenvector-centrality"},
    .summary = "eigenvector centrality: a vertex is central if central vertices lead to it",
    .facts = {.formula = "value[v] is in proportion to the sum of w(u, v) value[u] over edges "
                         "(u, v); the squares of all values sum to 1",
              .direction = "out-edges",
              .duplicates = "each duplicate and each loop counts",
              .weights = "ignored (1 an edge); with --weighted not negative",
              .ends = "when values change by less than --tolerance on average, or after "
                      "--iterations, with a warning unless only --iterations was given",
              .passes = "one over all edges an iteration"},
    .text = R"(The values are those of NetworkX's eigenvector_centrality. Each iteration adds to a
vertex's value those of its in-neighbours, and scales all values. Where two eigenvalues are nearly
the same, as in two parts that are hardly joined, this takes very many iterations. -i alone runs
exactly so many.
)",
    .paper = "Bonacich, Power and Centrality, American Journal of Sociology 1987",
    .options = {kIterations, kTolerance, kWeighted},
    .results =
        {{.name = "value", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .check = CheckPositiveWeights,
    .driver = kDriver<FindValues>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

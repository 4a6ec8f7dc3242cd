// Betweenness: on how many shortest paths from some sources a vertex lies.
//
// Result   betweenness[v]: a sum over sources s and targets t, both other than v. Each pair adds
//          the share of the shortest paths from s to t that go through v. Paths follow out-edges,
//          and have the fewest edges, or with --weighted the least sum of weights. Duplicate edges
//          count as one; loops do not count. With --sample, the sum over all sources is estimated
//          from some. With --normalized, the mean share over all pairs, as NetworkX has it.
// Method   One source after the other. A search finds the levels from the source, and the number of
//          shortest paths to each vertex. Then dependencies are summed up level by level back,
//          against the edges. An edge (v, w) to the next level adds (1 + dependency[w]) * paths[v]
//          / paths[w] to dependency[v] (shared/level_dependencies.h). With --weighted, distances
//          come first, in buckets. Levels are then those of the edges on shortest paths, which
//          make no cycle (shared/weighted_dependencies.h).
// Paper    Brandes: A faster algorithm for betweenness centrality, J. Math. Sociology 2001.
// State    40 bytes a vertex; with --weighted 56.
#include <algorithm>
#include <cmath>

#include "engine/algorithms/shared/level_dependencies.h"
#include "engine/algorithms/shared/path_arrays.h"
#include "engine/algorithms/shared/strengths.h"
#include "engine/algorithms/shared/vertex_sample.h"
#include "engine/algorithms/shared/weighted_dependencies.h"
#include "engine/api/algorithm.h"
#include "engine/verify/dependency_check.h"
#include "engine/verify/simple_edges.h"
#include "engine/verify/weighted_dependency_check.h"

namespace edgemill {
namespace {

constexpr Option<SeveralVertices> kFrom{
    .names = "-r,--source",
    .help =
        "a vertex to start at, by its id or its name; give it several times for more (default: "
        "all vertices)"};
constexpr Option<bool> kNormalized{
    "--normalized", "give the mean share of paths, over all pairs of other vertices"};

struct BetweennessState : RunState {
  explicit BetweennessState(const RunSetup& setup) : RunState(setup) { HoldSets(2); }
  const bool weighted = Get(kWeighted);
  PathArrays arrays{*this};
  const bool samples = VertexSample::IsPart(*this);
  const bool scales = samples || Get(kNormalized);
  VertexBits is_source{*this, "sources", UseIf(scales, ArrayUse::kResult)};
  uint64_t num_sources = 0;
  LevelDependencies by_level{*this, !weighted};
  WeightedDependencies by_weight{*this, weighted};
};

/// Calls `visit(source)` for each source, until it returns an error.
template <typename Visit>
Status ForEachSource(const BetweennessState& state, const RunContext& context, Visit visit) {
  constexpr uint32_t kAtOnce = 1 << 16;
  for (const VertexId source : context.sources) RETURN_IF_ERROR(visit(source));
  if (!context.sources.empty()) return OkStatus();
  VertexSample sample(state);
  for (auto some = sample.TakeSome(kAtOnce); !some.empty(); some = sample.TakeSome(kAtOnce)) {
    for (const VertexId source : some) RETURN_IF_ERROR(visit(source));
  }
  return OkStatus();
}

/// By what the sum of a vertex is multiplied. A sum has no pairs with the vertex itself, so other
/// sources than the vertex count. 0 where there is none: nothing is known of the vertex.
double ScaleOf(const BetweennessState& state, VertexId v) {
  const auto others = static_cast<double>(state.num_sources - (state.is_source.has(v) ? 1 : 0));
  const auto vertices = static_cast<double>(state.num_vertices());
  if (others == 0 || (state.Get(kNormalized) && vertices <= 2)) return 0;
  return state.Get(kNormalized) ? 1 / (others * (vertices - 2)) : (vertices - 1) / others;
}

Status FindBetweenness(Engine& engine, BetweennessState& state, const RunContext& context,
                       Answer* answer) {
  state.arrays.score.Fill(0);
  if (state.scales) state.is_source.Fill(0);
  state.num_sources = 0;
  if (state.weighted) {
    RETURN_IF_ERROR(state.by_weight.ChooseBuckets(engine, state, context));
  }
  RETURN_IF_ERROR(ForEachSource(state, context, [&](VertexId source) {
    ++state.num_sources;
    if (state.scales) state.is_source.Add(source);
    return state.weighted ? state.by_weight.Add(engine, state.arrays, source)
                          : state.by_level.Add(engine, state.arrays, source);
  }));
  answer->counted = CountedEdges::kSent;  // down and back
  answer->AddCount("sources", state.num_sources);
  if (state.scales) {
    answer->Fill("betweenness", [&state, score = state.arrays.score.span()](VertexId v) {
      return score[v] * ScaleOf(state, v);
    });
  } else {
    answer->Fill("betweenness", state.arrays.score.span());
  }
  return OkStatus();
}

Status Check(const RunSetup& setup) {
  RETURN_IF_ERROR(CheckPositiveWeights(setup));
  if (setup.Get(kWeighted) && setup.info.num_duplicates > 0) {
    return UsageError(StrCat("--weighted: the graph has ", setup.info.num_duplicates,
                             " duplicate edges, and betweenness by weights takes none: ingest it ",
                             "with --merge min, or leave the option out"));
  }
  if (!setup.values.Given(kFrom) || !setup.values.Given(kSample)) return OkStatus();
  return UsageError("betweenness: --source and --sample both choose sources: give one of them");
}

struct BetweennessCheck : DependencyCheck {
  explicit BetweennessCheck(const RunSetup& setup) : DependencyCheck(setup, setup.Get(kWeighted)) {}
};

/// Each score must be the sum of the dependencies for all sources, within rounding. Each level adds
/// a relative rounding error of about 2^-52.
Status Verify(LoadedGraph& graph, BetweennessState& state, BetweennessCheck& check,
              const RunContext& context) {
  constexpr double kTolerance = 1e-9;
  if (state.weighted) {
    RETURN_IF_ERROR(ForEachSource(state, context, [&](VertexId source) {
      return AddWeightedDependencies(graph, source, check);
    }));
  } else {
    ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
    RETURN_IF_ERROR(ForEachSource(state, context, [&](VertexId source) {
      return AddDependencies(graph, edges, source, check);
    }));
  }
  const double tolerance = std::max(kTolerance, check.rounding);
  const std::span<const double> score = state.arrays.score.span(), right = check.score.span();
  return NoVertexWhere(
      graph, "has a betweenness that is not its dependencies' sum",
      [&](VertexId v) { return !(std::abs(score[v] - right[v]) <= tolerance * (1 + right[v])); });
}

}  // namespace

EDGEMILL_ALGORITHM(betweenness) = {
    .name = "betweenness",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"bc"},
    .summary = "betweenness of each vertex on shortest paths, from all vertices or from some",
    .facts = {.formula = "betweenness[v] = sum, over sources s and targets t other than v, of the "
                         "share of the shortest paths from s to t that go through v",
              .direction = "out-edges",
              .duplicates =
                  "duplicates count as one, and are refused with --weighted; loops change "
                  "nothing",
              .weights = "ignored (1 an edge); with --weighted summed up, and not negative",
              .ends = "when all sources are done",
              .passes = "two for each level of each source: one down, one back up; with "
                        "--weighted as sssp, one over all edges, and three for each level"},
    .text = R"(Ends do not count: a path is not through its source or target. From all vertices
of an undirected graph, each pair counts twice. With -r, values are sums over these sources. With
--sample N, sources are N random vertices, and a value is an estimate of the sum over all: the sum
times (V - 1) / others, where the others are the sources that are not the vertex. --normalized
divides the sum by others (V - 2), the number of its pairs, as NetworkX does. Without -r and
--sample there is a search from each vertex, which takes long on large graphs. Numbers of paths may
be far above all floating-point numbers: those have exponents of their own, so that shares of paths
stay right. With --weighted, shortest paths are those of the least sum of weights. Sums are compared
exactly, so of real weights such as 0.1 and 0.2 two sums may differ by rounding, as in NetworkX.
Where edges of weight 0 lead in a circle, there are infinitely many shortest paths: that is an
error, code 65. In an undirected graph each edge of weight 0 is such a circle. Other weights of 0
are taken as they are. Whole distances of 2^53 or more are an error too. A graph with duplicates is
refused: --merge min of ingest keeps the lightest.
)",
    .paper = "Brandes, A faster algorithm for betweenness centrality, 2001",
    .options = {kFrom, kSample, kSampleSeed, kNormalized, kWeighted},
    .results = {{.name = "betweenness", .type = ResultType::kReal, .top = TopKind::kValues}},
    .note_with_weights =
        "weights are ignored: paths are short by their number of edges (--weighted takes weights)",
    .check = Check,
    .driver = kDriver<FindBetweenness>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

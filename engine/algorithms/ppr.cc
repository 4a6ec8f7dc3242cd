// Personalised PageRank: how often a random walk visits each vertex, if it restarts at some seeds.
//
// Result   rank[v] = d * sum over in-edges (u, v) of rank[u] * w(u, v) / out(u) + (1 - d + d D) *
//          p[v]. p is the share of restarts: equal for all seeds, or as a file says; without seeds
//          equal for all vertices. out(u) is the sum of w over the out-edges of u, D the rank of
//          vertices where it is 0. Without --weighted, every w is 1.
// Method   Iterations from rank = p, each one pass in which every vertex takes part.
// Paper    Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999 (section 6).
//          Haveliwala: Topic-sensitive PageRank, WWW 2002.
// State    16 bytes a vertex, 4 more with seeds, and 8 more with --weighted.
#include "engine/algorithms/shared/convergence.h"
#include "engine/algorithms/shared/rank_options.h"
#include "engine/algorithms/shared/start_values.h"
#include "engine/algorithms/shared/strengths.h"
#include "engine/api/algorithm.h"
#include "engine/verify/iteration_check.h"

namespace edgemill {
namespace {

constexpr Option<SeveralVertices> kSeeds{
    .names = "-r,--source",
    .help = "a seed, by its id or its name; give it several times for more"};
constexpr Option<VertexValues> kSeedFile{
    .names = "--seeds",
    .help = "seeds: lines with a vertex and its share of restarts",
    .range = {.least = 0, .most = 1e30}};

/// The sum of what goes out of a vertex; where nothing does, 1: what it keeps is its rank.
EM_HOST_DEVICE inline double OutOf(const DegreeView& degree, View<const double> strength,
                                   VertexId v) {
  const double out = strength ? double{strength[v]} : static_cast<double>(degree[v]);
  return out == 0 ? 1 : out;
}
EM_HOST_DEVICE inline bool HasOut(const DegreeView& degree, View<const double> strength,
                                  VertexId v) {
  return strength ? strength[v] != 0 : degree[v] != 0;
}

/// E: Edge, or WeightedEdge<double>. A share is a rank over what goes out of its vertex.
template <typename E>
struct Walk {
  using Monoid = Sum<double>;
  static constexpr bool kAppliesToAll = true;
  DegreeView degree;
  View<const double> strength;  // empty without weights
  View<const double> share;
  View<double> next_share;
  View<const float> restart;  // empty: all vertices alike
  TallyView<Sum<double>> change, lost;
  double damping, jump;  // jump: what restarts bring to a vertex, times restart[v]
  double Emit(VertexId u) const { return share[u]; }
  double Along(double more, const E& edge) const { return more * WeightOf(edge); }
  bool Apply(VertexId v, double sum) {
    const double out = OutOf(degree, strength, v);
    const double rank = damping * sum + jump * (restart ? float{restart[v]} : 1.0f);
    change.Add(std::abs(rank - share[v] * out));
    next_share[v] = rank / out;
    if (!HasOut(degree, strength, v)) lost.Add(rank);
    return false;
  }
};
struct StartWalk {
  DegreeView degree;
  View<const double> strength;
  View<double> share;
  View<const float> restart;
  TallyView<Sum<double>> lost;
  double each;
  void operator()(VertexId v) {
    const double rank = each * (restart ? float{restart[v]} : 1.0f);
    share[v] = rank / OutOf(degree, strength, v);
    if (!HasOut(degree, strength, v)) lost.Add(rank);
  }
};
struct SumOfShares {
  View<const float> restart;
  double operator()(VertexId v) const { return restart[v]; }
};

struct PprState : RunState {
  using RunState::RunState;
  const bool weighted = Get(kWeighted);
  const bool has_seeds = !SourceIds().empty() || Find(kSeedFile) != nullptr;
  const double damping = Get(kDamping);
  const Convergence until{*this, kRankIterations, kRankTolerance};
  uint64_t iterations = 0;
  double change = 0;
  VertexArray<double> share{*this, "share", ArrayUse::kResult};
  VertexArray<double> next_share{*this, "next share"};
  VertexArray<double> strength{*this, "strength", UseIf(weighted, ArrayUse::kResult)};
  VertexArray<float> restart{*this, "restarts", UseIf(has_seeds, ArrayUse::kWork)};
  Degrees degrees{*this, kOut};
  Programs<AddStrengths> strengths{*this, kIn, weighted, PassesOf::kOne};
  Programs<Walk<Edge>> walk{*this, kOut, !weighted, PassesOf::kOne};
  Programs<Walk<WeightedEdge<double>>> weighted_walk{*this, kOut, weighted, PassesOf::kOne};
};

Status Check(const RunSetup& setup) {
  RETURN_IF_ERROR(CheckPositiveWeights(setup));
  if (!setup.values.Given(kSeeds) || setup.values.Find(kSeedFile) == nullptr) return OkStatus();
  return UsageError("ppr: --source and --seeds both give seeds: give one of them");
}

/// Sets `restart` to the shares of restarts as they were given.
Status SetRestarts(LoadedGraph& graph, const RunState& state, const RunContext& context,
                   std::span<float> restart) {
  for (const VertexId seed : context.sources) restart[seed] = 1;
  const InputValues* const values = state.Find(kSeedFile);
  if (values == nullptr) return OkStatus();
  return VisitValues(graph, *values, /*all=*/false,
                     [&](VertexId v, double share) { restart[v] = static_cast<float>(share); });
}

/// What a restart brings to a vertex of restart[v] 1: the shares sum to 1.
StatusOr<double> UnitOfRestarts(Engine& engine, PprState& state, const RunContext& context) {
  if (!state.has_seeds) return 1 / static_cast<double>(engine.num_vertices());
  state.restart.Fill(0);
  RETURN_IF_ERROR(SetRestarts(engine.graph(), state, context, state.restart.mutable_span()));
  ASSIGN_OR_RETURN(const double sum, engine.Reduce<Sum<double>>(engine.sets().All(),
                                                                SumOfShares{state.restart.read()}));
  if (sum > 0) return 1 / sum;
  return BadDataError("all shares of --seeds are 0: give a seed with one that is greater");
}

template <typename E>
Status Iterate(Engine& engine, PprState& state, const RunContext& context, double unit) {
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  const VertexSet all = engine.sets().All();
  Tally<Sum<double>> changes("the change of ranks", 4), losses("lost ranks", 4);
  const DegreeView degree = engine.Degrees(kOut);
  const auto strength = [&] {
    return state.weighted ? state.strength.read() : View<const double>{};
  };
  const auto restart = [&] { return state.has_seeds ? state.restart.read() : View<const float>{}; };
  RETURN_IF_ERROR(engine.VertexMap(
      all, StartWalk{degree, strength(), state.share.view(), restart(), losses.view(), unit}));
  for (state.iterations = 0; state.iterations < state.until.iterations; ++state.iterations) {
    ASSIGN_OR_RETURN(const double lost, losses.Take());
    const double jump = unit * (1 - state.damping + state.damping * lost);
    const Walk<E> walk{degree,    strength(),     state.share.read(), state.next_share.view(),
                       restart(), changes.view(), losses.view(),      state.damping,
                       jump};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, walk).status());
    state.share.Swap(state.next_share);
    ASSIGN_OR_RETURN(state.change, changes.Take());
    forecast.Add(state.change);
    if (state.change < state.until.tolerance) {
      ++state.iterations;
      break;
    }
  }
  return OkStatus();
}

Status FindRanks(Engine& engine, PprState& state, const RunContext& context, Answer* answer) {
  const VertexSet all = engine.sets().All();
  if (!all.empty()) {
    if (state.weighted) {
      RETURN_IF_ERROR(engine.EdgeMap(kIn, all, AddStrengths{state.strength.view()}).status());
      RETURN_IF_ERROR(CheckStrengths(engine.graph(), state.strength.span()));
    }
    ASSIGN_OR_RETURN(const double unit, UnitOfRestarts(engine, state, context));
    RETURN_IF_ERROR(state.weighted ? Iterate<WeightedEdge<double>>(engine, state, context, unit)
                                   : Iterate<Edge>(engine, state, context, unit));
  }
  answer->passes = state.iterations;
  answer->AddCount("iterations", state.iterations);
  answer->AddFact("last change", FormatSignificant(state.change), state.change, "last_change_l1");
  answer->CheckSettled("ranks", state.change, state.until.tolerance);
  answer->Fill("rank", [share = state.share.read(), degree = engine.Degrees(kOut),
                        strength = state.weighted ? state.strength.read() : View<const double>{}](
                           VertexId v) { return share[v] * OutOf(degree, strength, v); });
  return OkStatus();
}

struct WalkCheck : IterationCheck {
  using IterationCheck::IterationCheck;
  VertexArray<double> out{*this, "the verifier's sums of weights"};
  VertexArray<double> share{*this, "the verifier's shares"};
  VertexArray<float> restart{*this, "the verifier's restarts"};
};

Status Verify(LoadedGraph& graph, PprState& state, WalkCheck& check, const RunContext& context) {
  const DegreeView degree(graph.index(Direction::kOut));
  const View<const double> strength = state.weighted ? state.strength.read() : View<const double>{};
  const std::span<const double> found = state.share.span();
  const std::span<double> rank = check.value.mutable_span(), sums = check.sums.mutable_span();
  const std::span<double> out = check.out.mutable_span(), share = check.share.mutable_span();
  const std::span<float> restart = check.restart.mutable_span();
  if (state.has_seeds) {
    RETURN_IF_ERROR(SetRestarts(graph, state, context, restart));
  } else {
    ForEachVertex(graph, [&](VertexId v) { restart[v] = 1; });
  }
  if (state.weighted) {
    RETURN_IF_ERROR(PlainVisit(
        graph, [&](const WeightedEdge<double>& edge) { AtomicAdd(&out[edge.from], edge.weight); }));
  } else {
    ForEachVertex(graph, [&](VertexId v) { out[v] = static_cast<double>(degree[v]); });
  }
  const double all = SumOverVertices(graph, [&](VertexId v) { return double{restart[v]}; });
  return CheckIterations(
      graph,
      {"ranks", state.iterations, state.change < state.until.tolerance, state.until.tolerance},
      check,
      IterationEnds{[&](VertexId v) { return restart[v] / all; },
                    [&](VertexId v) { return found[v] * OutOf(degree, strength, v); }},
      [&] {
        ForEachVertex(graph, [&](VertexId v) { share[v] = out[v] == 0 ? 0 : rank[v] / out[v]; });
        RETURN_IF_ERROR(AddNeighbors(graph, state.weighted, share, sums));
        const double lost =
            SumOverVertices(graph, [&](VertexId v) { return out[v] == 0 ? rank[v] : 0; });
        const double jump = (1 - state.damping + state.damping * lost) / all;
        ForEachVertex(graph,
                      [&](VertexId v) { rank[v] = state.damping * sums[v] + jump * restart[v]; });
        return OkStatus();
      });
}

}  // namespace

EDGEMILL_ALGORITHM(ppr) = {
    .name = "ppr",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"personalized-pagerank", "weighted-pagerank"},
    .summary = "PageRank with restarts at seeds, and by weights",
    .facts = {.formula = "rank[v] = d (sum of rank[u] w(u, v) / out(u) over edges (u, v)) + "
                         "(1 - d + d D) p[v]; d is the damping, out(u) the sum of w over u's "
                         "out-edges, D the rank of vertices where it is 0, p the share of restarts",
              .direction = "out-edges",
              .duplicates = "each duplicate and each loop counts",
              .weights = "ignored (1 an edge); with --weighted not negative",
              .ends = "when ranks change by less than --tolerance in all (L1), or after "
                      "--iterations, with a warning unless only --iterations was given",
              .passes = "one over all edges an iteration; with --weighted one more"},
    .text = R"(Seeds are vertices (-r), which share restarts equally, or lines of a file (--seeds)
with a vertex and its share; shares are scaled to sum to 1. Without seeds walks restart at any
vertex: with --weighted that is weighted PageRank, and else what pagerank computes faster. Ranks sum
to 1. A walk that cannot go on, as no weight leads out of its vertex, restarts. These are the values
of NetworkX's pagerank with personalization and, with --weighted, with weights. -i alone runs
exactly so many iterations, from ranks that are the shares of restarts.
)",
    .paper = "Haveliwala, Topic-sensitive PageRank, WWW 2002",
    .options = {kSeeds, kSeedFile, kWeighted, kRankIterations, kRankTolerance, kDamping},
    .results =
        {{.name = "rank", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .check = Check,
    .driver = kDriver<FindRanks>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

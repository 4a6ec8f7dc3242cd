// PageRank: how often a walker who follows out-edges at random, and now and then jumps, is where.
//
// Result   rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
//          out_degree(u)), d the damping, D the rank of vertices without out-edges ("dangling").
// Method   jacobi: every vertex pulls what its in-neighbours contributed, in an order fixed by the
//          graph. delta: vertices pass on what they have received since they last did, while that
//          is worth it. There D only scales the answer, so that is done at the end.
// Paper    Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999. Deltas: Zhang et
//          al., Maiter, TPDS 2014.
// State    jacobi: two contributions of 4 bytes a vertex; the rank is a contribution times the
//          degree. delta: rank and residual, 8 each; the engine keeps a message of 4.
#include "engine/api/toolkit/iteration_forecast.h"
#include "engine/api/toolkit/ranks.h"

namespace edgemill {
namespace {

constexpr Option<std::string_view> kDangling{
    .names = "--dangling",
    .help = "what becomes of the rank of vertices without out-edges",
    .choices = "spread|drop"};
constexpr Option<std::string_view> kMethod{
    .names = "--method", .help = "how ranks are computed", .choices = "jacobi|delta"};

struct Jacobi {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  DegreeView degree;
  View<const float> share;
  View<float> next_share;
  TallyView<Sum<double>> change, dangling;
  double base, damping;
  float Emit(VertexId u) const { return share[u]; }
  bool Apply(VertexId v, double sum) {
    const EdgeIndex edges = degree[v];
    // First: its address ends like that of the store, for which a later load would wait.
    const float before = share[v];
    const float now = Contribution(base + damping * sum, edges);
    next_share[v] = now;
    change.Add(std::abs(RankOfContribution(now, edges) - RankOfContribution(before, edges)));
    if (edges == 0) dangling.Add(now);
    return false;
  }
  struct Tuning {
    static constexpr auto kSumsWaitIn = &Jacobi::next_share;
  };
  void operator()(VertexId v) {  // where all start
    next_share[v] = Contribution(base, degree[v]);
    if (degree[v] == 0) dangling.Add(base);
  }
};

struct PassOn {  // what a vertex has received, and not passed on, is its residual
  using Monoid = Sum<double, float>;
  DegreeView degree;
  View<double> rank, residual;
  double damping, threshold;
  float Emit(VertexId u) {
    const double taken = AtomicExchange(residual[u], 0.0);
    rank[u] += taken;
    return degree[u] == 0 ? 0 : static_cast<float>(damping * taken / double(degree[u]));
  }
  bool Relax(VertexId v, double more) { return AtomicAdd(residual[v], more) + more > threshold; }
  struct Tuning {
    static void Prefetch(const PassOn& program, VertexId v) { program.residual.Prefetch(v); }
  };
};
struct BothSums {
  using Monoid = Both<Sum<double>, Sum<double>>;
  View<const double> rank, residual;
  Monoid::Value operator()(VertexId v) const { return {rank[v], residual[v]}; }
};
struct Scale {  // of what is not passed on, too
  View<double> rank;
  View<const double> residual;
  double unit;
  void operator()(VertexId v) { rank[v] = (rank[v] + residual[v]) / unit; }
};
struct RankOf {
  DegreeView degree;
  View<const float> share;
  View<const double> rank;
  double operator()(VertexId v) const {
    return rank ? rank[v] : RankOfContribution(share[v], degree[v]);
  }
};

struct PageRankState : RunState {
  using RunState::RunState;
  const bool is_delta = Get(kMethod) == "delta", spread = Get(kDangling) == "spread";
  const double damping = Get(kDamping);
  const Convergence until{*this};
  VertexArray<float> share{*this, "share", UseIf(!is_delta, ArrayUse::kResult)};
  VertexArray<float> next_share{*this, "next share", UseIf(!is_delta, ArrayUse::kWork)};
  VertexArray<double> rank{*this, "rank", UseIf(is_delta, ArrayUse::kResult)};
  VertexArray<double> residual{*this, "residual", UseIf(is_delta, ArrayUse::kWork)};
  Degrees degrees{*this, kOut};
  Programs<Jacobi> jacobi{*this, kOut, !is_delta};
  Programs<PassOn> delta{*this, kOut, is_delta};
};

/// Runs of contributions, floats, lose 2^-24 of each rank: they cannot settle below. Deltas lose as
/// much of what is left only.
Status Check(const RunSetup& setup) {
  const std::string_view method = setup.Get(kMethod);
  return CheckTolerance(setup, method == "delta" ? 1e-12 : 1e-7, method);
}

/// Returns the last iteration's change.
StatusOr<double> RunJacobi(Engine& engine, PageRankState& state, IterationForecast& forecast,
                           uint64_t* iterations) {
  const VertexSet all = engine.sets().All();
  const auto vertices = static_cast<double>(engine.num_vertices());
  Tally<Sum<double>> changes("the change of ranks", 4), dangling("dangling ranks", 4);
  const auto program = [&](double jumps) {
    return Jacobi{engine.Degrees(kOut), state.share.read(), state.next_share.view(),
                  changes.view(),       dangling.view(),    jumps / vertices,
                  state.damping};
  };
  RETURN_IF_ERROR(engine.VertexMap(all, program(1)));
  while (true) {
    state.share.Swap(state.next_share);
    ASSIGN_OR_RETURN(const double change, changes.Take());
    ASSIGN_OR_RETURN(const double lost, dangling.Take());
    if (*iterations > 0) forecast.Add(change);
    const bool settled = *iterations > 0 && change < state.until.tolerance;
    if (settled || *iterations == state.until.iterations || all.empty()) return change;
    const double jumps = 1 - state.damping + (state.spread ? state.damping * lost : 0);
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, program(jumps)).status());
    ++*iterations;
  }
}

/// Returns what is left: what one more Jacobi iteration would change. Vertices too small to be
/// worth a message may keep half of the tolerance back.
StatusOr<double> RunDelta(Engine& engine, PageRankState& state, IterationForecast& forecast,
                          uint64_t* iterations) {
  const auto vertices = static_cast<double>(engine.num_vertices());
  const double until = state.until.tolerance;
  const double tolerance = until == 0 ? *kTolerance.value : until;
  double left = 1 - state.damping, unit = state.spread ? left : 1;  // what ranks sum to
  state.rank.Fill(0);
  state.residual.Fill(left / std::max(1.0, vertices));
  VertexSet active = engine.sets().All();
  while (*iterations < state.until.iterations && left >= tolerance * unit && !active.empty()) {
    const PassOn program{engine.Degrees(kOut), state.rank.view(), state.residual.view(),
                         state.damping, tolerance * unit / 2 / vertices};
    ASSIGN_OR_RETURN(FixpointTotals totals, engine.Fixpoint(kOut, std::move(active), program, 1));
    active = std::move(totals.left);
    ++*iterations;
    const BothSums sums{state.rank.read(), state.residual.read()};
    ASSIGN_OR_RETURN(const auto sum, engine.Reduce<BothSums::Monoid>(engine.sets().All(), sums));
    left = sum.second;
    if (state.spread) unit = sum.first + left;
    forecast.Add(left / unit);
  }
  RETURN_IF_ERROR(
      engine.VertexMap(engine.sets().All(), Scale{state.rank.view(), state.residual.read(), unit}));
  return left / unit;
}

Status FindRanks(Engine& engine, PageRankState& state, const RunContext& context, Answer* answer) {
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  ASSIGN_OR_RETURN(
      const double change,
      (state.is_delta ? RunDelta : RunJacobi)(engine, state, forecast, &answer->passes));
  answer->AddCount("iterations", answer->passes);
  return AnswerRanks(engine, RankOf{engine.Degrees(kOut), state.share.read(), state.rank.read()},
                     change, answer);
}

Status Verify(LoadedGraph& graph, PageRankState& state, RankCheck& check, const RunContext&) {
  const RankOf rank{DegreeView(graph.index(Direction::kOut)), state.share.read(),
                    state.rank.read()};
  return CheckRanks(graph, rank, state.damping, state.spread, state.until, check);
}

}  // namespace

EDGEMILL_ALGORITHM(pagerank) = {
    .name = "pagerank",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"pr"},
    .summary = "rank of each vertex by PageRank, to a tolerance or for so many iterations",
    .text = R"(rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
out_degree(u)), from rank 1 / V. D is the rank of vertices without out-edges (dangling), which
is spread over all (ranks sum to 1) or dropped; d is the damping. Stops when ranks change by less
than -t in all (L1), or after -i iterations; -i alone runs exactly so many. Edges go from source to
target; on symmetric graphs both ways. Duplicate edges count each, loops too; weights are ignored.
Methods: jacobi (default) computes every rank from the ones before, by pull, the same bits
whatever the threads; --mode push adds in any order. delta passes on changes only, until they come
to less than -t. Ranks are within 1e-6 of exact arithmetic, relative to the sum.
)",
    .paper = "Page et al., The PageRank Citation Ranking, 1999",
    .options = {kIterations, kTolerance, kDamping, kDangling, kMethod},
    .results =
        {{.name = "rank", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .check = Check,
    .driver = kDriver<FindRanks>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

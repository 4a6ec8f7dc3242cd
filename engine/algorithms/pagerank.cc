// PageRank: how often a walker who follows out-edges at random, and now and then jumps anywhere, is
// where.
//
// Result   rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
//          out_degree(u)), with damping d (.85) and D the rank of vertices without out-edges
//          ("dangling"), which is spread over all. Ranks sum to 1. With --dangling drop D is left
//          out, and ranks sum to less.
// Method   jacobi: every vertex pulls what its in-neighbours contributed, from the ranks before.
//          Pull adds in an order fixed by the graph: the same bits whatever the threads. delta:
//          vertices pass on only what they have received since they last did, while that is worth
//          it. Dangling rank that is spread only scales the answer, so this is done at the end.
// Paper    Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999. Deltas: Zhang et
//          al., Maiter, TPDS 2014.
// State    jacobi: two contributions of 4 bytes a vertex; the rank is a contribution times the
//          degree. delta: rank and residual, 8 each; the engine keeps a message of 4.
#include <cmath>

#include "engine/api/algorithm.h"
#include "engine/api/plain_visit.h"

namespace edgemill {
namespace {

/// The least -t. Contributions, floats, lose 2^-24 of each rank: in Jacobi iterations ranks cannot
/// settle below. Deltas lose as much of what is left only.
constexpr double kLeastJacobiTolerance = 1e-7;
constexpr double kLeastDeltaTolerance = 1e-12;

constexpr Option<uint64_t> kIterations{"-i,--iterations", "how many iterations, at most",
                                       Whole32(1), 100};
constexpr Option<double> kTolerance{
    "-t,--tolerance", "stop at an L1 change of X; 0: never", {.least = 0}, 1e-6};
constexpr Option<double> kDamping{
    "--damping", "the chance of following an edge", {.least = 0, .below = 1}, 0.85};
constexpr Option<std::string_view> kDangling{
    .names = "--dangling",
    .help = "what becomes of the rank of vertices without out-edges",
    .choices = "spread|drop"};
constexpr Option<std::string_view> kMethod{
    .names = "--method", .help = "how ranks are computed", .choices = "jacobi|delta"};

float Contribution(double rank, EdgeIndex degree) {
  return static_cast<float>(rank) / static_cast<float>(degree == 0 ? 1 : degree);
}
double Rank(float contribution, EdgeIndex degree) {
  return double{contribution} * static_cast<double>(degree == 0 ? 1 : degree);
}

struct Jacobi {
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  DegreeView degree;
  View<const float> share;  // what each out-neighbour gets
  View<float> next_share;
  TallyView<Sum<double>> change, dangling;
  double base, damping;
  float Emit(VertexId u) const { return share[u]; }
  bool Apply(VertexId v, double sum) {
    const EdgeIndex edges = degree[v];
    const float now = Contribution(base + damping * sum, edges);
    next_share[v] = now;
    change.Add(std::abs(Rank(now, edges) - Rank(share[v], edges)));
    if (edges == 0) dangling.Add(now);
    return false;
  }
};
struct Start {  // contributions of equal ranks
  DegreeView degree;
  View<float> share;
  TallyView<Sum<double>> dangling;
  double rank;
  void operator()(VertexId v) {
    share[v] = Contribution(rank, degree[v]);
    if (degree[v] == 0) dangling.Add(rank);
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
};
struct BothSums {
  using Monoid = Both<Sum<double>, Sum<double>>;
  View<const double> rank, residual;
  Monoid::Value operator()(VertexId v) const { return {rank[v], residual[v]}; }
};
struct Scale {  // of what is not passed on, too
  View<double> rank, residual;
  double factor;
  void operator()(VertexId v) { rank[v] = (rank[v] + residual[v]) * factor; }
};
struct RankOf {
  DegreeView degree;
  View<const float> share;
  View<const double> rank;
  double operator()(VertexId v) const { return rank ? rank[v] : Rank(share[v], degree[v]); }
};

}  // namespace
template <>
struct Tuning<PassOn> {
  static void Prefetch(const PassOn& program, VertexId v) { program.residual.Prefetch(v); }
};
namespace {

struct PageRankState : RunState {
  using RunState::RunState;
  const bool is_delta = Get(kMethod) == "delta", spread = Get(kDangling) == "spread";
  const double damping = Get(kDamping);
  const uint64_t iterations = Get(kIterations);
  /// 0: none. A number of iterations alone means exactly so many.
  const double tolerance = Given(kIterations) && !Given(kTolerance) ? 0 : Get(kTolerance);
  VertexArray<float> share{*this, "share", UseIf(!is_delta, ArrayUse::kResult)};
  VertexArray<float> next_share{*this, "next share", UseIf(!is_delta, ArrayUse::kWork)};
  VertexArray<double> rank{*this, "rank", UseIf(is_delta, ArrayUse::kResult)};
  VertexArray<double> residual{*this, "residual", UseIf(is_delta, ArrayUse::kWork)};
  Degrees degrees{*this, kOut};
  Programs<Jacobi> jacobi{*this, kOut, !is_delta};
  Programs<PassOn> delta{*this, kOut, is_delta};
};

Status Check(const RunSetup& setup) {
  const double tolerance = setup.Get(kTolerance);
  const std::string_view method = setup.Get(kMethod);
  const double least = method == "delta" ? kLeastDeltaTolerance : kLeastJacobiTolerance;
  if (tolerance == 0 || tolerance >= least) return OkStatus();
  return UsageError(
      StrCat("-t ", tolerance, ": must be at least ", least, " for --method ", method));
}

/// Returns the last iteration's change.
StatusOr<double> RunJacobi(Engine& engine, PageRankState& state, uint64_t* iterations) {
  const VertexSet all = engine.sets().All();
  const DegreeView degree = engine.Degrees(kOut);
  const auto vertices = static_cast<double>(engine.num_vertices());
  Tally<Sum<double>> changes("the change of ranks", 4), dangling("dangling ranks", 4);
  RETURN_IF_ERROR(
      engine.VertexMap(all, Start{degree, state.share.view(), dangling.view(), 1 / vertices}));
  double change = 0;
  while (*iterations < state.iterations && !all.empty()) {
    ASSIGN_OR_RETURN(const double lost, dangling.Take());
    const double jumps = 1 - state.damping + (state.spread ? state.damping * lost : 0);
    const Jacobi program{degree,         state.share.read(), state.next_share.view(),
                         changes.view(), dangling.view(),    jumps / vertices,
                         state.damping};
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, program).status());
    state.share.Swap(state.next_share);
    ++*iterations;
    ASSIGN_OR_RETURN(change, changes.Take());
    if (change < state.tolerance) break;
  }
  return change;
}

/// Returns what is left. The residuals' sum is what one more Jacobi iteration would change, in
/// units of the answer's sum, by which it is scaled at the end. Vertices too small to be worth a
/// message may keep half of the tolerance back.
StatusOr<double> RunDelta(Engine& engine, PageRankState& state, uint64_t* iterations) {
  const auto vertices = static_cast<double>(engine.num_vertices());
  const double tolerance = state.tolerance == 0 ? *kTolerance.value : state.tolerance;
  const BothSums sums{state.rank.read(), state.residual.read()};
  const double total = 1 - state.damping;
  state.rank.Fill(0);
  state.residual.Fill(total / std::max(1.0, vertices));
  VertexSet active = engine.sets().All();
  double left = total, unit = state.spread ? total : 1;
  while (*iterations < state.iterations && left >= tolerance * unit && !active.empty()) {
    const PassOn program{engine.Degrees(kOut), state.rank.view(), state.residual.view(),
                         state.damping, tolerance * unit / 2 / vertices};
    ASSIGN_OR_RETURN(FixpointTotals totals, engine.Fixpoint(kOut, std::move(active), program, 1));
    active = std::move(totals.left);
    ++*iterations;
    ASSIGN_OR_RETURN(const auto sum, engine.Reduce<BothSums::Monoid>(engine.sets().All(), sums));
    left = sum.second;
    if (state.spread) unit = sum.first + left;
  }
  const double factor = state.spread && unit > 0 ? 1 / unit : 1;
  const Scale scale{state.rank.view(), state.residual.view(), factor};
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), scale));
  return unit > 0 ? left / unit : left;
}

Status FindRanks(Engine& engine, PageRankState& state, const RunContext& context, Answer* answer) {
  context.progress.SetMostIterations(state.iterations);
  ASSIGN_OR_RETURN(const double change,
                   (state.is_delta ? RunDelta : RunJacobi)(engine, state, &answer->passes));
  const RankOf rank_of{engine.Degrees(kOut), state.share.read(), state.rank.read()};
  ASSIGN_OR_RETURN(const double sum, engine.Reduce<Sum<double>>(engine.sets().All(), rank_of));
  answer->Fill("rank", rank_of);
  answer->AddCount("iterations", answer->passes);
  answer->AddFact("last change", FormatSignificant(change), change, "last_change_l1");
  answer->AddFact("sum of ranks", FormatFixed(sum, 9), sum);
  return OkStatus();
}

struct PageRankCheck : RunState {
  using RunState::RunState;
  VertexArray<double> sums{*this, "the verifier's sums"};
  VertexArray<float> contribution{*this, "the verifier's contributions"};
};

/// Takes one more iteration, edge by edge, and measures how far ranks are from it. A run with a
/// tolerance must be within a few times of it; a run of so many iterations must be as near as they
/// bring it.
Status Verify(LoadedGraph& graph, PageRankState& state, PageRankCheck& check, const RunContext&) {
  const DegreeView degree(graph.index(Direction::kOut));
  const RankOf rank{degree, state.share.read(), state.rank.read()};
  const double total = SumOverVertices(graph, rank);
  const double dangling =
      SumOverVertices(graph, [&](VertexId v) { return degree[v] == 0 ? rank(v) : 0; });
  ForEachVertex(graph,
                [&](VertexId v) { check.contribution.Set(v, Contribution(rank(v), degree[v])); });
  RETURN_IF_ERROR(AddAlongEdges(graph, check.contribution.span(), check.sums.mutable_span()));
  const double d = state.damping;
  const double base = (1 - d + (state.spread ? d * dangling : 0)) / double(graph.num_vertices());
  const double change = SumOverVertices(
      graph, [&](VertexId v) { return std::abs(base + d * check.sums.Get(v) - rank(v)); });
  // The change of iteration n is at most 2 d^n; rounding of contributions adds 2^-24 of the ranks.
  const double allowed = 1e-6 + 2 * std::max(state.tolerance, std::pow(d, state.iterations));
  if (state.spread && graph.num_vertices() > 0 && std::abs(total - 1) > 1e-5) {
    return InternalError(StrCat("ranks sum to ", total));
  }
  if (change <= allowed) return OkStatus();
  return InternalError(StrCat("another iteration changes ranks by ", change, " > ", allowed));
}

}  // namespace

EDGEMILL_ALGORITHM(pagerank) = {
    .name = "pagerank",
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

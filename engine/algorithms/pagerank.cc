// PageRank: how often a walker who follows out-edges at random, and now and then jumps anywhere, is
// where.
//
// Result   rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
//          out_degree(u)), with damping d (.85) and D the rank of vertices without out-edges
//          ("dangling"), which is spread over all. Ranks sum to 1. With --dangling drop D is left
//          out, and ranks sum to less.
// Method   jacobi: every vertex pulls what its in-neighbours contributed, from the ranks before;
//          -i iterations, or until the ranks change by less than -t in all (L1). Contributions are
//          floats, sums doubles. Pull adds in an order fixed by the graph: the same bits whatever
//          the threads. delta: vertices pass on only what they have received since they last did,
//          while that is worth it. The undamped part of dangling mass only scales the answer (the
//          spread solution is a multiple of the dropped one), so it is scaled at the end.
// Paper    Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999. Deltas: Zhang et
//          al., Maiter, TPDS 2014.
// State    jacobi: two contributions of 4 bytes a vertex; the rank is a contribution times the
//          degree. delta: rank and residual, 8 each; the engine keeps a message of 4.
#include <cmath>

#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/api/plain_visit.h"
#include "engine/old/algorithms/gpu_algorithm.h"

namespace edgemill {
namespace {

/// The least -t. Contributions, floats, lose 2^-24 of each rank: in Jacobi iterations ranks cannot
/// settle below. Deltas lose as much of what is left only.
constexpr double kLeastJacobiTolerance = 1e-7;
constexpr double kLeastDeltaTolerance = 1e-12;
constexpr double kDefaultTolerance = 1e-6;

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

}  // namespace
template <>
struct Tuning<PassOn> {
  static void Prefetch(const PassOn& program, VertexId v) { program.residual.Prefetch(v); }
};
namespace {

struct Start {  // equal ranks, or contributions of such
  DegreeView degree;
  View<float> share;
  TallyView<Sum<double>> dangling;
  double rank;
  void operator()(VertexId v) {
    share[v] = Contribution(rank, degree[v]);
    if (degree[v] == 0) dangling.Add(rank);
  }
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

struct PageRankState : State {
  explicit PageRankState(const RunSetup& setup)
      : State(setup.num_vertices(), setup.threads()),
        is_delta(setup.options.method == "delta"),
        share(*this, "share", is_delta ? ArrayUse::kNone : ArrayUse::kResult),
        next_share(*this, "next share", is_delta ? ArrayUse::kNone : ArrayUse::kWork),
        rank(*this, "rank", is_delta ? ArrayUse::kResult : ArrayUse::kNone),
        residual(*this, "residual", is_delta ? ArrayUse::kWork : ArrayUse::kNone),
        jacobi(*this, kOut, !is_delta),
        delta(*this, kOut, is_delta) {}
  const bool is_delta;
  VertexArray<float> share, next_share;
  VertexArray<double> rank, residual;
  Degrees degrees{*this, kOut};
  Programs<Jacobi> jacobi;
  Programs<PassOn> delta;
};

struct Settings {
  double damping, tolerance;  // a tolerance of 0: none
  uint32_t iterations;
  bool spread;
  explicit Settings(const RunOptions& options)
      : damping(options.damping.value_or(0.85)),
        // A number of iterations alone means exactly so many.
        tolerance(options.iterations.has_value() && !options.tolerance.has_value()
                      ? 0
                      : options.tolerance.value_or(kDefaultTolerance)),
        iterations(options.iterations.value_or(100)),
        spread(options.dangling.value_or(Dangling::kSpread) == Dangling::kSpread) {}
};

Status Check(const RunSetup& setup) {
  const Settings settings(setup.options);
  if (!(settings.damping >= 0 && settings.damping < 1)) {
    return UsageError(StrCat("--damping ", settings.damping, ": must be at least 0 and below 1"));
  }
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kPageRank, setup.options));
  const double least = method == "delta" ? kLeastDeltaTolerance : kLeastJacobiTolerance;
  if (settings.tolerance != 0 && !(settings.tolerance >= least)) {
    return UsageError(
        StrCat("-t ", settings.tolerance, ": must be at least ", least, " for --method ", method));
  }
  if (method == "jacobi" && setup.options.async_passes > 0) {
    return UsageError(
        "--async is for --method delta: Jacobi iterations are made of the ranks of the one before");
  }
  return OkStatus();
}

Status RunJacobi(Engine& engine, PageRankState& state, const Settings& settings,
                 const RunContext& context, Answer* answer, double* change) {
  const VertexSet all = engine.sets().All();
  const DegreeView degree = engine.Degrees(kOut);
  const auto vertices = static_cast<double>(engine.num_vertices());
  Tally<Sum<double>> changes("the change of ranks", 4), dangling("dangling ranks", 4);
  RETURN_IF_ERROR(
      engine.VertexMap(all, Start{degree, state.share.view(), dangling.view(), 1 / vertices}));
  context.progress.SetMostIterations(settings.iterations);
  while (answer->passes < settings.iterations && !all.empty()) {
    ASSIGN_OR_RETURN(const double lost, dangling.Take());
    const double spread = settings.spread ? settings.damping * lost : 0;
    RETURN_IF_ERROR(
        engine
            .EdgeMap(kOut, all,
                     Jacobi{degree, state.share.read(), state.next_share.view(), changes.view(),
                            dangling.view(), (1 - settings.damping + spread) / vertices,
                            settings.damping})
            .status());
    state.share.Swap(state.next_share);
    ++answer->passes;
    ASSIGN_OR_RETURN(*change, changes.Take());
    if (*change < settings.tolerance) break;
  }
  answer->column = {.name = "rank",
                    .type = ResultType::kReal,
                    .real = [degree, share = state.share.read()](VertexId v) {
                      return Rank(share[v], degree[v]);
                    }};
  return OkStatus();
}

/// The residuals' sum is what one more Jacobi iteration would change, in units of the answer's sum,
/// by which it is scaled at the end. Vertices too small to be worth a message may keep half of the
/// tolerance back.
Status RunDelta(Engine& engine, PageRankState& state, const Settings& settings,
                const RunContext& context, Answer* answer, double* change) {
  const auto vertices = static_cast<double>(engine.num_vertices());
  const double tolerance = settings.tolerance == 0 ? kDefaultTolerance : settings.tolerance;
  const BothSums sums{state.rank.read(), state.residual.read()};
  const double total = 1 - settings.damping;
  state.rank.Fill(0);
  state.residual.Fill(total / std::max(1.0, vertices));
  context.progress.SetMostIterations(settings.iterations);
  VertexSet active = engine.sets().All();
  double left = total, unit = settings.spread ? total : 1;
  while (answer->passes < settings.iterations && left >= tolerance * unit && !active.empty()) {
    const double threshold = tolerance * unit / 2 / vertices;
    ASSIGN_OR_RETURN(FixpointTotals totals,
                     engine.Fixpoint(kOut, std::move(active),
                                     PassOn{engine.Degrees(kOut), state.rank.view(),
                                            state.residual.view(), settings.damping, threshold},
                                     1));
    active = std::move(totals.left);
    ++answer->passes;
    ASSIGN_OR_RETURN(const auto sum, engine.Reduce<BothSums::Monoid>(engine.sets().All(), sums));
    left = sum.second;
    if (settings.spread) unit = sum.first + left;
  }
  *change = unit > 0 ? left / unit : left;
  answer->column = ValueColumn("rank", state.rank.span());
  const double factor = settings.spread && unit > 0 ? 1 / unit : 1;
  return engine.VertexMap(engine.sets().All(),
                          Scale{state.rank.view(), state.residual.view(), factor});
}

struct RankOf {
  DegreeView degree;
  View<const float> share;
  View<const double> rank;
  double operator()(VertexId v) const { return rank ? rank[v] : Rank(share[v], degree[v]); }
};

Status FindRanks(Engine& engine, PageRankState& state, const RunContext& context, Answer* answer) {
  const Settings settings(context.options);
  double change = 0;
  RETURN_IF_ERROR(
      (state.is_delta ? RunDelta : RunJacobi)(engine, state, settings, context, answer, &change));
  answer->column.top = TopKind::kValues;
  answer->column.default_top = 5;
  const RankOf rank_of{engine.Degrees(kOut), state.share.read(), state.rank.read()};
  ASSIGN_OR_RETURN(const double sum, engine.Reduce<Sum<double>>(engine.sets().All(), rank_of));
  answer->facts = {{"iterations", FormatCount(answer->passes), {{"iterations", answer->passes}}},
                   {"last change", FormatSignificant(change), {{"last_change_l1", change}}},
                   {"sum of ranks", FormatFixed(sum, 9), {{"sum_of_ranks", sum}}}};
  return OkStatus();
}

/// Adds up what edges bring their targets. Those to one target in a row are added in one go.
class ContributionSums {
 public:
  ContributionSums(const float* contribution, double* sums)
      : contribution_(contribution), sums_(sums) {}
  ContributionSums(const ContributionSums& other)
      : ContributionSums(other.contribution_, other.sums_) {}
  ContributionSums& operator=(const ContributionSums&) = delete;
  ~ContributionSums() { PassOn(); }

  void operator()(const Edge& edge) {
    if (edge.to != target_) {
      PassOn();
      target_ = edge.to;
    }
    sum_ += contribution_[edge.from];
  }

 private:
  void PassOn() {
    if (sum_ != 0) AtomicAdd(&sums_[target_], sum_);
    sum_ = 0;
  }

  const float* const contribution_;
  double* const sums_;
  VertexId target_ = kInvalidVertex;
  double sum_ = 0;
};

struct PageRankCheck : State {
  explicit PageRankCheck(const RunSetup& setup) : State(setup.num_vertices(), setup.threads()) {}
  VertexArray<double> sums{*this, "the verifier's sums"};
  VertexArray<float> contribution{*this, "the verifier's contributions"};
};

/// Takes one more iteration, edge by edge, and measures how far ranks are from it. A run with a
/// tolerance must be within a few times of it; a run of so many iterations must be as near as they
/// bring it.
Status Verify(LoadedGraph& graph, PageRankState& state, PageRankCheck& check,
              const RunContext& context) {
  const Settings settings(context.options);
  const uint64_t vertices = graph.num_vertices();
  const VertexIndexView index = graph.index(Direction::kOut);
  const auto rank = [&](VertexId v) {
    return state.is_delta ? state.rank.span()[v] : Rank(state.share.span()[v], index.degree(v));
  };
  const double total = SumOverVertices(graph, rank);
  const double dangling =
      SumOverVertices(graph, [&](VertexId v) { return index.degree(v) == 0 ? rank(v) : 0; });
  ForEachChunk(vertices, kVertexChunk, graph.threads(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto v = static_cast<VertexId>(i);
      check.contribution.Set(v, Contribution(rank(v), index.degree(v)));
    }
  });
  RETURN_IF_ERROR(PlainVisit(
      graph, ContributionSums(check.contribution.span().data(), check.sums.mutable_span().data()),
      Direction::kIn));
  const double d = settings.damping;
  const double base =
      (1 - d + (settings.spread ? d * dangling : 0)) / static_cast<double>(vertices);
  const double residual = SumOverVertices(
      graph, [&](VertexId v) { return std::abs(base + d * check.sums.Get(v) - rank(v)); });
  // The change of iteration n is at most 2 d^n; rounding of contributions adds 2^-24 of the ranks.
  const double reached = 2 * std::pow(d, settings.iterations);
  const double allowed = 1e-6 + std::max(2 * settings.tolerance, reached);
  if (settings.spread && vertices > 0 && std::abs(total - 1) > 1e-5) {
    return InternalError(StrCat("verification of PageRank failed: ranks sum to ", total));
  }
  if (!(residual <= allowed)) {
    return InternalError(
        StrCat("verification of PageRank failed: another iteration changes ranks by ", residual,
               ", more than ", allowed));
  }
  return OkStatus();
}

}  // namespace

const Algorithm kPageRank = {
    .help = {.name = "pagerank",
             .aliases = {"pr"},
             .summary = "rank of each vertex by PageRank, to a tolerance or for so many iterations",
             .text =
                 R"(rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
out_degree(u)), from rank 1 / V. D is the rank of vertices without out-edges (dangling), which
is spread over all (--dangling spread, the default; ranks sum to 1) or lost (--dangling drop). d
is --damping, .85. Stops when ranks change by less than -t in all (L1; default 1e-6), or after
-i iterations (default 100); -i alone runs exactly so many. Edges go from source to target; on
symmetric graphs both ways. Duplicate edges count each, loops too; weights are ignored.
Methods: jacobi (default) computes every rank from the ones before, by pull, the same bits
whatever the threads; --mode push adds in any order. delta passes on changes only, until they come
to less than -t. Ranks are within 1e-6 of exact arithmetic, relative to the sum.
Memory: 4 bytes a vertex for each direction's index and 8 for contributions (push: 16; by deltas
21).
Paper: Page et al., The PageRank Citation Ranking, 1999.
)",
             .options = {"-i", "-t", "--damping", "--dangling", "--mode", "--method", "--async",
                         "--async-passes"},
             .methods = {"jacobi", "delta"}},
    .check = Check,
    .make_state = MakeState<PageRankState>,
    .run = kTyped<FindRanks>,
    .make_check_state = MakeState<PageRankCheck>,
    .verify = kTyped<Verify>,
    .gpu = kPageRankOnGpu,
};

}  // namespace edgemill

// PageRank: how often a random walk visits each vertex. It follows out-edges, and sometimes jumps.
//
// Result   rank[v] = (1 - d) / V + d * (D / V + sum over in-edges (u, v) of rank[u] /
//          out_degree(u)). d is the damping, V the number of vertices, and D the rank of all
//          vertices without out-edges ("dangling").
// Method   jacobi: every vertex pulls the contributions of its in-neighbours, in an order fixed by
//          the graph. delta: a vertex passes on what it has received since it last sent, while that
//          is above a threshold. There D only scales the answer, so the scaling is done at the end.
//          Messages are floats: a vertex keeps what rounding cuts off, and passes it on later.
// Start    ranks in proportion to in-degrees (rank_start.h). For delta, one iteration finds their
//          residuals, which have either sign.
// Paper    Page, Brin, Motwani, Winograd: The PageRank Citation Ranking, 1999. Deltas: Zhang et
//          al., Maiter, TPDS 2014.
// Above 400 lines: two methods, what they start from, and a verifier by definition.
// State    jacobi: two contributions of 4 bytes a vertex; the rank is a contribution times the
//          degree. delta: rank and residual, 8 each; the engine keeps a message of 4.
#include "engine/algorithms/shared/convergence.h"
#include "engine/algorithms/shared/rank_options.h"
#include "engine/algorithms/shared/rank_start.h"
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr Option<std::string_view> kDangling{
    .names = "--dangling",
    .help = "what becomes of the rank of vertices without out-edges",
    .choices = "spread|drop"};
constexpr Option<std::string_view> kMethod{
    .names = "--method", .help = "how ranks are computed", .choices = "jacobi|delta"};
/// What a vertex passes on along each of its out-edges, in 4 bytes. Without out-edges, its whole
/// rank.
EM_HOST_DEVICE inline float Contribution(double rank, EdgeIndex degree) {
  return static_cast<float>(rank) / static_cast<float>(degree == 0 ? 1 : degree);
}
EM_HOST_DEVICE inline double RankOfContribution(float contribution, EdgeIndex degree) {
  return double{contribution} * static_cast<double>(degree == 0 ? 1 : degree);
}

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
    // Loaded before the store to next_share[v]: the two addresses have the same low 12 bits, so the
    // processor would delay a load after the store as if it read what was stored (4K aliasing).
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
};

struct StartShare {
  DegreeView degree, in_degree;
  View<float> share;
  View<const float> given;
  TallyView<Sum<double>> dangling;
  double base, slope;
  void operator()(VertexId v) {
    const double rank = StartRank::Of(in_degree, given, base, slope, v);
    share[v] = Contribution(rank, degree[v]);
    if (degree[v] == 0) dangling.Add(rank);
  }
};
struct Collect {  // delta's first iteration: gives each vertex the damped sum of its messages
  using Monoid = Sum<double, float>;
  static constexpr bool kAppliesToAll = true;
  DegreeView degree;
  View<const float> share;
  View<double> collected;
  TallyView<Sum<double>> lost;  // what vertices with out-edges lose to jumps and dangling ones
  double damping;
  float Emit(VertexId u) const { return share[u]; }
  bool Apply(VertexId v, double sum) {
    const EdgeIndex edges = degree[v];
    collected[v] = damping * sum;
    if (edges != 0) lost.Add(RankOfContribution(share[v], edges) - damping * sum);
    return false;
  }
  struct Tuning {
    static constexpr auto kSumsWaitIn = &Collect::collected;
  };
};
struct StartDelta {
  DegreeView degree, in_degree;
  View<double> rank, residual;
  View<const float> given;
  double base, slope, scale, jump;
  void operator()(VertexId v) {
    const EdgeIndex edges = degree[v];
    const double start = StartRank::Of(in_degree, given, base, slope, v);
    const double passed = RankOfContribution(Contribution(start, edges), edges);
    residual[v] = jump + scale * (residual[v] - passed);
    rank[v] = scale * passed;
  }
};

struct PassOn {  // what a vertex has received, and not passed on, is its residual
  using Monoid = Sum<double, float>;
  DegreeView degree;
  View<double> rank, residual;
  double damping, threshold;
  float Emit(VertexId u) {
    const double taken = AtomicExchange(residual[u], 0.0);
    const EdgeIndex edges = degree[u];
    const float message =
        edges == 0 ? 0 : static_cast<float>(damping * taken / static_cast<double>(edges));
    // The part that all messages together carry. A vertex without out-edges keeps all of it.
    double passed = edges == 0 ? taken : 0;
    if (message != 0) passed = double{message} * static_cast<double>(edges) / damping;
    rank[u] += passed;
    AtomicAdd(residual[u], taken - passed);
    return message;
  }
  bool Relax(VertexId v, double more) {
    return std::abs(AtomicAdd(residual[v], more) + more) > threshold;
  }
  struct Tuning {
    static void Prefetch(const PassOn& program, VertexId v) { program.residual.Prefetch(v); }
    static double Pending(const PassOn& program, VertexId v) {
      return std::abs(double{program.residual[v]});
    }
  };
};
struct IsLeft {
  View<const double> residual;
  double threshold;
  bool operator()(VertexId v) const { return std::abs(residual[v]) > threshold; }
};
struct BothSums {  // sums of ranks with residuals, and of absolute residuals
  using Monoid = Both<Sum<double>, Sum<double>>;
  View<const double> rank, residual;
  Monoid::Value operator()(VertexId v) const {
    return {rank[v] + residual[v], std::abs(residual[v])};
  }
};
struct Scale {  // adds what is not passed on to ranks, and scales them
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

/// How iterations ended.
struct RankEnd {
  uint64_t iterations = 0;
  /// The change by the last iteration or, for delta, the most that the next one would change.
  double change = 0;
};

struct PageRankState : RunState {
  using RunState::RunState;
  const bool is_delta = Get(kMethod) == "delta", spread = Get(kDangling) == "spread";
  const double damping = Get(kDamping);
  const Convergence until{*this, kRankIterations, kRankTolerance};
  const RankStart start{*this, until.tolerance};
  RankEnd end;
  VertexArray<float> share{
      *this, "share",
      is_delta ? UseIf(start.values != nullptr, ArrayUse::kWork) : ArrayUse::kResult};
  VertexArray<float> next_share{*this, "next share", UseIf(!is_delta, ArrayUse::kWork)};
  VertexArray<double> rank{*this, "rank", UseIf(is_delta, ArrayUse::kResult)};
  VertexArray<double> residual{*this, "residual", UseIf(is_delta, ArrayUse::kWork)};
  Degrees degrees{*this, kOut};
  Degrees in_degrees{*this, kIn, start.needs_in_degrees()};
  Programs<Jacobi> jacobi{*this, kOut, !is_delta};
  Programs<Collect> collect{*this, kOut, is_delta && !start.is_zero()};
  Programs<PassOn> delta{*this, kOut, is_delta};
};

/// Contributions and messages are floats: an iteration loses 2^-24 of each rank, or of what is
/// passed on, so no method can reach a smaller tolerance.
Status Check(const RunSetup& setup) {
  RETURN_IF_ERROR(CheckStart(setup, setup.Get(kMethod) == "delta"));
  constexpr double kMinTolerance = 1e-7;
  const double tolerance = setup.Get(kRankTolerance);
  if (tolerance == 0 || tolerance >= kMinTolerance) return OkStatus();
  return UsageError(StrCat("-t ", tolerance, ": must be at least ", kMinTolerance,
                           ", because ranks are passed on as 32-bit floats"));
}

/// The ranks to start from. Ranks from a file are put in state.share.
StatusOr<StartRank> FindStart(Engine& engine, PageRankState& state) {
  const DegreeView degree = engine.Degrees(kOut);
  const DegreeView in_degree = state.start.needs_in_degrees() ? engine.Degrees(kIn) : degree;
  StartInputs in{{degree, in_degree}, state.damping, state.spread && !state.is_delta};
  if (state.start.values != nullptr) {  // else the array need not come to the host
    in.given = state.share.mutable_span();
    in.shown = state.share.read();
  }
  return state.start.Find(engine.graph(), in, [&](const DanglingSums& sums) {
    return engine.Reduce<DanglingSums::Monoid>(engine.sets().All(), sums);
  });
}

StatusOr<RankEnd> RunJacobi(Engine& engine, PageRankState& state, IterationForecast& forecast) {
  RankEnd end;
  const VertexSet all = engine.sets().All();
  const auto vertices = static_cast<double>(engine.num_vertices());
  Tally<Sum<double>> changes("the change of ranks", 4), dangling("dangling ranks", 4);
  const auto program = [&](double jumps) {
    return Jacobi{engine.Degrees(kOut), state.share.read(), state.next_share.view(),
                  changes.view(),       dangling.view(),    jumps / vertices,
                  state.damping};
  };
  ASSIGN_OR_RETURN(const StartRank start, FindStart(engine, state));
  const StartShare first{engine.Degrees(kOut), start.in_degree, state.next_share.view(),
                         start.given,          dangling.view(), start.base,
                         start.slope};
  RETURN_IF_ERROR(engine.VertexMap(all, first));
  while (true) {
    state.share.Swap(state.next_share);
    ASSIGN_OR_RETURN(end.change, changes.Take());
    ASSIGN_OR_RETURN(const double lost, dangling.Take());
    if (end.iterations > 0) forecast.Add(end.change);
    const bool settled = end.iterations > 0 && end.change < state.until.tolerance;
    if (settled || end.iterations == state.until.iterations || all.empty()) return end;
    const double jumps = 1 - state.damping + (state.spread ? state.damping * lost : 0);
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, program(jumps)).status());
    ++end.iterations;
  }
}

/// Sets ranks to those of the start, times a factor, and residuals to the changes by an iteration
/// from there. The factor makes the residuals of vertices with out-edges sum to 0. Without the
/// factor, an iteration would only multiply this sum by d.
Status CollectResiduals(Engine& engine, PageRankState& state) {
  const VertexSet all = engine.sets().All();
  const auto vertices = static_cast<double>(engine.num_vertices());
  const double jump = (1 - state.damping) / vertices;
  const DegreeView degree = engine.Degrees(kOut);
  ASSIGN_OR_RETURN(const StartRank start, FindStart(engine, state));
  Tally<Sum<double>> dangling("dangling ranks", 4), lost("lost ranks", 4);
  // The memory of ranks holds these floats first.
  const StartShare first{degree,      start.in_degree, state.rank.view_as<float>(),
                         start.given, dangling.view(), start.base,
                         start.slope};
  RETURN_IF_ERROR(engine.VertexMap(all, first));
  const Collect program{degree, state.rank.read_as<float>(), state.residual.view(), lost.view(),
                        state.damping};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, all, program).status());
  ASSIGN_OR_RETURN(const double sum_lost, lost.Take());
  ASSIGN_OR_RETURN(const auto without,
                   engine.Reduce<DanglingSums::Monoid>(all, DanglingSums{degree, degree}));
  const double jumps = jump * (vertices - without.first);
  const double scale = sum_lost > 0 && jumps > 0 ? jumps / sum_lost : 1;
  return engine.VertexMap(
      all, StartDelta{degree, start.in_degree, state.rank.view(), state.residual.view(),
                      start.given, start.base, start.slope, scale, jump});
}

/// In the end, the residuals that are left are added to the ranks. One more Jacobi iteration would
/// pass these residuals on, times d. Where ranks are scaled, it would take the same amount from all
/// ranks. So it would change ranks, which sum to 1, by at most the sum of both. Vertices whose
/// residuals are too small for a message may together keep half of the tolerance.
StatusOr<RankEnd> RunDelta(Engine& engine, PageRankState& state, IterationForecast& forecast) {
  const VertexSet all = engine.sets().All();
  const auto vertices = static_cast<double>(engine.num_vertices());
  const double until = state.until.tolerance;
  const double tolerance = until == 0 ? *kRankTolerance.value : until;
  const double passed_on = state.damping * (state.spread ? 2 : 1);
  RankEnd end;
  if (all.empty()) return end;
  if (state.start.is_zero()) {
    state.rank.Fill(0);
    state.residual.Fill((1 - state.damping) / vertices);
  } else {
    RETURN_IF_ERROR(CollectResiduals(engine, state));
    ++end.iterations;
  }
  VertexSet active;
  while (true) {
    const BothSums sums{state.rank.read(), state.residual.read()};
    ASSIGN_OR_RETURN(const auto sum, engine.Reduce<BothSums::Monoid>(all, sums));
    const auto [total, left] = sum;
    end.change = passed_on * left / total;
    if (end.iterations > 0) forecast.Add(end.change);
    if (end.change < tolerance || end.iterations == state.until.iterations) {
      const double unit = state.spread ? total : 1;  // what ranks sum to
      RETURN_IF_ERROR(engine.VertexMap(all, Scale{state.rank.view(), state.residual.read(), unit}));
      return end;
    }
    const double threshold = tolerance * total / (2 * passed_on) / vertices;
    if (active.empty()) {  // at first, and where rounding has left large residuals
      ASSIGN_OR_RETURN(active, engine.VertexFilter(all, IsLeft{state.residual.read(), threshold}));
    }
    const PassOn program{engine.Degrees(kOut), state.rank.view(), state.residual.view(),
                         state.damping, threshold};
    ASSIGN_OR_RETURN(FixpointTotals totals, engine.Fixpoint(kOut, std::move(active), program, 1));
    active = std::move(totals.left);
    ++end.iterations;
  }
}

Status FindRanks(Engine& engine, PageRankState& state, const RunContext& context, Answer* answer) {
  IterationForecast forecast(context.progress, state.until.iterations, state.until.tolerance);
  ASSIGN_OR_RETURN(state.end, (state.is_delta ? RunDelta : RunJacobi)(engine, state, forecast));
  const RankOf rank{engine.Degrees(kOut), state.share.read(), state.rank.read()};
  ASSIGN_OR_RETURN(const double sum, engine.Reduce<Sum<double>>(engine.sets().All(), rank));
  answer->passes = state.end.iterations;
  answer->AddCount("iterations", state.end.iterations);
  answer->Fill("rank", rank);
  answer->AddFact("last change", FormatSignificant(state.end.change), state.end.change,
                  "last_change_l1");
  answer->AddFact("sum of ranks", FormatFixed(sum, 9), sum);
  answer->CheckSettled("ranks", state.end.change, state.until.tolerance);
  return OkStatus();
}

struct RankCheck : RunState {
  using RunState::RunState;
  VertexArray<double> sums{*this, "the verifier's sums"};
  VertexArray<double> contribution{*this, "the verifier's contributions"};
};

/// Sets check.sums to what an iteration from `rank(vertex)` gives each vertex, in doubles.
template <typename Rank>
Status Iterate(LoadedGraph& graph, const PageRankState& state, Rank rank, RankCheck& check) {
  const DegreeView degree(graph.index(Direction::kOut));
  const double dangling =
      SumOverVertices(graph, [&](VertexId v) { return degree[v] == 0 ? rank(v) : 0; });
  const std::span<double> contributions = check.contribution.mutable_span();
  ForEachVertex(graph, [&](VertexId v) {
    contributions[v] = rank(v) / static_cast<double>(std::max<EdgeIndex>(1, degree[v]));
  });
  const std::span<double> next = check.sums.mutable_span();
  ForEachVertex(graph, [&](VertexId v) { next[v] = 0; });
  RETURN_IF_ERROR(AddAlongEdges(graph, contributions, next));
  const double jumps = 1 - state.damping + (state.spread ? state.damping * dangling : 0);
  const double base = jumps / static_cast<double>(graph.num_vertices());
  ForEachVertex(graph, [&](VertexId v) { next[v] = base + state.damping * next[v]; });
  return OkStatus();
}

/// Sets check.sums to the ranks that jacobi started from.
Status StartAgain(LoadedGraph& graph, const PageRankState& state, RankCheck& check) {
  const DegreeView degree(graph.index(Direction::kOut));
  const bool needs_in = state.start.needs_in_degrees();
  const DegreeView in_degree = needs_in ? DegreeView(graph.index(Direction::kIn)) : degree;
  const auto reduce = [&](const DanglingSums& sums) -> StatusOr<DanglingSums::Monoid::Value> {
    return {{SumOverVertices(graph, [&](VertexId v) { return sums(v).first; }),
             SumOverVertices(graph, [&](VertexId v) { return sums(v).second; })}};
  };
  ASSIGN_OR_RETURN(const StartRank start, state.start.Find(graph,
                                                           {{degree, in_degree},
                                                            state.damping,
                                                            state.spread,
                                                            check.contribution.as<float>(),
                                                            check.contribution.read_as<float>()},
                                                           reduce));
  const std::span<double> ranks = check.sums.mutable_span();
  ForEachVertex(graph, [&](VertexId v) { ranks[v] = start(v); });
  return OkStatus();
}

/// One more iteration must change converged ranks, and ranks by delta, by no more in all than the
/// run reports. This bounds their distance from the limit of the iterations. Other ranks by jacobi
/// are compared with ranks after the same number of iterations.
Status Verify(LoadedGraph& graph, PageRankState& state, RankCheck& check, const RunContext&) {
  // Bounds the rounding errors of sums of floats in an iteration; most errors are a tenth of it.
  constexpr double kRounding = 1e-6;
  const RankOf rank{DegreeView(graph.index(Direction::kOut)), state.share.read(),
                    state.rank.read()};
  const std::span<const double> right = check.sums.span();
  const auto apart = [&] {
    return SumOverVertices(graph, [&](VertexId v) { return std::abs(right[v] - rank(v)); });
  };
  const double vertices = static_cast<double>(graph.num_vertices());
  const bool settled = state.end.change < state.until.tolerance || vertices == 0;
  if (!state.is_delta && !settled) {
    RETURN_IF_ERROR(StartAgain(graph, state, check));
    for (uint64_t i = 0; i < state.end.iterations; ++i) {
      const auto before = [=](VertexId v) { return right[v]; };
      RETURN_IF_ERROR(Iterate(graph, state, before, check));
    }
    const double iterations = static_cast<double>(state.end.iterations), distance = apart();
    const double allowed = kRounding * std::min(iterations, 1 / (1 - state.damping));
    if (distance <= allowed) return OkStatus();
    return InternalError(StrCat("ranks are ", distance, " > ", allowed, " from those after ",
                                state.end.iterations, " iterations"));
  }
  RETURN_IF_ERROR(Iterate(graph, state, rank, check));
  const double total = SumOverVertices(graph, rank), change = apart();
  if (state.spread && vertices > 0 && !(std::abs(total - 1) <= 1e-5 / (1 - state.damping))) {
    return InternalError(StrCat("ranks sum to ", total));
  }
  const double allowed = kRounding + (state.is_delta ? state.end.change : state.until.tolerance);
  if (change <= allowed) return OkStatus();
  return InternalError(StrCat("another iteration changes ranks by ", change, " > ", allowed));
}

}  // namespace

EDGEMILL_ALGORITHM(pagerank) = {
    .name = "pagerank",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"pr"},
    .summary =
        "rank of each vertex by PageRank, to a tolerance or for a given number of iterations",
    .facts = {.formula = "rank[v] = (1 - d) / V + d (D / V + sum of rank[u] / out_degree(u) over "
                         "edges (u, v)); d is the damping, V the number of "
                         "vertices, D the rank of vertices without out-edges",
              .direction = "out-edges",
              .duplicates = "each duplicate and each loop counts",
              .weights = "ignored",
              .ends = "when ranks change by less than --tolerance in all (L1), or after "
                      "--iterations, with a warning unless only --iterations was given",
              .passes = "one over all edges an iteration; delta: over the edges of vertices whose "
                        "rank still changes"},
    .text = R"(--dangling spread gives D to all vertices, so that ranks sum to 1; drop drops D.
Methods: jacobi (default) computes every rank from the ones before, by pull, the same bits whatever
the threads; --mode push adds in any order. jacobi with -i alone runs exactly so many iterations.
delta passes on changes only, until one more iteration would change less than -t.
Ranks that change by less than X in all are within X / (1 - d) of exact ones in all. Rounding adds
some 1e-7 / (1 - d), and a -t below 1e-7 is refused.
Start: ranks in proportion to in-degrees with a -t of 1e-4 or more, which then saves iterations;
else equal ranks, as GAP has it. --initial zero is for delta, as papers have it. --values FILE has a
rank for each vertex, such as those of an earlier run: the nearer, the fewer iterations follow.
)",
    .paper = "Page et al., The PageRank Citation Ranking, 1999",
    .options = {kRankIterations, kRankTolerance, kDamping, kDangling, kMethod, kInitial,
                kStartRanks},
    .results =
        {{.name = "rank", .type = ResultType::kReal, .top = TopKind::kValues, .default_top = 5}},
    .note_with_weights = "weights are ignored: every out-edge takes an equal part of a rank",
    .check = Check,
    .driver = kDriver<FindRanks>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

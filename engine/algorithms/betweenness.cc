// Betweenness: on how many shortest paths from some sources a vertex lies.
//
// Result   betweenness[v]: a sum over sources s and targets t, both other than v. Each pair adds
//          the share of the shortest paths from s to t that go through v. Paths follow out-edges,
//          without weights. Duplicate edges count as one; loops do not count. With --sample, the
//          sum over all sources is estimated from some. With --normalized, the mean share over all
//          pairs, as NetworkX has it.
// Method   One source after the other. A search finds the levels from the source, and the number of
//          shortest paths to each vertex. Then dependencies are summed up level by level back,
//          against the edges. An edge (v, w) to the next level adds (1 + dependency[w]) * paths[v]
//          / paths[w] to dependency[v].
// Paper    Brandes: A faster algorithm for betweenness centrality, J. Math. Sociology 2001.
// State    40 bytes a vertex.
#include "engine/algorithms/shared/vertex_sample.h"
#include "engine/api/algorithm.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/simple_edges.h"

namespace edgemill {
namespace {

constexpr Option<SeveralVertices> kFrom{
    .names = "-r,--source",
    .help =
        "a vertex to start at, by its id or its name; give it several times for more (default: "
        "all vertices)"};
constexpr Option<bool> kNormalized{
    "--normalized", "give the mean share of paths, over all pairs of other vertices"};

/// From the first level with a number of paths above this, numbers of paths have exponents. Up to
/// this, a sum over all vertices still fits a double.
constexpr double kMaxPaths = 0x1p960;

/// `number` times 2^-`power`; 0 where the product is too small to change a sum.
EM_HOST_DEVICE inline double Lessened(double number, uint32_t power) {
  return power > 1000 ? 0 : std::ldexp(number, -static_cast<int>(power));
}

struct RaiseExponents {  // raises exponents to the greatest among predecessors
  using Monoid = Max<uint32_t>;
  View<uint32_t> level, exponent;
  uint32_t depth;
  uint32_t Emit(VertexId u) const { return exponent[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, uint32_t from) {
    if (level[v] < depth) return false;
    const bool is_new = CompareAndSet(level[v], ~0u, depth);
    return AtomicMax(exponent[v], from) || is_new;
  }
};
struct CountPaths {
  using Monoid = Sum<double>;
  static constexpr bool kSimple = true;
  View<uint32_t> level;
  View<double> paths;             // times 2^exponent
  View<const uint32_t> exponent;  // empty: all are 0
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  double Along(double more, const Edge& edge) const {
    return exponent ? Lessened(more, exponent[edge.to] - exponent[edge.from]) : more;
  }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, double more) {
    if (level[v] < depth) return false;
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], ~0u, depth);
  }
};
struct Begin {  // sets the values of a vertex without a successor
  View<double> paths, share, next_share;
  View<uint32_t> exponent;  // empty: all stay 0
  TallyView<Max<double>> most;
  void operator()(VertexId v) {
    if (exponent) {
      const double before = paths[v];
      int more = 0;
      paths[v] = std::frexp(before, &more);
      exponent[v] += static_cast<uint32_t>(more);
    }
    most.Add(paths[v]);
    next_share[v] = share[v] = 1 / paths[v];
  }
};
struct Accumulate {  // against the edges, to the level above
  using Monoid = Sum<double>;
  static constexpr bool kSimple = true;
  View<const uint32_t> level;
  View<const double> paths, next_share;
  View<const uint32_t> exponent;  // empty: all are 0
  View<double> share, score;      // share: (1 + dependency) / paths
  uint32_t depth;
  double Emit(VertexId w) const { return next_share[w]; }
  double Along(double more, const Edge& edge) const {
    return exponent ? Lessened(more, exponent[edge.from] - exponent[edge.to]) : more;
  }
  bool Cond(VertexId v) const { return level[v] == depth; }
  bool Apply(VertexId v, double sum) {
    const double dependency = paths[v] * sum;
    share[v] = (1 + dependency) / paths[v];
    if (depth > 0) score[v] += dependency;
    return true;
  }
};

struct BetweennessState : RunState {
  explicit BetweennessState(const RunSetup& setup) : RunState(setup) { HoldSets(2); }
  VertexArray<uint32_t> level{*this, "level"};
  VertexArray<double> paths{*this, "paths"}, share{*this, "share"}, next_share{*this, "next"};
  VertexArray<uint32_t> exponent{*this, "exponent"};
  VertexArray<double> score{*this, "betweenness", ArrayUse::kResult};
  const bool samples = VertexSample::IsPart(*this);
  const bool scales = samples || Get(kNormalized);
  VertexBits is_source{*this, "sources", UseIf(scales, ArrayUse::kResult)};
  uint64_t num_sources = 0;
  Levels levels{*this, "levels"};
  Programs<RaiseExponents, CountPaths> forward{*this, kOut, /*wanted=*/true, PassesOf::kOne};
  Programs<Accumulate> backward{*this, kIn, /*wanted=*/true, PassesOf::kOne};
};

/// Stores the level `set`, and sets the first values of its shares. Sets `*wide` if numbers of
/// paths need exponents from this level on.
Status BeginLevel(Engine& engine, BetweennessState& state, const VertexSet& set, bool* wide) {
  state.levels.Append(set);
  Tally<Max<double>> most("numbers of paths");
  const auto begin = [&](View<uint32_t> exponent) {
    return engine.VertexMap(set, Begin{state.paths.view(), state.share.view(),
                                       state.next_share.view(), exponent, most.view()});
  };
  if (*wide) return begin(state.exponent.view());
  RETURN_IF_ERROR(begin({}));
  ASSIGN_OR_RETURN(const double paths, most.Take());
  if (paths <= kMaxPaths) return OkStatus();
  *wide = true;
  state.exponent.Fill(0);
  return begin(state.exponent.view());
}

/// The level after `set`, with its numbers of paths.
StatusOr<VertexSet> CountLevel(Engine& engine, BetweennessState& state, const VertexSet& set,
                               uint32_t depth, bool wide) {
  CountPaths count{state.level.view(), state.paths.view(), {}, depth};
  if (!wide) return engine.EdgeMap(kOut, set, count);
  const RaiseExponents raise{state.level.view(), state.exponent.view(), depth};
  ASSIGN_OR_RETURN(VertexSet next, engine.EdgeMap(kOut, set, raise));
  count.exponent = state.exponent.read();
  RETURN_IF_ERROR(engine.EdgeMap(kOut, set, count).status());
  return next;
}

Status AddFrom(Engine& engine, BetweennessState& state, VertexId source) {
  state.level.Fill(~0u);
  state.paths.Fill(0);
  state.level.Set(source, 0);
  state.paths.Set(source, 1);
  state.levels.Clear();
  ASSIGN_OR_RETURN(VertexSet set, engine.sets().Of({source}));
  bool wide = false;  // numbers of paths have exponents
  uint64_t first_wide = ~uint64_t{0};
  for (uint32_t depth = 1; !set.empty(); ++depth) {
    RETURN_IF_ERROR(BeginLevel(engine, state, set, &wide));
    if (wide) first_wide = std::min<uint64_t>(first_wide, depth - 1);
    ASSIGN_OR_RETURN(set, CountLevel(engine, state, set, depth, wide));
  }
  for (auto depth = static_cast<uint32_t>(state.levels.size() - 1); depth-- > 0;) {
    ASSIGN_OR_RETURN(set, state.levels.At(depth + 1, engine.sets()));
    const bool has_exponents = depth + 1 >= first_wide;
    const Accumulate program{state.level.read(),
                             state.paths.read(),
                             state.next_share.read(),
                             has_exponents ? state.exponent.read() : View<const uint32_t>{},
                             state.share.view(),
                             state.score.view(),
                             depth};
    RETURN_IF_ERROR(engine.EdgeMap(kIn, set, program).status());
    state.share.Swap(state.next_share);
  }
  return OkStatus();
}

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
  state.score.Fill(0);
  if (state.scales) state.is_source.Fill(0);
  state.num_sources = 0;
  RETURN_IF_ERROR(ForEachSource(state, context, [&](VertexId source) {
    ++state.num_sources;
    if (state.scales) state.is_source.Add(source);
    return AddFrom(engine, state, source);
  }));
  answer->counted = CountedEdges::kSent;  // down and back
  answer->AddCount("sources", state.num_sources);
  if (state.scales) {
    answer->Fill("betweenness", [&state, score = state.score.span()](VertexId v) {
      return score[v] * ScaleOf(state, v);
    });
  } else {
    answer->Fill("betweenness", state.score.span());
  }
  return OkStatus();
}

Status Check(const RunSetup& setup) {
  if (!setup.values.Given(kFrom) || !setup.values.Given(kSample)) return OkStatus();
  return UsageError("betweenness: --source and --sample both choose sources: give one of them");
}

struct DependencyCheck : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> level{*this, "the verifier's levels"};
  VertexArray<double> paths{*this, "the verifier's paths"};  // times 2^power
  VertexArray<int32_t> power{*this, "the verifier's powers"};
  VertexArray<double> dependency{*this, "the verifier's dependencies"};
  VertexArray<double> score{*this, "the verifier's sums"};
  VertexBits reached{*this, "the verifier's marks"};
  FoundVertices found{*this, "the verifier's list"};
};

/// Once a number of paths is above this, the numbers of the next levels have powers.
constexpr double kManyPaths = 0x1p900;

/// The share of the paths to `to` that come through `from`: above 0, at most 1.
double ShareOfPaths(const DependencyCheck& check, VertexId from, VertexId to) {
  const std::span<const double> paths = check.paths.span();
  const std::span<const int32_t> power = check.power.span();
  const double share = paths[from] / paths[to];
  return power[from] == power[to] ? share : std::ldexp(share, power[from] - power[to]);
}

/// Adds the dependencies on paths from `source`, by Brandes' recurrence.
Status AddDependencies(const LoadedGraph& graph, const SimpleEdges& edges, VertexId source,
                       DependencyCheck& check) {
  const std::span<uint32_t> level = check.level.mutable_span();
  const std::span<double> paths = check.paths.mutable_span();
  const std::span<int32_t> power = check.power.mutable_span();
  const std::span<double> dependency = check.dependency.mutable_span();
  check.level.Fill(~0u);
  check.paths.Fill(0);
  check.power.Fill(0);
  check.dependency.Fill(0);
  check.reached.Fill(0);
  check.reached.Add(source);
  level[source] = 0;
  paths[source] = 1;
  check.found.Clear();
  FoundVertices::Adder(check.found).Add(source);
  uint8_t many = 0;
  for (uint32_t depth = 0;; ++depth) {
    const std::span<const VertexId> members = check.found.NextLevel(graph.threads());
    if (members.empty()) break;
    if (many != 0) {  // powers keep numbers from 1 to about the number of edges
      RETURN_IF_ERROR(edges.VisitFrom(members, [&](const Edge& edge) {
        if (level[edge.to] <= depth) return;
        AtomicMax(&power[edge.to], power[edge.from] + std::ilogb(paths[edge.from]));
      }));
    }
    RETURN_IF_ERROR(edges.VisitFrom(
        members, [&, next = FoundVertices::Adder(check.found)](const Edge& edge) mutable {
          const uint32_t before = LoadRelaxed(&level[edge.to]);
          if (before <= depth) return;
          const int32_t from = power[edge.from], to = power[edge.to];
          const double more =
              from == to ? paths[edge.from] : std::ldexp(paths[edge.from], from - to);
          if (AtomicAdd(&paths[edge.to], more) + more > kManyPaths) StoreRelaxed(&many, uint8_t{1});
          if (before != ~0u || !check.reached.Add(edge.to)) return;
          StoreRelaxed(&level[edge.to], depth + 1);
          next.Add(edge.to);
        }));
  }
  for (std::span<const VertexId> left = check.found.levels(); !left.empty();) {
    const uint32_t depth = level[left.back()];
    size_t begin = left.size();
    while (begin > 0 && level[left[begin - 1]] == depth) --begin;
    const std::span<const VertexId> members = left.subspan(begin);
    left = left.first(begin);
    RETURN_IF_ERROR(edges.VisitFrom(members, [&](const Edge& edge) {
      if (level[edge.to] != depth + 1) return;
      AtomicAdd(&dependency[edge.from],
                ShareOfPaths(check, edge.from, edge.to) * (1 + dependency[edge.to]));
    }));
  }
  const std::span<double> score = check.score.mutable_span();
  ForEachVertex(graph, [&](VertexId v) {
    if (v != source) score[v] += dependency[v];
  });
  return OkStatus();
}

/// Each score must be the sum of the dependencies for all sources, within rounding. Each level adds
/// a relative rounding error of about 2^-52.
Status Verify(LoadedGraph& graph, BetweennessState& state, DependencyCheck& check,
              const RunContext& context) {
  constexpr double kTolerance = 1e-9;
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  RETURN_IF_ERROR(ForEachSource(state, context, [&](VertexId source) {
    return AddDependencies(graph, edges, source, check);
  }));
  const std::span<const double> score = state.score.span(), right = check.score.span();
  return NoVertexWhere(
      graph, "has a betweenness that is not its dependencies' sum",
      [&](VertexId v) { return !(std::abs(score[v] - right[v]) <= kTolerance * (1 + right[v])); });
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
              .duplicates = "duplicates count as one; loops change nothing",
              .weights = "ignored: every edge counts 1",
              .ends = "when all sources are done",
              .passes = "two for each level of each source: one down, one back up"},
    .text = R"(Ends do not count: a path is not through its source or target. From all vertices
of an undirected graph, each pair counts twice. With -r, values are sums over these sources. With
--sample N, sources are N random vertices, and a value is an estimate of the sum over all: the sum
times (V - 1) / others, where the others are the sources that are not the vertex. --normalized
divides the sum by others (V - 2), the number of its pairs, as NetworkX does. Without -r and
--sample there is a search from each vertex, which takes long on large graphs. Numbers of paths may
be far above all floating-point numbers: those have exponents of their own, so that shares of paths
stay right.
)",
    .paper = "Brandes, A faster algorithm for betweenness centrality, 2001",
    .options = {kFrom, kSample, kSampleSeed, kNormalized},
    .results = {{.name = "betweenness", .type = ResultType::kReal, .top = TopKind::kValues}},
    .note_with_weights = "weights are ignored: paths are short by their number of edges",
    .check = Check,
    .driver = kDriver<FindBetweenness>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

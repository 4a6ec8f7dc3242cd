// Betweenness: on how many shortest paths from some sources a vertex lies.
//
// Result   betweenness[v]: the sum, over sources s and targets t, both other than v, of the share
//          of the shortest paths from s to t that go through v. Along out-edges, without weights.
//          Of simple graphs: duplicate edges are one, loops none.
// Method   One source after the other. Levels from it, with numbers of paths; then level by level
//          back, against the edges: a vertex depends on those that it leads to, in the share of
//          their paths that come from it.
// Paper    Brandes: A faster algorithm for betweenness centrality, J. Math. Sociology 2001.
// State    40 bytes a vertex.
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/dependencies.h"

namespace edgemill {
namespace {

struct CountPaths {
  using Monoid = Sum<double>;
  static constexpr bool kSimple = true;
  View<uint32_t> level;
  View<double> paths;
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, double more) {
    if (level[v] < depth) return false;
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], ~0u, depth);
  }
};
struct Begin {  // a vertex that leads nowhere deeper
  View<const double> paths;
  View<double> share, next_share;
  void operator()(VertexId v) { next_share[v] = share[v] = 1 / paths[v]; }
};
struct Accumulate {  // against the edges, to the level above
  using Monoid = Sum<double>;
  static constexpr bool kSimple = true;
  View<const uint32_t> level;
  View<const double> paths, next_share;
  View<double> share, score;  // share: (1 + dependency) / paths
  uint32_t depth;
  double Emit(VertexId w) const { return next_share[w]; }
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
  VertexArray<double> score{*this, "betweenness", ArrayUse::kResult};
  Levels levels{*this, "levels"};
  Programs<CountPaths> forward{*this, kOut};
  Programs<Accumulate> backward{*this, kIn};
};

Status AddFrom(Engine& engine, BetweennessState& state, VertexId source) {
  state.level.Fill(~0u);
  state.paths.Fill(0);
  state.level.Set(source, 0);
  state.paths.Set(source, 1);
  state.levels.Clear();
  ASSIGN_OR_RETURN(VertexSet set, engine.sets().Of({source}));
  for (uint32_t depth = 1; !set.empty(); ++depth) {
    state.levels.Append(set);
    const Begin begin{state.paths.read(), state.share.view(), state.next_share.view()};
    RETURN_IF_ERROR(engine.VertexMap(set, begin));
    const CountPaths program{state.level.view(), state.paths.view(), depth};
    ASSIGN_OR_RETURN(set, engine.EdgeMap(kOut, set, program));
  }
  for (auto depth = static_cast<uint32_t>(state.levels.size() - 1); depth-- > 0;) {
    ASSIGN_OR_RETURN(set, state.levels.At(depth + 1, engine.sets()));
    const Accumulate program{state.level.read(), state.paths.read(), state.next_share.read(),
                             state.share.view(), state.score.view(), depth};
    RETURN_IF_ERROR(engine.EdgeMap(kIn, set, program).status());
    state.share.Swap(state.next_share);
  }
  return OkStatus();
}

Status FindBetweenness(Engine& engine, BetweennessState& state, const RunContext& context,
                       Answer* answer) {
  state.score.Fill(0);
  for (const VertexId source : context.sources) RETURN_IF_ERROR(AddFrom(engine, state, source));
  answer->counted = CountedEdges::kSent;  // down and back
  answer->AddCount("sources", context.sources.size());
  answer->Fill("betweenness", state.score.span());
  return OkStatus();
}

Status Verify(LoadedGraph& graph, BetweennessState& state, DependencyCheck& check,
              const RunContext& context) {
  return CheckDependencies(graph, state.score.span(), context.sources, check);
}

}  // namespace

EDGEMILL_ALGORITHM(betweenness) = {
    .name = "betweenness",
    .group = AlgorithmGroup::kCentrality,
    .aliases = {"bc"},
    .summary = "betweenness of each vertex on shortest paths from sources",
    .text = R"(Sums, over sources (-r ID, once for each) and all targets, the share of the shortest
paths between them that go through the vertex. Ends do not count: a path is not through its source
or target. Not normalised. From all vertices of an undirected graph, each pair counts twice. Paths
go along out-edges and every edge counts 1; duplicate edges are one, loops change nothing.
)",
    .paper = "Brandes, A faster algorithm for betweenness centrality, 2001",
    .options = {kSources},
    .results = {{.name = "betweenness", .type = ResultType::kReal, .top = TopKind::kValues}},
    .driver = kDriver<FindBetweenness>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

// Numbers of shortest paths from a source: how many paths of fewest edges lead to every vertex.
//
// Result   paths[v]: the number of paths of level[v] edges from the source along out-edges, exact
//          in 64 bits; 1 of the source, and 0 of vertices that are not reached. Edges that join
//          the same vertices are paths of their own.
// Method   Two searches. The first finds levels, as breadth-first search does. The second goes down
//          level by level and adds: a vertex has the paths of its predecessors one level up.
// Paper    Brandes: A faster algorithm for betweenness centrality, 2001, lemma 3
// State    12 bytes a vertex
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/bounded_passes.h"
#include "engine/api/toolkit/hops.h"
#include "engine/api/toolkit/path_counts.h"

namespace edgemill {
namespace {

constexpr uint64_t kTooMany = ~uint64_t{0};  // that or more

struct SumOrTooMany {  // associative: it is the least of the sum and kTooMany
  using Value = uint64_t;
  static constexpr Value identity() { return 0; }
  static constexpr Value Combine(Value a, Value b) { return a + b < a ? kTooMany : a + b; }
};
struct CountPaths {
  using Monoid = SumOrTooMany;
  View<const uint32_t> level;
  View<uint64_t> paths;
  uint32_t depth;
  uint64_t Emit(VertexId u) const { return paths[u]; }
  // No edge leads from the level above to one that is deeper.
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, uint64_t more) {
    if (level[v] != depth) return false;
    uint64_t before = paths[v];
    while (!CompareAndSet(paths[v], before, SumOrTooMany::Combine(before, more))) before = paths[v];
    return before == 0;
  }
  void Next() { ++depth; }
};
struct Summarize {  // the most paths, and of vertices with too many the first of the least level
  using Monoid = Both<Max<uint64_t>, Min<uint64_t>>;
  View<const uint32_t> level;
  View<const uint64_t> paths;
  Monoid::Value operator()(VertexId v) const {
    return {paths[v], paths[v] == kTooMany ? uint64_t{level[v]} << 32 | v : ~uint64_t{0}};
  }
};

struct SsnspState : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> level{*this, "level", ArrayUse::kResult};  // the verifier asks for it
  VertexArray<uint64_t> paths{*this, "paths", ArrayUse::kResult};
  Programs<Discover, CountPaths> programs{*this, kOut};
};

Status Search(Engine& engine, SsnspState& state, const RunContext& context, Answer* answer) {
  ASSIGN_OR_RETURN(const LevelReach reach,
                   FindLevels(engine, context.source, MostPasses(state), state.level));
  state.paths.Fill(0);
  state.paths.Set(context.source, 1);
  ASSIGN_OR_RETURN(VertexSet source, engine.sets().Of({context.source}));
  const CountPaths program{state.level.read(), state.paths.view(), 1};
  RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(source), program, reach.farthest).status());
  const Summarize summarize{state.level.read(), state.paths.read()};
  ASSIGN_OR_RETURN(const auto most,
                   engine.Reduce<Summarize::Monoid>(engine.sets().All(), summarize));
  if (most.first == kTooMany) {
    const uint64_t level = most.second >> 32;
    ASSIGN_OR_RETURN(const std::string vertex,
                     VertexText(engine.graph(), static_cast<VertexId>(most.second)));
    return BadDataError(StrCat("vertex ", vertex, " has more shortest paths from the source than ",
                               "64 bits count, ", kTooMany, " or more: stop before it, with -i ",
                               level - 1));
  }
  answer->Fill("paths", [paths = state.paths.span()](VertexId v) { return paths[v]; });
  answer->passes = 2;
  answer->AddReached(reach.vertices, engine.num_vertices(), 0);
  answer->AddCount("farthest level", reach.farthest);
  answer->AddCount("most paths", most.first);
  return OkStatus();
}

Status Verify(LoadedGraph& graph, SsnspState& state, PathCountCheck& check,
              const RunContext& context) {
  return CheckPathCounts(graph, state.level.span(), state.paths.span(), context.source,
                         MostPasses(state), check);
}

}  // namespace

EDGEMILL_ALGORITHM(ssnsp) = {
    .name = "ssnsp",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"path-count"},
    .summary = "numbers of shortest paths from a source, by edges, exact in 64 bits",
    .text = R"(Counts for every vertex the paths of fewest edges from the source (-r ID) along
out-edges; on symmetric graphs edges go both ways. paths[v] is the sum of paths[u] over edges (u, v)
from vertices one level up. The source has 1, unreachable vertices have 0. Weights are ignored. Of
duplicate edges each is a path of its own, unlike betweenness; loops change nothing. Counts are
exact: a vertex with 2^64 - 1 paths or more is an error, which names the nearest such vertex. -i N
counts paths of at most N edges. An unknown source is an error. Finds levels first, then counts: two
passes over the edges of what is reached. Graphs ingested with --columns out only push, with
--columns in only pull.
)",
    .paper = "Brandes, A faster algorithm for betweenness centrality, 2001, lemma 3",
    .options = {kSource, kMostPasses},
    .results = {{.name = "paths", .type = ResultType::kLongCount, .top = TopKind::kValues}},
    .note_with_weights = "weights are ignored: paths are short by their number of edges",
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

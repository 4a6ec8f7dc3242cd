// Numbers of shortest paths from a source: how many paths of fewest edges lead to every vertex.
//
// Result   paths[v]: the number of paths of level[v] edges from the source along out-edges, exact
//          in 64 bits. It is 1 for the source and 0 for unreached vertices. Each duplicate of an
//          edge makes paths of its own.
// Method   Two searches. The first finds levels, as breadth-first search does. The second goes down
//          level by level and adds: a vertex has as many paths as its predecessors one level up
//          together.
// Paper    Brandes: A faster algorithm for betweenness centrality, 2001, lemma 3
// State    12 bytes a vertex
#include "engine/algorithms/shared/bounded_passes.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr uint32_t kUnreached = kInvalidVertex;
constexpr uint64_t kTooMany = ~uint64_t{0};  // this number or more

struct FindLevels {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, VertexId) { return (level[v] = depth) > 0; }
  void Next() { ++depth; }
  struct Tuning {
    static bool AsksForSender(const FindLevels&) { return false; }
  };
};
struct SumOrTooMany {  // associative, because it is min(sum, kTooMany)
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
  // No edge leads from level `depth` - 1 to a level greater than `depth`.
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, uint64_t more) {
    if (level[v] != depth) return false;
    uint64_t before = paths[v];
    while (!CompareAndSet(paths[v], before, SumOrTooMany::Combine(before, more))) before = paths[v];
    return before == 0;
  }
  void Next() { ++depth; }
};
struct Summarize {  // the most paths, and the first vertex with too many, by level
  using Monoid = Both<Max<uint64_t>, Min<uint64_t>>;
  View<const uint32_t> level;
  View<const uint64_t> paths;
  Monoid::Value operator()(VertexId v) const {
    return {paths[v], paths[v] == kTooMany ? uint64_t{level[v]} << 32 | v : ~uint64_t{0}};
  }
};

struct SsnspState : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> level{*this, "level", ArrayUse::kResult};  // the verifier needs it
  VertexArray<uint64_t> paths{*this, "paths", ArrayUse::kResult};
  Programs<FindLevels, CountPaths> programs{*this, kOut};
};

Status Search(Engine& engine, SsnspState& state, const RunContext& context, Answer* answer) {
  state.level.Fill(kUnreached);
  state.level.Set(context.source, 0);
  state.paths.Fill(0);
  state.paths.Set(context.source, 1);
  uint64_t reached = 0, farthest = 0;
  {
    ASSIGN_OR_RETURN(VertexSet source, engine.sets().Of({context.source}));
    ASSIGN_OR_RETURN(const FixpointTotals totals,
                     engine.Fixpoint(kOut, std::move(source), FindLevels{state.level.view(), 1},
                                     MostPasses(state)));
    reached = totals.emitted + totals.left.size();
    farthest = totals.passes - (totals.left.empty() ? 1 : 0);
  }
  ASSIGN_OR_RETURN(VertexSet source, engine.sets().Of({context.source}));
  const CountPaths count{state.level.read(), state.paths.view(), 1};
  RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(source), count, farthest).status());
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
  answer->AddReached(reached, engine.num_vertices(), 0);
  answer->AddCount("farthest level", farthest);
  answer->AddCount("most paths", most.first);
  return OkStatus();
}

struct PathCountCheck : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> sums{*this, "the verifier's sums"};
};

/// Only the source has level 0, and it has one path. No edge leads more than one level down. Every
/// other reached vertex has as many paths as its predecessors one level up together: some, and no
/// more than 64 bits hold. With -i, vertices beyond the last level are not checked.
Status Verify(LoadedGraph& graph, SsnspState& state, PathCountCheck& check,
              const RunContext& context) {
  const std::span<const uint32_t> level = state.level.span();
  const std::span<const uint64_t> paths = state.paths.span();
  const std::span<uint64_t> sums = check.sums.mutable_span();
  const uint64_t most = MostPasses(state);
  VertexId too_low = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (level[edge.from] == kUnreached || level[edge.from] >= most) return;
    const uint64_t next = uint64_t{level[edge.from]} + 1;
    if (level[edge.to] > next) AtomicMin(&too_low, edge.to);
    if (level[edge.to] != next) return;
    AtomicCombine(&sums[edge.to], paths[edge.from],
                  [](uint64_t a, uint64_t b) { return b > ~a ? kTooMany : a + b; });
  }));
  RETURN_IF_ERROR(WrongVertex(graph, too_low, "is more than one level below a predecessor"));
  return NoVertexWhere(
      graph, "does not have as many paths as its predecessors one level up", [&](VertexId v) {
        if (v == context.source) return level[v] != 0 || paths[v] != 1;
        if (level[v] == kUnreached) return paths[v] != 0;
        const bool counted = paths[v] != 0 && paths[v] != kTooMany && paths[v] == sums[v];
        return level[v] == 0 || level[v] > most || !counted;
      });
}

}  // namespace

EDGEMILL_ALGORITHM(ssnsp) = {
    .name = "ssnsp",
    .group = AlgorithmGroup::kPaths,
    .aliases = {"path-count"},
    .summary = "numbers of shortest paths from a source, by edges, exact in 64 bits",
    .facts =
        {.formula = "paths[s] = 1; paths[v] = sum of paths[u] over edges (u, v) with level[v] = "
                    "level[u] + 1, where levels are those of bfs",
         .direction = "out-edges",
         .duplicates =
             "each duplicate is a path of its own, unlike in betweenness; loops change nothing",
         .weights = "ignored",
         .ends = "when the vertices of the last level are counted, or after --iterations levels",
         .passes = "two for each level: a search finds levels, then a second search counts"},
    .text = R"(Unreachable vertices have 0 paths. Counts are exact, and grow fast: a chain of 64
diamonds has 2^64. A vertex with 2^64 - 1 paths or more is an error, code 65, which names the
nearest such vertex and the -i that stops before it. A .npy file has counts as uint64; many programs
read other formats as doubles, which hold counts up to 2^53. An unknown source is an error. Graphs
ingested with --columns out only push, with --columns in only pull.
)",
    .paper = "Brandes, A faster algorithm for betweenness centrality, 2001, lemma 3",
    .options = {kSource, kMaxPasses},
    .results = {{.name = "paths", .type = ResultType::kLongCount, .top = TopKind::kValues}},
    .note_with_weights = "weights are ignored: paths are short by their number of edges",
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

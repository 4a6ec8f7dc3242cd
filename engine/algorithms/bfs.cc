// Breadth-first search: the least number of edges from the source to every vertex.
//
// Result   level[v]: hops from the source along out-edges, or unreached. With --parents, parent[v]:
//          any vertex one level up with an edge to v. The tree is always valid, but may differ from
//          run to run when several threads push. The source is its own parent.
// Method   Level by level. While the frontier is small, its vertices push along their out-edges.
//          Once it is large, unreached vertices pull: each looks through its in-edges until it
//          meets a vertex of the frontier. On small-world graphs it meets one soon.
// Paper    Beamer, Asanovic, Patterson: Direction-Optimizing Breadth-First Search, SC 2012.
#include "engine/algorithms/shared/bounded_passes.h"
#include "engine/api/algorithm.h"
#include "engine/program/monoids/monoids.h"
#include "engine/verify/plain_visit.h"
#include "engine/verify/tree_check.h"

namespace edgemill {
namespace {

constexpr Option<bool> kParents{"--parents", "give a shortest path tree instead of levels"};
constexpr uint32_t kUnreached = kInvalidVertex;

/// Discovers vertices one level down.
struct Discover {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  View<VertexId> parent;  // empty without --parents
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kUnreached; }
  bool Apply(VertexId v, VertexId u) {
    level[v] = depth;
    if (parent) parent[v] = u;
    return true;
  }
  void Next() { ++depth; }
  struct Tuning {
    static bool AsksForSender(const Discover& program) { return static_cast<bool>(program.parent); }
  };
};

struct BfsState : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> level{*this, "level", ArrayUse::kResult};
  VertexArray<VertexId> parent{*this, "parent", UseIf(Get(kParents), ArrayUse::kVertices)};
  Programs<Discover> programs{*this, kOut};
};

Status Search(Engine& engine, BfsState& state, const RunContext& context, Answer* answer) {
  state.level.Fill(kUnreached);
  state.level.Set(context.source, 0);
  if (state.Get(kParents)) {
    state.parent.Fill(kInvalidVertex);
    state.parent.Set(context.source, context.source);
  }
  ASSIGN_OR_RETURN(VertexSet source, engine.sets().Of({context.source}));
  const Discover discover{state.level.view(), state.parent.view(), 1};
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   engine.Fixpoint(kOut, std::move(source), discover, MostPasses(state)));
  if (state.Get(kParents)) {
    answer->Fill("parent", state.parent.span());
  } else {
    answer->Fill("level", state.level.span());
  }
  answer->AddReached(totals.emitted + totals.left.size(), engine.num_vertices());
  answer->AddCount("farthest level", totals.passes - (totals.left.empty() ? 1 : 0));
  return OkStatus();
}

struct BfsCheck : RunState {
  using RunState::RunState;
  const bool whole_tree = Get(kParents) && !Given(kMaxPasses);
  VertexBits shown{*this, "the verifier's marks", UseIf(!whole_tree, ArrayUse::kWork)};
  TreeMarks marks{*this, UseIf(whole_tree, ArrayUse::kWork)};
};

/// A whole tree passes Graph500's checks. Otherwise: The source has level 0, and no level falls by
/// more than 1 along an edge. Every other reached vertex has a predecessor one level up. Parents
/// are such predecessors; the source is its own parent. With -i, vertices beyond the last level are
/// not checked.
Status Verify(LoadedGraph& graph, BfsState& state, BfsCheck& check, const RunContext& context) {
  const std::span<const uint32_t> level = state.level.span();
  const std::span<const VertexId> parent = state.parent.span();
  const VertexId source = context.source;
  if (check.whole_tree) {
    return CheckTree<Edge>(graph, PathTree<uint32_t>{level, parent, source}, check.marks);
  }
  const uint64_t most = MostPasses(state);
  VertexId too_low = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (level[edge.from] == kUnreached || level[edge.from] >= most) return;
    const uint64_t next = uint64_t{level[edge.from]} + 1;
    if (level[edge.to] > next) {
      AtomicMin(&too_low, edge.to);
    } else if (level[edge.to] == next && (parent.empty() || parent[edge.to] == edge.from)) {
      check.shown.Add(edge.to);
    }
  }));
  RETURN_IF_ERROR(WrongVertex(graph, too_low, "is more than one level below a predecessor"));
  if (level[source] != 0 || (!parent.empty() && parent[source] != source)) {
    return WrongVertex(graph, source,
                       "is the source, and does not have level 0 and itself as parent");
  }
  return NoVertexWhere(graph, "has no predecessor one level up", [&](VertexId v) {
    if (level[v] != kUnreached && level[v] > most) return true;
    if (v == source) return false;
    const bool has_parent = !parent.empty() && parent[v] != kInvalidVertex;
    return level[v] == kUnreached ? has_parent : !check.shown.has(v);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(bfs) = {
    .name = "bfs",
    .group = AlgorithmGroup::kPaths,
    .summary = "levels (hops) from a source, or with --parents a tree of shortest paths",
    .facts = {.formula = "level[s] = 0; level[v] = 1 + the least level[u] over edges (u, v)",
              .direction = "out-edges",
              .duplicates = "change nothing",
              .weights = "ignored",
              .ends = "when a pass discovers no vertex, or after --iterations levels",
              .passes = "one for each level, and one that discovers nothing"},
    .text = R"(--parents gives for each vertex the input id of a vertex one level up with an edge
to it; the source is its own parent. Which of several is chosen may differ from run to run. An
unknown source is an error. Graphs ingested with --columns out only push, with --columns in only
pull.
)",
    .paper = "Beamer et al., Direction-Optimizing Breadth-First Search, SC 2012",
    .options = {kSource, kMaxPasses, kParents},
    .results =
        {{.name = "level", .top = TopKind::kValues, .may_miss = true},
         {.name = "parent", .type = ResultType::kId, .option = kParents.names, .may_miss = true}},
    .driver = kDriver<Search>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

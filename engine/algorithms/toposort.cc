// Topological levels: a directed graph without cycles in layers, so that all edges lead to later
// ones.
//
// Result   level[v]: the most edges of a path that ends at v, which is 0 where no edge leads to v.
//          Vertices on cycles, and all that these reach, have no level. Loops are cycles.
// Method   Each vertex counts its in-neighbours. In each pass, vertices that wait for none any more
//          lower the counts of their out-neighbours.
// Paper    Kahn: Topological Sorting of Large Networks, CACM 1962.
// State    8 bytes a vertex.
#include "engine/api/algorithm.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr uint32_t kNoLevel = ~uint32_t{0};

struct CountWaiting {  // true: it waits for no vertex
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  static constexpr bool kAppliesToAll = true;
  View<uint32_t> waits;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) { return (waits[v] = sum) == 0; }
};
struct WaitForItself {  // for what has a loop
  using Monoid = Or<uint32_t>;
  View<uint32_t> waits;
  uint32_t Emit(VertexId) const { return 1; }
  uint32_t Along(uint32_t one, const Edge& edge) const { return edge.from == edge.to ? one : 0; }
  bool Apply(VertexId v, uint32_t one) {
    waits[v] += one;
    return false;
  }
};
struct WaitsForNone {
  View<const uint32_t> waits;
  View<uint32_t> level;
  bool operator()(VertexId v) {
    if (waits[v] > 0) return false;
    level[v] = 0;
    return true;
  }
};
struct Release {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> waits, level;
  uint32_t depth;
  uint32_t Emit(VertexId) const { return 1; }
  bool Cond(VertexId v) const { return level[v] == kNoLevel; }
  bool Relax(VertexId v, uint32_t done) {
    if (AtomicAdd(waits[v], 0 - done) != done) return false;
    level[v] = depth;
    return true;
  }
  void Next() { ++depth; }
};

struct TopologicalState : RunState {
  explicit TopologicalState(const RunSetup& setup)
      : RunState(setup), loops{*this, kOut, setup.info.num_self_loops > 0, PassesOf::kOne} {
    HoldSets(2);
  }
  VertexArray<uint32_t> level{*this, "level", ArrayUse::kResult};
  VertexArray<uint32_t> waits{*this, "waits"};
  Programs<CountWaiting> count{*this, kOut, /*wanted=*/true, PassesOf::kOne};
  Programs<Release> release{*this, kOut};
  Programs<WaitForItself> loops;
};

Status CheckDirected(const RunSetup& setup) {
  if (setup.info.directed) return OkStatus();
  return UsageError(
      "topological levels are of directed graphs: ingest without -s, and with --directed where "
      "the format says otherwise");
}

Status FindLevels(Engine& engine, TopologicalState& state, const RunContext&, Answer* answer) {
  const VertexSet all = engine.sets().All();
  state.level.Fill(kNoLevel);
  ASSIGN_OR_RETURN(VertexSet first, engine.EdgeMap(kOut, all, CountWaiting{state.waits.view()}));
  if (engine.graph().info().num_self_loops > 0) {
    RETURN_IF_ERROR(engine.EdgeMap(kOut, all, WaitForItself{state.waits.view()}).status());
  }
  const WaitsForNone none{state.waits.read(), state.level.view()};
  ASSIGN_OR_RETURN(first, engine.VertexFilter(first, none));
  const Release release{state.waits.view(), state.level.view(), 1};
  ASSIGN_OR_RETURN(const FixpointTotals totals, engine.Fixpoint(kOut, std::move(first), release));
  const uint64_t left = engine.num_vertices() - totals.emitted;
  answer->AddFact("acyclic", left == 0 ? "yes" : "no", uint64_t{left == 0});
  answer->AddCount("levels", totals.passes);
  answer->AddCount("on cycles or behind them", left, "vertices_without_level");
  answer->Fill("level", state.level.span());
  return OkStatus();
}

struct LevelCheck : RunState {
  using RunState::RunState;
  VertexBits shown{*this, "the verifier's marks"};
};

/// Levels rise along every edge, and no edge leads from a vertex without a level to one with a
/// level. A vertex of level n > 0 has an in-neighbour of level n - 1. One without a level has an
/// in-neighbour without one: back along these there is a cycle.
Status Verify(LoadedGraph& graph, TopologicalState& state, LevelCheck& check, const RunContext&) {
  const std::span<const uint32_t> level = state.level.span();
  VertexId early = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const uint32_t from = level[edge.from], to = level[edge.to];
    if (to != kNoLevel && (from == kNoLevel || to <= from)) {
      AtomicMin(&early, edge.to);
    } else if (from == kNoLevel || from + 1 == to) {
      check.shown.Add(edge.to);
    }
  }));
  RETURN_IF_ERROR(WrongVertex(graph, early, "is not on a later level than an in-neighbour"));
  return NoVertexWhere(graph, "has no in-neighbour that makes it wait so long",
                       [&](VertexId v) { return level[v] != 0 && !check.shown.has(v); });
}

}  // namespace

EDGEMILL_ALGORITHM(toposort) = {
    .name = "toposort",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"topological-sort", "dag"},
    .summary = "topological levels of a directed graph, and whether it has cycles",
    .facts = {.formula = "level[v] = 1 + the greatest level[u] over edges (u, v); 0 without such "
                         "edges",
              .direction = "out-edges; an undirected graph is refused",
              .duplicates = "duplicates change nothing; a loop is a cycle",
              .weights = "ignored",
              .ends = "when no vertex is left that waits for none",
              .passes = "one for each level, and one that counts edges"},
    .text = R"(Vertices sorted by their levels are in topological order: each edge leads from a
lesser level to a greater one. The summary says whether the graph is acyclic. If it is not, vertices
on cycles, and those to which paths lead from cycles, have no level; all others have theirs. scc
finds the cycles.
)",
    .paper = "Kahn, Topological Sorting of Large Networks, CACM 1962",
    .results = {{.name = "level", .top = TopKind::kValues, .may_miss = true}},
    .check = CheckDirected,
    .driver = kDriver<FindLevels>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

// Two sides, such that all edges lead from one to the other; or an odd cycle, where that cannot be.
//
// Result   side[v]: 0 or 1; no value in components that have a cycle of odd length. Edges count
//          both ways. A loop is such a cycle.
// Method   Union-find over two nodes a vertex: v on side 0, and v on side 1. An edge (u, v) links u
//          on each side with v on the other. If both nodes of v are in one tree, an odd number of
//          edges leads from v back to v. Then levels from the least such vertex show an odd cycle:
//          it is where an edge joins two vertices of a level.
// Paper    Tarjan: Data Structures and Network Algorithms, SIAM 1983. Anderson, Woll: Wait-free
//          Parallel Algorithms for the Union-Find Problem, STOC 1991.
// State    9 bytes a vertex.
#include "engine/api/algorithm.h"
#include "engine/program/union_find.h"
#include "engine/verify/disjoint_sets.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr uint8_t kNoSide = 255;
constexpr uint32_t kNoLevel = ~uint32_t{0};

struct StartTrees {
  Shared<VertexId> tree;  // of node 2 v + side
  void operator()(VertexId v) {
    tree[2 * v] = 2 * v;
    tree[2 * v + 1] = 2 * v + 1;
  }
};
struct LinkSides {
  Shared<VertexId> tree;
  bool twice;  // each edge comes from both ends
  void operator()(const Edge& edge) {
    if (twice && edge.from > edge.to) return;
    LinkTrees(tree.data(), 2 * edge.from, 2 * edge.to + 1);
    LinkTrees(tree.data(), 2 * edge.from + 1, 2 * edge.to);
  }
};
/// The root is the least node of its tree: on side 0 of the component's least vertex, or, for the
/// other half of the component, on side 1.
struct FindSide {
  Shared<VertexId> tree;
  View<uint8_t> side;
  TallyView<Sum<uint64_t>> on_first, odd;
  TallyView<Min<VertexId>> least;
  void operator()(VertexId v) {
    const VertexId root = RootOf(tree.data(), 2 * v);
    const bool is_odd = root == RootOf(tree.data(), 2 * v + 1);
    side[v] = is_odd ? kNoSide : static_cast<uint8_t>(root % 2);
    odd.Add(is_odd);
    on_first.Add(!is_odd && root % 2 == 0);
    least.Add(is_odd ? v : kInvalidVertex);
  }
};
struct Discover {
  using Monoid = Any<VertexId>;
  View<uint32_t> level;
  uint32_t depth;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return level[v] == kNoLevel; }
  bool Apply(VertexId v, VertexId) {
    level[v] = depth;
    return true;
  }
  void Next() { ++depth; }
};
struct FindTies {  // true: a neighbour has the same level
  using Monoid = Or<uint8_t>;
  View<const uint32_t> level;
  uint8_t Emit(VertexId u) const { return level[u] != kNoLevel; }
  uint8_t Along(uint8_t one, const Edge& edge) const {
    return level[edge.from] == level[edge.to] ? one : 0;
  }
  bool Apply(VertexId, uint8_t is_tie) { return is_tie != 0; }
};
struct LeastReached {
  View<const uint32_t> level;
  VertexId operator()(VertexId v) const { return level[v] == kNoLevel ? kInvalidVertex : v; }
};

struct BipartiteState : RunState {
  explicit BipartiteState(const RunSetup& setup) : RunState(setup) { HoldSets(2); }
  VertexArray<uint8_t> side{*this, "side", ArrayUse::kResult};
  Counters<Min<VertexId>> tree{*this, "tree", 2 * num_vertices()};  // later levels
  VisitedLists lists{*this, kBoth};
  // Of a directed graph there may be one column alone, which is not enough.
  Programs<Discover> discover{*this, kBoth, !directed()};
  Programs<FindTies> ties{*this, kBoth, !directed(), PassesOf::kOne};
};

Status CheckSize(const RunSetup& setup) {
  if (setup.info.num_vertices <= kMaxVertices / 2) return OkStatus();
  return UsageError(StrCat("bipartite takes graphs of at most ", kMaxVertices / 2, " vertices"));
}

/// A vertex on an odd cycle in the component of `start`. The shortest ways from `start` to two
/// neighbours of one level part at a vertex, and make a cycle from there.
StatusOr<VertexId> FindOddCycle(Engine& engine, BipartiteState& state, VertexId start) {
  state.tree.Fill(kNoLevel);
  state.tree.Set(start, 0);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({start}));
  RETURN_IF_ERROR(
      engine.Fixpoint(kBoth, std::move(from), Discover{state.tree.view_as<uint32_t>(), 1})
          .status());
  ASSIGN_OR_RETURN(const VertexSet ties,
                   engine.EdgeMap(kBoth, engine.sets().All(), FindTies{state.tree.read()}));
  return engine.Reduce<Min<VertexId>>(ties, LeastReached{state.tree.read()});
}

Status FindSides(Engine& engine, BipartiteState& state, const RunContext&, Answer* answer) {
  const VertexSet all = engine.sets().All();
  const Shared<VertexId> tree = state.tree.shared();
  RETURN_IF_ERROR(engine.VertexMap(all, StartTrees{tree}));
  const Directions lists = engine.lists()[0];
  RETURN_IF_ERROR(engine.EdgeVisit(lists, all, LinkSides{tree, !state.directed()}));
  Tally<Sum<uint64_t>> on_first("vertices on side 0"), odd("vertices without a side");
  Tally<Min<VertexId>> least("the least vertex without a side");
  RETURN_IF_ERROR(engine.VertexMap(
      all, FindSide{tree, state.side.view(), on_first.view(), odd.view(), least.view()}));
  ASSIGN_OR_RETURN(const uint64_t first_side, on_first.Take());
  ASSIGN_OR_RETURN(const uint64_t without, odd.Take());
  ASSIGN_OR_RETURN(const VertexId start, least.Take());
  answer->AddFact("bipartite", without == 0 ? "yes" : "no", uint64_t{without == 0});
  answer->AddCount("on side 0", first_side);
  answer->AddCount("on side 1", engine.num_vertices() - first_side - without);
  answer->AddCount("beside odd cycles", without, "vertices_without_side");
  if (without > 0) {
    VertexId witness = start;
    if (!state.directed()) {
      ASSIGN_OR_RETURN(witness, FindOddCycle(engine, state, start));
    }
    ASSIGN_OR_RETURN(const std::string text, VertexText(engine.graph(), witness));
    answer->facts.push_back(
        {.name = state.directed() ? "an odd cycle is joined with" : "an odd cycle goes through",
         .text = StrCat("vertex ", text)});
  }
  answer->Fill("side", state.side.span());
  return OkStatus();
}

struct SideCheck : RunState {
  using RunState::RunState;
  DisjointSets sets{*this, "the verifier's sets", 2 * num_vertices()};  // as the nodes above
  Counters<Min<VertexId>> least{*this, "the verifier's least vertices", 2 * num_vertices()};
};

/// Every edge joins side 0 with side 1, or two vertices without a side. From a vertex without a
/// side an odd number of edges leads back to it. The least vertex of each component is not on side
/// 1.
Status Verify(LoadedGraph& graph, BipartiteState& state, SideCheck& check, const RunContext&) {
  const std::span<const uint8_t> side = state.side.span();
  RETURN_IF_ERROR(NoVertexWhere(graph, "has neither 0 nor 1 nor no side",
                                [&](VertexId v) { return side[v] > 1 && side[v] != kNoSide; }));
  check.sets.Start(graph.threads());
  VertexId wrong = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const auto [from, to] = edge;
    const bool right = side[from] == kNoSide ? side[to] == kNoSide : side[from] + side[to] == 1;
    if (!right) AtomicMin(&wrong, std::min(from, to));
    check.sets.Unite(2 * from, 2 * to + 1);
    check.sets.Unite(2 * from + 1, 2 * to);
  }));
  RETURN_IF_ERROR(WrongVertex(graph, wrong, "has a neighbour on the same side, or on no side"));
  RETURN_IF_ERROR(NoVertexWhere(graph, "could have a side", [&](VertexId v) {
    return side[v] == kNoSide && !check.sets.Same(2 * v, 2 * v + 1);
  }));
  check.least.Reset();
  const std::span<VertexId> least = check.least.mutable_span();
  ForEachVertex(graph, [&](VertexId v) {  // at the node of v and its side
    if (side[v] != kNoSide) AtomicMin(&least[check.sets.Find(2 * v + side[v])], v);
  });
  return NoVertexWhere(graph, "is the least of its component, and on side 1", [&](VertexId v) {
    return side[v] == 1 && least[check.sets.Find(2 * v + 1)] == v;
  });
}

}  // namespace

EDGEMILL_ALGORITHM(bipartite) = {
    .name = "bipartite",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"two-coloring"},
    .summary = "whether a graph is bipartite: the side of each vertex, or an odd cycle",
    .facts = {.formula = "side[u] + side[v] = 1 over edges (u, v); no value where a cycle of odd "
                         "length is in the component",
              .direction = "both ways",
              .duplicates = "duplicates change nothing; a loop is an odd cycle",
              .weights = "ignored",
              .ends = "when all edges are linked, and an odd cycle, if any, is found",
              .passes = "one; for the odd cycle of an undirected graph one for each level of its "
                        "component, and one more"},
    .text = R"(The vertex of a component that comes first in the graph is on side 0. If the graph is
not bipartite, the summary names a vertex on a cycle of odd length, or, for a directed graph, one in
the same component. Other components still have their sides. One column of a directed graph is
enough.
)",
    .paper = "Tarjan, Data Structures and Network Algorithms, SIAM 1983",
    .results = {{.name = "side", .may_miss = true}},
    .check = CheckSize,
    .driver = kDriver<FindSides>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

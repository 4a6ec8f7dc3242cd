// Strongly connected components: vertices between which paths lead both ways.
//
// Result   component[v]: the least input id in the component of v.
// Method   trim      Vertices to which no edges lead from others that are left, or from which none
//                    lead, are components of one vertex. They go, one after the other.
//          giant     What can be reached from a vertex of many edges, and reaches it, is the
//                    component of that vertex, and usually the giant one. Then trim again.
//          colours   Of the rest, each vertex gets the least key of those that reach it, in random
//                    order. A vertex that keeps its own key is in the component of all that reach
//                    it back from among those with its key. Keys do not cross edges between
//                    different keys of the round before, so that rounds are few also for long
//                    chains of components.
// Paper    McLendon, Hendrickson, Plimpton, Rauchwerger: Finding Strongly Connected Components in
//          Distributed Graphs, JPDC 2005 (trim). Fleischer, Hendrickson, Pinar: On Identifying
//          Strongly Connected Components in Parallel, IPDPS 2000. Orzan: On Distributed
//          Verification and Verified Distribution, 2004 (colours).
// State    12 bytes a vertex.
#include "engine/algorithms/shared/seeded_order.h"
#include "engine/algorithms/shared/vertex_groups.h"
#include "engine/api/algorithm.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/plain_visit_into.h"

namespace edgemill {
namespace {

// Both are above all vertices, and stand for no component yet.
constexpr VertexId kUnknown = kInvalidVertex;
constexpr VertexId kAfterPivot = kInvalidVertex - 1;  // the pivot reaches the vertex
static_assert(kMaxVertices <= kAfterPivot);

struct CountEdges {  // true: no edge comes from another vertex that is left
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  static constexpr bool kAppliesToAll = true;
  View<const VertexId> component;
  View<uint32_t> edges;
  uint32_t Emit(VertexId) const { return 1; }
  bool Cond(VertexId v) const { return component[v] >= kAfterPivot; }
  bool Apply(VertexId v, uint32_t sum) { return (edges[v] = sum) == 0; }
};
struct NameOfItself {
  View<VertexId> component;
  void operator()(VertexId v) { component[v] = v; }
};
struct Trim {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<VertexId> component;
  View<uint32_t> edges;
  uint32_t Emit(VertexId) const { return 1; }
  bool Cond(VertexId v) const { return component[v] >= kAfterPivot; }
  bool Relax(VertexId v, uint32_t gone) {
    if (component[v] < kAfterPivot || AtomicAdd(edges[v], 0 - gone) != gone) return false;
    component[v] = v;
    return true;
  }
};
struct IsLeft {
  View<const VertexId> component;
  bool operator()(VertexId v) { return component[v] >= kAfterPivot; }
};
struct EdgesAndVertex {
  View<const uint32_t> edges;
  uint64_t operator()(VertexId v) const { return uint64_t{edges[v]} << 32 | v; }
};
struct Reach {  // from or to the pivot, from what is `before` to what is `after`
  using Monoid = Any<VertexId>;
  View<VertexId> component;
  VertexId before, after;
  VertexId Emit(VertexId u) const { return u; }
  bool Cond(VertexId v) const { return component[v] == before; }
  bool Apply(VertexId v, VertexId) {
    component[v] = after;
    return true;
  }
};
struct StartRegion {
  View<VertexId> component;
  View<uint32_t> region;
  void operator()(VertexId v) {
    region[v] = component[v] == kAfterPivot ? 1 : 0;
    component[v] = kUnknown;
  }
};
struct StartKey {
  View<uint32_t> key;
  void operator()(VertexId v) { key[v] = OrderKey(v, 0); }
};
struct SpreadKeys {
  using Monoid = Min<uint32_t>;
  View<const VertexId> component;
  View<const uint32_t> region;
  View<uint32_t> key;
  uint32_t Emit(VertexId u) const { return key[u]; }
  uint32_t Along(uint32_t other, const Edge& edge) const {
    return region[edge.from] == region[edge.to] ? other : Monoid::identity();
  }
  bool Cond(VertexId v) const { return component[v] == kUnknown; }
  bool Relax(VertexId v, uint32_t other) {
    return component[v] == kUnknown && AtomicMin(key[v], other);
  }
};
struct KeepsKey {
  View<const uint32_t> key;
  View<VertexId> component;
  bool operator()(VertexId v) {
    if (key[v] != OrderKey(v, 0)) return false;
    component[v] = v;
    return true;
  }
};
struct ReachBack {  // along in-edges between equal keys
  using Monoid = Min<VertexId>;
  View<const uint32_t> key;
  View<VertexId> component;
  VertexId Emit(VertexId u) const { return component[u]; }
  VertexId Along(VertexId root, const Edge& edge) const {
    return key[edge.from] == key[edge.to] ? root : kUnknown;
  }
  bool Cond(VertexId v) const { return component[v] == kUnknown; }
  bool Relax(VertexId v, VertexId root) {
    return root != kUnknown && CompareAndSet(component[v], kUnknown, root);
  }
};

struct SccState : RunState {
  explicit SccState(const RunSetup& setup) : RunState(setup) { HoldSets(3); }
  VertexArray<VertexId> component{*this, "component", ArrayUse::kVertices};
  VertexArray<uint32_t> key{*this, "key"};  // or the number of edges left
  VertexArray<uint32_t> region{*this, "region"};
  Programs<CountEdges> count_out{*this, kOut, true, PassesOf::kOne};
  Programs<CountEdges> count_in{*this, kIn, true, PassesOf::kOne};
  Programs<Trim, Reach> out{*this, kOut}, in{*this, kIn};
  Programs<SpreadKeys> spread{*this, kOut};
  Programs<ReachBack> back{*this, kIn};
};

/// Takes away what no edges of `direction` reach. Vertices without in-edges have no effect on those
/// without out-edges, so that each direction needs one call.
Status TrimAlong(Engine& engine, SccState& state, Directions direction, VertexSet* left) {
  const CountEdges count{state.component.read(), state.key.view()};
  ASSIGN_OR_RETURN(VertexSet gone, engine.EdgeMap(direction, *left, count));
  if (gone.empty()) return OkStatus();
  RETURN_IF_ERROR(engine.VertexMap(gone, NameOfItself{state.component.view()}));
  const Trim trim{state.component.view(), state.key.view()};
  RETURN_IF_ERROR(engine.Fixpoint(direction, std::move(gone), trim).status());
  ASSIGN_OR_RETURN(*left, engine.VertexFilter(*left, IsLeft{state.component.read()}));
  return OkStatus();
}
Status TrimBothWays(Engine& engine, SccState& state, VertexSet* left) {
  RETURN_IF_ERROR(TrimAlong(engine, state, kOut, left));
  return left->empty() ? OkStatus() : TrimAlong(engine, state, kIn, left);
}

/// Finds the component of the vertex to which most edges lead that are left.
Status FindGiant(Engine& engine, SccState& state, VertexSet* left) {
  ASSIGN_OR_RETURN(const uint64_t most,
                   engine.Reduce<Max<uint64_t>>(*left, EdgesAndVertex{state.key.read()}));
  const auto pivot = static_cast<VertexId>(most);
  for (const bool forward : {true, false}) {
    const VertexId after = forward ? kAfterPivot : pivot;
    state.component.Set(pivot, after);
    ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({pivot}));
    const Reach reach{state.component.view(), forward ? kUnknown : kAfterPivot, after};
    RETURN_IF_ERROR(engine.Fixpoint(forward ? kOut : kIn, std::move(from), reach).status());
  }
  ASSIGN_OR_RETURN(*left, engine.VertexFilter(*left, IsLeft{state.component.read()}));
  return OkStatus();
}

Status FindByKeys(Engine& engine, SccState& state, VertexSet left) {
  RETURN_IF_ERROR(engine.VertexMap(left, StartRegion{state.component.view(), state.region.view()}));
  while (!left.empty()) {
    RETURN_IF_ERROR(engine.VertexMap(left, StartKey{state.key.view()}));
    ASSIGN_OR_RETURN(VertexSet from, engine.sets().Copy(left));
    const SpreadKeys spread{state.component.read(), state.region.read(), state.key.view()};
    RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), spread).status());
    const KeepsKey keeps{state.key.read(), state.component.view()};
    ASSIGN_OR_RETURN(VertexSet roots, engine.VertexFilter(left, keeps));
    const ReachBack back{state.key.read(), state.component.view()};
    RETURN_IF_ERROR(engine.Fixpoint(kIn, std::move(roots), back).status());
    ASSIGN_OR_RETURN(left, engine.VertexFilter(left, IsLeft{state.component.read()}));
    state.region.Swap(state.key);
  }
  return OkStatus();
}

Status FindComponents(Engine& engine, SccState& state, const RunContext&, Answer* answer) {
  state.component.Fill(kUnknown);
  VertexSet left = engine.sets().All();
  if (!left.empty()) RETURN_IF_ERROR(TrimBothWays(engine, state, &left));
  if (!left.empty()) RETURN_IF_ERROR(FindGiant(engine, state, &left));
  if (!left.empty()) RETURN_IF_ERROR(TrimBothWays(engine, state, &left));
  if (!left.empty()) RETURN_IF_ERROR(FindByKeys(engine, state, std::move(left)));
  answer->Fill("component", state.component.span());
  return OkStatus();
}

/// Adds how many components there are, how large the largest is, and how many have one vertex.
Status Describe(Engine& engine, SccState& state, GroupSizes& sizes, Answer* answer) {
  return DescribeGroups(engine, state.component, sizes, "component", answer);
}

struct SccCheck : RunState {
  using RunState::RunState;
  VertexArray<uint64_t> edges{*this, "the verifier's edges"};  // into a component, at its name
  VertexBits marks{*this, "the verifier's marks"};
  FoundVertices found{*this, "the verifier's list"};
};

/// Floods from the members that name components, inside of components: along out-edges, or against
/// them. Along out-edges a component begins only when the edges into it, from other
/// components, have all been visited: components in a circle never begin.
Status Flood(LoadedGraph& graph, std::span<const VertexId> component, SccCheck& check,
             Direction direction) {
  const std::span<uint64_t> edges = check.edges.mutable_span();
  check.marks.Fill(0);
  check.found.Clear();
  const bool out = direction == Direction::kOut;
  const auto add = [&check](FoundVertices::Adder& to, VertexId v) {
    if (check.marks.Add(v)) to.Add(v);
  };
  ForEachVertex(graph, [&, to = FoundVertices::Adder(check.found)](VertexId v) mutable {
    if (component[v] == v && (!out || edges[v] == 0)) add(to, v);
  });
  while (true) {
    const std::span<const VertexId> level = check.found.NextLevel(graph.threads());
    if (level.empty()) return OkStatus();
    const auto visit = [&, to = FoundVertices::Adder(check.found)](const Edge& edge) mutable {
      const VertexId from = out ? edge.from : edge.to, next = out ? edge.to : edge.from;
      if (component[from] == component[next]) {
        if (check.marks.has(from)) add(to, next);
      } else if (out && std::binary_search(level.begin(), level.end(), from) &&
                 AtomicAdd(&edges[component[next]], ~uint64_t{0}) == 1) {
        add(to, component[next]);
      }
    };
    RETURN_IF_ERROR(out ? PlainVisitFrom(graph, level, visit)
                        : PlainVisitInto(graph, level, visit));
  }
}

/// The name of a component is one of its members. That member reaches all others, and all reach it,
/// by edges inside of the component. No edges between components form a circle of components.
Status Verify(LoadedGraph& graph, SccState& state, SccCheck& check, const RunContext&) {
  const std::span<const VertexId> component = state.component.span();
  RETURN_IF_ERROR(
      NoVertexWhere(graph, "has a name that is not a member of its component", [&](VertexId v) {
        return component[v] >= graph.num_vertices() || component[component[v]] != component[v];
      }));
  const std::span<uint64_t> edges = check.edges.mutable_span();
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    if (component[edge.from] != component[edge.to]) {
      AtomicAdd(&edges[component[edge.to]], uint64_t{1});
    }
  }));
  RETURN_IF_ERROR(PlainVisit(
      graph, [](const Edge&) {}, Direction::kIn));  // checks that index
  RETURN_IF_ERROR(Flood(graph, component, check, Direction::kIn));
  RETURN_IF_ERROR(NoVertexWhere(graph, "does not reach the vertex that names its component",
                                [&](VertexId v) { return !check.marks.has(v); }));
  RETURN_IF_ERROR(Flood(graph, component, check, Direction::kOut));
  return NoVertexWhere(graph, "is not reached from its component's name, or in a larger component",
                       [&](VertexId v) { return !check.marks.has(v); });
}

}  // namespace

EDGEMILL_ALGORITHM(scc) = {
    .name = "scc",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"strong-components"},
    .summary = "strongly connected components",
    .facts = {.formula =
                  "component[v] = the least input id of a vertex that v reaches along edges, "
                  "and that reaches v",
              .direction = "out-edges, and against them",
              .duplicates = "change nothing",
              .weights = "ignored",
              .ends = "when every vertex is in a component",
              .passes = "as many as the longest chain of trimmed vertices, the levels from and to "
                        "one vertex of the giant component, and, over the rest, the longest ways "
                        "of a key in some rounds"},
    .text = R"(A vertex from which paths lead nowhere, or to which none lead, is a component of its
own. Of an undirected graph these are its connected components, which cc finds faster. One column is
enough: with --columns out, messages against edges are pulled.
)",
    .paper =
        "Fleischer, Hendrickson and Pinar, On Identifying Strongly Connected Components in "
        "Parallel, IPDPS 2000",
    .results = {{.name = "component", .type = ResultType::kId, .top = TopKind::kGroups}},
    .driver = kDriver<FindComponents>,
    .description = kDescription<Describe>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

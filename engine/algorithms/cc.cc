// Connected components; of directed graphs the weakly connected ones.
//
// Result   component[v]: the least input id among v and all vertices that edges, taken both ways,
//          join to v.
// Method   Union-find by linking roots, larger to smaller. Most of a graph is usually in one giant
//          component. First a few edges of each vertex are linked, and a sample of vertices shows
//          which component is the giant one. Then only the lists of vertices outside it are linked.
//          An edge between two members need not be read. An edge with one member is in the list of
//          its other end: in a directed graph, in the out- or in-list. Where one of these columns
//          is missing, all lists are read.
//          hang      Each vertex hangs below a sampled neighbour. Where the engine samples hubs, no
//                    list is read for this, and nearly all vertices are in one tree.
//          hubs      Each vertex hangs below its first neighbour. Where ids are by degree, this is
//                    a hub.
//          afforest  Each vertex is linked with its first two neighbours.
//          link      All edges are linked in one pass. For graphs where nothing can be left out.
//          labels    No union-find: all vertices take the least label around them, again and again.
//          auto      The fastest of these, except labels: component_method.h.
// Paper    Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity Computation via Subgraph
//          Sampling, IPDPS 2018.
#include "engine/algorithms/shared/bounded_passes.h"
#include "engine/algorithms/shared/vertex_groups.h"
#include "engine/api/algorithm.h"
#include "engine/api/component_method.h"
#include "engine/program/union_find.h"
#include "engine/verify/disjoint_sets.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr Option<std::string_view> kMethod{.names = "--method",
                                           .help = "how components are found",
                                           .choices = "auto|hang|hubs|afforest|link|labels"};

struct LeastLabel {
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return label[v] != 0; }
  bool Relax(VertexId v, VertexId other) { return AtomicMin(label[v], other); }
  struct Tuning {
    static bool WouldRelax(const LeastLabel& program, VertexId v, VertexId label) {
      return label < program.label[v];
    }
  };
};

struct StartOwnTree {  // makes each vertex a tree of its own
  View<VertexId> label;
  void operator()(VertexId v) { label[v] = v; }
};
struct Link {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) { LinkTrees(parent.data(), edge.from, edge.to); }
};
struct Compress {  // points a vertex at its root; true where the root is not `giant`
  Shared<VertexId> parent;
  VertexId giant;
  bool operator()(VertexId v) { return PointAtRoot(parent.data(), v) != giant; }
};
struct HangBelowSmaller {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) {
    if (edge.to < edge.from) parent[edge.from] = edge.to;
  }
};
struct HangBelow {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) { parent[edge.from] = edge.to; }
};
struct FindRoot {  // points a hung vertex at the root of its tree, if the root is not far
  Shared<VertexId> parent;
  void operator()(VertexId v) {
    const VertexId root = RootByHighestNeighbor(parent.data(), v);
    if (root != kInvalidVertex && root != v) parent[v] = root;
  }
};
struct MemberOf {  // the vertex, if it is in the tree of `root`
  Shared<VertexId> parent;
  VertexId root;
  VertexId operator()(VertexId v) {
    return RootByHighestNeighbor(parent.data(), v) == root ? v : kInvalidVertex;
  }
};
/// Hangs members of the giant component below its least vertex. Others stay below the neighbour
/// below which they were hung, if that is less. True for one of the others that may have more
/// edges.
struct HangMembersBelowLeast {
  Shared<VertexId> parent;
  VertexId root, least;
  bool itself;  // vertices that were hung below themselves may have other edges
  bool operator()(VertexId v) {
    // A settled vertex hangs below the least, which may still hang below the root.
    const VertexId above = RootByHighestNeighbor(parent.data(), v, least), neighbor = parent[v];
    const bool is_in = (above == root || above == least) && v >= least;
    parent[v] = is_in ? least : std::min(v, neighbor);
    return !is_in && (neighbor != v || itself);
  }
};

struct CcState : RunState {
  using RunState::RunState;
  const bool by_labels = Get(kMethod) == "labels";
  bool settled = true;  // not stopped by -i
  VertexArray<VertexId> component{*this, "component", ArrayUse::kVertices};
  Programs<LeastLabel> labels{*this, kBoth, by_labels};
  VisitedLists lists{*this, kBoth, !by_labels, VisitsSampled::kYes};
};

/// The roots of the trees of some vertices.
StatusOr<std::vector<VertexId>> RootsOf(Engine& engine, CcState& state,
                                        const std::vector<VertexId>& vertices) {
  ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of(vertices));
  RETURN_IF_ERROR(engine.VertexMap(set, Compress{state.component.shared(), kInvalidVertex}));
  return state.component.At(vertices);
}

/// Links the edges of the vertices `outside` the tree of `root`, one direction's lists after the
/// other, and points all vertices at their roots. `slice` is the part of the first direction's
/// lists that is not linked yet.
Status LinkOutside(Engine& engine, CcState& state, VertexSet outside, VertexId root, Slice slice) {
  if (outside.empty()) return OkStatus();
  const VertexSet all = engine.sets().All();
  const Shared<VertexId> parent = state.component.shared();
  const std::vector<Directions> lists = engine.lists();
  RETURN_IF_ERROR(engine.VisitIncident(lists[0], outside, slice, Link{parent}));
  for (const Directions more : std::span(lists).subspan(1)) {
    outside = engine.sets().None();
    // The tree may now hang below a lesser root.
    ASSIGN_OR_RETURN(const std::vector<VertexId> roots, RootsOf(engine, state, {root}));
    root = roots[0];
    ASSIGN_OR_RETURN(outside, engine.VertexFilter(all, Compress{parent, root}));
    RETURN_IF_ERROR(engine.VisitIncident(more, outside, Slice{}, Link{parent}));
  }
  const bool stands = state.component.At(std::span(&root, 1))[0] == root;
  return engine.VertexMap(stands ? std::as_const(outside) : all, Compress{parent, kInvalidVertex});
}

struct Giant {
  VertexId root = kInvalidVertex;
  VertexId least = kInvalidVertex;  // member
  bool others_hang = true;  // HangMembersBelowLeast leaves sampled vertices outside where they hang
};

/// Finds the tree that has the most vertices of a sample of hung vertices.
StatusOr<Giant> FindGiant(Engine& engine, CcState& state) {
  constexpr uint64_t kFirst = 256, kRows = 32, kOfARow = 16;  // so few that the set is a list
  const Shared<VertexId> parent = state.component.shared();
  const uint64_t num_vertices = engine.num_vertices(), num_first = std::min(kFirst, num_vertices);
  std::vector<VertexId> sample(num_first);
  std::iota(sample.begin(), sample.end(), VertexId{0});
  const std::vector<VertexId> random = SampledVertices(num_vertices);
  for (const VertexId first : std::span(random).first(kRows)) {
    for (uint64_t i = 0; i < kOfARow; ++i) {
      sample.push_back(static_cast<VertexId>((first + i) % num_vertices));
    }
  }
  {
    ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of(sample));
    RETURN_IF_ERROR(engine.VertexMap(set, FindRoot{parent}));
  }
  const std::vector<VertexId> above = state.component.At(sample);
  Giant giant{.root = MostCommonLabel(std::span(above).subspan(num_first))};
  for (size_t i = 0; i < sample.size(); ++i) {
    if (above[i] == giant.root || sample[i] == giant.root) {
      if (i < num_first) giant.least = std::min(giant.least, sample[i]);
    } else if (above[i] > sample[i]) {
      giant.others_hang = false;
    }
  }
  if (giant.least == kInvalidVertex) {
    const MemberOf member_of{parent, giant.root};
    ASSIGN_OR_RETURN(giant.least, engine.Reduce<Min<VertexId>>(engine.sets().All(), member_of));
    giant.least = std::min(giant.least, giant.root);  // all members may be too far from the root
  }
  return giant;
}

Status HangAndLink(Engine& engine, CcState& state) {
  const Shared<VertexId> parent = state.component.shared();
  RETURN_IF_ERROR(engine.VisitSampled(HangBelow{parent}));
  ASSIGN_OR_RETURN(const Giant giant, FindGiant(engine, state));
  const GraphInfo& info = engine.graph().info();
  const bool loops = info.num_self_loops > 0 && !engine.samples_hubs();
  const HangMembersBelowLeast hang_members{parent, giant.root, giant.least, info.directed || loops};
  ASSIGN_OR_RETURN(VertexSet outside, engine.VertexFilter(engine.sets().All(), hang_members));
  // A vertex with one edge was hung along that edge. In a directed graph the edge may be in either
  // of the vertex's lists.
  const Slice rest{.may_omit = giant.others_hang && !info.directed ? 1u : 0u};
  return LinkOutside(engine, state, std::move(outside), giant.least, rest);
}

/// Links or hangs the `first` neighbours of each vertex by `function`, then links the edges of all
/// vertices outside the giant component.
template <typename F>
Status LinkFirst(Engine& engine, CcState& state, Slice first, Slice rest, F function) {
  const VertexSet all = engine.sets().All();
  RETURN_IF_ERROR(engine.VertexMap(all, StartOwnTree{state.component.view()}));
  RETURN_IF_ERROR(engine.EdgeVisit(engine.lists()[0], all, first, function));
  const std::vector<VertexId> sample = SampledVertices(engine.num_vertices());
  ASSIGN_OR_RETURN(const std::vector<VertexId> roots, RootsOf(engine, state, sample));
  const VertexId giant = MostCommonLabel(roots);
  const Compress compress{state.component.shared(), giant};
  ASSIGN_OR_RETURN(VertexSet outside, engine.VertexFilter(all, compress));
  return LinkOutside(engine, state, std::move(outside), giant, rest);
}

Status LinkAll(Engine& engine, CcState& state) {
  const VertexSet all = engine.sets().All();
  const Shared<VertexId> parent = state.component.shared();
  RETURN_IF_ERROR(engine.VertexMap(all, StartOwnTree{state.component.view()}));
  RETURN_IF_ERROR(engine.EdgeVisit(engine.lists()[0], all, Link{parent}));
  return engine.VertexMap(all, Compress{parent, kInvalidVertex});
}

Status SpreadLabels(Engine& engine, CcState& state, Answer* answer) {
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), StartOwnTree{state.component.view()}));
  const LeastLabel program{state.component.view()};
  ASSIGN_OR_RETURN(const FixpointTotals totals,
                   engine.Fixpoint(kBoth, engine.sets().All(), program, MostPasses(state)));
  state.settled = Settled(totals, "components may be in parts", answer);
  return OkStatus();
}

Status LinkBy(std::string_view method, Engine& engine, CcState& state) {
  const Shared<VertexId> parent = state.component.shared();
  if (method == "hang") return HangAndLink(engine, state);
  if (method == "link") return LinkAll(engine, state);
  if (method == "hubs") {
    return LinkFirst(engine, state, {.count = 1}, {}, HangBelowSmaller{parent});
  }
  return LinkFirst(engine, state, {.count = 2}, {.skip = 2}, Link{parent});  // afforest
}

Status FindComponents(Engine& engine, CcState& state, const RunContext&, Answer* answer) {
  const std::string_view method = state.Get(kMethod);
  if (state.by_labels) {
    RETURN_IF_ERROR(SpreadLabels(engine, state, answer));
  } else if (engine.num_vertices() > 0) {
    RETURN_IF_ERROR(LinkBy(method == "auto" ? ComponentMethod(engine) : method, engine, state));
  }
  answer->Fill("component", state.component.span());
  return OkStatus();
}

/// Adds how many components there are, how large the largest is, and how many have one vertex.
Status Describe(Engine& engine, CcState& state, GroupSizes& sizes, Answer* answer) {
  return DescribeGroups(engine, state.component, sizes, "component", answer);
}

struct ComponentCheck : RunState {
  using RunState::RunState;
  DisjointSets sets{*this, "the verifier's sets"};
  /// Vertices that are known to be joined with their labels: an edge between two of them joins
  /// nothing new.
  VertexBits joined{*this, "the verifier's marks"};
};

/// Every edge joins equal labels, so no component is torn. Edges join every vertex with its label,
/// so no two components are merged. No label is above its vertex. If the spreading of labels was
/// stopped, edges may join unequal ones.
Status Verify(LoadedGraph& graph, CcState& state, ComponentCheck& check, const RunContext&) {
  const std::span<const VertexId> label = state.component.span();
  RETURN_IF_ERROR(NoVertexWhere(graph, "has a label that is not the least",
                                [&](VertexId v) { return label[v] > v; }));
  check.sets.Start(graph.threads());
  VertexId torn = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const auto [from, to] = edge;
    if (label[from] != label[to] && state.settled) {
      AtomicMin(&torn, from);
    } else if (label[from] != label[to]) {
      check.sets.Unite(from, to);
    } else if (!check.joined.has(from) || !check.joined.has(to)) {
      check.sets.Unite(from, to);
      if (!check.sets.Same(from, label[from])) return;
      check.joined.Add(from);
      check.joined.Add(to);
    }
  }));
  RETURN_IF_ERROR(WrongVertex(graph, torn, "has a neighbour in another component"));
  return NoVertexWhere(graph, "is not joined with its label", [&](VertexId v) {
    return !check.joined.has(v) && !check.sets.Same(v, label[v]);
  });
}

}  // namespace

EDGEMILL_ALGORITHM(cc) = {
    .name = "cc",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"wcc"},
    .summary = "connected components (weakly connected ones of directed graphs)",
    .facts = {.formula = "component[v] = the least input id of a vertex that edges, taken both "
                         "ways, join with v",
              .direction = "both ways",
              .duplicates = "change nothing",
              .weights = "ignored",
              .ends = "when all edges of vertices outside the largest component are linked; "
                      "labels: when no label falls, or after --iterations passes",
              .passes = "link: one; hang, hubs and afforest: one over the edges that they take "
                        "first, then one over the other edges of vertices outside the largest "
                        "component; labels: as many as the longest way of a label"},
    .text = R"(A vertex without edges is a component of its own. Of directed graphs with both
columns both are used, with one of them that one alone; the answer is the same.
Methods: labels spreads the least label. The others join trees. link reads all edges once. hang,
hubs and afforest take a few edges of each vertex first, and skip what the giant component makes
needless then: a sampled neighbour, which a GPU may have; the first neighbour, which is a hub where
ids are by degree; the first two. auto takes the fastest of these.
)",
    .paper =
        "Sutton et al., Optimizing Parallel Graph Connectivity Computation via Subgraph "
        "Sampling, IPDPS 2018",
    .options = {kMethod, MostPassesOf("labels")},
    .results = {{.name = "component", .type = ResultType::kId, .top = TopKind::kGroups}},
    .driver = kDriver<FindComponents>,
    .description = kDescription<Describe>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

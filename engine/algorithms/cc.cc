// Connected components; of directed graphs the weakly connected ones.
//
// Result   component[v]: the least input id among those joined to v by edges taken both ways.
// Method   afforest (default): union-find by linking roots, larger to smaller. One pass links every
//          vertex with its first two neighbours, which joins most of the giant component; a sample
//          of vertices tells which that is. A second pass links the rest of the lists of vertices
//          outside it: an edge between members needs no look, and one with a single member is in
//          the other's list (of directed graphs in its in-list: both directions are visited or,
//          without in-columns, all lists). Where ids are by degree, a vertex hangs below its first
//          neighbour, the hub among them. labels: all take the least label around.
// Paper    Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity Computation via Subgraph
//          Sampling, IPDPS 2018.
#include "engine/algorithms/shared/bounded_passes.h"
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/groups.h"
#include "engine/program/union_find.h"

namespace edgemill {
namespace {

constexpr uint32_t kSampledNeighbors = 2;
constexpr Option<std::string_view> kMethod{
    .names = "--method", .help = "how components are found", .choices = "afforest|labels"};

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

struct Plant {  // each vertex a tree of its own
  View<VertexId> label;
  void operator()(VertexId v) { label[v] = v; }
};
struct Hang {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) {
    if (edge.to < edge.from) parent[edge.from] = edge.to;
  }
};
struct Link {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) { LinkTrees(parent.data(), edge.from, edge.to); }
};
struct HangBelowKept {
  Shared<VertexId> parent;
  void operator()(const Edge& edge) { parent[edge.from] = edge.to; }
};
struct FindRoot {  // of those that hang below kept neighbours: whose is not far points at it
  Shared<VertexId> parent;
  void operator()(VertexId v) {
    const VertexId root = RootOfHung(parent.data(), v);
    if (root != kInvalidVertex) parent[v] = root;
  }
};
struct MemberOf {  // the tree of `root`
  Shared<VertexId> parent;
  VertexId root;
  VertexId operator()(VertexId v) {
    return RootOfHung(parent.data(), v) == root ? v : kInvalidVertex;
  }
};
/// Has members of the giant hang below its least; others below their kept neighbours where these
/// are less. Whether it is one of the latter, and has edges.
struct Settle {
  Shared<VertexId> parent;
  VertexId root, least;
  bool operator()(const Edge& edge) {
    // Who was settled hangs below the least, which may hang below the root yet.
    const VertexId above = RootOfHung(parent.data(), edge.from, least);
    const bool is_in = (above == root || above == least) && edge.from >= least;
    parent[edge.from] = is_in ? least : std::min(edge.from, edge.to);
    return !is_in && edge.to != edge.from;
  }
};
struct Compress {  // points a vertex at its root; whether that is another than `giant`
  Shared<VertexId> parent;
  VertexId giant;
  bool operator()(VertexId v) { return PointAtRoot(parent.data(), v) != giant; }
};

struct CcState : RunState {
  using RunState::RunState;
  const bool by_labels = Get(kMethod) == "labels";
  bool settled = true;  // not stopped by -i
  VertexArray<VertexId> component{*this, "component", ArrayUse::kVertices};
  Programs<LeastLabel> labels{*this, kBoth, by_labels};
  VisitedLists lists{*this, kBoth, !by_labels, KeepNeighbors::kYes};
};

/// The roots of the trees of some vertices.
StatusOr<std::vector<VertexId>> RootsOf(Engine& engine, CcState& state,
                                        const std::vector<VertexId>& vertices) {
  ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of(vertices));
  RETURN_IF_ERROR(engine.VertexMap(set, Compress{state.component.shared(), kInvalidVertex}));
  return state.component.At(vertices);
}

struct Giant {
  VertexId root = 0;
  VertexId least = 0;  // member
};

/// The tree that most of some vertices are in, which hang below kept neighbours.
StatusOr<Giant> FindGiant(Engine& engine, CcState& state) {
  constexpr uint64_t kFirst = 256, kRows = 32, kOfARow = 16;  // few: they go to a card as a list
  const Shared<VertexId> parent = state.component.shared();
  const uint64_t num_vertices = engine.num_vertices();
  std::vector<VertexId> sample;
  const std::vector<VertexId> random = SampledVertices(num_vertices);
  for (const VertexId first : std::span(random).first(kRows)) {
    for (uint64_t i = 0; i < kOfARow; ++i) {
      sample.push_back(static_cast<VertexId>((first + i) % num_vertices));
    }
  }
  const uint64_t num_first = std::min(kFirst, num_vertices);
  for (VertexId v = 0; v < num_first; ++v) sample.push_back(v);
  {
    ASSIGN_OR_RETURN(const VertexSet set, engine.sets().Of(sample));
    RETURN_IF_ERROR(engine.VertexMap(set, FindRoot{parent}));
  }
  const std::vector<VertexId> roots = state.component.At(sample);
  const VertexId root = MostCommonLabel(std::span(roots).first(kRows * kOfARow));
  for (VertexId v = 0; v < num_first; ++v) {
    if (roots[kRows * kOfARow + v] == root) return Giant{root, v};
  }
  ASSIGN_OR_RETURN(const VertexId least,
                   engine.Reduce<Min<VertexId>>(engine.sets().All(), MemberOf{parent, root}));
  return Giant{root, least};
}

/// Afforest where a neighbour of highest degree is kept of each vertex: hung below these, nearly
/// all are in one tree, and no list was read.
Status HangAndLink(Engine& engine, CcState& state) {
  const Shared<VertexId> parent = state.component.shared();
  RETURN_IF_ERROR(engine.VisitKept(HangBelowKept{parent}));
  ASSIGN_OR_RETURN(const Giant giant, FindGiant(engine, state));
  ASSIGN_OR_RETURN(const VertexSet outside,
                   engine.FilterKept(Settle{parent, giant.root, giant.least}));
  if (outside.empty()) return OkStatus();
  // A vertex with one edge was hung along it.
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, outside, Slice{.may_omit = 1}, Link{parent}));
  // Whether the giant hangs below no other tree now.
  const bool stands = giant.least != kInvalidVertex &&
                      state.component.At(std::span(&giant.least, 1))[0] == giant.least;
  const Compress compress{parent, kInvalidVertex};
  return stands ? engine.VertexMap(outside, compress)
                : engine.VertexMap(engine.sets().All(), compress);
}

Status Afforest(Engine& engine, CcState& state) {
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), Plant{state.component.view()}));
  const LoadedGraph& graph = engine.graph();
  const Shared<VertexId> parent = state.component.shared();
  const VertexSet all = engine.sets().All();
  const bool out = graph.can_sweep(Direction::kOut);
  const Directions first = out ? kOut : kIn;
  const bool both = graph.info().directed && out && graph.can_sweep(Direction::kIn);
  if (graph.info().directed && !both) {  // nothing can be left out
    RETURN_IF_ERROR(engine.EdgeVisit(first, all, Link{parent}));
    return engine.VertexMap(all, Compress{parent, kInvalidVertex});
  }
  const bool hangs = graph.info().renumbering == Renumbering::kDegree;
  const Slice begin{.count = hangs ? 1 : kSampledNeighbors};
  RETURN_IF_ERROR(hangs ? engine.EdgeVisit(first, all, begin, Hang{parent})
                        : engine.EdgeVisit(first, all, begin, Link{parent}));
  const std::vector<VertexId> sample = SampledVertices(engine.num_vertices());
  ASSIGN_OR_RETURN(std::vector<VertexId> roots, RootsOf(engine, state, sample));
  const VertexId giant = MostCommonLabel(roots);
  ASSIGN_OR_RETURN(VertexSet outside, engine.VertexFilter(all, Compress{parent, giant}));
  const Slice rest{.skip = hangs ? 0 : kSampledNeighbors};
  RETURN_IF_ERROR(engine.EdgeVisit(first, outside, rest, Link{parent}));
  if (both) {  // the giant may hang below a lesser root by now
    outside = engine.sets().None();
    ASSIGN_OR_RETURN(roots, RootsOf(engine, state, {giant}));
    ASSIGN_OR_RETURN(outside, engine.VertexFilter(all, Compress{parent, roots[0]}));
    RETURN_IF_ERROR(engine.EdgeVisit(kIn, outside, Link{parent}));
  }
  if (outside.empty()) return OkStatus();
  return engine.VertexMap(all, Compress{parent, kInvalidVertex});
}

Status FindComponents(Engine& engine, CcState& state, const RunContext&, Answer* answer) {
  if (state.by_labels) {
    RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), Plant{state.component.view()}));
    const LeastLabel program{state.component.view()};
    const uint64_t most = MostPasses(state);
    ASSIGN_OR_RETURN(const auto totals, engine.Fixpoint(kBoth, engine.sets().All(), program, most));
    state.settled = Settled(totals, "components may be in parts", answer);
  } else if (engine.num_vertices() > 0) {
    RETURN_IF_ERROR(engine.keeps_neighbors() ? HangAndLink(engine, state)
                                             : Afforest(engine, state));
  }
  answer->Fill("component", state.component.span());
  return OkStatus();
}

Status Describe(Engine& engine, CcState& state, GroupSizes& sizes, Answer* answer) {
  return DescribeGroups(engine, state.component, sizes, "component", answer);
}

Status Verify(LoadedGraph& graph, CcState& state, ComponentCheck& check, const RunContext&) {
  return CheckComponents(graph, state.component.span(), check, state.settled);
}

}  // namespace

EDGEMILL_ALGORITHM(cc) = {
    .name = "cc",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"wcc"},
    .summary = "connected components (weakly connected ones of directed graphs)",
    .text = R"(Two vertices are in one component when edges, taken both ways, join them. Every
vertex gets the least input id of its component; a vertex without edges is a component of its own.
Weights, duplicate edges and loops change nothing. Of directed graphs with both columns both are
used, with one of them that one alone; the answer is the same. Method afforest joins trees, and
skips what the giant component makes needless; labels spreads the least label, at most -i times.
)",
    .paper =
        "Sutton et al., Optimizing Parallel Graph Connectivity Computation via Subgraph\n"
        "Sampling, IPDPS 2018",
    .options = {kMethod, MostPassesOf("labels")},
    .results = {{.name = "component", .type = ResultType::kId, .top = TopKind::kGroups}},
    .driver = kDriver<FindComponents>,
    .description = kDescription<Describe>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

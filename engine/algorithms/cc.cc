// Connected components; of directed graphs the weakly connected ones.
//
// Result   component[v]: the least input id among the vertices that v is joined to by edges taken
//          both ways.
// Method   afforest (default): union-find by linking roots, larger to smaller. One pass links every
//          vertex with its first two neighbours only, which joins most of the giant component; a
//          sample of vertices tells which that is. A second pass links the rest of the lists of
//          vertices outside it, and reads only their blocks: an edge between two members needs no
//          look, and one with a single member inside is in the other's list (of directed graphs in
//          its in-list, so both directions are visited; without in-columns nothing can be left
//          out). Where ids are by degree, a vertex hangs below its first neighbour, the hub among
//          them. labels: every vertex takes the least label around it until none changes.
// Paper    Sutton, Ben-Nun, Barak: Optimizing Parallel Graph Connectivity Computation via Subgraph
//          Sampling, IPDPS 2018.
#include <unordered_map>

#include "common/random.h"
#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/api/disjoint_sets.h"
#include "engine/api/plain_visit.h"
#include "engine/old/algorithms/gpu_algorithm.h"
#include "engine/program/union_find.h"

namespace edgemill {
namespace {

constexpr uint32_t kSampledNeighbors = 2;
constexpr uint32_t kSampledVertices = 1024;

struct LeastLabel {
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Cond(VertexId v) const { return label[v] != 0; }
  bool Relax(VertexId v, VertexId other) { return AtomicMin(label[v], other); }
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
struct Compress {  // points a vertex at its root; whether that is another than `giant`
  Shared<VertexId> parent;
  VertexId giant;
  bool operator()(VertexId v) { return PointAtRoot(parent.data(), v) != giant; }
};

struct CcState : State {
  explicit CcState(const RunSetup& setup)
      : State(setup.num_vertices(), setup.threads()),
        labels(*this, kBoth, setup.options.method == "labels"),
        lists(*this, kBoth, setup.options.method != "labels") {}
  VertexArray<VertexId> component{*this, "component", ArrayUse::kVertices};
  Programs<LeastLabel> labels;
  VisitedLists lists;
};

Status Check(const RunSetup& setup) {
  const RunOptions& options = setup.options;
  ASSIGN_OR_RETURN(const std::string method, ChosenMethod(kCc, options));
  if (method == "labels") return OkStatus();
  const auto only_labels = [](std::string_view option, std::string_view why) {
    return UsageError(StrCat(option, " is for --method labels: afforest ", why));
  };
  if (options.mode != Mode::kAuto) return only_labels("--mode", "has one way of its own");
  if (options.async_passes > 0) return only_labels("--async", "has no iterations");
  if (options.hybrid.cpu_share.has_value()) {
    return only_labels("--cpu-share", "runs on one processor");
  }
  return OkStatus();
}

/// The root most often met among sampled vertices.
VertexId SampleGiant(std::span<const VertexId> parent) {
  Random random(parent.size());
  std::unordered_map<VertexId, uint32_t> counts;
  VertexId giant = 0;
  for (uint32_t i = 0; i < kSampledVertices; ++i) {
    const VertexId root = RootOf(parent.data(), static_cast<VertexId>(random.Below(parent.size())));
    if (++counts[root] > counts[giant]) giant = root;
  }
  return giant;
}

Status Afforest(Engine& engine, CcState& state) {
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
  if (hangs) {
    RETURN_IF_ERROR(engine.EdgeVisit(first, all, Slice{.count = 1}, Hang{parent}));
  } else {
    RETURN_IF_ERROR(engine.EdgeVisit(first, all, Slice{.count = kSampledNeighbors}, Link{parent}));
  }
  const VertexId giant = SampleGiant(state.component.span());
  ASSIGN_OR_RETURN(VertexSet outside, engine.VertexFilter(all, Compress{parent, giant}));
  const Slice rest{.skip = hangs ? 0 : kSampledNeighbors};
  RETURN_IF_ERROR(engine.EdgeVisit(first, outside, rest, Link{parent}));
  if (both) {  // the giant may hang below a lesser root by now
    const VertexId root = RootOf(parent.data(), giant);
    outside = engine.sets().None();
    ASSIGN_OR_RETURN(outside, engine.VertexFilter(all, Compress{parent, root}));
    RETURN_IF_ERROR(engine.EdgeVisit(kIn, outside, Link{parent}));
  }
  if (outside.empty()) return OkStatus();
  return engine.VertexMap(all, Compress{parent, kInvalidVertex});
}

Status FindComponents(Engine& engine, CcState& state, const RunContext& context, Answer* answer) {
  RETURN_IF_ERROR(engine.VertexMap(engine.sets().All(), Plant{state.component.view()}));
  answer->column = VertexColumn("component", state.component.span(), TopKind::kGroups);
  if (engine.num_vertices() == 0) return OkStatus();
  if (context.options.method != "labels") return Afforest(engine, state);
  const LeastLabel program{state.component.view()};
  return engine.Fixpoint(kBoth, engine.sets().All(), program).status();
}

struct CcSizes : State {
  explicit CcSizes(const RunSetup& setup) : State(setup.num_vertices(), setup.threads()) {}
  VertexArray<uint32_t> others{*this, "sizes of components"};  // members of each but its least
};
struct CountMembers {
  View<const VertexId> component;
  Into<Sum<uint32_t>> others;
  TallyView<Sum<uint64_t>> components, of_giant;
  VertexId giant;  // apart: all threads would wait for its counter
  void operator()(VertexId v) {
    if (component[v] == v) {
      components.Add(1);
    } else if (component[v] == giant) {
      of_giant.Add(1);
    } else {
      others.Add(component[v], 1);
    }
  }
};
struct Others {
  using Monoid = Both<Sum<uint64_t>, Max<uint32_t>>;  // how many have others, and the most
  View<const uint32_t> others;
  Monoid::Value operator()(VertexId v) const { return {others[v] > 0, others[v]}; }
};

Status Describe(Engine& engine, CcState& state, CcSizes& sizes, Answer* answer) {
  const VertexSet all = engine.sets().All();
  Tally<Sum<uint64_t>> components("components"), of_giant("members");
  const VertexId giant = all.empty() ? 0 : SampleGiant(state.component.span());
  RETURN_IF_ERROR(
      engine.VertexMap(all, CountMembers{state.component.read(), sizes.others.into<Sum<uint32_t>>(),
                                         components.view(), of_giant.view(), giant}));
  ASSIGN_OR_RETURN(const uint64_t count, components.Take());
  ASSIGN_OR_RETURN(const uint64_t giants, of_giant.Take());
  ASSIGN_OR_RETURN(const auto rest,
                   engine.Reduce<Others::Monoid>(all, Others{sizes.others.read()}));
  const uint64_t alone = count - rest.first - (giants > 0);
  const uint64_t largest = count == 0 ? 0 : std::max<uint64_t>(giants, rest.second) + 1;
  answer->facts = {{"components", FormatCount(count), {{"components", count}}},
                   {"largest",
                    StrCat(FormatCount(largest), " vertices"),
                    {{"largest_component_vertices", largest}}},
                   {"of one vertex", FormatCount(alone), {{"components_of_one_vertex", alone}}}};
  return OkStatus();
}

struct CcCheck : State {
  explicit CcCheck(const RunSetup& setup) : State(setup.num_vertices(), setup.threads()) {}
  DisjointSets sets{*this, "the verifier's sets"};
  /// Known to be joined with their labels: between two such vertices an edge joins nothing new.
  VertexBits joined{*this, "the verifier's marks"};
};

/// Every edge joins equal labels, so no component is torn; edges join every vertex with its label,
/// so none are run together; and no label is above its vertex, so each is its component's least.
Status Verify(LoadedGraph& graph, CcState& state, CcCheck& check, const RunContext&) {
  const std::span<const VertexId> label = state.component.span();
  const auto wrong = [&graph](VertexId vertex, std::string_view what) {
    return WrongVertex(graph, "CC", vertex, what);
  };
  ASSIGN_OR_RETURN(const VertexId above, FirstVertexWhere(graph, [&](VertexId vertex) {
                     return label[vertex] > vertex;
                   }));
  RETURN_IF_ERROR(wrong(above, "has a label that is not the least"));
  check.sets.Start(graph.threads());
  VertexId torn = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const Edge& edge) {
    const auto [from, to] = edge;
    if (label[from] != label[to]) {
      AtomicMin(&torn, from);
    } else if (!check.joined.has(from) || !check.joined.has(to)) {
      check.sets.Unite(from, to);
      if (!check.sets.Same(from, label[from])) return;
      check.joined.Add(from);
      check.joined.Add(to);
    }
  }));
  RETURN_IF_ERROR(wrong(torn, "has a neighbour in another component"));
  ASSIGN_OR_RETURN(const VertexId apart, FirstVertexWhere(graph, [&](VertexId vertex) {
                     return !check.joined.has(vertex) && !check.sets.Same(vertex, label[vertex]);
                   }));
  return wrong(apart, "is not joined with its label");
}

}  // namespace

const Algorithm kCc = {
    .help = {.name = "cc",
             .aliases = {"wcc"},
             .summary = "connected components (weakly connected ones of directed graphs)",
             .text =
                 R"(Two vertices are in one component when edges, taken both ways, join them. Every
vertex gets the least input id of its component; a vertex without edges is a component of its own.
Weights, duplicate edges and loops change nothing. Of directed graphs with both columns both are
used, with one of them that one alone; the answer is the same.
Methods: afforest (default) joins trees of vertices and skips what the giant component makes
needless; labels spreads the least label until none changes.
Memory: 4 bytes a vertex for each direction's index and 8 for components and their sizes.
Paper: Sutton et al., Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling,
IPDPS 2018.
)",
             .options = {"--method", "--mode", "--async", "--async-passes"},
             .methods = {"afforest", "labels"}},
    .check = Check,
    .make_state = MakeState<CcState>,
    .run = kTyped<FindComponents>,
    .describe = kTyped<Describe>,
    .make_describe_state = MakeState<CcSizes>,
    .make_check_state = MakeState<CcCheck>,
    .verify = kTyped<Verify>,
    .gpu = kCcOnGpu,
};

}  // namespace edgemill

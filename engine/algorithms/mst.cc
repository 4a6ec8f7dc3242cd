// A minimum spanning forest: the lightest edges that join all that edges can join.
//
// Result   parent[v]: the forest's edges are those from each vertex to its parent. The root of a
//          tree is its least vertex, and its own parent. Edges count both ways. Of edges of equal
//          weight those with the lesser ends win, first by the lower end, then by the higher. So
//          the forest is the same on every processor.
// Method   In each round, each tree takes its lightest edge to another tree, and the trees join. A
//          vertex keeps its own lightest edge until that leads into its tree: only such vertices
//          look again. Where trees join, the ways from the edges' ends to the old roots turn round.
// Paper    Boruvka, 1926; Nesetril, Milkova, Nesetrilova: Otakar Boruvka on Minimum Spanning Tree
//          Problem, Discrete Mathematics 2001.
// State    44 bytes a vertex.
#include <cmath>
#include <cstring>

#include "common/threads/parallel_sort.h"
#include "engine/api/algorithm.h"
#include "engine/verify/kruskal_forest.h"
#include "engine/verify/plain_visit.h"

namespace edgemill {
namespace {

constexpr uint64_t kNone = ~uint64_t{0};

/// Whole numbers in the order of weights. kNone is above all.
EM_HOST_DEVICE inline uint64_t KeyOf(double weight) {
  weight += 0.0;  // -0 becomes 0
  uint64_t bits;
  memcpy(&bits, &weight, sizeof(bits));
  return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
}
EM_HOST_DEVICE inline double WeightOf(uint64_t key) {
  const uint64_t bits = key >> 63 != 0 ? key & ~(uint64_t{1} << 63) : ~key;
  double weight;
  memcpy(&weight, &bits, sizeof(weight));
  return weight;
}
EM_HOST_DEVICE inline uint64_t EndsOf(VertexId a, VertexId b) {
  return uint64_t{a < b ? a : b} << 32 | (a < b ? b : a);
}

struct Start {
  View<VertexId> parent, tree;
  void operator()(VertexId v) { parent[v] = tree[v] = v; }
};
struct Forget {
  View<uint64_t> weight;
  View<VertexId> other;
  void operator()(VertexId v) {
    weight[v] = kNone;
    other[v] = kInvalidVertex;
  }
};
struct OfferWeight {  // each vertex gets the weight of its lightest edge to another tree
  View<const VertexId> tree;
  Into<Min<uint64_t>> weight;
  bool once;  // an edge does not come from its other end too
  void operator()(const WeightedEdge<double>& edge) {
    if (tree[edge.from] == tree[edge.to]) return;
    weight.Add(edge.from, KeyOf(edge.weight));
    if (once) weight.Add(edge.to, KeyOf(edge.weight));
  }
};
struct OfferOther {  // and the least of the vertices to which edges of that weight lead
  View<const VertexId> tree;
  View<const uint64_t> weight;
  Into<Min<VertexId>> other;
  bool once;
  void operator()(const WeightedEdge<double>& edge) {
    if (tree[edge.from] == tree[edge.to]) return;
    const uint64_t key = KeyOf(edge.weight);
    if (weight[edge.from] == key) other.Add(edge.from, edge.to);
    if (once && weight[edge.to] == key) other.Add(edge.to, edge.from);
  }
};
struct OfferToTree {
  View<const VertexId> tree;
  View<const uint64_t> weight;
  Into<Min<uint64_t>> lightest;
  void operator()(VertexId v) { lightest.Add(tree[v], weight[v]); }
};
struct OfferEnds {
  View<const VertexId> tree, other;
  View<const uint64_t> weight;
  Anywhere<uint64_t> lightest;
  Into<Min<uint64_t>> ends;
  void operator()(VertexId v) {
    if (other[v] != kInvalidVertex && weight[v] == lightest[tree[v]]) {
      ends.Add(tree[v], EndsOf(v, other[v]));
    }
  }
};
/// True for a root that hangs its tree below another one. Of two roots that chose the same edge,
/// the lesser stays a root.
struct Hook {
  Anywhere<VertexId> tree;
  Anywhere<uint64_t> ends;
  View<VertexId> above;
  bool operator()(VertexId v) {
    above[v] = v;
    if (ends[v] == kNone) return false;
    const VertexId low = static_cast<VertexId>(ends[v] >> 32);
    const VertexId high = static_cast<VertexId>(ends[v]);
    const VertexId other = tree[low] == v ? tree[high] : tree[low];
    if (v < other && ends[other] == ends[v]) return false;
    above[v] = other;
    return true;
  }
};
/// Makes `first` the root of a tree below `parent[first] = up`, by turning its way to the root.
EM_HOST_DEVICE inline void TurnWay(Shared<VertexId> parent, VertexId first, VertexId up) {
  for (VertexId v = first, next;; up = v, v = next) {
    next = parent[v];
    parent[v] = up;
    if (next == v) return;
  }
}
struct HangTree {  // each tree is turned by one call, for its root
  Anywhere<VertexId> tree;
  Anywhere<uint64_t> ends;
  Shared<VertexId> parent;
  void operator()(VertexId root) {
    const VertexId low = static_cast<VertexId>(ends[root] >> 32);
    const VertexId high = static_cast<VertexId>(ends[root]);
    const bool is_low = tree[low] == root;
    TurnWay(parent, is_low ? low : high, is_low ? high : low);
  }
};
struct Weigh {
  View<const uint64_t> lightest;
  TallyView<Sum<double>> total;
  void operator()(VertexId root) { total.Add(WeightOf(lightest[root])); }
};
struct AbsoluteWeight {
  View<const uint64_t> lightest;
  double operator()(VertexId root) const {
    const double weight = WeightOf(lightest[root]);
    return weight < 0 ? -weight : weight;
  }
};
struct Jump {  // 1 where the vertex was not yet directly below the top
  Anywhere<VertexId> above;
  View<VertexId> next;
  uint64_t operator()(VertexId v) {
    const VertexId top = above[above[v]];
    next[v] = top;
    return top != above[v] ? 1 : 0;
  }
};
struct Rename {
  Anywhere<VertexId> above;
  View<VertexId> tree;
  void operator()(VertexId v) { tree[v] = above[tree[v]]; }
};
struct MustLook {  // the lightest edge leads into the vertex's own tree now
  Anywhere<VertexId> tree;
  View<const VertexId> other;
  bool operator()(VertexId v) { return other[v] != kInvalidVertex && tree[v] == tree[other[v]]; }
};
struct OfferItself {
  View<const VertexId> tree;
  Into<Min<uint64_t>> least;
  void operator()(VertexId v) { least.Add(tree[v], v); }
};
struct RootAtLeast {
  View<const uint64_t> least;
  Shared<VertexId> parent;
  void operator()(VertexId root) {
    const auto first = static_cast<VertexId>(least[root]);
    TurnWay(parent, first, first);
  }
};

struct MstState : RunState {
  explicit MstState(const RunSetup& setup) : RunState(setup) { HoldSets(4); }
  const bool weighted = weights() != WeightType::kNone;
  VertexArray<VertexId> parent{*this, "parent", ArrayUse::kVertices};
  VertexArray<VertexId> tree{*this, "tree"};
  VertexArray<VertexId> above{*this, "above"}, next{*this, "next above"};
  VertexArray<uint64_t> weight{*this, "weight"};
  VertexArray<VertexId> other{*this, "other"};
  VertexArray<uint64_t> lightest{*this, "lightest"}, ends{*this, "ends"};
  VisitedLists lists{*this,
                     !directed() ? kOut
                     : weighted  ? weighted_lists()
                                 : kBoth,
                     VisitsWeights::kYes};
  double total = 0;
};

/// Finds the lightest edge to another tree: of each vertex in `look`, of all in a directed graph,
/// and then of each tree.
Status FindLightest(Engine& engine, MstState& state, const VertexSet& look) {
  const VertexSet all = engine.sets().All();
  const bool once = state.directed();
  const Directions lists = once && state.weighted ? state.weighted_lists() : engine.lists()[0];
  const View<const VertexId> tree = state.tree.read();
  RETURN_IF_ERROR(engine.VertexMap(look, Forget{state.weight.view(), state.other.view()}));
  const OfferWeight offer_weight{tree, state.weight.into<Min<uint64_t>>(), once};
  RETURN_IF_ERROR(engine.EdgeVisit(lists, once ? all : look, offer_weight));
  const OfferOther offer_other{tree, state.weight.read(), state.other.into<Min<VertexId>>(), once};
  RETURN_IF_ERROR(engine.EdgeVisit(lists, once ? all : look, offer_other));
  state.lightest.Fill(kNone);
  state.ends.Fill(kNone);
  const OfferToTree to_tree{tree, state.weight.read(), state.lightest.into<Min<uint64_t>>()};
  RETURN_IF_ERROR(engine.VertexMap(all, to_tree));
  return engine.VertexMap(
      all, OfferEnds{tree, state.other.read(), state.weight.read(), state.lightest.anywhere(),
                     state.ends.into<Min<uint64_t>>()});
}

Status AddWeights(Engine& engine, MstState& state, const VertexSet& hung) {
  if (hung.empty()) return OkStatus();
  const View<const uint64_t> lightest = state.lightest.read();
  ASSIGN_OR_RETURN(const double most, engine.Reduce<Max<double>>(hung, AbsoluteWeight{lightest}));
  const double bound = most * static_cast<double>(hung.size());
  Tally<Sum<double>> total("weights", bound > 0 ? bound : 1);
  if (std::isfinite(bound)) {
    RETURN_IF_ERROR(engine.VertexMap(hung, Weigh{lightest, total.view()}));
    ASSIGN_OR_RETURN(const double sum, total.Take());
    state.total += sum;
  }
  if (std::isfinite(bound) && std::isfinite(state.total)) return OkStatus();
  return BadDataError(
      "the weight of the forest may be above the greatest floating-point number: "
      "scale the weights");
}

/// Finds the last root above each of `roots`. BadDataError where these hang in a circle, which two
/// lists of one edge that differ can bring about.
Status FindTops(Engine& engine, MstState& state, const VertexSet& roots) {
  constexpr int kMostRounds = 34;  // each doubles the length of the ways
  uint64_t changed = 1;
  for (int round = 0; round < kMostRounds && changed > 0; ++round) {
    const Jump jump{state.above.anywhere(), state.next.view()};
    ASSIGN_OR_RETURN(changed, engine.Reduce<Sum<uint64_t>>(roots, jump));
    state.above.Swap(state.next);
  }
  if (changed == 0) return OkStatus();
  return BadDataError(StrCat(engine.graph().store().path(), ": an edge is not stored both ways"));
}

Status FindForest(Engine& engine, MstState& state, const RunContext&, Answer* answer) {
  const VertexSet all = engine.sets().All();
  const Shared<VertexId> parent = state.parent.shared();
  RETURN_IF_ERROR(engine.VertexMap(all, Start{state.parent.view(), state.tree.view()}));
  VertexSet look = engine.sets().All(), roots = engine.sets().All();
  uint64_t trees = engine.num_vertices(), rounds = 0;
  while (!look.empty()) {
    ++rounds;
    RETURN_IF_ERROR(FindLightest(engine, state, look));
    look = engine.sets().None();
    const Hook hook{state.tree.anywhere(), state.ends.anywhere(), state.above.view()};
    ASSIGN_OR_RETURN(const VertexSet hung, engine.VertexFilter(roots, hook));
    RETURN_IF_ERROR(FindTops(engine, state, roots));
    const HangTree hang{state.tree.anywhere(), state.ends.anywhere(), parent};
    RETURN_IF_ERROR(engine.VertexMap(hung, hang));
    RETURN_IF_ERROR(AddWeights(engine, state, hung));
    RETURN_IF_ERROR(engine.VertexMap(all, Rename{state.above.anywhere(), state.tree.view()}));
    ASSIGN_OR_RETURN(roots, engine.sets().Difference(roots, hung));
    trees -= hung.size();
    const MustLook must_look{state.tree.anywhere(), state.other.read()};
    ASSIGN_OR_RETURN(look, engine.VertexFilter(all, must_look));
  }
  state.lightest.Fill(kNone);
  const OfferItself offer{state.tree.read(), state.lightest.into<Min<uint64_t>>()};
  RETURN_IF_ERROR(engine.VertexMap(all, offer));
  RETURN_IF_ERROR(engine.VertexMap(roots, RootAtLeast{state.lightest.read(), parent}));
  answer->AddFact("total weight", StrCat(state.total), state.total);
  answer->AddCount("edges", engine.num_vertices() - trees, "forest_edges");
  answer->AddCount("trees", trees);
  answer->AddCount("rounds", rounds);
  answer->Fill("parent", state.parent.span());
  return OkStatus();
}

struct ForestCheck : RunState {
  using RunState::RunState;
  VertexArray<double> weight{*this, "the verifier's weights"};
  VertexArray<VertexId> order{*this, "the verifier's order"};
  KruskalForest forest{*this};
};

/// Edges join vertices and parents. Taken by rising weight, the lightest of these make no cycle. No
/// edge is lighter than the heaviest on the way in the forest between its ends, and there is a way.
/// Roots are the least vertices of their trees.
Status Verify(LoadedGraph& graph, MstState& state, ForestCheck& check, const RunContext&) {
  const std::span<const VertexId> parent = state.parent.span();
  const std::span<double> weight = check.weight.mutable_span();
  const std::span<VertexId> order = check.order.mutable_span();
  RETURN_IF_ERROR(NoVertexWhere(graph, "has a parent that is not a vertex",
                                [&](VertexId v) { return parent[v] >= graph.num_vertices(); }));
  constexpr double kNoEdge = std::numeric_limits<double>::infinity();
  check.weight.Fill(kNoEdge);
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    if (parent[edge.from] == edge.to) AtomicMin(&weight[edge.from], edge.weight);
    if (parent[edge.to] == edge.from) AtomicMin(&weight[edge.to], edge.weight);
  }));
  RETURN_IF_ERROR(NoVertexWhere(graph, "is joined with its parent by no edge", [&](VertexId v) {
    return parent[v] != v && weight[v] == kNoEdge;
  }));
  std::iota(order.begin(), order.end(), VertexId{0});
  ParallelSort(order, graph.threads(),
               [&](VertexId a, VertexId b) { return weight[a] < weight[b]; });
  check.forest.Start();
  double total = 0, absolute = 0;
  for (const VertexId v : order) {
    if (parent[v] == v) continue;
    if (!check.forest.Join(v, parent[v], weight[v])) {
      return WrongVertex(graph, v, "closes a cycle of edges to parents");
    }
    total += weight[v];
    absolute += std::abs(weight[v]);
  }
  RETURN_IF_ERROR(
      NoVertexWhere(graph, "is a root, and not the least vertex of its tree",
                    [&](VertexId v) { return parent[v] == v && check.forest.LeastOf(v) != v; }));
  VertexId lighter = kInvalidVertex;
  RETURN_IF_ERROR(PlainVisit(graph, [&](const WeightedEdge<double>& edge) {
    if (edge.from == edge.to || edge.weight >= check.forest.Heaviest(edge.from, edge.to)) return;
    AtomicMin(&lighter, std::min(edge.from, edge.to));
  }));
  RETURN_IF_ERROR(WrongVertex(graph, lighter, "has an edge that would make the forest lighter"));
  if (std::abs(total - state.total) <= 1e-9 * absolute) return OkStatus();
  return InternalError(StrCat("the edges weigh ", total, " in all, not ", state.total));
}

}  // namespace

EDGEMILL_ALGORITHM(mst) = {
    .name = "mst",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"msf", "spanning-forest"},
    .summary = "a minimum spanning forest: the lightest edges that join each component",
    .facts = {.formula = "the sum of w(v, parent[v]) over all v is the least for which these edges "
                         "join all that edges join; parent[v] = v for the first vertex of a tree",
              .direction = "both ways",
              .duplicates = "of duplicates the lightest counts; loops change nothing",
              .weights = "any, also negative; a graph without weights counts 1 an edge",
              .ends = "when no edge leads from a tree to another one",
              .passes = "two for each round, over vertices whose lightest edge leads into their "
                        "own tree; rounds grow as the logarithm of the vertices"},
    .text = R"(Each vertex except the roots has one edge of the forest, which leads to its parent.
The root of a tree is its first vertex in the graph, and its own parent; a vertex without edges is
one. The summary has the sum of the weights and the numbers of edges and trees. Among edges of equal
weight, those between the first vertices in the graph are taken. So the answer is the same on every
processor, and with any number of threads. A directed graph is taken as undirected; one column is
enough, and each of its rounds reads all edges.
)",
    .paper = "Boruvka, O jistem problemu minimalnim, 1926",
    .results = {{.name = "parent", .type = ResultType::kId}},
    .note_without_weights =
        "the graph has no weights: every spanning forest is as light; cc finds "
        "components faster",
    .driver = kDriver<FindForest>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

// Core numbers: how dense a part of the graph each vertex is in.
//
// Result   core[v]: the largest k such that v is in a subgraph in which every vertex has at least k
//          neighbours. Duplicate edges count as one; loops do not count. In a directed graph, edges
//          out and in count, as in NetworkX and igraph: neighbours by an edge each way count twice.
//          With -k K: K for the vertices of the K-core, 0 for others.
// Method   Peeling, by buckets of degrees. The vertices of the lowest degree are removed, and their
//          neighbours have fewer left. The core number of a vertex is the degree at which it is
//          removed. With -k K, all vertices of degrees below K go in one bucket.
// Paper    Dhulipala, Blelloch, Shun: Julienne, SPAA 2017; Matula, Beck: JACM 1983.
// State    8 bytes a vertex.
#include "engine/api/algorithm.h"
#include "engine/verify/found_vertices.h"
#include "engine/verify/simple_edges.h"

namespace edgemill {
namespace {

constexpr Option<uint64_t> kCore{"-k,--core", "find only the K-core; 0: all core numbers",
                                 Whole32(0), 0};

/// The greatest degree with which a vertex cannot be in the k-core. 0 for k = 0, which means that
/// all core numbers are wanted.
constexpr uint32_t LastBelow(uint32_t k) { return std::max(k, 1u) - 1; }

struct CountNeighbors {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> left;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) { return (left[v] = sum) > 0; }
};
struct CopyDegree {  // the same without a read of edges
  DegreeView out, in;
  bool adds_in;
  View<uint32_t> left;
  void operator()(VertexId v) { left[v] = static_cast<uint32_t>(out[v] + (adds_in ? in[v] : 0)); }
};
/// A neighbour that is removed takes one from `left`. So a GPU adds up many messages to a hub,
/// where compare-and-set would try again and again. The message that brings `left` down to the
/// bucket's degree puts that degree into `core`; later ones may lower `left` further. A vertex that
/// never got such a message is removed when its bucket begins, and `left` is its core number.
struct Peel {
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;  // removed neighbours, and at which degree
  static constexpr bool kSimple = true;
  View<uint32_t> left, core;  // core: 0 where it is not known
  uint32_t k;
  Monoid::Value Emit(VertexId u) const { return {1, DegreeOf(u)}; }
  bool Relax(VertexId v, Monoid::Value gone) {
    if (left[v] <= gone.second) return false;
    const uint32_t before = AtomicAdd(left[v], 0 - gone.first);
    if (before <= gone.second || before - gone.first > gone.second) return false;
    core[v] = gone.second;
    return true;
  }
  double Priority(VertexId v) const {
    return k > 0 && core[v] == 0 && left[v] >= k ? kNoBound : DegreeOf(v);
  }
  EM_HOST_DEVICE uint32_t DegreeOf(VertexId v) const {
    const uint32_t degree = core[v] > 0 ? core[v] : left[v];
    return std::max(degree, LastBelow(k));
  }
};
struct TakeLeft {  // the core number
  View<const uint32_t> left;
  View<uint32_t> core;
  uint32_t operator()(VertexId v) {
    if (core[v] == 0) core[v] = left[v];
    return core[v];
  }
};
struct MarkMembers {
  View<const uint32_t> left;
  View<uint32_t> core;
  uint32_t k;
  bool operator()(VertexId v) { return (core[v] = core[v] > 0 || left[v] < k ? 0 : k) > 0; }
};

struct KCoreState : RunState {
  using RunState::RunState;
  const uint32_t k = static_cast<uint32_t>(Get(kCore));
  const Directions both_ends = directed() ? kBoth : kOut;
  VertexArray<uint32_t> core{*this, "core", ArrayUse::kResult};
  VertexArray<uint32_t> left{*this, "neighbors left"};
  Degrees degrees{*this, kOut};
  Degrees in_degrees{*this, kIn, directed()};
  Programs<CountNeighbors, Peel> programs{*this, both_ends};
};

/// Reads all edges where the graph has loops or duplicates.
Status FindDegrees(Engine& engine, KCoreState& state) {
  const VertexSet all = engine.sets().All();
  const GraphInfo& info = engine.graph().info();
  if (info.num_self_loops == 0 && info.num_duplicates == 0) {
    const DegreeView out = engine.Degrees(kOut);
    const DegreeView in = state.directed() ? engine.Degrees(kIn) : out;
    return engine.VertexMap(all, CopyDegree{out, in, state.directed(), state.left.view()});
  }
  state.left.Fill(0);
  return engine.EdgeMap(state.both_ends, all, CountNeighbors{state.left.view()}).status();
}

Status FindCores(Engine& engine, KCoreState& state, const RunContext&, Answer* answer) {
  RETURN_IF_ERROR(FindDegrees(engine, state));
  state.core.Fill(0);
  const Peel peel{state.left.view(), state.core.view(), state.k};
  RETURN_IF_ERROR(engine.Bucketed(state.both_ends, engine.sets().All(), peel, 1).status());
  const VertexSet all = engine.sets().All();
  if (state.k > 0) {
    ASSIGN_OR_RETURN(
        const VertexSet members,
        engine.VertexFilter(all, MarkMembers{state.left.read(), state.core.view(), state.k}));
    answer->AddCount(StrCat("in the ", state.k, "-core"), members.size(), "vertices_in_core");
  } else {
    ASSIGN_OR_RETURN(const uint32_t most, engine.Reduce<Max<uint32_t>>(
                                              all, TakeLeft{state.left.read(), state.core.view()}));
    answer->AddCount("largest core", all.empty() ? 0 : most);
  }
  answer->Fill("core", state.core.span());
  return OkStatus();
}

struct PeelingCheck : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> left{*this, "the verifier's degrees"};
  VertexBits gone{*this, "the verifier's marks"};
  VertexBits goes_now{*this, "the verifier's marks of a round", UseIf(directed(), ArrayUse::kWork)};
  FoundVertices going{*this, "the verifier's list"};
};

/// Calls visit({v, u}) for each edge between a v of `going`, which rise, and any u, in either
/// direction. A directed graph is read whole.
template <typename Visit>
Status VisitNeighborsOf(const SimpleEdges& edges, std::span<const VertexId> going,
                        PeelingCheck& check, Visit visit) {
  if (!check.directed()) return edges.VisitFrom(going, visit);
  check.goes_now.Fill(0);
  for (const VertexId v : going) check.goes_now.Add(v);
  return edges.VisitAll([&, visit](const Edge& edge) mutable {
    if (check.goes_now.has(edge.from)) visit(edge);
    if (check.goes_now.has(edge.to)) visit(Edge{edge.to, edge.from});
  });
}

/// A vertex with core number c needs at least c neighbours with core numbers of c or more. All such
/// vertices must be removable one after the other: each has at most c of these neighbours left.
/// With -k, members of the k-core may stay; others go when they have fewer than k neighbours left.
Status Verify(LoadedGraph& graph, KCoreState& state, PeelingCheck& check, const RunContext&) {
  const std::span<const uint32_t> core = state.core.span();
  const std::span<uint32_t> left = check.left.mutable_span();
  const uint32_t k = state.k;
  const bool directed = graph.info().directed;
  RETURN_IF_ERROR(NoVertexWhere(graph, "has neither 0 nor the core's number",
                                [&](VertexId v) { return k > 0 && core[v] != 0 && core[v] != k; }));
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  RETURN_IF_ERROR(edges.VisitAll([&](const Edge& edge) {
    if (core[edge.from] >= core[edge.to]) AtomicAdd(&left[edge.to], 1u);
    if (directed && core[edge.to] >= core[edge.from]) AtomicAdd(&left[edge.from], 1u);
  }));
  RETURN_IF_ERROR(NoVertexWhere(graph, "has fewer neighbours of its core number than that",
                                [&](VertexId v) { return left[v] < core[v]; }));
  auto goes = [&, going = FoundVertices::Adder(check.going)](VertexId v) mutable {
    if (LoadRelaxed(&left[v]) > std::max(core[v], LastBelow(k)) || !check.gone.Add(v)) return;
    going.Add(v);
  };
  ForEachVertex(graph, goes);
  while (true) {
    const std::span<const VertexId> going = check.going.NextLevel(graph.threads());
    if (going.empty()) break;
    RETURN_IF_ERROR(VisitNeighborsOf(edges, going, check, [&, goes](const Edge& edge) mutable {
      if (core[edge.from] != core[edge.to]) return;
      AtomicAdd(&left[edge.to], ~0u);
      goes(edge.to);
    }));
  }
  return NoVertexWhere(graph, "has a core number that is too small",
                       [&](VertexId v) { return (k == 0 || core[v] == 0) && !check.gone.has(v); });
}

}  // namespace

EDGEMILL_ALGORITHM(kcore) = {
    .name = "kcore",
    .group = AlgorithmGroup::kStructure,
    .aliases = {"core-number", "coreness"},
    .summary = "core numbers, by peeling",
    .facts = {.formula = "core[v] = the largest k such that v is in a subgraph in which every "
                         "vertex has at least k neighbours",
              .direction = "both: of a directed graph, edges out and in count",
              .duplicates = "duplicates count as one; loops change nothing",
              .weights = "ignored",
              .ends = "when all vertices are peeled off",
              .passes = "one for each round of vertices that go together"},
    .text = R"(A k-core is a largest subgraph in which every vertex has at least k neighbours. A
vertex without neighbours has core number 0. In a directed graph, two vertices that are joined by an
edge each way are two neighbours of each other, as in NetworkX and igraph; it needs the columns of
both directions. With -k K, which is faster, the vertices of the K-core
have K and all others 0.
)",
    .paper = "Dhulipala, Blelloch and Shun, Julienne, SPAA 2017",
    .options = {kCore},
    .results = {{.name = "core", .top = TopKind::kValues}},
    .driver = kDriver<FindCores>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

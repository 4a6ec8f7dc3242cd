// Core numbers: into how dense a part of the graph each vertex reaches.
//
// Result   core[v]: the largest k such that v is in a subgraph in which every vertex has at least k
//          neighbours. Of simple undirected graphs: duplicate edges are one, loops none.
// Method   Peeling, by buckets of degrees: vertices of the lowest degree go, and each takes one
//          from its neighbours' degrees, but none below its own. What is left of a vertex's degree
//          when it goes is its core number.
// Paper    Dhulipala, Blelloch, Shun: Julienne, SPAA 2017; Matula, Beck: JACM 1983.
// State    4 bytes a vertex.
#include "engine/api/algorithm.h"
#include "engine/api/toolkit/simple_edges.h"

namespace edgemill {
namespace {

struct CountNeighbors {
  using Monoid = Sum<uint32_t>;
  static constexpr bool kSimple = true;
  View<uint32_t> degree;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t sum) { return (degree[v] = sum) > 0; }
};
struct Peel {
  using Monoid = Both<Sum<uint32_t>, Max<uint32_t>>;  // neighbours that go, and at which degree
  static constexpr bool kSimple = true;
  View<uint32_t> degree;
  Monoid::Value Emit(VertexId u) const { return {1, degree[u]}; }
  bool Relax(VertexId v, Monoid::Value gone) {
    while (true) {
      const uint32_t before = degree[v];
      if (before <= gone.second) return false;
      const uint32_t after = before - std::min(before - gone.second, gone.first);
      if (CompareAndSet(degree[v], before, after)) return true;
    }
  }
  double Priority(VertexId v) const { return degree[v]; }
};
struct CountOfCore {
  View<const uint32_t> core;
  Max<uint32_t>::Value operator()(VertexId v) const { return core[v]; }
};

struct KCoreState : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> core{*this, "core", ArrayUse::kResult};
  Programs<CountNeighbors, Peel> programs{*this, kOut};
};

Status CheckUndirected(const RunSetup& setup) {
  if (!setup.info.directed) return OkStatus();
  return UsageError(
      "core numbers are of undirected graphs: ingest with -s, which adds the missing directions");
}

Status FindCores(Engine& engine, KCoreState& state, const RunContext&, Answer* answer) {
  const VertexSet all = engine.sets().All();
  state.core.Fill(0);
  RETURN_IF_ERROR(engine.EdgeMap(kOut, all, CountNeighbors{state.core.view()}).status());
  RETURN_IF_ERROR(engine.Bucketed(kOut, engine.sets().All(), Peel{state.core.view()}, 1).status());
  ASSIGN_OR_RETURN(const uint32_t most,
                   engine.Reduce<Max<uint32_t>>(all, CountOfCore{state.core.read()}));
  answer->AddCount("largest core", all.empty() ? 0 : most);
  answer->Fill("core", state.core.span());
  return OkStatus();
}

struct CoreCheck : RunState {
  using RunState::RunState;
  VertexArray<uint32_t> left{*this, "the verifier's degrees"};
  VertexBits going{*this, "the verifier's marks"}, gone{*this, "the verifier's other marks"};
};

/// Peels by the numbers. A vertex needs as many neighbours of its number or more as that says. And
/// all vertices of a number go: one after the other, they have no more neighbours left than that.
Status Verify(LoadedGraph& graph, KCoreState& state, CoreCheck& check, const RunContext&) {
  const std::span<const uint32_t> core = state.core.span();
  const std::span<uint32_t> left = check.left.mutable_span();
  ASSIGN_OR_RETURN(const SimpleEdges edges, SimpleEdges::Of(graph));
  RETURN_IF_ERROR(edges.VisitAll([&](const Edge& edge) {
    if (core[edge.from] >= core[edge.to]) AtomicAdd(&left[edge.to], 1u);
  }));
  RETURN_IF_ERROR(NoVertexWhere(graph, "has fewer neighbours of its core number than that",
                                [&](VertexId v) { return left[v] < core[v]; }));
  while (true) {
    check.going.Fill(0);
    uint8_t some = 0;
    ForEachVertex(graph, [&](VertexId v) {
      if (left[v] > core[v] || !check.gone.Add(v)) return;
      check.going.Add(v);
      StoreRelaxed(&some, uint8_t{1});
    });
    if (some == 0) break;
    RETURN_IF_ERROR(edges.VisitFrom(check.going.span(), [&](const Edge& edge) {
      if (core[edge.from] == core[edge.to]) AtomicAdd(&left[edge.to], ~0u);
    }));
  }
  return NoVertexWhere(graph, "has a core number that is too small",
                       [&](VertexId v) { return !check.gone.has(v); });
}

}  // namespace

EDGEMILL_ALGORITHM(kcore) = {
    .name = "kcore",
    .aliases = {"core-number", "coreness"},
    .summary = "core numbers, by peeling",
    .text = R"(A k-core is a largest subgraph in which every vertex has at least k neighbours.
The core number of a vertex is the largest k of a k-core that it is in; of a vertex without
neighbours 0. Of undirected graphs; a directed one is refused. Weights and loops change nothing,
and duplicate edges are one.
)",
    .paper = "Dhulipala, Blelloch and Shun, Julienne, SPAA 2017",
    .results = {{.name = "core", .top = TopKind::kValues}},
    .check = CheckUndirected,
    .driver = kDriver<FindCores>,
    .verifier = kVerifier<Verify>,
};

}  // namespace edgemill

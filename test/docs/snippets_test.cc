// The short parts of code in docs/WRITING_ALGORITHMS.md, compiled and run.
#include <gtest/gtest.h>

#include "engine/api/levels.h"
#include "engine/program/lanes.h"
#include "engine/state/lane_array.h"
#include "test/operator_testing.h"

namespace edgemill {
namespace {

struct Nearer {
  using Monoid = Min<uint64_t>;
  View<uint64_t> hops;
  uint64_t Emit(VertexId u) const { return hops[u] + 1; }
  bool Relax(VertexId v, uint64_t least) { return AtomicMin(hops[v], least); }
  struct Tuning {  // most messages of a push change nothing: they are dropped early
    static bool WouldRelax(const Nearer& program, VertexId v, uint64_t least) {
      return least < program.hops[v];
    }
  };
};
struct CountNeighbors {  // counts no loops, and parallel edges once
  using Monoid = Sum<uint64_t>;
  static constexpr bool kSimple = true;
  View<uint64_t> neighbors;
  uint64_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint64_t sum) {
    neighbors[v] = sum;
    return true;
  }
};
struct FindForks {  // true: two members or more have an edge to v
  using Monoid = Sum<uint64_t>;
  View<uint64_t> neighbors;
  uint64_t Emit(VertexId) const { return 1; }
  bool Enough(VertexId, uint64_t sum) const { return sum >= 2; }
  bool Apply(VertexId, uint64_t sum) { return sum >= 2; }
};
struct PassOn {  // consumes: what a vertex holds goes to the other ends, once
  using Monoid = Sum<uint64_t>;
  View<uint64_t> held;
  uint64_t Emit(VertexId u) { return AtomicExchange(held[u], 0); }
  bool Relax(VertexId v, uint64_t more) { return AtomicAdd(held[v], more) + more > 0; }
};
struct HasNoEdges {
  DegreeView degree;
  bool operator()(VertexId v) const { return degree[v] == 0; }
};
struct Jump {
  Anywhere<VertexId> parent;
  View<VertexId> next;
  void operator()(VertexId v) { next[v] = parent[parent[v]]; }
};
struct MarkEnds {
  Shared<uint64_t> marks;
  void operator()(const Edge& edge) { marks[edge.to] = 1; }
};
struct CountAtCorners {
  using Monoid = Sum<uint64_t>;
  Into<Monoid> triangles;
  Corners<uint64_t> operator()(const Triangle&) const { return {1, 1, 1}; }
  void Take(VertexId v, uint64_t sum) { triangles.Add(v, sum); }
};
struct AddWeights {
  TallyView<Sum<double>> total;
  Into<Max<double>> heaviest;
  void operator()(const WeightedEdge<double>& edge) {
    total.Add(edge.weight);
    heaviest.Add(edge.to, edge.weight);
  }
};
struct Xor {  // a monoid of one's own
  using Value = uint64_t;
  static constexpr Value identity() { return 0; }
  static constexpr Value Combine(Value a, Value b) { return a ^ b; }
};

struct SpreadBits {  // which of the lanes reach a vertex
  using Monoid = Or<uint64_t>;
  LaneView<const uint64_t> fresh;  // what reached the vertex in the pass before
  LaneView<uint64_t> next;
  uint64_t Emit(VertexId u) const { return fresh[u]; }
  bool Relax(VertexId v, uint64_t bits) { return (bits & ~AtomicOr(next[v], bits)) != 0; }
};

struct PlusOne {
  uint64_t one;
  uint64_t operator()(VertexId v) const { return v + one; }
};

struct SnippetState : State {
  SnippetState(uint64_t num_vertices, int threads) : State(num_vertices, threads) { HoldSets(3); }
  VertexArray<uint64_t> count{*this, "count", ArrayUse::kResult};
  VertexArray<VertexId> parent{*this, "parent"};
  VertexArray<VertexId> next{*this, "next parent"};
  Counters<Max<double>> heaviest{*this, "heaviest edges", 4};
  LaneArray<uint64_t> fresh{*this, "fresh lanes", 2}, reached{*this, "reached lanes", 2};
  VertexBits seen{*this, "seen"};
  Levels levels{*this, "levels"};
  Programs<CountNeighbors, FindForks, PassOn, Nearer, Lanes<SpreadBits>> programs{*this, kOut};
  VisitedLists lists{*this, kOut};
  IntersectedLists intersected{*this};
  Degrees degrees{*this, kOut};
};

Status RunSnippets(Engine& engine, SnippetState& state) {
  const VertexSet all = engine.sets().All();
  ASSIGN_OR_RETURN(const VertexSet lonely,
                   engine.VertexFilter(all, HasNoEdges{engine.Degrees(kOut)}));
  EXPECT_EQ(lonely.Members(), std::vector<VertexId>({2, 3}));
  ASSIGN_OR_RETURN(const VertexSet others, engine.sets().Difference(all, lonely));
  EXPECT_EQ(others.size(), 2u);
  const CountNeighbors count{state.count.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, all, count).status());
  EXPECT_EQ(state.count.At(std::vector<VertexId>({0, 1, 2})), (std::vector<uint64_t>{0, 1, 2}));
  ASSIGN_OR_RETURN(VertexSet forks, engine.EdgeMap(kOut, all, FindForks{state.count.view()}));
  EXPECT_EQ(forks.Members(), std::vector<VertexId>({1, 2}));
  state.levels.Append(forks);
  forks = engine.sets().None();  // gives the memory back
  ASSIGN_OR_RETURN(const VertexSet level, state.levels.At(0, engine.sets()));
  EXPECT_EQ(level.size(), 2u);
  state.fresh.Set(0, 1);           // lane 0 of vertex 0
  state.fresh.Set(2 * 1 + 1, 32);  // lane 69 of vertex 1
  const SpreadBits spread{state.fresh.read_lanes(), state.reached.lanes()};
  ASSIGN_OR_RETURN(const VertexSet reached, engine.EdgeMap(kOut, all, Lanes<SpreadBits>{spread}));
  EXPECT_EQ(reached.Members(), std::vector<VertexId>({1, 2}));
  EXPECT_EQ(state.reached.Get(2 * 1), 1u);
  EXPECT_EQ(state.reached.Get(2 * 1 + 1), 32u);
  EXPECT_EQ(state.reached.Get(2 * 2), 1u);
  EXPECT_EQ(state.reached.Get(2 * 2 + 1), 32u);
  return OkStatus();
}

Status RunMoreSnippets(Engine& engine, SnippetState& state) {
  const VertexSet all = engine.sets().All();
  for (VertexId v = 0; v < 4; ++v) state.parent.Set(v, v == 0 ? 0 : v - 1);
  RETURN_IF_ERROR(engine.VertexMap(all, Jump{state.parent.anywhere(), state.next.view()}));
  state.parent.Swap(state.next);
  EXPECT_EQ(state.parent.Get(3), 1u);
  state.count.Fill(0);
  RETURN_IF_ERROR(
      engine.EdgeVisit(kOut, all, Slice{.skip = 0, .count = 1}, MarkEnds{state.count.shared()}));
  EXPECT_EQ(state.count.Get(1), 1u);
  state.count.Fill(0);
  RETURN_IF_ERROR(engine.Intersect(CountAtCorners{state.count.into<Sum<uint64_t>>()}));
  EXPECT_EQ(state.count.Get(0), 1u);
  Tally<Sum<double>> weights("weights", 100);
  state.heaviest.Reset();
  const AddWeights add{weights.view(), state.heaviest.view()};
  RETURN_IF_ERROR(engine.EdgeVisit(kOut, all, add));
  ASSIGN_OR_RETURN(const double total, weights.Take());
  EXPECT_EQ(total, 11);
  EXPECT_EQ(state.heaviest.Get(2), 5);
  state.count.Fill(1);
  ASSIGN_OR_RETURN(VertexSet from, engine.sets().Of({0}));
  ASSIGN_OR_RETURN(FixpointTotals totals,
                   engine.Fixpoint(kOut, std::move(from), PassOn{state.count.view()}, 1));
  const VertexSet active = std::move(totals.left);
  EXPECT_EQ(active.Members(), std::vector<VertexId>({1, 2}));
  ASSIGN_OR_RETURN(const uint64_t all_xored, engine.Reduce<Xor>(all, PlusOne{1}));
  EXPECT_EQ(all_xored, 1u ^ 2u ^ 3u ^ 4u);
  state.count.Fill(1000);
  state.count.Set(0, 0);
  ASSIGN_OR_RETURN(from, engine.sets().Of({0}));
  RETURN_IF_ERROR(engine.Fixpoint(kOut, std::move(from), Nearer{state.count.view()}).status());
  EXPECT_EQ(state.count.Get(2), 1u);
  return OkStatus();
}

TEST(Snippets, Run) {
  const auto graph = InMemoryGraph::Dense(4, {{0, 1, 2}, {0, 2, 3}, {1, 2, 5}, {1, 1, 1}},
                                          {.weights = WeightType::kFloat64});
  for (const auto run : {RunSnippets, RunMoreSnippets}) {
    OperatorFixture fixture(*graph, {});
    SnippetState state(4, 1);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    const Status status = run(**engine, state);
    EXPECT_TRUE(status.ok()) << status.message();
  }
}

}  // namespace
}  // namespace edgemill

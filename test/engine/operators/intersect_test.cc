// Intersect gives each triangle once, and tells its corners what a plain count says: for all
// orders, blocks and shares of the memory that all lists take.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "engine/verify/plain_visit.h"
#include "test/operator_testing.h"

namespace edgemill {
namespace {

uint64_t HashOf(VertexId a, VertexId b, VertexId c) {
  std::array<VertexId, 3> at = {a, b, c};
  std::sort(at.begin(), at.end());
  return Mix64(at[0] + 1000003 * Mix64(at[1] + 1000003 * Mix64(at[2]))) >> 20;
}

struct TriangleCounts : State {
  using State::State;
  VertexArray<uint64_t> links{*this, "links"};
  VertexArray<uint32_t> neighbors{*this, "neighbours"};
  IntersectedLists lists{*this, AsksForArcs::kYes};
};
struct Count {
  using Monoid = Both<Sum<uint64_t>, Sum<uint32_t>>;
  using Value = Monoid::Value;
  Into<Sum<uint64_t>> links;
  Into<Sum<uint32_t>> neighbors;
  Corners<Value> operator()(const ArcTriangle& t) const {
    return {{t.vw, 0}, {t.uw, 0}, {t.uv, 0}};
  }
  Ends<Value> Pair(const ArcPair& pair) const {
    return {{0, pair.arcs + 100u}, {0, pair.arcs + 100u}};
  }
  void Take(VertexId v, Value sum) {
    links.Add(v, sum.first);
    neighbors.Add(v, sum.second);
  }
};
/// Without numbers of edges. A corner of no triangle gets nothing.
struct AddHashes {
  using Monoid = Sum<uint64_t>;
  Into<Monoid> links;
  TallyView<Sum<uint64_t>> corners;
  Corners<uint64_t> operator()(const Triangle& t) const {
    const uint64_t hash = HashOf(t.u, t.v, t.w);
    return {hash, hash, hash};
  }
  void Take(VertexId v, uint64_t sum) {
    links.Add(v, sum);
    corners.Add(sum);
  }
};

struct PlainCounts {
  std::vector<uint64_t> links, hashes;
  std::vector<uint32_t> neighbors;
};
/// By internal ids.
PlainCounts CountPlainly(LoadedGraph& graph) {
  const uint64_t n = graph.num_vertices();
  // arcs[u][v] is arcs[v][u]. An undirected edge is stored both ways, and makes two.
  std::vector<std::map<VertexId, uint32_t>> arcs(n);
  std::set<std::pair<VertexId, VertexId>> edges;
  // One thread visits.
  CHECK(PlainVisit(graph, [&](const Edge& edge) { edges.insert({edge.from, edge.to}); }).ok());
  for (const auto& [from, to] : edges) {
    if (from == to) continue;
    ++arcs[from][to];
    ++arcs[to][from];
  }
  PlainCounts expected{std::vector<uint64_t>(n), std::vector<uint64_t>(n),
                       std::vector<uint32_t>(n)};
  for (VertexId u = 0; u < n; ++u) {
    for (const auto& [v, uv] : arcs[u]) {
      expected.neighbors[u] += uv + 100;
      for (const auto& [w, more] : arcs[u]) {
        static_cast<void>(more);
        const auto found = arcs[v].find(w);
        if (w <= v || found == arcs[v].end()) continue;
        expected.links[u] += found->second;
        expected.hashes[u] += HashOf(u, v, w);
      }
    }
  }
  return expected;
}

std::vector<TestEdge> Clique(uint64_t size, uint64_t first) {
  std::vector<TestEdge> edges;
  for (uint64_t v = 0; v < size; ++v) {
    for (uint64_t u = 0; u < v; ++u) edges.push_back({first + u, first + v});
  }
  return edges;
}

struct NamedEdges {
  std::string name;
  uint64_t num_vertices;
  std::vector<TestEdge> edges;
};
std::vector<NamedEdges> Graphs() {
  std::vector<NamedEdges> graphs = {{"no vertex", 0, {}},
                                    {"one vertex", 1, {{0, 0}}},
                                    {"no edge", 70, {}},
                                    {"one triangle", 3, {{0, 1}, {2, 1}, {0, 2}}},
                                    {"a clique", 200, Clique(200, 0)},
                                    {"random", 500, RandomTestEdges(1, 500, 9000)},
                                    {"sparse", 20000, RandomTestEdges(2, 20000, 30000)}};
  // Hubs are larger than blocks. Edges come several times, in both directions, and there are loops.
  NamedEdges hubs{"hubs", 4000, RandomTestEdges(3, 4000, 8000)};
  for (uint64_t v = 0; v < 4000; ++v) {
    for (const uint64_t hub : {5, 3999, 17}) hubs.edges.push_back({hub, v});
    if (v % 3 == 0) hubs.edges.push_back({v, 5});
    if (v % 7 == 0) hubs.edges.push_back({v, v});
    if (v % 5 == 0) hubs.edges.push_back({3999, v});
  }
  graphs.push_back(std::move(hubs));
  NamedEdges parts{"cliques and a star", 3000, Clique(90, 100)};
  for (const TestEdge& edge : Clique(150, 2500)) parts.edges.push_back(edge);
  for (uint64_t v = 1; v < 3000; ++v) parts.edges.push_back({0, v});
  graphs.push_back(std::move(parts));
  return graphs;
}

template <typename T>
std::vector<T> Values(const VertexArray<T>& array) {
  return {array.span().begin(), array.span().end()};
}

void ExpectCounts(const InMemoryGraph& graph, const OperatorSetting& setting,
                  const PlainCounts& expected) {
  OperatorFixture fixture(graph, setting);
  TriangleCounts state(fixture.num_vertices(), setting.threads);
  auto engine = fixture.Start(state);
  ASSERT_TRUE(engine.ok()) << engine.status().message();
  const auto links = state.links.into<Sum<uint64_t>>();
  Status status = (*engine)->Intersect(Count{links, state.neighbors.into<Sum<uint32_t>>()});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Values(state.links), expected.links);
  EXPECT_EQ(Values(state.neighbors), expected.neighbors);
  state.links.Fill(0);
  Tally<Sum<uint64_t>> corners("corners");
  status = (*engine)->Intersect(AddHashes{links, corners.view()});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Values(state.links), expected.hashes);
  uint64_t sum = 0;
  for (const uint64_t hash : expected.hashes) sum += hash;
  EXPECT_EQ(*corners.Take(), sum);
}

TEST(Intersect, FindsEachTriangleOnce) {
  Random random(4);
  for (const NamedEdges& named : Graphs()) {
    for (const bool directed : {false, true}) {
      for (const bool by_degree : {false, true}) {
        TestGraphOptions options{.directed = directed,
                                 .block_edges = random.Below(2) == 0 ? 128u : 1024u,
                                 .renumber_seed = by_degree ? 0 : random.Below(2),
                                 .by_degree = by_degree};
        const auto graph = InMemoryGraph::Dense(named.num_vertices, named.edges, options);
        OperatorFixture plain(*graph, {});
        const PlainCounts expected = CountPlainly(plain.graph());
        for (const double share : {0.0, 0.05, 1.0}) {
          const int threads = random.Below(2) == 0 ? 1 : 3;
          SCOPED_TRACE(StrCat(named.name, directed ? ", directed" : "",
                              by_degree ? ", degrees" : "", ", share ", share, ", threads ",
                              threads));
          ExpectCounts(*graph, {.threads = threads, .list_share = share}, expected);
          if (HasFailure()) return;
        }
      }
    }
  }
}

/// In little memory, lists are read several times; in enough, once.
TEST(Intersect, ReadsListsAsOftenAsMemoryAsks) {
  const auto graph = InMemoryGraph::Dense(20000, RandomTestEdges(5, 20000, 200000),
                                          {.directed = false, .block_edges = 1024});
  std::vector<uint64_t> blocks;
  for (const double share : {1.0, 0.3, 0.0}) {
    OperatorFixture fixture(*graph, {.list_share = share});
    TriangleCounts state(fixture.num_vertices(), 1);
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok());
    ASSERT_TRUE((*engine)
                    ->Intersect(Count{state.links.into<Sum<uint64_t>>(),
                                      state.neighbors.into<Sum<uint32_t>>()})
                    .ok());
    blocks.push_back(fixture.recorder().iterations().back().blocks);
  }
  // A block at the border of two stages is read for both.
  EXPECT_LE(blocks[0], graph->info().num_blocks() * 5 / 4);
  EXPECT_GT(blocks[1], blocks[0]);
  EXPECT_GT(blocks[2], 2 * blocks[1]);
}

/// A directed graph needs lists of both directions.
TEST(Intersect, RefusesADirectedGraphOfOneColumn) {
  const auto graph = InMemoryGraph::Dense(3, {{0, 1}, {1, 2}, {2, 0}}, {.in_columns = false});
  OperatorFixture fixture(*graph, {});
  TriangleCounts state(fixture.num_vertices(), 1);
  auto engine = fixture.Start(state);
  ASSERT_TRUE(engine.ok());
  const Status status = (*engine)->Intersect(
      Count{state.links.into<Sum<uint64_t>>(), state.neighbors.into<Sum<uint32_t>>()});
  EXPECT_EQ(status.code(), Code::kUsage);
  EXPECT_NE(status.message().find("--columns both"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace edgemill

// Core numbers against the textbook method, which removes a vertex of least degree at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

std::vector<uint64_t> PeelSerially(const TestCase& graph) {
  std::vector<std::set<uint64_t>> neighbors(graph.num_vertices);
  for (const TestEdge& edge : graph.edges) {
    if (edge.source == edge.target) continue;
    neighbors[edge.source].insert(edge.target);
    neighbors[edge.target].insert(edge.source);
  }
  std::set<std::pair<uint64_t, uint64_t>> left;  // degree, vertex
  for (uint64_t v = 0; v < graph.num_vertices; ++v) left.insert({neighbors[v].size(), v});
  std::vector<uint64_t> core(graph.num_vertices);
  uint64_t most = 0;
  while (!left.empty()) {
    const auto [degree, v] = *left.begin();
    left.erase(left.begin());
    core[v] = most = std::max(most, degree);
    for (const uint64_t u : neighbors[v]) {
      left.erase({neighbors[u].size(), u});
      neighbors[u].erase(v);
      left.insert({neighbors[u].size(), u});
    }
  }
  return core;
}

/// A chain of cliques of several sizes, with hubs. It has many cores and is peeled from both ends.
TestCase Cliques() {
  TestCase graph{"cliques", 0, {}};
  for (uint64_t size = 1; size < 12; ++size) {
    const uint64_t first = graph.num_vertices;
    for (uint64_t a = 0; a < size; ++a) {
      for (uint64_t b = 0; b < a; ++b) graph.edges.push_back({first + a, first + b});
    }
    if (first > 0) graph.edges.push_back({first - 1, first});
    graph.num_vertices += size;
  }
  for (uint64_t v = 0; v < graph.num_vertices; v += 3) graph.edges.push_back({0, v});
  return graph;
}

void ExpectCores(const Outcome& outcome, const std::vector<uint64_t>& expected) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(expected.size(), outcome.values.size());
  for (uint64_t v = 0; v < expected.size(); ++v) {
    ASSERT_EQ(expected[v], outcome.values[v].integer) << "vertex " << v;
  }
}

TEST(KCore, IsWhatSerialPeelingGives) {
  std::vector<TestCase> graphs = HardGraphs();
  graphs.push_back(Cliques());
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    graphs.push_back({"random", 300, RandomTestEdges(seed, 300, 100 * seed, 1 + 2 * (seed % 2))});
  }
  for (const TestCase& graph : graphs) {
    const std::vector<uint64_t> expected = PeelSerially(graph);
    for (const uint64_t seed : {0, 5}) {
      const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                              {.directed = false, .renumber_seed = seed});
      for (const Mode mode : {Mode::kAuto, Mode::kPush}) {
        for (const int threads : ThreadCounts({1, 3})) {
          SCOPED_TRACE(StrCat(graph.name, " ", ModeName(mode), " ", threads));
          RunOptions options{.algorithm = "kcore"};
          options.mode = mode;
          options.threads = threads;
          options.verify = true;
          ExpectCores(RunInMemory(*store, options, seed), expected);
        }
      }
    }
  }
}

TEST(KCore, OneCoreHasAllVerticesOfAtLeastThatNumber) {
  std::vector<TestCase> graphs = {Cliques()};
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    graphs.push_back({"random", 300, RandomTestEdges(seed, 300, 150 * seed, 1 + 2 * (seed % 2))});
  }
  for (const TestCase& graph : graphs) {
    const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges, {.directed = false});
    for (const uint64_t k : {1, 2, 4, 7, 1000}) {
      std::vector<uint64_t> expected = PeelSerially(graph);
      for (uint64_t& core : expected) core = core < k ? 0 : k;
      for (const Mode mode : {Mode::kAuto, Mode::kPush}) {
        SCOPED_TRACE(StrCat(graph.name, " ", ModeName(mode), " k ", k));
        RunOptions options{.algorithm = "kcore", .values = {{"--core", k}}};
        options.mode = mode;
        options.threads = 3;
        options.verify = true;
        ExpectCores(RunInMemory(*store, options, 0), expected);
      }
    }
  }
}

// The degrees of a simple graph come from the index, so no pass reads its edges for them.
TEST(KCore, ReadsEdgesOfSimpleGraphsOnlyToPeel) {
  const TestCase graph = Cliques();
  std::set<std::pair<uint64_t, uint64_t>> once;
  for (const TestEdge& edge : graph.edges) {
    if (edge.source == edge.target) continue;
    once.insert(std::minmax(edge.source, edge.target));
  }
  std::vector<TestEdge> edges;
  for (const auto& [source, target] : once) edges.push_back({source, target});
  RunOptions options{.algorithm = "kcore", .values = {{"--core", uint64_t{1}}}};
  const auto simple = InMemoryGraph::Dense(graph.num_vertices, edges, {.directed = false});
  EXPECT_EQ(0u, RunInMemory(*simple, options).report.edges_processed);
  edges.push_back(edges.front());
  const auto again = InMemoryGraph::Dense(graph.num_vertices, edges, {.directed = false});
  EXPECT_LT(0u, RunInMemory(*again, options).report.edges_processed);
}

/// Edges out and in count. So two that are joined by an edge each way are joined twice, and a graph
/// in which all are so has twice the core numbers.
TEST(KCore, OfDirectedGraphsEdgesOutAndInCount) {
  const TestCase graph = Cliques();
  std::vector<TestEdge> both_ways = graph.edges;
  for (const TestEdge& edge : graph.edges) both_ways.push_back({edge.target, edge.source});
  std::vector<uint64_t> expected = PeelSerially(graph);
  for (uint64_t& core : expected) core *= 2;
  const auto store = InMemoryGraph::Dense(graph.num_vertices, both_ways, {});
  for (const Mode mode : {Mode::kAuto, Mode::kPush}) {
    RunOptions options{.algorithm = "kcore", .threads = 3, .verify = true};
    options.mode = mode;
    ExpectCores(RunInMemory(*store, options, 0), expected);
  }
  const auto out_only = InMemoryGraph::Dense(3, {{0, 1}}, {.in_columns = false});
  const Status status = RunInMemory(*out_only, {.algorithm = "kcore"}).status;
  EXPECT_EQ(Code::kUsage, status.code());
  EXPECT_EQ(status.message().find('\n'), std::string_view::npos);
}

}  // namespace
}  // namespace edgemill

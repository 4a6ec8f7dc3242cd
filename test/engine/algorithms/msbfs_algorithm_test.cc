// Searches from many sources at once, against searches from each.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/random.h"
#include "test/engine/algorithms/hops.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

RunOptions SearchFrom(const std::vector<uint64_t>& sources) {
  RunOptions options{.algorithm = "msbfs"};
  options.values.Set("--source", InputVertices{sources});
  options.verify = true;
  return options;
}

/// `count` vertices of n, each once, or all n.
std::vector<uint64_t> SomeVertices(uint64_t n, uint64_t count, uint64_t seed) {
  std::vector<uint64_t> vertices(n);
  for (uint64_t v = 0; v < n; ++v) vertices[v] = v;
  Random random(seed);
  for (uint64_t i = n; i > 1; --i) std::swap(vertices[i - 1], vertices[random.Below(i)]);
  vertices.resize(std::min(n, count));
  return vertices;
}

void ExpectLevels(const TestCase& graph, bool directed, const std::vector<uint64_t>& sources,
                  const Outcome& outcome) {
  ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
  ASSERT_EQ(outcome.values.size(), graph.num_vertices * sources.size());
  const auto out = OutNeighbors(graph, directed);
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::vector<int> level = HopsFrom(out, sources[i]);
    for (uint64_t v = 0; v < graph.num_vertices; ++v) {
      const VertexValue& value = outcome.values[v * sources.size() + i];
      ASSERT_EQ(value.id, v);
      ASSERT_EQ(value.reached, level[v] >= 0) << "vertex " << v << " from " << sources[i];
      if (level[v] < 0) continue;
      ASSERT_EQ(value.integer, static_cast<uint64_t>(level[v])) << "vertex " << v;
    }
  }
}

TEST(Msbfs, IsWhatSearchesGive) {
  std::vector<TestCase> graphs = HardGraphs();
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const uint64_t n = 100 * seed;
    graphs.push_back({"random", n, RandomTestEdges(seed, n, 300 * seed, 1 + 2 * (seed % 2))});
  }
  for (const TestCase& graph : graphs) {
    for (const uint64_t count : {1, 2, 63, 64, 65, 129, 257, 512}) {
      if (count > 2 && graph.num_vertices < count) continue;
      for (const bool directed : {true, false}) {
        for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
          SCOPED_TRACE(StrCat(graph.name, " of ", graph.num_vertices, directed ? " directed " : " ",
                              ModeName(mode), " from ", count));
          const auto sources = SomeVertices(graph.num_vertices, count, count);
          const uint64_t seed = mode == Mode::kAuto ? 0 : 5;
          const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                                  {.directed = directed, .renumber_seed = seed});
          RunOptions options = SearchFrom(sources);
          options.mode = mode;
          options.threads = seed == 0 ? 1 : 3;
          ExpectLevels(graph, directed, sources, RunInMemory(*store, options, seed));
        }
      }
    }
  }
}

/// Levels beyond what one and two bytes hold.
TEST(Msbfs, LongPaths) {
  for (const uint64_t n : {300, 70'000}) {
    TestCase path{"path", n, {}};
    for (uint64_t v = 0; v + 1 < n; ++v) path.edges.push_back({v, v + 1});
    const auto store = InMemoryGraph::Dense(n, path.edges, {.directed = true});
    ExpectLevels(path, true, {n - 1, 0, n / 2}, RunInMemory(*store, SearchFrom({n - 1, 0, n / 2})));
  }
}

TEST(Msbfs, RefusesSources) {
  const auto store = InMemoryGraph::Dense(1000, {{0, 1}}, {});
  std::vector<uint64_t> many(513);
  for (uint64_t i = 0; i < many.size(); ++i) many[i] = i;
  const auto expect = [&](const std::vector<uint64_t>& sources, std::string_view message) {
    const Outcome outcome = RunInMemory(*store, SearchFrom(sources));
    EXPECT_EQ(outcome.status.code(), Code::kUsage);
    EXPECT_EQ(outcome.status.message(), message);
  };
  expect(many,
         "msbfs: --source was given 513 times, and searches at once are at most 512: give the "
         "others in another run");
  expect({4, 7, 9, 7},
         "msbfs: --source number 4 is the same vertex as number 2: give each vertex once");
}

}  // namespace
}  // namespace edgemill

// Truss numbers are those of the definition, on any threads and in any memory that is enough.
#include "engine/truss/edge_trusses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/progress.h"
#include "common/random.h"
#include "common/strings.h"
#include "engine/output/external_ids.h"
#include "engine/verify/truss_check.h"
#include "test/engine_testing.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {
namespace {

using Trusses = std::map<std::pair<VertexId, VertexId>, uint32_t>;

/// By the definition: the edges that are left when those in too few triangles are gone.
Trusses DefinedTrusses(const std::vector<TestEdge>& edges) {
  std::map<VertexId, std::set<VertexId>> near;
  Trusses trusses;
  for (const TestEdge& edge : edges) {
    const auto u = static_cast<VertexId>(edge.source), v = static_cast<VertexId>(edge.target);
    if (u == v) continue;
    near[u].insert(v);
    near[v].insert(u);
    trusses[std::minmax(u, v)] = 2;
  }
  std::set<std::pair<VertexId, VertexId>> left;
  for (const auto& [edge, truss] : trusses) left.insert(edge);
  for (uint32_t k = 3; !left.empty(); ++k) {
    for (bool again = true; std::exchange(again, false);) {
      for (auto edge = left.begin(); edge != left.end();) {
        const auto [u, v] = *edge;
        std::vector<VertexId> shared;
        std::set_intersection(near[u].begin(), near[u].end(), near[v].begin(), near[v].end(),
                              std::back_inserter(shared));
        if (shared.size() + 2 >= k) {
          ++edge;
          continue;
        }
        near[u].erase(v);
        near[v].erase(u);
        edge = left.erase(edge);
        again = true;
      }
    }
    for (const auto& edge : left) trusses[edge] = k;
  }
  return trusses;
}

struct TrussRun {
  std::vector<std::pair<std::pair<VertexId, VertexId>, uint32_t>> edges;  // by input ids
  TrussCounts counts;

  Trusses AtLeast(uint32_t k) const {
    Trusses chosen;
    for (const auto& [edge, truss] : edges) {
      if (truss >= k) chosen[std::minmax(edge.first, edge.second)] = truss;
    }
    return chosen;
  }
};

struct TrussMeans {
  uint64_t bytes = uint64_t{1} << 26;
  int threads = 2;
  int64_t deliveries = int64_t{1} << 40;
};

/// The least budget beside the process's share.
uint64_t LeastBudget(const InMemoryGraph& graph, int threads) {
  const GraphInfo& info = graph.info();
  return (info.directed ? 2 : 1) * VertexIndex::SizeBytes(info) +
         EdgeTrusses::LeastBytes(info, threads);
}

StatusOr<TrussRun> TrussesOf(const InMemoryGraph& graph, uint32_t least, const TrussMeans& means) {
  MemoryBudget budget(MemoryBudget::kProcessBytes + means.bytes);
  Progress progress;
  InMemoryReader reader(graph, 1);
  reader.deliveries_left = means.deliveries;
  ASSIGN_OR_RETURN(const auto loaded,
                   LoadedGraph::Load({graph, reader, means.threads, budget, progress},
                                     {.out_index = true, .in_index = true}));
  ASSIGN_OR_RETURN(const auto trusses, EdgeTrusses::Find(*loaded, {.least = least}));
  ASSIGN_OR_RETURN(const ExternalIds ids, ExternalIds::Load(graph, reader, 1, budget));
  TrussRun run{.edges = {}, .counts = trusses->counts()};
  RETURN_IF_ERROR(trusses->ForEachPart([&](const TrussPart& part) {
    for (uint64_t i = 0; i < part.num_vertices(); ++i) {
      for (uint64_t number = 0; number < part.num_edges(i); ++number) {
        const EdgeTruss edge = part.edge(i, number);
        run.edges.push_back(
            {{static_cast<VertexId>(ids.Of(edge.one)), static_cast<VertexId>(ids.Of(edge.other))},
             edge.truss});
      }
    }
    return OkStatus();
  }));
  return run;
}

std::vector<TestCase> TrussGraphs() {
  std::vector<TestCase> cases = {
      {"no edge", 5, {}},
      {"loops", 3, {{0, 0}, {1, 1}, {0, 0}}},
      {"an edge, often", 2, {{0, 1}, {1, 0}, {0, 1}, {0, 1}}},
  };
  TestCase clique{"clique", 60, {}};
  for (uint64_t v = 0; v < 60; ++v) {
    for (uint64_t u = 0; u < v; ++u) clique.edges.push_back({u, v});
  }
  cases.push_back(clique);
  TestCase chain{"cliques that share a vertex or an edge", 0, {}};
  for (uint64_t size = 2; size < 12; ++size) {
    const uint64_t first = chain.num_vertices;
    for (uint64_t v = 0; v < size; ++v) {
      for (uint64_t u = 0; u < v; ++u) chain.edges.push_back({first + v, first + u});
    }
    chain.num_vertices += size - size % 3;
  }
  chain.num_vertices += 3;
  cases.push_back(chain);
  TestCase book{"pages of a book", 302, {{0, 1}}};  // one edge is in 300 triangles
  for (uint64_t v = 2; v < 302; ++v) {
    book.edges.push_back({0, v});
    book.edges.push_back({v, 1});
  }
  cases.push_back(book);
  TestCase star{"star", 400, {}};
  for (uint64_t v = 1; v < 400; ++v) star.edges.push_back({0, v});
  cases.push_back(star);
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    cases.push_back({StrCat("random ", seed), 150, RandomTestEdges(seed, 150, 1500 * seed)});
    cases.push_back({StrCat("hubs ", seed), 400, RandomTestEdges(seed, 400, 2500, 2)});
  }
  return cases;
}

TEST(EdgeTrusses, AreTheDefinitionsInAnyMemory) {
  bool counted_again = false, peeled_in_part = false;
  for (const TestCase& of : TrussGraphs()) {
    const Trusses defined = DefinedTrusses(of.edges);
    for (const bool directed : {false, true}) {
      for (const bool by_degree : {false, true}) {
        SCOPED_TRACE(StrCat(of.name, directed, by_degree));
        const auto graph = InMemoryGraph::Dense(
            of.num_vertices, of.edges,
            {.directed = directed, .block_edges = 128, .by_degree = by_degree});
        const StatusOr<TrussRun> right = TrussesOf(*graph, 2, {.threads = 1});
        ASSERT_TRUE(right.ok()) << right.status().message();
        EXPECT_EQ(defined.size(), right->edges.size());
        ASSERT_EQ(defined, right->AtLeast(2));
        for (const uint64_t more : {0, 3000, 20000, 60000}) {
          const int threads = 1 + static_cast<int>(more % 7);
          const uint64_t bytes = LeastBudget(*graph, threads) + more;
          const StatusOr<TrussRun> run = TrussesOf(*graph, 2, {.bytes = bytes, .threads = threads});
          ASSERT_TRUE(run.ok()) << run.status().message();
          ASSERT_EQ(right->edges, run->edges) << more;
          EXPECT_EQ(right->counts.classes, run->counts.classes);
          counted_again |= run->counts.counts > 1;
          peeled_in_part |= run->counts.counts > 1 && run->counts.edges_in_lists > 0;
        }
        for (const uint32_t k : {3u, 4u, 7u, 60u, 61u, 1u << 31}) {
          for (const uint64_t bytes : {uint64_t{1} << 26, LeastBudget(*graph, 7)}) {
            const StatusOr<TrussRun> run = TrussesOf(*graph, k, {.bytes = bytes, .threads = 7});
            ASSERT_TRUE(run.ok()) << run.status().message();
            ASSERT_EQ(right->AtLeast(k), run->AtLeast(k)) << k;
            for (const auto& [edge, truss] : run->edges) EXPECT_GE(truss, k - 1);
          }
        }
        EXPECT_EQ(Code::kBudget,
                  TrussesOf(*graph, 2, {.bytes = LeastBudget(*graph, 2) / 3}).status().code());
      }
    }
  }
  EXPECT_TRUE(counted_again);
  EXPECT_TRUE(peeled_in_part);
}

/// More edges come to a level at once than a list of a round holds.
TEST(EdgeTrusses, FullListsLeaveEdgesForLater) {
  TestCase clique{"clique", 700, {}};
  for (uint64_t v = 0; v < 700; ++v) {
    for (uint64_t u = 0; u < v; ++u) clique.edges.push_back({u, v});
  }
  const auto graph = InMemoryGraph::Dense(700, clique.edges, {.directed = false});
  const StatusOr<TrussRun> run = TrussesOf(*graph, 2, {.threads = 7});
  ASSERT_TRUE(run.ok());
  const std::vector<std::pair<uint32_t, uint64_t>> classes = {{700, clique.edges.size()}};
  EXPECT_EQ(classes, run->counts.classes);
  EXPECT_GT(run->counts.rounds, 1u);
}

TEST(EdgeTrusses, TheVerifierRefusesOtherNumbers) {
  const TestCase small{"small", 100, RandomTestEdges(5, 100, 1200)};
  // Above 2^24 squares of degrees, edges are sampled: here a star makes these.
  TestCase large{"large", 6000, RandomTestEdges(6, 60, 1000)};
  for (uint64_t v = 1; v < 6000; ++v) large.edges.push_back({0, v});
  for (const bool directed : {false, true}) {
    for (const TestCase& of : {small, large}) {
      SCOPED_TRACE(of.name);
      const auto graph = InMemoryGraph::Dense(of.num_vertices, of.edges, {.directed = directed});
      MemoryBudget budget(uint64_t{256} << 20);
      Progress progress;
      InMemoryReader reader(*graph, 1);
      const auto loaded = LoadedGraph::Load({*graph, reader, 2, budget, progress},
                                            {.out_index = true, .in_index = true});
      ASSERT_TRUE(loaded.ok());
      const StatusOr<TrussRun> run = TrussesOf(*graph, 2, {});
      ASSERT_TRUE(run.ok());
      const auto check = [&](const auto& edges) {
        const GivenTrusses given{.num_edges = run->edges.size(),
                                 .least = 2,
                                 .for_each = [&](const GivenTrusses::Visit& visit) {
                                   for (const auto& [edge, truss] : edges) {
                                     visit(edge.first, edge.second, truss);
                                   }
                                   return OkStatus();
                                 }};
        return CheckTrusses(**loaded, given);
      };
      const StatusOr<uint64_t> checked = check(run->edges);
      ASSERT_TRUE(checked.ok()) << checked.status().message();
      const bool is_small = of.num_vertices == 100;
      if (is_small) {
        EXPECT_EQ(run->edges.size(), *checked);
      } else {
        EXPECT_GT(*checked, 60u);
      }
      // Sampled edges meet some of the wrong numbers only if many are wrong.
      for (const int32_t change : {1, -1}) {
        auto wrong = run->edges;
        for (size_t i = 0; i < wrong.size(); ++i) {
          if (!is_small || i == 7) wrong[i].second += static_cast<uint32_t>(change);
        }
        EXPECT_EQ(Code::kInternal, check(wrong).status().code()) << change;
      }
      auto missing = run->edges;
      missing.pop_back();
      EXPECT_EQ(Code::kInternal, check(missing).status().code());
    }
  }
}

TEST(EdgeTrusses, NeedsBothColumns) {
  const auto graph = InMemoryGraph::Dense(3, {{0, 1}, {2, 1}}, {.in_columns = false});
  EXPECT_EQ(Code::kUsage, TrussesOf(*graph, 2, {}).status().code());
}

TEST(EdgeTrusses, FailuresOfTheDiskAreErrors) {
  const auto graph = InMemoryGraph::Dense(200, RandomTestEdges(3, 200, 2000), {.block_edges = 256});
  int64_t failing = 0;
  for (;; ++failing) {
    const StatusOr<TrussRun> run = TrussesOf(*graph, 2, {.deliveries = failing});
    if (run.ok()) break;
    ASSERT_EQ(Code::kIo, run.status().code()) << run.status().message();
  }
  EXPECT_GT(failing, 40);
}

}  // namespace
}  // namespace edgemill

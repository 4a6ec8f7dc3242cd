// Each algorithm on the model against its textbook version, on all graphs, in all modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "test/model/algorithms/afforest.h"
#include "test/model/algorithms/bc.h"
#include "test/model/algorithms/bfs.h"
#include "test/model/algorithms/cc.h"
#include "test/model/algorithms/closeness.h"
#include "test/model/algorithms/degrees.h"
#include "test/model/algorithms/kcore.h"
#include "test/model/algorithms/mis.h"
#include "test/model/algorithms/mst.h"
#include "test/model/algorithms/pagerank.h"
#include "test/model/algorithms/pagerank_delta.h"
#include "test/model/algorithms/products.h"
#include "test/model/algorithms/scc.h"
#include "test/model/algorithms/ssnsp.h"
#include "test/model/algorithms/sssp.h"
#include "test/model/algorithms/sswp.h"
#include "test/model/algorithms/verify_bfs.h"
#include "test/model/answers.h"
#include "test/model/harness.h"
#include "test/model/textbook.h"

namespace edgemill::model {
namespace {

TEST(ModelTest, Bfs) {
  for (const Case& c : Cases()) {
    const auto n = static_cast<VertexId>(c.graph.num_vertices());
    if (n == 0) continue;
    for (const VertexId source : {VertexId{0}, n / 2}) {
      const auto want = textbook::Distances(c.graph, source, true);
      Everywhere(
          "bfs", c, [&](Engine& e) { return Bfs(e, source); },
          [&](const BfsResult& r) {
            return WrongParent(c.graph, source, r) + Compare(HopsOf(r.level), want);
          });
    }
  }
}

/// A right result for 0; else damaged in one of 3 ways. False: has nothing to damage.
bool Damage(const Graph& graph, VertexId source, int way, BfsResult* result) {
  bool changed = way == 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    if (v == source || (changed && way != 1) || result->level[v] == kUnreached) continue;
    if (way == 1) {  // all levels shifted
      ++result->level[v];
    } else if (way == 2) {
      if (graph.HasEdge(v, v)) continue;
      result->parent[v] = v;
    } else {
      result->level[v] = kUnreached;
      result->parent[v] = kInvalidVertex;
    }
    changed = true;
  }
  return changed;
}

TEST(ModelTest, VerifyBfs) {
  for (const Case& c : Cases()) {
    if (c.graph.num_vertices() == 0) continue;
    const auto source = static_cast<VertexId>(c.graph.num_vertices() / 2);
    Engine plain(c.graph, Mode{});
    const auto right = Bfs(plain, source);
    ASSERT_TRUE(right.ok());
    for (int way = 0; way < 4; ++way) {
      BfsResult result = *right;
      if (!Damage(c.graph, source, way, &result)) continue;
      Everywhere(
          "verify bfs", c, [&](Engine& e) { return VerifyBfs(e, source, result); },
          [&](bool ok) { return ok == (way == 0) ? "" : "the verifier errs"; });
    }
  }
}

TEST(ModelTest, Paths) {
  for (const Case& c : Cases()) {
    if (c.graph.num_vertices() == 0) continue;
    const auto source = static_cast<VertexId>(c.graph.num_vertices() / 3);
    const auto shortest = textbook::Distances(c.graph, source, false);
    for (const double width : {1.0, 4.0}) {
      Everywhere(
          "sssp", c, [&](Engine& e) { return Sssp<double, double>(e, source, width); },
          [&](const auto& r) { return Compare(r, shortest); });
    }
    Everywhere(
        "sssp, integers", c, [&](Engine& e) { return Sssp<int32_t, uint32_t>(e, source, 2); },
        [&](const auto& r) { return Compare(HopsOf(r), shortest); });
    const auto widest = textbook::Widths(c.graph, source, 1e9);
    Everywhere(
        "sswp", c, [&](Engine& e) { return Sswp(e, source, 2); },
        [&](const auto& r) { return Compare(r, widest); });
    const auto level = textbook::Distances(c.graph, source, true);
    const auto paths = textbook::PathCounts(c.graph, source, level);
    Everywhere(
        "ssnsp", c, [&](Engine& e) { return Ssnsp(e, source); },
        [&](const auto& r) { return Compare(r, paths); });
  }
}

TEST(ModelTest, Components) {
  for (const Case& c : Cases()) {
    const auto weak = textbook::Components(c.graph);
    Everywhere(
        "afforest", c, [&](Engine& e) { return Afforest(e, c.graph.directed()); },
        [&](const auto& r) { return Compare(r, weak); });
    Everywhere(
        "cc", c, [](Engine& e) { return Components(e); },
        [&](const auto& r) { return Compare(r, weak); });
    const auto strong = textbook::StrongComponents(c.graph);
    Everywhere(
        "scc", c, [](Engine& e) { return StrongComponents(e); },
        [&](const auto& r) { return Compare(r, strong); });
  }
}

TEST(ModelTest, PageRank) {
  for (const Case& c : Cases()) {
    const auto n = static_cast<VertexId>(c.graph.num_vertices());
    if (n == 0) continue;
    const std::vector<double> all(n, 1);
    for (const bool spread : {true, false}) {
      const auto want = textbook::PageRank(c.graph, all, 0.85, spread);
      Everywhere(
          "pagerank", c, [&](Engine& e) { return PageRank(e, 0.85, 1e-6, spread); },
          [&](const auto& r) { return Compare(r, want, 2e-5); });
    }
    const auto want = textbook::PageRank(c.graph, all, 0.85, true);
    Everywhere(
        "pagerank by deltas", c,
        [](Engine& e) { return PageRankByDeltas(e, e.sets().All(), 0.85, 1e-9); },
        [&](const auto& r) { return Compare(r, want, 1e-5); });
    std::vector<double> seeds(n);
    seeds[0] = seeds[n / 2] = 1;
    const auto personal = textbook::PageRank(c.graph, seeds, 0.85, true);
    Everywhere(
        "ppr", c,
        [&](Engine& e) {
          auto start = e.sets().Of({0, n / 2});
          return PageRankByDeltas(e, std::move(*start), 0.85, 1e-9);
        },
        [&](const auto& r) { return Compare(r, personal, 1e-5); });
  }
}

TEST(ModelTest, Betweenness) {
  for (const Case& c : Cases()) {
    const auto n = static_cast<VertexId>(c.graph.num_vertices());
    if (n == 0) continue;
    const std::vector<VertexId> sources = {0, n / 2, n - 1};
    const auto want = textbook::Betweenness(c.graph, sources);
    Everywhere(
        "bc", c, [&](Engine& e) { return Betweenness(e, sources); },
        [&](const auto& r) { return Compare(r, want, 1e-9); });
  }
}

TEST(ModelTest, KCore) {
  for (const Case& c : Cases()) {
    if (c.graph.directed()) continue;
    const auto want = textbook::CoreNumbers(c.graph);
    Everywhere(
        "kcore", c, [](Engine& e) { return KCore(e); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(ModelTest, IndependentSet) {
  for (const Case& c : Cases()) {
    const auto want =
        textbook::GreedyIndependentSet(c.graph, [](VertexId v) { return KeyOf(v, 5); });
    Everywhere(
        "mis", c, [](Engine& e) { return IndependentSet(e, 5); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(ModelTest, Closeness) {
  for (const Case& c : Cases()) {
    std::vector<VertexId> all(c.graph.num_vertices());
    std::iota(all.begin(), all.end(), VertexId{0});
    const auto want = textbook::Closeness(c.graph);
    Everywhere(
        "closeness", c, [&](Engine& e) { return Closeness(e, all); },
        [&](const ClosenessResult& r) {
          return Compare(r.closeness, want.closeness, 1e-9) +
                 Compare(r.harmonic, want.harmonic, 1e-9) +
                 Compare(r.eccentricity, want.eccentricity);
        });
  }
}

TEST(ModelTest, Degrees) {
  for (const Case& c : Cases()) {
    const auto degree = textbook::OutDegrees(c.graph);
    const auto arcs = textbook::Arcs(c.graph);
    double products = 0;
    for (const InputEdge& e : arcs) products += double(degree[e.from]) * degree[e.to];
    Everywhere(
        "degrees", c, [](Engine& e) { return DegreeStatistics(e); },
        [&](const DegreeResult& r) -> std::string {
          uint64_t sum = 0;
          for (const uint64_t count : r.histogram) sum += count;
          if (r.products != products || r.num_edges != arcs.size() || sum != degree.size()) {
            return "wrong statistics";
          }
          return Compare(r.degree, degree);
        });
  }
}

TEST(ModelTest, SpanningForest) {
  for (const Case& c : Cases()) {
    const auto want = textbook::SpanningForest(c.graph);
    Everywhere(
        "mst", c, [](Engine& e) { return SpanningForest(e); },
        [&](const std::vector<Lightest>& r) {
          std::vector<textbook::ForestEdge> got;
          for (const Lightest& edge : r) {
            got.push_back({edge.weight, edge.ends >> 32, static_cast<VertexId>(edge.ends)});
          }
          std::sort(got.begin(), got.end());
          return got == want ? "" : "another forest";
        });
  }
}

TEST(ModelTest, Products) {
  for (const Case& c : Cases()) {
    const auto [hub, authority] = textbook::Hits(c.graph, 10);
    Everywhere(
        "hits", c, [](Engine& e) { return Hits(e, 10); },
        [&hub = hub, &authority = authority](const auto& r) {
          return Compare(r.first, hub, 1e-9) + Compare(r.second, authority, 1e-9);
        });
    const auto katz = textbook::Katz(c.graph, 0.01, 1);
    Everywhere(
        "katz", c, [](Engine& e) { return Katz(e, 0.01, 1, 1e-12); },
        [&](const auto& r) { return Compare(r, katz, 1e-9); });
  }
}

TEST(ModelTest, Simulations) {
  for (const Case& c : Cases()) {
    const uint64_t n = c.graph.num_vertices();
    std::vector<double> start(n);
    std::vector<uint8_t> fixed(n);
    for (VertexId v = 0; v < n; ++v) {
      start[v] = v % 5;
      fixed[v] = v % 3 == 0 ? 1 : 0;
    }
    const auto heat = textbook::Heat(c.graph, start, 0.002, 1e-2);
    Everywhere(
        "hs", c, [&](Engine& e) { return HeatSimulation(e, start, 0.002, 1e-2); },
        [&](const auto& r) { return Compare(r, heat, 1e-6); });
    const auto potential = textbook::Circuit(c.graph, start, fixed, 20);
    Everywhere(
        "cs", c, [&](Engine& e) { return CircuitSimulation(e, start, fixed, 0, 20); },
        [&](const auto& r) { return Compare(r, potential, 1e-9); });
    for (const int steps : {2, 3}) {
      const auto neurons = textbook::Neurons(c.graph, start, steps);
      Everywhere(
          "nn", c, [&](Engine& e) { return NeuralNetwork(e, start, steps); },
          [&](const auto& r) { return Compare(r, neurons, 1e-9); });
    }
  }
}

/// Runs a driver in all modes, on an engine with as many sets as `State` declares, and the two that
/// passes of the real engine hold. The pool ends the process when the driver takes more.
template <typename State, typename Run>
void ExpectDeclaresSets(Run run) {
  constexpr uint64_t kSetsOfPasses = 2;
  for (const Case& c : Cases()) {
    if (c.graph.num_vertices() < 2) continue;
    const uint64_t most = State(c.graph.num_vertices(), 1).most_sets();
    for (const Mode& mode : Modes()) {
      Engine engine(c.graph, mode, most + kSetsOfPasses);
      EXPECT_TRUE(run(engine).ok());
    }
  }
}

TEST(ModelTest, DriversDeclareTheirSets) {
  ExpectDeclaresSets<BfsState>([](Engine& e) { return Bfs(e, 0); });
  ExpectDeclaresSets<SsspState<double, double>>(
      [](Engine& e) { return Sssp<double, double>(e, 0, 2); });
  ExpectDeclaresSets<AfforestState>([](Engine& e) { return Afforest(e, true); });
  ExpectDeclaresSets<SccState>([](Engine& e) { return StrongComponents(e); });
  ExpectDeclaresSets<IndependentSetState>([](Engine& e) { return IndependentSet(e, 5); });
  ExpectDeclaresSets<SpanningForestState>([](Engine& e) { return SpanningForest(e); });
  ExpectDeclaresSets<PageRankDeltaState>([](Engine& e) {
    auto start = e.sets().Of({0});
    return PageRankByDeltas(e, std::move(*start), 0.85, 1e-6);
  });
  const std::vector<VertexId> sources = {0, 1};
  ExpectDeclaresSets<BetweennessState>([&](Engine& e) { return Betweenness(e, sources); });
}

TEST(ModelTest, Coverage) {
  coverage = {};
  const auto any = [](const auto&) { return ""; };
  for (const Case& c : Cases()) {
    if (c.graph.num_vertices() == 0) continue;
    for (const VertexId source : {0u, static_cast<VertexId>(c.graph.num_vertices() / 2)}) {
      Everywhere(
          "bfs", c, [&](Engine& e) { return Bfs(e, source); }, any);
      Everywhere(
          "ssnsp", c, [&](Engine& e) { return Ssnsp(e, source); }, any);
    }
    Everywhere(
        "cc", c, [](Engine& e) { return Components(e); }, any);
    Everywhere(
        "pagerank by deltas", c,
        [](Engine& e) { return PageRankByDeltas(e, e.sets().All(), 0.85, 1e-6); }, any);
    Everywhere(
        "mis", c, [](Engine& e) { return IndependentSet(e, 5); }, any);
  }
  const std::pair<const char*, uint64_t> counts[] = {
      {"lists split", coverage.split_lists},
      {"early exits", coverage.early_exits},
      {"taken in the pass", coverage.taken_in_pass},
      {"sent to owners", coverage.sent_to_owner},
      {"relaxed on stale copies", coverage.relaxed_stale},
      {"messages dropped", coverage.dropped},
      {"Cond not asked", coverage.not_asked_cond},
  };
  for (const auto& [what, count] : counts) {
    std::printf("%s: %llu\n", what, static_cast<unsigned long long>(count));
    EXPECT_GT(count, 1000u) << what;
  }
  std::printf("runs of this process: %llu\n", static_cast<unsigned long long>(num_runs));
}

}  // namespace
}  // namespace edgemill::model

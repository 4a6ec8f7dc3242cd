// Each algorithm of the model on the engine, against its textbook version: those that add up.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "test/model/algorithms/closeness.h"
#include "test/model/algorithms/degrees.h"
#include "test/model/algorithms/mst.h"
#include "test/model/algorithms/pagerank.h"
#include "test/model/algorithms/pagerank_delta.h"
#include "test/model/algorithms/products.h"
#include "test/model/answers.h"
#include "test/model/engine_running.h"
#include "test/model/textbook.h"

namespace edgemill::model {
namespace {

TEST(EngineSumsTest, PageRank) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto n = static_cast<VertexId>(graph.num_vertices());
    const std::vector<double> all(n, 1);
    for (const bool spread : {true, false}) {
      const auto want = textbook::PageRank(graph, all, 0.85, spread);
      EverywhereOnEngine<PageRankState>(
          "pagerank", c, [&](auto& e) { return PageRank(e, 0.85, 1e-5, spread); },
          [&](const auto& r) { return Compare(r, want, 2e-4); });
    }
    const auto want = textbook::PageRank(graph, all, 0.85, true);
    EverywhereOnEngine<PageRankDeltaState>(
        "pagerank by deltas", c,
        [](auto& e) { return PageRankByDeltas(e, e.sets().All(), 0.85, 1e-7); },
        [&](const auto& r) { return Compare(r, want, 1e-4); });
    std::vector<double> seeds(n);
    seeds[0] = seeds[n / 2] = 1;
    const auto personal = textbook::PageRank(graph, seeds, 0.85, true);
    EverywhereOnEngine<PageRankDeltaState>(
        "ppr", c,
        [&](auto& e) {
          auto start = e.sets().Of({0, n / 2});
          return PageRankByDeltas(e, std::move(*start), 0.85, 1e-7);
        },
        [&](const auto& r) { return Compare(r, personal, 1e-4); });
  }
}

/// Closeness from all vertices.
struct ClosenessOfAllState : ClosenessState {
  ClosenessOfAllState(uint64_t num_vertices, int threads)
      : ClosenessState(num_vertices, threads, num_vertices) {}
};

TEST(EngineSumsTest, Closeness) {
  for (const StoredCase& c : StoredCases()) {
    std::vector<VertexId> all(c.plain.graph.num_vertices());
    std::iota(all.begin(), all.end(), VertexId{0});
    const auto want = textbook::Closeness(c.plain.graph);
    EverywhereOnEngine<ClosenessOfAllState>(
        "closeness", c, [&](auto& e) { return Closeness(e, all); },
        [&](const ClosenessResult& r) {
          return Compare(r.closeness, want.closeness, 1e-9) +
                 Compare(r.harmonic, want.harmonic, 1e-9) +
                 Compare(r.eccentricity, want.eccentricity);
        });
  }
}

TEST(EngineSumsTest, Degrees) {
  for (const StoredCase& c : StoredCases()) {
    const auto degree = textbook::OutDegrees(c.plain.graph);
    const auto arcs = textbook::Arcs(c.plain.graph);
    double products = 0;
    for (const InputEdge& e : arcs) products += double(degree[e.from]) * degree[e.to];
    EverywhereOnEngine<DegreesState>(
        "degrees", c, [](auto& e) { return DegreeStatistics(e); },
        [&](const DegreeResult& r) -> std::string {
          const uint64_t sum = std::accumulate(r.histogram.begin(), r.histogram.end(), uint64_t{0});
          if (r.products != products || r.num_edges != arcs.size() || sum != degree.size()) {
            return "wrong statistics";
          }
          return Compare(r.degree, degree);
        });
  }
}

TEST(EngineSumsTest, SpanningForest) {
  for (const StoredCase& c : StoredCases()) {
    const auto want = textbook::SpanningForest(c.plain.graph);
    EverywhereOnEngine<SpanningForestState>(
        "mst", c, [](auto& e) { return SpanningForest(e); },
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

TEST(EngineSumsTest, Products) {
  for (const StoredCase& c : StoredCases()) {
    const auto [hub, authority] = textbook::Hits(c.plain.graph, 10);
    EverywhereOnEngine<HitsState>(
        "hits", c, [](auto& e) { return Hits(e, 10); },
        [&, &hub = hub, &authority = authority](const auto& r) {
          return Compare(r.first, hub, 1e-9) + Compare(r.second, authority, 1e-9);
        });
    const double alpha = c.plain.graph.num_vertices() < 120 ? 0.01 : 0.001;
    const auto katz = textbook::Katz(c.plain.graph, alpha, 1);
    EverywhereOnEngine<ProductState<KatzStep>>(
        "katz", c, [&](auto& e) { return Katz(e, alpha, 1, 1e-12); },
        [&](const auto& r) { return Compare(r, katz, 1e-9); });
  }
}

TEST(EngineSumsTest, Simulations) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const uint64_t n = graph.num_vertices();
    std::vector<double> start(n);
    std::vector<uint8_t> fixed(n);
    for (VertexId v = 0; v < n; ++v) {
      start[v] = v % 5;
      fixed[v] = v % 3 == 0 ? 1 : 0;
    }
    const double scale = n < 120 ? 0.002 : 0.0002;
    const auto heat = textbook::Heat(graph, start, scale, 1e-2);
    EverywhereOnEngine<ProductState<Conduct>>(
        "hs", c, [&](auto& e) { return HeatSimulation(e, start, scale, 1e-2); },
        [&](const auto& r) { return Compare(r, heat, 1e-6); });
    const auto potential = textbook::Circuit(graph, start, fixed, 20);
    EverywhereOnEngine<CircuitState>(
        "cs", c, [&](auto& e) { return CircuitSimulation(e, start, fixed, 0, 20); },
        [&](const auto& r) { return Compare(r, potential, 1e-9); });
    for (const int steps : {2, 3}) {
      const auto neurons = textbook::Neurons(graph, start, steps);
      EverywhereOnEngine<ProductState<Fire>>(
          "nn", c, [&](auto& e) { return NeuralNetwork(e, start, steps); },
          [&](const auto& r) { return Compare(r, neurons, 1e-9); });
    }
  }
}

}  // namespace
}  // namespace edgemill::model

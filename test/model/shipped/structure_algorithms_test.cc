// The shipped algorithms that look for structure, with every option that changes the answer. Each
// runs on the model and on the engine, against textbook versions.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "engine/algorithms/shared/seeded_order.h"
#include "test/model/answers.h"
#include "test/model/shipped/shipped_running.h"
#include "test/model/shipped/textbook_structure.h"

namespace edgemill::model {
namespace {

void ExpectValues(const StoredCase& c, const ShippedRun& run, const std::vector<double>& want) {
  ExpectShipped(c, run, [&](const ShippedValues& got) { return Compare(got, want); });
}
std::vector<StoredCase> CasesOf(bool directed) {
  std::vector<StoredCase> cases = StoredCases();
  std::erase_if(cases, [&](const StoredCase& c) { return c.plain.graph.directed() != directed; });
  return cases;
}

TEST(StructureTest, IndependentSets) {
  for (const StoredCase& c : StoredCases()) {
    for (const uint64_t seed : {uint64_t{1}, uint64_t{7} << 40}) {
      std::vector<double> want;
      const auto key = [seed](VertexId v) { return OrderKey(v, seed); };
      for (const uint8_t decided : textbook::GreedyIndependentSet(c.plain.graph, key)) {
        want.push_back(decided == 1 ? 1 : 0);
      }
      ExpectValues(c, {"mis", {{"--order-seed", seed}}}, want);
    }
  }
}

TEST(StructureTest, Colorings) {
  for (const StoredCase& c : StoredCases()) {
    const auto bits = textbook::DegreeBits(c.plain.graph);
    const auto by_key = [](VertexId u, VertexId v) { return OrderKey(u, 1) > OrderKey(v, 1); };
    ExpectValues(c, {"coloring", {{"--order", "random"}}},
                 textbook::GreedyColors(c.plain.graph, by_key));
    ExpectValues(c, {"coloring"},
                 textbook::GreedyColors(c.plain.graph, [&](VertexId u, VertexId v) {
                   return bits[u] != bits[v] ? bits[u] > bits[v] : by_key(u, v);
                 }));
  }
}

/// Vertices that all have edges with all others need as many colours: more than one layer has.
TEST(StructureTest, ColorsOfSeveralLayers) {
  std::vector<InputEdge> edges;
  constexpr VertexId kSize = 70;
  for (VertexId v = 0; v < kSize; ++v) {
    for (VertexId u = 0; u < v; ++u) edges.push_back({u, v, 1});
  }
  for (VertexId v = 0; v < kSize; v += 3) edges.push_back({v, kSize + v / 3, 1});
  for (const bool directed : {false, true}) {
    Graph graph(kSize + 24, edges, directed);
    auto stored = Stored(graph, {});
    const StoredCase c{{"clique", std::move(graph)}, std::move(stored)};
    ExpectValues(c, {"coloring", {{"--order", "random"}}},
                 textbook::GreedyColors(c.plain.graph, [](VertexId u, VertexId v) {
                   return OrderKey(u, 1) > OrderKey(v, 1);
                 }));
  }
}

TEST(StructureTest, StrongComponents) {
  for (const StoredCase& c : StoredCases()) {
    const auto want = textbook::StrongComponents(c.plain.graph);
    ExpectShipped(c, {"scc"}, [&](const ShippedValues& got) {
      std::map<double, double> least;  // a component may be called after any member
      for (size_t v = 0; v < got.size(); ++v) least.insert({got[v], static_cast<double>(v)});
      std::vector<double> named;
      for (const double name : got) named.push_back(least[name]);
      return Compare(named, want);
    });
  }
}

TEST(StructureTest, Communities) {
  for (const StoredCase& c : StoredCases()) {
    for (const int iterations : {1, 2, 10}) {
      ExpectValues(c, {"cdlp", {{"--iterations", iterations}}},
                   textbook::LabelPropagation(c.plain.graph, iterations));
    }
  }
}

TEST(StructureTest, SpanningForests) {
  for (const StoredCase& c : StoredCases()) {
    ExpectValues(c, {"mst"}, textbook::ForestParents(c.plain.graph));
  }
}

TEST(StructureTest, TopologicalLevels) {
  for (const StoredCase& c : CasesOf(/*directed=*/true)) {
    ExpectValues(c, {"toposort"}, textbook::TopologicalLevels(c.plain.graph));
    std::vector<InputEdge> rising;  // the same without cycles
    for (InputEdge edge : c.plain.graph.input()) {
      if (edge.from == edge.to) continue;
      if (edge.from > edge.to) std::swap(edge.from, edge.to);
      rising.push_back(edge);
    }
    Graph graph(c.plain.graph.num_vertices(), rising, true);
    auto stored = Stored(graph, {});
    const StoredCase acyclic{{c.plain.name + ", acyclic", std::move(graph)}, std::move(stored)};
    ExpectValues(acyclic, {"toposort"}, textbook::TopologicalLevels(acyclic.plain.graph));
  }
}

TEST(StructureTest, Sides) {
  for (const StoredCase& c : StoredCases()) {
    ExpectValues(c, {"bipartite"}, textbook::Sides(c.plain.graph));
    std::vector<InputEdge> across;  // the same without odd cycles
    for (const InputEdge& edge : c.plain.graph.input()) {
      if (edge.from % 2 != edge.to % 2) across.push_back(edge);
    }
    Graph graph(c.plain.graph.num_vertices(), across, c.plain.graph.directed());
    auto stored = Stored(graph, {});
    const StoredCase even{{c.plain.name + ", even", std::move(graph)}, std::move(stored)};
    ExpectValues(even, {"bipartite"}, textbook::Sides(even.plain.graph));
  }
}

TEST(StructureTest, Eccentricities) {
  for (const StoredCase& c : StoredCases()) {
    const auto want = textbook::Eccentricities(c.plain.graph);
    ExpectValues(c, {"diameter", {{"--eccentricity", true}}}, want);
    for (const OptionValues& values : {OptionValues(), OptionValues{{"--searches", 2}}}) {
      ExpectShipped(c, {"diameter", values}, [&](const ShippedValues& got) -> std::string {
        for (size_t v = 0; v < got.size(); ++v) {
          if (got[v] > want[v]) return "a bound above the eccentricity of " + std::to_string(v);
        }
        const bool whole = !values.Has("--searches") && !want.empty();
        if (whole && *std::max_element(got.begin(), got.end()) !=
                         *std::max_element(want.begin(), want.end())) {
          return "another diameter";
        }
        return "";
      });
    }
  }
}

TEST(StructureTest, Triangles) {
  for (const StoredCase& c : StoredCases()) {
    ExpectValues(c, {"triangles"}, textbook::Triangles(c.plain.graph));
  }
}

TEST(StructureTest, Clustering) {
  for (const StoredCase& c : StoredCases()) {
    ExpectValues(c, {"lcc"}, textbook::Clustering(c.plain.graph));
  }
}

/// Answers differ between methods, options and orders, but not between runs: not on the model,
/// which does all that an engine may do, nor on the engine.
TEST(StructureTest, CommunitiesByModularity) {
  const std::vector<OptionValues> options = {
      {}, {{"--resolution", .3}}, {{"--resolution", 2}, {"--order-seed", 7}}};
  for (const StoredCase& c : CasesOf(/*directed=*/false)) {
    const Graph& graph = c.plain.graph;
    std::vector<double> alone(graph.num_vertices());
    std::iota(alone.begin(), alone.end(), 0.0);
    for (const char* const file : {"louvain", "leiden"}) {
      for (const OptionValues& values : options) {
        const double resolution = values.GetOr("--resolution", 1.0);
        const double least = textbook::Modularity(graph, alone, resolution);
        std::vector<double> first;
        ExpectShipped(c, {file, values}, [&](const ShippedValues& got) -> std::string {
          if (first.empty()) first = got;
          if (textbook::Modularity(graph, got, resolution) < least - 1e-9) {
            return "worse than single vertices";
          }
          if (file == std::string("leiden") && !textbook::AreConnected(graph, got)) {
            return "a community is not connected";
          }
          return Compare(got, first);
        });
      }
    }
  }
}

TEST(StructureTest, Similarities) {
  constexpr double kRounding = 1e-12;
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    VertexId hub = 0;  // the vertex with most edges
    std::vector<uint64_t> ends(graph.num_vertices());
    for (const InputEdge& edge : graph.input()) ++ends[edge.from], ++ends[edge.to];
    for (VertexId v = 0; v < ends.size(); ++v) hub = ends[v] > ends[hub] ? v : hub;
    for (const std::string measure :
         {"jaccard", "sorensen", "overlap", "cosine", "common", "adamic-adar", "allocation"}) {
      for (const std::string neighbors : {"out", "in"}) {
        const OptionValues values{{"--measure", measure}, {"--neighbors", neighbors}};
        const auto middle = static_cast<VertexId>(graph.num_vertices() / 2);
        const VertexId source = neighbors == "in" ? middle : hub;
        const auto want = textbook::Similarities(graph, source, measure, neighbors == "in");
        ExpectShipped(c, {"similarity", values, {source}},
                      [&](const ShippedValues& got) { return Compare(got, want, kRounding); });
      }
    }
  }
}

/// Groups of vertices that all have edges with each other, in a ring: one edge joins two groups.
TEST(StructureTest, CommunitiesOfCliquesInARing) {
  constexpr VertexId kGroups = 8, kSize = 6;
  std::vector<InputEdge> edges;
  std::vector<double> want;
  for (VertexId g = 0; g < kGroups; ++g) {
    const VertexId first = g * kSize;
    for (VertexId v = 0; v < kSize; ++v) {
      want.push_back(first);
      for (VertexId u = 0; u < v; ++u) edges.push_back({first + u, first + v, 1});
    }
    edges.push_back({first, (first + kSize + 1) % (kGroups * kSize), 1});
  }
  Graph graph(kGroups * kSize, edges, false);
  auto stored = Stored(graph, {});
  const StoredCase c{{"cliques", std::move(graph)}, std::move(stored)};
  for (const char* const file : {"louvain", "leiden"}) ExpectValues(c, {file}, want);
}

TEST(StructureTest, AGraphWithoutVertices) {
  for (const bool directed : {false, true}) {
    Graph graph(0, {}, directed);
    auto stored = Stored(graph, {.weights = WeightType::kInt32});
    const StoredCase c{{"empty", std::move(graph)}, std::move(stored)};
    for (const char* const file :
         {"mis", "coloring", "scc", "cdlp", "mst", "bipartite", "diameter", "triangles", "lcc"}) {
      ExpectValues(c, {file}, {});
    }
    if (directed) ExpectValues(c, {"toposort"}, {});
    for (const char* const file : {"louvain", "leiden"}) {
      if (!directed) ExpectValues(c, {file}, {});
    }
  }
}

}  // namespace
}  // namespace edgemill::model

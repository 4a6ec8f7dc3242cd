// Algorithms of the model that compute sums, run on the engine against their textbook versions.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "test/model/answers.h"
#include "test/model/engine_running.h"
#include "test/model/textbook.h"
#include "test/model/unshipped/degrees.h"
#include "test/model/unshipped/eccentricity.h"
#include "test/model/unshipped/mst.h"
#include "test/model/unshipped/products.h"

namespace edgemill::model {
namespace {

/// The eccentricity of all vertices.
struct EccentricityOfAllState : EccentricityState {
  EccentricityOfAllState(uint64_t num_vertices, int threads)
      : EccentricityState(num_vertices, threads, num_vertices) {}
};

TEST(EngineSumsTest, Eccentricity) {
  for (const StoredCase& c : StoredCases()) {
    std::vector<VertexId> all(c.plain.graph.num_vertices());
    std::iota(all.begin(), all.end(), VertexId{0});
    const auto want = textbook::Closeness(c.plain.graph).eccentricity;
    RunInEngineSettings<EccentricityOfAllState>(
        "eccentricity", c, [&](auto& e) { return Eccentricity(e, all); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(EngineSumsTest, Degrees) {
  for (const StoredCase& c : StoredCases()) {
    const auto degree = textbook::OutDegrees(c.plain.graph);
    const auto arcs = textbook::Arcs(c.plain.graph);
    double products = 0;
    for (const InputEdge& e : arcs) products += double(degree[e.from]) * degree[e.to];
    RunInEngineSettings<DegreesState>(
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
    RunInEngineSettings<SpanningForestState>(
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
    RunInEngineSettings<HitsState>(
        "hits", c, [](auto& e) { return Hits(e, 10); },
        [&, &hub = hub, &authority = authority](const auto& r) {
          return Compare(r.first, hub, 1e-9) + Compare(r.second, authority, 1e-9);
        });
    const double alpha = c.plain.graph.num_vertices() < 120 ? 0.01 : 0.001;
    const auto katz = textbook::Katz(c.plain.graph, alpha, 1);
    RunInEngineSettings<ProductState<KatzStep>>(
        "katz", c, [&](auto& e) { return Katz(e, alpha, 1, 1e-12); },
        [&](const auto& r) { return Compare(r, katz, 1e-9); });
  }
}

}  // namespace
}  // namespace edgemill::model

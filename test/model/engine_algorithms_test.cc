// Algorithms that do not ship, run on the engine against textbook versions: searches, components.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/model/answers.h"
#include "test/model/engine_running.h"
#include "test/model/textbook.h"
#include "test/model/unshipped/mis.h"
#include "test/model/unshipped/scc.h"
#include "test/model/unshipped/verify_bfs.h"

namespace edgemill::model {
namespace {

TEST(EngineAlgorithmsTest, VerifyBfs) {
  for (const StoredCase& c : StoredCases()) {
    const auto source = static_cast<VertexId>(c.plain.graph.num_vertices() / 2);
    BfsResult result = PlainBfs(c.plain.graph, source);
    for (const bool damaged : {false, true}) {
      if (damaged) result.level[source] = 1;
      RunInEngineSettings<VerifyBfsState>(
          "verify bfs", c, [&](auto& e) { return VerifyBfs(e, source, result); },
          [&](bool ok) { return ok == !damaged ? "" : "the verifier errs"; });
    }
  }
}

TEST(EngineAlgorithmsTest, StrongComponents) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto strong = textbook::StrongComponents(graph);
    RunInEngineSettings<SccState>(
        "scc", c, [](auto& e) { return StrongComponents(e); },
        [&](const auto& r) { return Compare(r, strong); });
  }
}

TEST(EngineAlgorithmsTest, IndependentSet) {
  for (const StoredCase& c : StoredCases()) {
    const auto want =
        textbook::GreedyIndependentSet(c.plain.graph, [](VertexId v) { return KeyOf(v, 5); });
    RunInEngineSettings<IndependentSetState>(
        "mis", c, [](auto& e) { return IndependentSet(e, 5); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(EngineAlgorithmsTest, AGraphWithoutVertices) {
  for (const bool directed : {false, true}) {
    Graph graph(0, {}, directed);
    auto stored = Stored(graph, {.weights = WeightType::kInt32});
    const StoredCase c{{"empty", std::move(graph)}, std::move(stored)};
    const auto none = [](const auto& r) { return r.empty() ? "" : "has values"; };
    for (int i = 0; i < 3; ++i) {  // each time in different settings
      RunInEngineSettings<SccState>(
          "scc", c, [](auto& e) { return StrongComponents(e); }, none);
      RunInEngineSettings<IndependentSetState>(
          "mis", c, [](auto& e) { return IndependentSet(e, 5); }, none);
    }
  }
}

}  // namespace
}  // namespace edgemill::model

// Each algorithm of the model on the engine, against its textbook version: searches and components.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/model/algorithms/afforest.h"
#include "test/model/algorithms/bc.h"
#include "test/model/algorithms/bfs.h"
#include "test/model/algorithms/cc.h"
#include "test/model/algorithms/kcore.h"
#include "test/model/algorithms/mis.h"
#include "test/model/algorithms/scc.h"
#include "test/model/algorithms/ssnsp.h"
#include "test/model/algorithms/sssp.h"
#include "test/model/algorithms/sswp.h"
#include "test/model/algorithms/verify_bfs.h"
#include "test/model/answers.h"
#include "test/model/engine_running.h"
#include "test/model/textbook.h"

namespace edgemill::model {
namespace {

TEST(EngineAlgorithmsTest, Bfs) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    for (const VertexId source : {VertexId{0}, static_cast<VertexId>(graph.num_vertices() / 2)}) {
      const auto want = textbook::Distances(graph, source, true);
      EverywhereOnEngine<BfsState>(
          "bfs", c, [&](auto& e) { return Bfs(e, source); },
          [&](const BfsResult& r) {
            return WrongParent(graph, source, r) + Compare(HopsOf(r.level), want);
          });
    }
  }
}

TEST(EngineAlgorithmsTest, VerifyBfs) {
  for (const StoredCase& c : StoredCases()) {
    const auto source = static_cast<VertexId>(c.plain.graph.num_vertices() / 2);
    auto right = RunOnEngine<BfsState>(*c.stored, {}, [&](auto& e) { return Bfs(e, source); });
    ASSERT_TRUE(right.ok()) << right.status().message();
    for (const bool damaged : {false, true}) {
      if (damaged) right->level[source] = 1;
      EverywhereOnEngine<VerifyBfsState>(
          "verify bfs", c, [&](auto& e) { return VerifyBfs(e, source, *right); },
          [&](bool ok) { return ok == !damaged ? "" : "the verifier errs"; });
    }
  }
}

TEST(EngineAlgorithmsTest, Paths) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto source = static_cast<VertexId>(graph.num_vertices() / 3);
    const auto shortest = textbook::Distances(graph, source, false);
    EverywhereOnEngine<SsspState<double, double>>(
        "sssp", c, [&](auto& e) { return Sssp<double, double>(e, source, 4); },
        [&](const auto& r) { return Compare(r, shortest); });
    EverywhereOnEngine<SsspState<int32_t, uint32_t>>(
        "sssp, integers", c, [&](auto& e) { return Sssp<int32_t, uint32_t>(e, source, 2); },
        [&](const auto& r) { return Compare(HopsOf(r), shortest); });
    const auto widest = textbook::Widths(graph, source, 1e9);
    EverywhereOnEngine<SswpState>(
        "sswp", c, [&](auto& e) { return Sswp(e, source, 2); },
        [&](const auto& r) { return Compare(r, widest); });
    const auto level = textbook::Distances(graph, source, true);
    const auto paths = textbook::PathCounts(graph, source, level);
    EverywhereOnEngine<SsnspState>(
        "ssnsp", c, [&](auto& e) { return Ssnsp(e, source); },
        [&](const auto& r) { return Compare(r, paths); });
  }
}

TEST(EngineAlgorithmsTest, Components) {
  for (const StoredCase& c : StoredCases()) {
    const Graph& graph = c.plain.graph;
    const auto weak = textbook::Components(graph);
    EverywhereOnEngine<AfforestState>(
        "afforest", c, [&](auto& e) { return Afforest(e, graph.directed()); },
        [&](const auto& r) { return Compare(r, weak); });
    EverywhereOnEngine<ComponentsState>(
        "cc", c, [](auto& e) { return Components(e); },
        [&](const auto& r) { return Compare(r, weak); });
    const auto strong = textbook::StrongComponents(graph);
    EverywhereOnEngine<SccState>(
        "scc", c, [](auto& e) { return StrongComponents(e); },
        [&](const auto& r) { return Compare(r, strong); });
  }
}

TEST(EngineAlgorithmsTest, Betweenness) {
  for (const StoredCase& c : StoredCases()) {
    const auto n = static_cast<VertexId>(c.plain.graph.num_vertices());
    const std::vector<VertexId> sources = {0, n / 2, n - 1};
    const auto want = textbook::Betweenness(c.plain.graph, sources);
    EverywhereOnEngine<BetweennessState>(
        "bc", c, [&](auto& e) { return Betweenness(e, sources); },
        [&](const auto& r) { return Compare(r, want, 1e-9); });
  }
}

TEST(EngineAlgorithmsTest, KCore) {
  for (const StoredCase& c : StoredCases()) {
    if (c.plain.graph.directed()) continue;
    const auto want = textbook::CoreNumbers(c.plain.graph);
    EverywhereOnEngine<KCoreState>(
        "kcore", c, [](auto& e) { return KCore(e); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(EngineAlgorithmsTest, IndependentSet) {
  for (const StoredCase& c : StoredCases()) {
    const auto want =
        textbook::GreedyIndependentSet(c.plain.graph, [](VertexId v) { return KeyOf(v, 5); });
    EverywhereOnEngine<IndependentSetState>(
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
    for (int i = 0; i < 3; ++i) {  // other settings each time
      EverywhereOnEngine<AfforestState>(
          "afforest", c, [&](auto& e) { return Afforest(e, directed); }, none);
      EverywhereOnEngine<ComponentsState>(
          "cc", c, [](auto& e) { return Components(e); }, none);
      EverywhereOnEngine<SccState>(
          "scc", c, [](auto& e) { return StrongComponents(e); }, none);
      EverywhereOnEngine<KCoreState>(
          "kcore", c, [](auto& e) { return KCore(e); }, none);
      EverywhereOnEngine<IndependentSetState>(
          "mis", c, [](auto& e) { return IndependentSet(e, 5); }, none);
    }
  }
}

}  // namespace
}  // namespace edgemill::model

// Algorithms that do not ship, but use operators in other ways. They run on the model against
// textbook versions, on all graphs, in all modes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "test/model/answers.h"
#include "test/model/harness.h"
#include "test/model/textbook.h"
#include "test/model/unshipped/degrees.h"
#include "test/model/unshipped/eccentricity.h"
#include "test/model/unshipped/mis.h"
#include "test/model/unshipped/mst.h"
#include "test/model/unshipped/products.h"
#include "test/model/unshipped/scc.h"
#include "test/model/unshipped/verify_bfs.h"

namespace edgemill::model {
namespace {

/// Damages a right result in the way 1, 2 or 3; the way 0 changes nothing. Returns false if there
/// is nothing to damage.
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
    for (int way = 0; way < 4; ++way) {
      BfsResult result = PlainBfs(c.graph, source);
      if (!Damage(c.graph, source, way, &result)) continue;
      RunInAllModes(
          "verify bfs", c, [&](Engine& e) { return VerifyBfs(e, source, result); },
          [&](bool ok) { return ok == (way == 0) ? "" : "the verifier errs"; });
    }
  }
}

TEST(ModelTest, StrongComponents) {
  for (const Case& c : Cases()) {
    const auto strong = textbook::StrongComponents(c.graph);
    RunInAllModes(
        "scc", c, [](Engine& e) { return StrongComponents(e); },
        [&](const auto& r) { return Compare(r, strong); });
  }
}

TEST(ModelTest, IndependentSet) {
  for (const Case& c : Cases()) {
    const auto want =
        textbook::GreedyIndependentSet(c.graph, [](VertexId v) { return KeyOf(v, 5); });
    RunInAllModes(
        "mis", c, [](Engine& e) { return IndependentSet(e, 5); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(ModelTest, Eccentricity) {
  for (const Case& c : Cases()) {
    std::vector<VertexId> all(c.graph.num_vertices());
    std::iota(all.begin(), all.end(), VertexId{0});
    const auto want = textbook::Closeness(c.graph).eccentricity;
    RunInAllModes(
        "eccentricity", c, [&](Engine& e) { return Eccentricity(e, all); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

TEST(ModelTest, Degrees) {
  for (const Case& c : Cases()) {
    const auto degree = textbook::OutDegrees(c.graph);
    const auto arcs = textbook::Arcs(c.graph);
    double products = 0;
    for (const InputEdge& e : arcs) products += double(degree[e.from]) * degree[e.to];
    RunInAllModes(
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
    RunInAllModes(
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
    RunInAllModes(
        "hits", c, [](Engine& e) { return Hits(e, 10); },
        [&hub = hub, &authority = authority](const auto& r) {
          return Compare(r.first, hub, 1e-9) + Compare(r.second, authority, 1e-9);
        });
    const auto katz = textbook::Katz(c.graph, 0.01, 1);
    RunInAllModes(
        "katz", c, [](Engine& e) { return Katz(e, 0.01, 1, 1e-12); },
        [&](const auto& r) { return Compare(r, katz, 1e-9); });
  }
}

/// Runs a driver in all modes, on an engine with two more sets than `State` declares. The passes of
/// the real engine hold these two. The pool ends the process when the driver takes more sets.
template <typename State, typename Run>
void ExpectDeclaresSets(Run run) {
  constexpr uint64_t kSetsOfPasses = 2;
  for (const Case& c : Cases()) {
    if (c.graph.num_vertices() < 2) continue;
    const uint64_t most = State(c.graph.num_vertices(), 1).max_sets();
    for (const Mode& mode : Modes()) {
      Engine engine(c.graph, mode, most + kSetsOfPasses);
      EXPECT_TRUE(run(engine).ok());
    }
  }
}

TEST(ModelTest, DriversDeclareTheirSets) {
  ExpectDeclaresSets<SccState>([](Engine& e) { return StrongComponents(e); });
  ExpectDeclaresSets<IndependentSetState>([](Engine& e) { return IndependentSet(e, 5); });
  ExpectDeclaresSets<SpanningForestState>([](Engine& e) { return SpanningForest(e); });
}

}  // namespace
}  // namespace edgemill::model

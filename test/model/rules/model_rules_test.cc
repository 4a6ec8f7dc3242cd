// The model detects programs that break rules, algorithms with a mistake, and faults in the model.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "test/model/harness.h"
#include "test/model/mutations.h"
#include "test/model/rules/program_rules.h"
#include "test/model/shipped/shipped_running.h"
#include "test/model/textbook.h"
#include "test/model/unshipped/mis.h"
#include "test/model/wrong_programs.h"

namespace edgemill::model {
namespace {

TEST(ModelRulesTest, WrongPrograms) {
  const auto cases = Cases();
  const auto expect = [&](const char* name, auto run) {
    ExpectCaught(name, HowOftenCaught(cases, run));
  };
  expect("NoStep", [](Engine& e) { return RunNoStep(e); });
  expect("TrustsCond", [](Engine& e) { return RunCountPaths<TrustsCond>(e); });
  expect("InPlace", [](Engine& e) { return RunInPlace(e); });
  expect("InPlaceByTwoViews", [](Engine& e) { return RunInPlaceByTwoViews(e); });
  expect("WritesOtherVertex", [](Engine& e) { return RunWritesOtherVertex(e); });
  expect("CountsInField", [](Engine& e) { return RunCountsInField(e); });
  expect("TakesAnyLabel", [](Engine& e) { return RunTakesAnyLabel(e); });
  expect("KeepsResidual", [](Engine& e) { return RunKeepsResidual(e); });
  expect("Reopens", [](Engine& e) { return RunReopens(e); });
  expect("Concatenate", [](Engine& e) { return RunConcatenate(e); });
  expect("ReadsOtherVertex", [](Engine& e) { return RunReadsOtherVertex(e); });
}

std::vector<uint32_t> LevelsOf(const Graph& graph) {
  std::vector<uint32_t> levels;
  for (const double hops : textbook::Distances(graph, 0, true)) {
    levels.push_back(hops == textbook::kInfinite ? kUnreached : static_cast<uint32_t>(hops));
  }
  return levels;
}
std::vector<double> PathsOf(const Graph& graph) {
  return textbook::PathCounts(graph, 0, textbook::Distances(graph, 0, true));
}
std::vector<uint8_t> SetOf(const Graph& graph) {
  return textbook::GreedyIndependentSet(graph, [](VertexId v) { return KeyOf(v, 5); });
}
std::vector<Case> UndirectedCases() {
  auto cases = Cases();
  std::erase_if(cases, [](const Case& c) { return c.graph.directed(); });
  return cases;
}

TEST(ModelRulesTest, Mutations) {
  const auto cases = Cases();
  ExpectCaught("tie-break dropped", HowOftenCaught(
                                        cases, [](Engine& e) { return SetWithTies(e); }, SetOf));
  ExpectCaught("buffers not swapped", HowOftenCaught(
                                          cases, [](Engine& e) { return NeuronsWithoutSwap(e); },
                                          [](const Graph& graph) {
                                            return textbook::Neurons(
                                                graph,
                                                std::vector<double>(graph.num_vertices(), 0.5), 2);
                                          }));
  ExpectCaught("duplicates counted",
               HowOftenCaught(
                   UndirectedCases(), [](Engine& e) { return KCoreWithDuplicates(e); },
                   textbook::CoreNumbers));
  ExpectCaught("Next omitted", HowOftenCaught(
                                   cases, [](Engine& e) { return BfsWithoutNext(e); }, LevelsOf));
  ExpectCaught("wrong identity", HowOftenCaught(
                                     cases, [](Engine& e) { return ComponentsBy<LabelFromOne>(e); },
                                     textbook::Components));
  ExpectCaught("changed, always", HowOftenCaught(
                                      std::vector<Case>(cases.begin(), cases.begin() + 24),
                                      [](Engine& e) { return ComponentsBy<LabelAlwaysChanged>(e); },
                                      textbook::Components));
  ExpectCaught("Cond reopened",
               HowOftenCaught(
                   cases, [](Engine& e) { return RunCountPaths<CountPathsReopened>(e); }, PathsOf));
}

/// Runs a right driver, `run(case, mode)`, on a model with a fault.
template <typename Run, typename Want>
void ExpectFaultFound(const char* name, Fault fault, Run run, Want want, int trials = 1) {
  Caught caught;
  uint64_t seed = 7;
  for (const StoredCase& c : StoredCases()) {
    const uint64_t num_vertices = c.plain.graph.num_vertices();
    if (c.plain.graph.directed() || num_vertices < 2 || num_vertices > 100) continue;
    const auto right = want(c.plain.graph);
    for (int i = 0; i < trials; ++i) {
      for (Mode mode : Modes()) {
        mode.fault = fault;
        mode.seed = ++seed;
        ++caught.runs;
        const auto result = run(c, mode);
        if (!result.ok()) {
          ++caught.violations;
        } else if (!Compare(*result, right, 2e-5).empty()) {
          ++caught.wrong;
        }
      }
    }
  }
  ExpectCaught(name, caught);
}

TEST(ModelRulesTest, FaultsOfTheEngine) {
  const auto kcore = [](const StoredCase& c, const Mode& mode) {
    return RunOnModel(c, {"kcore"}, mode);
  };
  ExpectFaultFound("taken still waits", Fault::kTakenStillWaits, kcore, textbook::CoreNumbers, 30);
  ExpectFaultFound("sees duplicates", Fault::kSeesDuplicates, kcore, textbook::CoreNumbers);
  ExpectFaultFound(
      "loses a partial sum", Fault::kLosesPartialSum,
      [](const StoredCase& c, const Mode& mode) { return RunOnModel(c, {"pagerank"}, mode); },
      [](const Graph& graph) {
        return textbook::PageRank(graph, std::vector<double>(graph.num_vertices(), 1), 0.85, true);
      });
}

// Counts calls of Apply. No vertex of a first-wins program may have two in one pass.
struct CountApplies {
  using Monoid = Any<uint32_t>;
  View<uint32_t> count;
  uint32_t Emit(VertexId) const { return 1; }
  bool Apply(VertexId v, uint32_t one) {
    count[v] += one;
    return true;
  }
};
StatusOr<std::vector<uint32_t>> RunCountApplies(Engine& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const CountApplies count{state.a.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), count).status());
  return CopyOf(state.a);
}
std::vector<uint32_t> HasInEdges(const Graph& graph) {
  std::vector<uint32_t> has(graph.num_vertices());
  for (const InputEdge& edge : textbook::Arcs(graph)) has[edge.to] = 1;
  return has;
}

TEST(ModelRulesTest, FirstWinsAppliesOnce) {
  for (const Case& c : Cases()) {
    RunInAllModes(
        "first wins", c, [](Engine& e) { return RunCountApplies(e); },
        [&](const auto& r) { return Compare(r, HasInEdges(c.graph)); });
  }
  ExpectFaultFound(
      "takes twice", Fault::kTakesTwice,
      [](const StoredCase& c, const Mode& mode) {
        Engine engine(c.plain.graph, mode);
        return RunCountApplies(engine);
      },
      HasInEdges);
}

// Collects the bits of neighbours. Enough is true once all bits are set.
struct CollectBits {
  using Monoid = Or<uint32_t>;
  View<uint32_t> bits;
  uint32_t all;
  uint32_t Emit(VertexId u) const { return 1u << u % 4; }
  bool Enough(VertexId, uint32_t some) const { return some == all; }
  bool Apply(VertexId v, uint32_t some) {
    bits[v] = some;
    return true;
  }
};
StatusOr<std::vector<uint32_t>> RunCollectBits(Engine& engine, uint32_t all) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const CollectBits collect{state.a.view(), all};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), collect).status());
  return CopyOf(state.a);
}
std::vector<uint32_t> BitsOfNeighbors(const Graph& graph) {
  std::vector<uint32_t> bits(graph.num_vertices());
  for (const InputEdge& edge : textbook::Arcs(graph)) bits[edge.to] |= 1u << edge.from % 4;
  return bits;
}

TEST(ModelRulesTest, Enough) {
  for (const Case& c : Cases()) {
    RunInAllModes(
        "enough", c, [](Engine& e) { return RunCollectBits(e, 15); },
        [&](const auto& r) { return Compare(r, BitsOfNeighbors(c.graph)); });
  }
  ExpectCaught("enough too early",
               HowOftenCaught(
                   Cases(), [](Engine& e) { return RunCollectBits(e, 1); }, BitsOfNeighbors));
}

// Messages are smaller than sums. Without Apply, each message is relaxed separately.
struct AddParts {
  using Monoid = Sum<double, float>;
  View<double> total;
  float Emit(VertexId u) const { return static_cast<float>(u) + 1; }
  bool Relax(VertexId v, double part) {
    AtomicAdd(total[v], part);
    return true;
  }
};
StatusOr<std::vector<double>> RunAddParts(Engine& engine) {
  ScratchState<double> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  const AddParts add{state.a.view()};
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), add).status());
  return CopyOf(state.a);
}

TEST(ModelRulesTest, RelaxesParts) {
  for (const Case& c : Cases()) {
    std::vector<double> want(c.graph.num_vertices());
    for (const InputEdge& edge : textbook::Arcs(c.graph)) want[edge.to] += edge.from + 1;
    RunInAllModes(
        "parts", c, [](Engine& e) { return RunAddParts(e); },
        [&](const auto& r) { return Compare(r, want); });
  }
}

// ---- Rules that types do not show.

struct SpreadLeast {
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Relax(VertexId v, VertexId other) { return AtomicMin(label[v], other); }
};
struct CountPaths {
  using Monoid = Sum<double>;
  View<uint32_t> level;
  View<double> paths;
  uint32_t depth;
  double Emit(VertexId u) const { return paths[u]; }
  bool Cond(VertexId v) const { return level[v] >= depth; }
  bool Relax(VertexId v, double more) {
    if (level[v] < depth) return false;  // the answer of Cond may be out of date
    AtomicAdd(paths[v], more);
    return CompareAndSet(level[v], kUnreached, depth);
  }
  void Next() { ++depth; }
};
struct LastLabel {  // the result depends on the order of messages
  using Monoid = Min<VertexId>;
  View<VertexId> label;
  VertexId Emit(VertexId u) const { return label[u]; }
  bool Relax(VertexId v, VertexId other) {
    const bool changed = label[v] != other;
    label[v] = other;
    return changed;
  }
};

constexpr uint64_t kRuleVertices = 20;

/// The rule that a program on numbers 0 to 99 breaks in any of 20 tries. `make(state)` makes the
/// program.
template <typename Make, typename Draw>
std::string BrokenIn20(Make make, Draw draw) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    MemoryBudget budget(uint64_t{64} << 20);
    ScratchState<uint32_t, double> state(kRuleVertices, 1);
    if (!state.Allocate(budget).ok()) return "no memory";
    Chance chance(seed);
    for (VertexId v = 0; v < kRuleVertices; ++v) {
      state.a.Set(v, static_cast<uint32_t>(chance.Next() % 100));
    }
    std::string broken = BrokenRule(make(state), kRuleVertices, draw, seed);
    if (!broken.empty()) return broken;
  }
  return "";
}

TEST(ModelRulesTest, RulesThatNoTypeShows) {
  const auto number = [](Chance& chance) { return static_cast<uint32_t>(chance.Next() % 100); };
  const auto exact = [](Chance& chance) { return static_cast<double>(chance.Next() % 100); };
  EXPECT_EQ(BrokenIn20([](auto& s) { return SpreadLeast{s.a.view()}; }, number), "");
  EXPECT_EQ(BrokenIn20([](auto& s) { return CountPaths{s.a.view(), s.b.view(), 40}; }, exact), "");
  EXPECT_EQ(
      BrokenIn20(
          [](auto& s) { return PeelDuplicates{s.a.view()}; },
          [](Chance& chance) {  // all vertices of a pass are removed at the same core
            return PeelDuplicates::Monoid::Value{1 + static_cast<uint32_t>(chance.Next() % 3), 9};
          }),
      "");
  EXPECT_EQ(BrokenIn20([](auto& s) { return AddParts{s.b.view()}; },
                       [](Chance& chance) { return static_cast<float>(chance.Next() % 100); }),
            "");

  EXPECT_NE(BrokenIn20([](auto& s) { return LastLabel{s.a.view()}; }, number), "");
  EXPECT_EQ(BrokenIn20([](auto& s) { return LabelAlwaysChanged{s.a.view()}; }, number),
            "Relax: true though nothing changed");
  EXPECT_EQ(BrokenIn20(
                [](auto& s) {
                  return Reopens{s.a.view(), 0};
                },
                number),
            "Cond: was false and is true again");
}

}  // namespace
}  // namespace edgemill::model

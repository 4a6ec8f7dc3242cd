// Mistakes on the engine: algorithms with a mistake give wrong answers. Checked builds name the
// programs that break a rule.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/model/answers.h"
#include "test/model/composed/composed_firsts.h"
#include "test/model/composed/composed_relaxing.h"
#include "test/model/engine_running.h"
#include "test/model/harness.h"
#include "test/model/mutations.h"
#include "test/model/rules/program_rules.h"

namespace edgemill::model {
namespace {

/// A state that declares these programs, as an engine needs it.
template <typename... Ps>
struct RunningState : State {
  RunningState(uint64_t num_vertices, int threads) : State(num_vertices, threads) { HoldSets(6); }
  Programs<Ps...> programs{*this, kBoth};
  VisitedLists lists{*this, kOut};
};

// ---- Mistakes.

/// Runs `run(engine)` on small graphs in some settings, and on large graphs in all. Counts the runs
/// whose answer is not `want(graph)`.
template <typename S, typename Run, typename Want>
Caught HowOftenCaughtOnEngine(const std::vector<StoredCase>& cases, Run run, Want want) {
  Caught caught;
  std::mt19937_64 random(3);
  for (const StoredCase& c : cases) {
    if (c.plain.graph.num_vertices() < 2) continue;
    const auto right = want(c.plain.graph);
    for (OperatorSetting setting : Settings()) {
      if (random() % 3 != 0) continue;
      setting.shuffle_seed = random() % 100;
      ++caught.runs;
      const auto result = RunOnEngine<S>(*c.stored, setting, run);
      if (!result.ok()) {
        ++caught.violations;
        if (caught.first.empty()) caught.first = std::string(result.status().message());
      } else if (!Compare(*result, right, 1e-9).empty()) {
        ++caught.wrong;
      }
    }
  }
  return caught;
}

std::vector<uint32_t> LevelsFrom0(const Graph& graph) {
  std::vector<uint32_t> levels;
  for (const double hops : textbook::Distances(graph, 0, true)) {
    levels.push_back(hops == textbook::kInfinite ? kUnreached : static_cast<uint32_t>(hops));
  }
  return levels;
}

TEST(EngineRulesTest, MutationsGiveWrongAnswers) {
  const std::vector<StoredCase> cases = StoredCases();
  ExpectCaught("tie-break dropped",
               HowOftenCaughtOnEngine<RunningState<FindLargestWithTies, Exclude>>(
                   cases, [](auto& e) { return SetWithTies(e); },
                   [](const Graph& graph) {
                     return textbook::GreedyIndependentSet(graph,
                                                           [](VertexId v) { return KeyOf(v, 5); });
                   }));
  ExpectCaught("buffers not swapped", HowOftenCaughtOnEngine<RunningState<FireWithoutSwap>>(
                                          cases, [](auto& e) { return NeuronsWithoutSwap(e); },
                                          [](const Graph& graph) {
                                            const std::vector<double> start(graph.num_vertices(),
                                                                            0.5);
                                            return textbook::Neurons(graph, start, 2);
                                          }));
  std::vector<StoredCase> undirected = StoredCases();
  std::erase_if(undirected, [](const StoredCase& c) { return c.plain.graph.directed(); });
  ExpectCaught(
      "duplicates counted",
      HowOftenCaughtOnEngine<RunningState<CountDuplicates, PeelDuplicates>>(
          undirected, [](auto& e) { return KCoreWithDuplicates(e); }, textbook::CoreNumbers));
  ExpectCaught("Next omitted", HowOftenCaughtOnEngine<RunningState<VisitWithoutNext>>(
                                   cases, [](auto& e) { return BfsWithoutNext(e); }, LevelsFrom0));
  ExpectCaught("wrong identity", HowOftenCaughtOnEngine<RunningState<LabelFromOne>>(
                                     cases, [](auto& e) { return ComponentsBy<LabelFromOne>(e); },
                                     textbook::Components));
  std::vector<StoredCase> few;
  for (size_t i = 8; i < 24; ++i) {
    Graph graph = cases[i].plain.graph;
    auto stored = Stored(graph, {});
    few.push_back({{cases[i].plain.name, std::move(graph)}, std::move(stored)});
  }
  ExpectCaught("Cond reopened", HowOftenCaughtOnEngine<RunningState<VisitReopened>>(
                                    few, [](auto& e) { return BfsReopened(e); }, LevelsFrom0));
  ExpectCaught(
      "changed, always",
      HowOftenCaughtOnEngine<RunningState<LabelAlwaysChanged>>(
          few, [](auto& e) { return ComponentsBy<LabelAlwaysChanged>(e); }, textbook::Components));
}

// ---- Broken rules.

/// The rule that `run(engine)` breaks in at least one setting, on a graph with edges.
template <typename S, typename Run>
std::string RuleBrokenOnEngine(Run run) {
  std::mt19937_64 random(1);
  const Graph graph(90, RandomEdges(90, 400, random, true), true);
  const auto stored = Stored(graph, {.weights = WeightType::kInt32});
  for (const OperatorSetting& setting : Settings()) {
    const auto result = RunOnEngine<S>(*stored, setting, run);
    if (!violation.empty()) return violation;
    if (!result.ok()) return std::string(result.status().message());
  }
  return "";
}

struct ReadsNeighbor {
  using Monoid = Sum<uint32_t>;
  View<uint32_t> x;
  uint32_t Emit(VertexId) const { return 1; }
  uint32_t Along(uint32_t one, const Edge& edge) const { return one + x[edge.from]; }
  bool Apply(VertexId v, uint32_t sum) {
    x[v] = sum;
    return true;
  }
};
struct WritesOther {
  using Monoid = Max<uint32_t>;
  View<uint32_t> x;
  uint32_t Emit(VertexId u) const { return u; }
  bool Apply(VertexId v, uint32_t most) {
    x[v / 2] = most;
    return true;
  }
};
struct ReadsAnotherConst {
  View<const uint32_t> x;
  Into<Sum<uint32_t>> sum;
  void operator()(const Edge& edge) { sum.Add(edge.to, x[edge.to / 2]); }
};
struct CountsInFunction {
  View<uint32_t> x;
  uint32_t count;
  void operator()(VertexId v) { x[v] = ++count; }
};
struct Beyond {
  View<uint32_t> x;
  uint32_t more;
  void operator()(VertexId v) { x[v + more] = 1; }
};

/// Runs one pass of P{a} over all edges.
template <typename P, typename E>
StatusOr<std::vector<uint32_t>> RunOnce(E& engine) {
  ScratchState<uint32_t> state(engine.num_vertices(), engine.threads());
  RETURN_IF_ERROR(state.Allocate(engine.budget()));
  RETURN_IF_ERROR(engine.EdgeMap(kOut, engine.sets().All(), P{state.a.view()}).status());
  return CopyOf(state.a);
}

TEST(EngineRulesTest, BrokenRulesAreNamed) {
  const std::string not_own =
      "a: not the function's own vertex: read others by Anywhere<T>, write them by Into<M> or "
      "Shared<T>";
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<WritesOther>>(
                [](auto& e) { return RunOnce<WritesOther>(e); }),
            not_own);
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<WritesOtherVertex>>(
                [](auto& e) { return RunWritesOtherVertex(e); }),
            not_own);
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<ReadsNeighbor>>(
                [](auto& e) { return RunOnce<ReadsNeighbor>(e); }),
            not_own);
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<>>([](auto& e) { return RunReadsOtherVertex(e); }),
            not_own);
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<InPlace>>([](auto& e) { return RunInPlace(e); }),
            "a: Emit reads by a View what Apply may write: take a View<const T>");
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<>>([](auto& e) -> StatusOr<uint64_t> {
              ScratchState<uint32_t> state(e.num_vertices(), e.threads());
              RETURN_IF_ERROR(state.Allocate(e.budget()));
              const ReadsAnotherConst f{state.a.read(), state.b.template into<Sum<uint32_t>>()};
              RETURN_IF_ERROR(e.EdgeVisit(kOut, e.sets().All(), f));
              return 0;
            }),
            "a: not a vertex of this call: read others by Anywhere<T>");
}

TEST(EngineRulesTest, ProgramsThatChangeTheirNumbersAreFound) {
  EXPECT_EQ(
      RuleBrokenOnEngine<RunningState<CountsInField>>([](auto& e) { return RunCountsInField(e); }),
      "field 1 of the program: a function changed it");
  EXPECT_EQ(RuleBrokenOnEngine<RunningState<>>([](auto& e) -> StatusOr<uint64_t> {
              ScratchState<uint32_t> state(e.num_vertices(), e.threads());
              RETURN_IF_ERROR(state.Allocate(e.budget()));
              RETURN_IF_ERROR(e.VertexMap(e.sets().All(), CountsInFunction{state.a.view(), 0}));
              return 0;
            }),
            "field 1 of the program: a function changed it");
}

/// The handler of broken rules that is used if no test has replaced it.
const AccessGuard::Handler kDefaultHandler = AccessGuard::handler();

TEST(EngineRulesDeathTest, AnIndexBeyondTheArrayEndsTheProcess) {
#ifdef EDGEMILL_TEST_THREAD_SANITIZED
  GTEST_SKIP() << "the thread sanitizer ends a child that starts threads";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Graph graph(90, {{0, 1}}, true);
  const auto stored = Stored(graph, {});
  const auto run = [&](uint32_t more) {
    return RunOnEngine<RunningState<>>(*stored, {}, [&](auto& e) -> StatusOr<uint64_t> {
      AccessGuard::handler() = kDefaultHandler;
      ScratchState<uint32_t> state(e.num_vertices(), e.threads());
      RETURN_IF_ERROR(state.Allocate(e.budget()));
      RETURN_IF_ERROR(e.VertexMap(e.sets().All(), Beyond{state.a.view(), more}));
      return 0;
    });
  };
  EXPECT_TRUE(run(0).ok());
  EXPECT_DEATH(static_cast<void>(run(90)), "a: an index beyond the array");
}

// ---- Rules that types do not show, for the programs of random compositions.

/// The rule that a program on random arrays breaks in any of 20 tries.
template <typename Make, typename Draw>
std::string BrokenIn20Tries(Make make, Draw draw) {
  constexpr uint64_t kVertices = 20;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    MemoryBudget budget(uint64_t{64} << 20);
    ComposerState state(kVertices, 1);
    if (!state.Allocate(budget).ok()) return "no memory";
    Chance chance(seed);
    for (VertexId v = 0; v < kVertices; ++v) {
      for (size_t i = 0; i < 3; ++i) state.x(i).Set(v, chance.Next() % 60);
      state.y.Set(v, static_cast<uint32_t>(chance.Next() % 9));
      state.z.Set(v, static_cast<double>(chance.Next() % 60));
    }
    std::string broken = BrokenRule(make(state), kVertices, draw, seed);
    if (!broken.empty()) return broken;
  }
  return "";
}

TEST(EngineRulesTest, ComposedProgramsKeepTheRules) {
  const auto number = [](Chance& chance) { return chance.Next() % 100; };
  const auto real = [](Chance& chance) { return static_cast<double>(chance.Next() % 100); };
  using S = ComposerState;
  const auto expect = [](const char* name, auto make, auto draw) {
    EXPECT_EQ(BrokenIn20Tries(make, draw), "") << name;
  };
  expect(
      "RelaxLeast",
      [](S& s) {
        return RelaxLeast{s.x0.read(), s.x1.view()};
      },
      number);
  expect(
      "SpreadOpen",
      [](S& s) {
        return SpreadOpen{s.x0.view(), s.x1.read(), 20};
      },
      number);
  expect(
      "ShortenFrom", [](S& s) { return ShortenFrom<uint64_t, int32_t>{s.x0.view()}; }, number);
  expect(
      "WidenFrom", [](S& s) { return WidenFrom{s.z.view()}; }, real);
  expect(
      "RelaxSum",
      [](S& s) {
        return RelaxSum{s.x0.read(), s.x1.view(), s.x2.read(), s.total.view()};
      },
      number);
  expect(
      "Percolate",
      [](S& s) {
        return Percolate{s.x0.view(), s.x1.view(), 150};
      },
      number);
  expect(
      "RelaxExtremes",
      [](S& s) {
        return RelaxExtremes{s.x0.read(), s.x1.view(), s.x2.view()};
      },
      [](Chance& chance) {
        const uint64_t x = chance.Next() % 100;
        return RelaxExtremes::Monoid::Value{x, x};
      });
  expect(
      "CountWays",
      [](S& s) {
        return CountWays{s.y.view(), s.x0.view(), 4};
      },
      number);
  expect(
      "PeelSimple", [](S& s) { return PeelSimple{s.y.view()}; },
      [](Chance& chance) {
        return PeelSimple::Monoid::Value{1 + static_cast<uint32_t>(chance.Next() % 3), 2};
      });
  expect(
      "LeastByBoth", [](S& s) { return LeastByBoth{s.x0.view()}; }, number);
  expect(
      "TakeAny",
      [](S& s) {
        return TakeAny{s.any.view(), s.x0.view()};
      },
      number);
  expect(
      "TakeInEachPass",
      [](S& s) {
        return TakeInEachPass{s.x0.view(), s.x1.read(), 1};
      },
      number);
}

}  // namespace
}  // namespace edgemill::model

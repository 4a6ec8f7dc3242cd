// The examples of docs/WRITING_ALGORITHMS.md. Their verifiers must accept the answers of the engine
// in every mode. They also run on the model, which does all that an engine may do.
#include <gtest/gtest.h>

#include "test/docs/assortativity.h"
#include "test/docs/independent_set.h"
#include "test/docs/widest_paths.h"
#include "test/model/harness.h"
#include "test/operator_testing.h"

namespace edgemill::docs {
namespace {

/// Calls `run(graph, setting)` for all graphs, modes and threads.
template <typename Run>
void OnTheEngine(WeightType weights, bool directed, Run run) {
  for (const TestCase& test : HardGraphs()) {
    const auto graph = InMemoryGraph::Dense(test.num_vertices, test.edges,
                                            {.directed = directed, .weights = weights});
    for (const edgemill::Mode mode : {edgemill::Mode::kAuto, edgemill::Mode::kPush,
                                      edgemill::Mode::kPull, edgemill::Mode::kNotifyPull}) {
      for (const int threads : ThreadCounts({1, 3})) {
        SCOPED_TRACE(StrCat(test.name, ", ", ModeName(mode), ", ", threads, " threads"));
        OperatorFixture fixture(*graph, {.mode = mode, .threads = threads});
        run(fixture);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(Examples, WidestPaths) {
  for (const WeightType weights :
       {WeightType::kNone, WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64}) {
    OnTheEngine(weights, true, [](OperatorFixture& fixture) {
      WidestState state(fixture.num_vertices(), fixture.graph().threads());
      auto engine = fixture.Start(state);
      ASSERT_TRUE(engine.ok()) << engine.status().message();
      const Status found = FindWidths(**engine, state, 0);
      ASSERT_TRUE(found.ok()) << found.message();
      WidestCheck check(fixture.num_vertices(), fixture.graph().threads());
      ASSERT_TRUE(check.Allocate(fixture.budget()).ok());
      const Status right = VerifyWidths(fixture.graph(), state, check, 0);
      EXPECT_TRUE(right.ok()) << right.message();
    });
  }
}

TEST(Examples, IndependentSet) {
  for (const bool directed : {true, false}) {
    OnTheEngine(WeightType::kNone, directed, [](OperatorFixture& fixture) {
      IndependentSetState state(fixture.num_vertices(), fixture.graph().threads());
      auto engine = fixture.Start(state);
      ASSERT_TRUE(engine.ok()) << engine.status().message();
      const Status found = FindIndependentSet(**engine, state);
      ASSERT_TRUE(found.ok()) << found.message();
      IndependentSetCheck check(fixture.num_vertices(), fixture.graph().threads());
      ASSERT_TRUE(check.Allocate(fixture.budget()).ok());
      const Status right = VerifyIndependentSet(fixture.graph(), state, check);
      EXPECT_TRUE(right.ok()) << right.message();
    });
  }
}

TEST(Examples, Assortativity) {
  OnTheEngine(WeightType::kNone, false, [](OperatorFixture& fixture) {
    AssortativityState state(fixture.num_vertices(), fixture.graph().threads());
    auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    const auto found = FindAssortativity(**engine, state);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_LE(std::abs(*found), 1 + 1e-9);
    AssortativityCheck check(fixture.num_vertices(), fixture.graph().threads());
    ASSERT_TRUE(check.Allocate(fixture.budget()).ok());
    const Status right = VerifyMeans(fixture.graph(), state, check);
    EXPECT_TRUE(right.ok()) << right.message();
  });
}

TEST(Examples, AStarIsDisassortative) {
  const auto star = InMemoryGraph::Dense(4, {{0, 1}, {0, 2}, {0, 3}}, {.directed = false});
  OperatorFixture fixture(*star, {});
  AssortativityState state(4, 1);
  auto engine = fixture.Start(state);
  EXPECT_EQ(*FindAssortativity(**engine, state), -1);
  EXPECT_EQ(state.mean.Get(1), 3);
  EXPECT_EQ(state.histogram.Get(1), 3u);
}

std::span<const double> ResultOf(const WidestState& state) { return state.width.span(); }
std::span<const Choice> ResultOf(const IndependentSetState& state) { return state.choice.span(); }
std::span<const double> ResultOf(const AssortativityState& state) { return state.mean.span(); }

/// The first array of a State after `run(engine, state)` on the model.
template <typename S, typename Run>
auto ModelAnswer(Run run) {
  return [run](model::Engine& engine) {
    using Array = std::remove_cvref_t<decltype(ResultOf(std::declval<S&>()))>;
    using Answer = StatusOr<std::vector<typename Array::value_type>>;
    S state(engine.num_vertices(), engine.threads());
    Status status = state.Allocate(engine.budget());
    if (status.ok()) status = run(engine, state);
    if (!status.ok()) return Answer(status);
    const auto result = ResultOf(state);
    return Answer(std::vector<typename Array::value_type>(result.begin(), result.end()));
  };
}
/// Checks that no mode of the model breaks a rule or gives another answer than the first mode.
template <typename Run>
void SameInAllModes(std::string_view name, Run run) {
  std::vector<model::Case> cases = model::Cases();
  std::erase_if(cases, [](const model::Case& c) { return c.graph.directed(); });
  const model::Caught caught = model::HowOftenCaught(cases, run);
  EXPECT_EQ(caught.times(), 0u) << name << ": " << caught.first;
  EXPECT_GT(caught.runs, 0u);
}

TEST(Examples, AreTheSameInAllModesOfTheModel) {
  SameInAllModes("widest paths", ModelAnswer<WidestState>([](auto& engine, WidestState& state) {
                   return FindWidths(engine, state, 0);
                 }));
  SameInAllModes("independent set",
                 ModelAnswer<IndependentSetState>([](auto& engine, IndependentSetState& state) {
                   return FindIndependentSet(engine, state);
                 }));
  SameInAllModes("assortativity",
                 ModelAnswer<AssortativityState>([](auto& engine, AssortativityState& state) {
                   return FindAssortativity(engine, state).status();
                 }));
}

}  // namespace
}  // namespace edgemill::docs

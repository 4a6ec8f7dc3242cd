// Graphs whose lists of one direction have no weights give the answers of those with all weights.
#include <gtest/gtest.h>

#include "engine/algorithms/shared/weighted_search.h"
#include "test/operator_cases.h"
#include "test/simulation_cases.h"

namespace edgemill {
namespace {

struct OneWayCase {
  std::string algorithm;
  bool parents = false;
};

class OneWayWeights : public testing::TestWithParam<std::tuple<OneWayCase, WeightType, int>> {};

std::unique_ptr<InMemoryGraph> Store(const TestCase& graph, WeightType weights, bool out, bool in) {
  return InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                              {.weights = weights, .out_weights = out, .in_weights = in});
}

/// Whole distances and widths are the same. Sums of real numbers may differ by their order.
void ExpectSameOneWay(const Outcome& want, const Outcome& got) {
  ASSERT_TRUE(want.status.ok()) << want.status.message();
  ASSERT_TRUE(got.status.ok()) << got.status.message();
  ASSERT_EQ(want.values.size(), got.values.size());
  for (size_t v = 0; v < want.values.size(); ++v) {
    ASSERT_EQ(want.values[v].reached, got.values[v].reached) << "vertex " << v;
    if (!want.values[v].reached) continue;
    ASSERT_EQ(want.values[v].integer, got.values[v].integer) << "vertex " << v;
    ASSERT_NEAR(want.values[v].real, got.values[v].real, 1e-5) << "vertex " << v;
  }
}

TEST_P(OneWayWeights, GiveTheSameAnswers) {
  const auto& [one, weights, threads] = GetParam();
  for (TestCase graph : HardGraphs()) {
    SCOPED_TRACE(graph.name);
    for (TestEdge& edge : graph.edges) {
      edge.weight = weights == WeightType::kInt32 ? edge.weight : edge.weight / 8;
    }
    RunOptions options{.algorithm = one.algorithm, .threads = threads, .verify = true};
    const uint64_t source = graph.num_vertices / 2;
    if (FindAlgorithm(one.algorithm)->needs_source()) options.values.Set("--source", source);
    if (one.parents) options.values.Set("--parents", true);
    if (one.algorithm == "nn") options.values.Set("--gain", 0.01);
    if (!FindAlgorithm(one.algorithm)->needs_source()) options.values.Set("--iterations", 5);
    const Outcome want = RunInMemory(*Store(graph, weights, true, true), options);
    for (const bool out : {true, false}) {
      SCOPED_TRACE(out ? "out-lists have weights" : "in-lists have weights");
      const auto store = Store(graph, weights, out, !out);
      options.mode = Mode::kAuto;
      ExpectSameOneWay(want, RunInMemory(*store, options));
      options.mode = out ? Mode::kPush : Mode::kPull;
      ExpectSameOneWay(want, RunInMemory(*store, options));
      if (HasFatalFailure()) return;
      options.mode = out ? Mode::kPull : Mode::kPush;
      const Outcome refused = RunInMemory(*store, options);
      EXPECT_EQ(refused.status.code(), graph.edges.empty() ? Code::kOk : Code::kUsage);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OneWayWeights,
                         testing::Combine(testing::Values(OneWayCase{"sssp"},
                                                          OneWayCase{"sssp", true},
                                                          OneWayCase{"sswp"}, OneWayCase{"hs"},
                                                          OneWayCase{"cs"}, OneWayCase{"nn"}),
                                          testing::Values(WeightType::kInt32, WeightType::kFloat32,
                                                          WeightType::kFloat64),
                                          testing::ValuesIn(ThreadCounts({1, 3}))));

/// A run that needs weights says so before it reads anything.
TEST(OneWayWeightsRuns, AreRefusedBeforeTheyReadAnything) {
  const TestCase graph = HardGraphs()[9];
  const auto store = Store(graph, WeightType::kInt32, true, false);
  RunOptions options{.algorithm = "sssp", .values = {{"--source", 1}}, .mode = Mode::kPull};
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  const auto refused = edgemill::Run(*store, options, budget, progress,
                                     [](const GraphStore&, const BlockReaderOptions&,
                                        MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
                                       ADD_FAILURE() << "a reader was made";
                                       return InternalError("no reader");
                                     });
  EXPECT_EQ(refused.status().code(), Code::kUsage);
  EXPECT_EQ(refused.status().message(),
            "memory.mill lacks the weights for --mode pull: ingest it with --weights-in both");
}

/// Programs that read no weights run in all modes.
TEST(OneWayWeightsRuns, DoNotMatterWithoutWeights) {
  const TestCase graph = HardGraphs()[9];
  for (const bool out : {true, false}) {
    const auto store = Store(graph, WeightType::kFloat32, out, !out);
    for (const Mode mode : {Mode::kAuto, Mode::kPush, Mode::kPull}) {
      for (const std::string name : {"bfs", "pagerank", "cc"}) {
        RunOptions options{.algorithm = name, .mode = mode, .verify = true};
        if (name == "bfs") options.values.Set("--source", 1);
        if (name == "cc") options.values.Set("--method", "labels");
        const Outcome outcome = RunInMemory(*store, options);
        EXPECT_TRUE(outcome.status.ok()) << name << ": " << outcome.status.message();
      }
    }
  }
}

/// Adds up messages times weights.
struct WeightedSum {
  using Monoid = Sum<uint64_t>;
  View<uint64_t> value;
  uint64_t Emit(VertexId u) const { return u + 1; }
  uint64_t Along(uint64_t message, const WeightedEdge<int32_t>& edge) const {
    return message * static_cast<uint64_t>(edge.weight);
  }
  bool Apply(VertexId v, uint64_t sum) {
    value[v] = sum;
    return true;
  }
};

struct WeightedSumState : State {
  WeightedSumState(uint64_t num_vertices, int threads) : State(num_vertices, threads) {}
  VertexArray<uint64_t> value{*this, "value"};
  VisitedLists lists{*this, kBoth};
  Programs<WeightedSum> programs{*this, kBoth};
};

/// Messages are pulled along the lists with weights, and notices go along the others.
TEST(OneWayWeightsRuns, NoticesGoAlongListsWithoutWeights) {
  const TestCase graph{"random", 300, RandomTestEdges(5, 300, 2000)};
  for (const bool out : {true, false}) {
    const auto store = Store(graph, WeightType::kInt32, out, !out);
    for (const int threads : ThreadCounts({1, 3})) {
      OperatorFixture fixture(*store, {.mode = Mode::kNotifyPull, .threads = threads});
      WeightedSumState state(fixture.num_vertices(), threads);
      const auto engine = fixture.Start(state);
      ASSERT_TRUE(engine.ok()) << engine.status().message();
      state.value.Fill(0);
      const std::vector<VertexId> members = {7, 8, 200};
      const auto from = (*engine)->sets().Of(members);
      ASSERT_TRUE(from.ok());
      const Directions directions = out ? kIn : kOut;
      const auto next = (*engine)->EdgeMap(directions, *from, WeightedSum{state.value.view()});
      ASSERT_TRUE(next.ok()) << next.status().message();
      std::vector<uint64_t> want(300);
      for (const TestEdge& edge : graph.edges) {
        const uint64_t sender = out ? edge.target : edge.source;
        const uint64_t receiver = out ? edge.source : edge.target;
        if (!std::binary_search(members.begin(), members.end(), sender)) continue;
        want[receiver] += (sender + 1) * static_cast<uint64_t>(edge.weight);
      }
      EXPECT_EQ(std::vector<uint64_t>(state.value.span().begin(), state.value.span().end()), want);
    }
  }
}

TEST(OneWayWeightsRuns, EdgeVisitRefusesListsWithoutWeights) {
  const TestCase graph{"random", 300, RandomTestEdges(5, 300, 2000)};
  for (const bool out : {true, false}) {
    const auto store = Store(graph, WeightType::kInt32, out, !out);
    OperatorFixture fixture(*store, {});
    WeightedSumState state(fixture.num_vertices(), 1);
    Counters<Sum<double>> sum(state, "sum", 1);
    const auto engine = fixture.Start(state);
    ASSERT_TRUE(engine.ok()) << engine.status().message();
    sum.Reset();
    Tally<Sum<uint64_t>> count("edges");
    const VertexSet all = (*engine)->sets().All();
    const WeightSample::Add add{count.view(), sum.view()};
    EXPECT_TRUE((*engine)->EdgeVisit(out ? kOut : kIn, all, add).ok());
    EXPECT_EQ(*count.Take(), 2000u);
    const Status refused = (*engine)->EdgeVisit(out ? kIn : kOut, all, add);
    EXPECT_EQ(refused.code(), Code::kUsage);
    EXPECT_EQ(refused.message(), StrCat("memory.mill has no ", out ? "in" : "out",
                                        "-weights: ingest it with --weights-in both"));
  }
}

}  // namespace
}  // namespace edgemill

// Verifiers must refuse answers that are wrong in many ways.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

#include "test/engine/run/spoilt_structure.h"
#include "test/engine/run/spoilt_values.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::verification {
namespace {

/// The edges of a graph in the direction in which they are stored.
std::set<std::pair<VertexId, VertexId>> EdgesOf(const TestCase& graph, bool directed) {
  std::set<std::pair<VertexId, VertexId>> edges;
  for (const TestEdge& edge : graph.edges) {
    const auto source = static_cast<VertexId>(edge.source);
    const auto target = static_cast<VertexId>(edge.target);
    edges.insert({source, target});
    if (!directed) edges.insert({target, source});
  }
  return edges;
}

void SpoilEverything(const GraphStore& store, BlockReader& reader, const TestCase& graph) {
  const ExternalId source = graph.edges.empty() ? 0 : graph.edges.front().source;
  const auto prepare = [&](const RunOptions& options) {
    return Verification(store, reader, options);
  };
  SpoilLevels(prepare({.algorithm = "bfs", .values = {{"--source", source}}}));
  SpoilLevels(prepare({.algorithm = "bfs", .values = {{"--source", source}, {"--iterations", 2}}}));
  SpoilLevels(prepare({.algorithm = "msbfs", .values = {{"--source", source}}}));
  for (const bool bounded : {false, true}) {
    RunOptions options{.algorithm = "ssnsp", .values = {{"--source", source}}};
    if (bounded) options.values.Set("--iterations", 2);
    SpoilLevels(prepare(options));
    SpoilPathCounts(prepare(options));
  }
  for (const std::string search : {"bfs", "sssp"}) {
    SpoilParents(
        prepare({.algorithm = search, .values = {{"--source", source}, {"--parents", true}}}),
        EdgesOf(graph, store.info().directed));
  }
  SpoilComponents(prepare({.algorithm = "cc"}));
  for (const uint64_t k : {0, 2, 3}) {
    SpoilCores(prepare({.algorithm = "kcore", .values = {{"--core", k}}}));
  }
  SpoilStructure(prepare, store.info(), source);
  const bool has_weights = store.info().weights != WeightType::kNone;
  SpoilIterated(prepare, has_weights);
  for (const bool weighted : {false, has_weights}) {
    SpoilSteps(prepare, source, graph.num_vertices - 1, weighted);
  }
  SpoilScores(prepare({.algorithm = "betweenness", .values = {{"--source", source}}}),
              "betweenness");
  const bool harmonic = store.info().directed;
  SpoilScores(
      prepare({.algorithm = "closeness", .values = {{"--harmonic", harmonic}, {"--sample", 100}}}),
      "sum");
  const Verification sssp = prepare({.algorithm = "sssp", .values = {{"--source", source}}});
  const Verification sswp = prepare({.algorithm = "sswp", .values = {{"--source", source}}});
  if (store.info().weights == WeightType::kFloat64) {
    SpoilDistances<double>(sssp);
    SpoilWidths<double>(sswp);
  } else {
    SpoilDistances<uint32_t>(sssp);
    SpoilWidths<uint32_t>(sswp);
  }
  for (const std::string name : {"hs", "cs", "nn"}) {
    if (name == "nn" && store.info().weights == WeightType::kNone) continue;
    for (const uint64_t iterations : {1, 4}) {
      RunOptions options{.algorithm = name, .values = {{"--iterations", iterations}}};
      // With weights as large as these, rounding hides every difference between answers.
      if (name == "nn") options.values.Set("--gain", 0.02);
      SpoilValues(prepare(options));
    }
  }
  for (const bool spread : {true, false}) {
    RunOptions options{
        .algorithm = "pagerank",
        .values = {{"--tolerance", 1e-7}, {"--dangling", spread ? "spread" : "drop"}}};
    SpoilRanks<float>(prepare(options), "share", spread);
    RunOptions stopped = options;
    stopped.values.Remove("--tolerance");
    for (const uint64_t iterations : {1, 6}) {
      stopped.values.Set("--iterations", iterations);
      SpoilRanks<float>(prepare(stopped), "share", spread);
    }
    options.values.Set("--method", "delta");
    SpoilRanks<double>(prepare(options), "rank", spread);
  }
}

class Verifiers : public testing::TestWithParam<std::tuple<size_t, bool, WeightType>> {};

TEST_P(Verifiers, AcceptTheRightAnswerAndRefuseWrongOnes) {
  const auto [number, directed, weights] = GetParam();
  const TestCase graph = HardGraphs()[number];
  SCOPED_TRACE(graph.name);
  const auto store = InMemoryGraph::Dense(graph.num_vertices, graph.edges,
                                          {.directed = directed, .weights = weights});
  InMemoryReader reader(*store, 1);
  SpoilEverything(*store, reader, graph);
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, Verifiers,
    testing::Combine(testing::Range(size_t{0}, HardGraphs().size()), testing::Bool(),
                     testing::Values(WeightType::kNone, WeightType::kInt32, WeightType::kFloat64)));

TEST(Verifiers, WorkOnSeveralDataDirectories) {
  const TemporaryDirectory root;
  const TestCase graph{"random", 1500, RandomTestEdges(12, 1200, 5000)};
  IngestOptions options;
  options.weights.kind = WeightChoice::Kind::kInt32;
  options.columns = ColumnChoice::kBoth;
  options.block_edges = 128;
  options.page_blocks = 1;
  options.ids = IdMode::kDense;
  for (int i = 0; i < 3; ++i) options.data_directories.push_back(root / StrCat("data", i));
  const auto built = BuildGraph(DenseList(graph), root / "g.mill", options);
  ASSERT_TRUE(built.ok()) << built.status().message();
  MemoryBudget budget(uint64_t{256} << 20);
  const auto store = GraphStore::Open(root / "g.mill", {}, budget);
  ASSERT_TRUE(store.ok()) << store.status().message();
  const auto reader = BlockReader::Create(**store, {}, budget);
  ASSERT_TRUE(reader.ok()) << reader.status().message();
  SpoilEverything(**store, **reader, graph);
}

/// Two vertices with edges of weight 0 between them must not justify each other's distance.
TEST(Verifiers, EdgesOfWeightZeroDoNotJustifyEachOther) {
  // 0 -> 1 <-> 2, and 3 <-> 4, to which no path leads.
  const std::vector<TestEdge> edges = {{0, 1, 5}, {1, 2, 0}, {2, 1, 0}, {3, 4, 0}, {4, 3, 0}};
  const auto store = InMemoryGraph::Dense(5, edges, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader,
                                  {.algorithm = "sssp", .values = {{"--source", 0}}});
  Spoiler<uint32_t> spoiler(verification, "distance");
  EXPECT_EQ((std::vector<uint32_t>{0, 5, 5, kNone, kNone}), spoiler.right());
  spoiler.Refused("both too near", [](std::span<uint32_t> values) { values[1] = values[2] = 4; });
  spoiler.Refused("out of reach", [](std::span<uint32_t> values) { values[3] = values[4] = 7; });
}

/// Two equally wide vertices with wider edges between them must not justify each other's width.
TEST(Verifiers, EdgesWiderThanPathsDoNotJustifyEachOther) {
  // 0 -> 1 <-> 2, and 3 <-> 4, to which no path leads.
  const std::vector<TestEdge> edges = {{0, 1, 5}, {1, 2, 9}, {2, 1, 9}, {3, 4, 9}, {4, 3, 9}};
  const auto store = InMemoryGraph::Dense(5, edges, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader,
                                  {.algorithm = "sswp", .values = {{"--source", 0}}});
  Spoiler<uint32_t> spoiler(verification, "width");
  EXPECT_EQ((std::vector<uint32_t>{1u << 31, 6, 6, 0, 0}), spoiler.right());
  for (const uint32_t width : {1u, 5u, 7u, 10u}) {
    spoiler.Refused("both too wide or too narrow",
                    [&](std::span<uint32_t> values) { values[1] = values[2] = width; });
    spoiler.Refused("out of reach",
                    [&](std::span<uint32_t> values) { values[3] = values[4] = width; });
  }
}

/// Sums beyond 64 bits must not hide wrong answers: 2^64 paths are not 0 paths, and a part of 2^64
/// is not all of them.
TEST(Verifiers, SumsOfPathsThatPass64BitsAreWrong) {
  const auto store = InMemoryGraph::Dense(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}}, {});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader,
                                  {.algorithm = "ssnsp", .values = {{"--source", 0}}});
  Spoiler<uint64_t> spoiler(verification, "paths");
  EXPECT_EQ((std::vector<uint64_t>{1, 1, 1, 2, 2}), spoiler.right());
  constexpr uint64_t kHalf = uint64_t{1} << 63;
  for (const uint64_t more : {0, 2}) {
    spoiler.Refused("a sum is 2^64, or more", [&](std::span<uint64_t> values) {
      values[1] = values[2] = kHalf + more / 2;
      values[3] = values[4] = more;
    });
    spoiler.Refused("a sum is 2^64, or more, and the most there is", [&](auto values) {
      values[1] = values[2] = kHalf + more / 2;
      values[3] = values[4] = ~uint64_t{0};
    });
  }
}

/// A stopped search may have widths that are not the widest yet. A width that no path has is
/// refused.
TEST(Verifiers, StoppedSearchesForWidthsAreOfPaths) {
  const auto store =
      InMemoryGraph::Dense(6, {{0, 1, 5}, {0, 2, 3}, {1, 2, 4}, {2, 3, 9}, {3, 4, 9}, {4, 3, 9}},
                           {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(
      *store, reader, {.algorithm = "sswp", .values = {{"--source", 0}, {"--iterations", 1}}});
  Spoiler<uint32_t> spoiler(verification, "width");
  EXPECT_EQ((std::vector<uint32_t>{1u << 31, 6, 4, 0, 0, 0}), spoiler.right());
  spoiler.RefusedAt(0, {6, 0});
  spoiler.RefusedAt(1, {7});
  spoiler.RefusedAt(2, {6, 10});
  spoiler.RefusedAt(3, {6, 10});
  spoiler.RefusedAt(5, {1, 6});
  spoiler.Refused("each by the other", [](auto values) { values[3] = values[4] = 6; });
  const std::unique_ptr<State> narrower = verification.Run();
  narrower->Find<uint32_t>("width")[1] = 5;
  EXPECT_TRUE(verification.Verify(*narrower).ok());
}

/// A stopped search may have distances that are not the shortest yet. A distance that no path has
/// is refused.
TEST(Verifiers, StoppedSearchesAreOfPaths) {
  const auto store = InMemoryGraph::Dense(
      6, {{0, 1, 5}, {1, 2, 5}, {2, 3, 5}, {3, 4, 0}, {4, 3, 0}}, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(
      *store, reader, {.algorithm = "sssp", .values = {{"--source", 0}, {"--iterations", 2}}});
  Spoiler<uint64_t> spoiler(verification, "distance");
  constexpr uint64_t kInfinite = ~uint64_t{0};
  EXPECT_EQ((std::vector<uint64_t>{0, 5, 10, kInfinite, kInfinite, kInfinite}), spoiler.right());
  spoiler.RefusedAt(0, {1, kInfinite});
  spoiler.RefusedAt(1, {0, 4});
  spoiler.RefusedAt(3, {10, 14});
  spoiler.RefusedAt(5, {0, 100});
  spoiler.Refused("each by the other", [](auto values) { values[3] = values[4] = 14; });
  const std::unique_ptr<State> longer = verification.Run();
  longer->Find<uint64_t>("distance")[3] = 15;
  EXPECT_TRUE(verification.Verify(*longer).ok());
}

TEST(Verifiers, StoppedLabelsAreOfTheComponent) {
  const auto store =
      InMemoryGraph::Dense(8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {6, 7}}, {.directed = false});
  InMemoryReader reader(*store, 1);
  RunOptions options{.algorithm = "cc", .values = {{"--method", "labels"}, {"--iterations", 1}}};
  options.mode = Mode::kPush;
  const Verification verification(*store, reader, options);
  Spoiler<uint32_t> spoiler(verification, "component");
  spoiler.RefusedAt(4, {5, 6, 7, kNone});
  spoiler.RefusedAt(6, {0, 5, 7});
  spoiler.RefusedAt(7, {0, 4, 5});
}

/// A path has one forest. A circle of parents, and edges that are not the lightest, are refused.
TEST(Verifiers, ForestsAreWholeAndLightest) {
  const std::vector<TestEdge> edges = {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}, {1, 3, 9}};
  const auto store =
      InMemoryGraph::Dense(4, edges, {.directed = false, .weights = WeightType::kInt32});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader, {.algorithm = "mst"});
  Spoiler<uint32_t> spoiler(verification, "parent");
  EXPECT_EQ((std::vector<uint32_t>{0, 0, 1, 2}), spoiler.right());
  spoiler.RefusedAt(3, {0, 1, 3});
  spoiler.RefusedAt(0, {1, 2, 3});
  spoiler.Refused("a circle", [](auto parents) { parents[0] = 3; });
  spoiler.Refused("another root", [](auto parents) { parents[0] = parents[1] = 1; });
}

TEST(Verifiers, BetweennessByWeights) {
  for (const bool directed : {true, false}) {
    for (const WeightType weights : {WeightType::kInt32, WeightType::kFloat64}) {
      const TestCase grid = WeightedGrid(7);
      const auto store = InMemoryGraph::Dense(grid.num_vertices, grid.edges,
                                              {.directed = directed, .weights = weights});
      InMemoryReader reader(*store, 1);
      SpoilScores(Verification(*store, reader,
                               {.algorithm = "betweenness",
                                .values = {{"--source", ExternalId{0}}, {"--weighted", true}}}),
                  "betweenness");
    }
  }
}

TEST(Verifiers, SimilaritiesDependOnBothNumbersOfNeighbors) {
  const auto store = InMemoryGraph::Dense(5, {{0, 1}, {0, 2}, {3, 1}, {3, 4}, {4, 2}, {4, 2}}, {});
  InMemoryReader reader(*store, 1);
  for (const char* const measure : {"jaccard", "sorensen", "overlap", "cosine"}) {
    const Verification verification(
        *store, reader,
        {.algorithm = "similarity", .values = {{"--source", 0}, {"--measure", measure}}});
    Spoiler<uint32_t> spoiler(verification, "neighbours");
    EXPECT_EQ((std::vector<uint32_t>{kNone, kNone, kNone, 2, 1}), spoiler.right());
    spoiler.RefusedAt(3, {1, 0});
    spoiler.RefusedAt(4, {0});
    if (std::string_view(measure) != "overlap") spoiler.RefusedAt(4, {2, 3, kNone});
  }
}

/// Each component of a circle of components is whole by itself.
TEST(Verifiers, ComponentsInACircleAreOne) {
  const auto store = InMemoryGraph::Dense(4, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}, {3, 0}}, {});
  InMemoryReader reader(*store, 1);
  const Verification verification(*store, reader, {.algorithm = "scc"});
  Spoiler<uint32_t> spoiler(verification, "component");
  spoiler.Refused("two", [](auto names) {
    names[0] = names[1] = 0;
    names[2] = names[3] = 2;
  });
}

TEST(Verifiers, TiesThatGoAgainstTheOrderOfEdgesAreFollowed) {
  std::vector<TestEdge> edges;
  for (uint64_t v = 400; v > 0; --v) edges.push_back({v, v - 1, 0});
  const auto store = InMemoryGraph::Dense(401, edges, {.weights = WeightType::kInt32});
  InMemoryReader reader(*store, 0);
  const Verification verification(*store, reader,
                                  {.algorithm = "sssp", .values = {{"--source", 400}}});
  Spoiler<uint32_t> spoiler(verification, "distance");
  spoiler.RefusedAt(0, {1, kNone});
  const Verification of_widths(*store, reader,
                               {.algorithm = "sswp", .values = {{"--source", 400}}});
  Spoiler<uint32_t> width_spoiler(of_widths, "width");
  width_spoiler.RefusedAt(0, {0, 2});
}

}  // namespace
}  // namespace edgemill::verification

// From edges to answers, on real files: every answer is equal to the oracle's. It does not depend
// on threads, budgets, block sizes, data directories, devices and internal ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/run/algorithm_help.h"
#include "test/graphs/graph_oracle.h"

namespace edgemill {
namespace {

constexpr int kIterations = 10;

/// How a graph is stored.
struct Layout {
  EdgeDirection direction = EdgeDirection::kDirected;
  WeightChoice::Kind weights = WeightChoice::Kind::kInt32;
  ColumnChoice columns = ColumnChoice::kBoth;
  ColumnChoice weights_in = ColumnChoice::kBoth;
  Renumbering renumbering = Renumbering::kNone;
  uint32_t block_edges = 128;
  uint32_t page_blocks = 1;
  int directories = 1;
  bool sparse = false;
  int threads = 1;

  std::string Describe() const {
    return StrCat("direction ", int(direction), ", weights ", int(weights), ", columns ",
                  int(columns), ", weights in ", int(weights_in), ", renumbering ",
                  int(renumbering), ", ", block_edges, " x ", page_blocks, ", ", directories,
                  " directories, sparse ", sparse);
  }
};

IngestOptions OptionsOf(const Layout& layout, const TemporaryDirectory& root) {
  IngestOptions options;
  options.direction = layout.direction;
  options.weights.kind = layout.weights;
  options.columns = layout.columns;
  options.weights_in = layout.weights_in;
  options.renumbering = layout.renumbering;
  options.block_edges = layout.block_edges;
  options.page_blocks = layout.page_blocks;
  options.ids = layout.sparse ? IdMode::kSparse : IdMode::kDense;
  options.threads = layout.threads;
  for (int i = 0; layout.directories > 1 && i < layout.directories; ++i) {
    options.data_directories.push_back(root / StrCat("data", i));
  }
  return options;
}

/// Returns the list with weights that `layout` holds exactly. The oracle knows them also after
/// symmetrizing.
EdgeList Prepare(const EdgeList& list, const Layout& layout) {
  EdgeList prepared = layout.sparse ? WithSparseIds(list) : list;
  prepared.weighted = layout.weights != WeightChoice::Kind::kNone;
  double scale = 1;
  if (layout.weights == WeightChoice::Kind::kFloat32) scale = 0.375;
  if (layout.weights == WeightChoice::Kind::kFloat64) scale = 0.1;
  for (TestEdge& edge : prepared.edges) {
    if (layout.direction == EdgeDirection::kSymmetrize || !list.weighted) {
      edge.weight = static_cast<double>(Mix64(edge.source ^ edge.target) % 100);
    }
    edge.weight *= scale;
  }
  if (layout.direction == EdgeDirection::kSymmetrize && prepared.weighted) {
    // Removes repeated edges. With weights it would be unclear which of them lack their reverse.
    std::set<std::pair<ExternalId, ExternalId>> seen;
    std::erase_if(prepared.edges, [&](const TestEdge& edge) {
      return !seen.insert({edge.source, edge.target}).second;
    });
  }
  return prepared;
}

/// Checks `outcome`'s values against the oracle's.
void ExpectOracle(const Oracle& oracle, const EdgeList& list, const RunOptions& options,
                  const Outcome& outcome) {
  ASSERT_EQ(outcome.values.size(), list.ids.size());
  std::vector<double> numbers;
  std::vector<ExternalId> components;
  if (options.algorithm == "bfs") numbers = oracle.Levels(*options.values.source());
  if (options.algorithm == "sssp") numbers = oracle.Distances(*options.values.source());
  if (options.algorithm == "sswp") {
    const bool real = std::any_of(outcome.values.begin(), outcome.values.end(),
                                  [](const VertexValue& value) { return value.real != 0; });
    numbers = oracle.Widths(*options.values.source(),
                            real ? std::numeric_limits<double>::max() : 2147483647);
  }
  if (options.algorithm == "ssnsp") {
    numbers = oracle.PathCounts(*options.values.source());
  }
  if (options.algorithm == "pagerank") numbers = oracle.Ranks(kIterations);
  if (options.algorithm == "cc") components = oracle.Components();
  for (size_t i = 0; i < list.ids.size(); ++i) {
    const VertexValue& value = outcome.values[i];
    ASSERT_EQ(value.id, list.ids[i]);
    if (options.algorithm == "cc") {
      ASSERT_EQ(value.integer, components[i]) << "of vertex " << value.id;
    } else if (options.algorithm == "pagerank") {
      ASSERT_NEAR(value.real, numbers[i], 1e-6 * numbers[i]) << "of vertex " << value.id;
    } else {
      ASSERT_EQ(value.reached, numbers[i] != Oracle::kUnreached) << "vertex " << value.id;
      if (!value.reached) continue;
      const double got = value.real != 0 ? value.real : static_cast<double>(value.integer);
      ASSERT_EQ(got, numbers[i]) << "of vertex " << value.id;
    }
  }
}

std::vector<RunOptions> RunsOn(const EdgeList& list, const Layout& layout, Random& random) {
  const bool one_way = layout.direction == EdgeDirection::kDirected;
  std::vector<RunOptions> runs;
  const ExternalId source = list.ids[random.Below(list.ids.size())];
  for (const std::string name : {"bfs", "sssp", "sswp", "ssnsp", "cc", "pagerank"}) {
    RunOptions run{.algorithm = name};
    if (AlgorithmCalled(name)->needs_source()) run.values.Set("--source", source);
    if (name == "pagerank") run.values.Set("--iterations", kIterations);
    const bool needs_out_degrees = name == "pagerank";
    if (needs_out_degrees && one_way && layout.columns == ColumnChoice::kIn) continue;
    runs.push_back(run);
  }
  return runs;
}

/// Runs `options` on the graph with several threads and budgets. All answers must have the same
/// bits, and be the oracle's.
void ExpectAnswers(const std::string& path, const EdgeList& list, const Oracle& oracle,
                   RunOptions options, Random& random) {
  // A push adds floating-point numbers in any order, so only the last bits may differ.
  const bool exact = options.algorithm != "pagerank" || options.mode != Mode::kPush;
  std::optional<Outcome> first;
  for (const int threads : {1, 2, 4}) {
    options.threads = threads;
    options.io_engine = random.Below(2) == 0 ? IoEngineKind::kPread : IoEngineKind::kAuto;
    options.queue_depth = 1 + static_cast<uint32_t>(random.Below(8));
    const StatusOr<uint64_t> least = LeastBudgetOf(path, options);
    ASSERT_TRUE(least.ok()) << least.status().message();
    const uint64_t extra = threads == 2 ? random.Below(1 << 20) : threads == 4 ? 64 << 20 : 0;
    SCOPED_TRACE(StrCat(options.algorithm, ", ", threads, " threads, ", *least + extra, " bytes"));
    const Outcome outcome = RunOnDisk(path, options, *least + extra);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
    if (!first.has_value() || !exact) ExpectOracle(oracle, list, options, outcome);
    if (testing::Test::HasFatalFailure()) return;
    if (!first.has_value()) first = outcome;
    ASSERT_TRUE(!exact || SameAnswers(*first, outcome));
  }
}

void ExpectRight(const EdgeList& input, const Layout& layout, uint64_t seed) {
  SCOPED_TRACE(StrCat(input.name, ": ", layout.Describe(), "; seed ", seed));
  Random random(seed);
  TemporaryDirectory root;
  const EdgeList list = Prepare(input, layout);
  const std::string path = root / "graph.mill";
  const auto report = BuildGraph(list, path, OptionsOf(layout, root));
  ASSERT_TRUE(report.ok()) << report.status().message();
  EXPECT_EQ(report->num_vertices, list.ids.size());
  const Oracle oracle(list, layout.direction);
  for (RunOptions options : RunsOn(list, layout, random)) {
    ExpectAnswers(path, list, oracle, options, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::vector<EdgeList> Graphs() {
  std::vector<EdgeList> graphs;
  for (const TestCase& test : HardGraphs()) graphs.push_back(DenseList(test));
  graphs.push_back(GeneratedList("R-MAT", {.kind = GeneratorKind::kRmat, .scale = 10}));
  graphs.push_back(GeneratedList("Kronecker", {.kind = GeneratorKind::kKron, .scale = 9}));
  return graphs;
}

TEST(EndToEndAnswers, DrawnLayoutsGiveTheOraclesAnswers) {
  const char* const replay = std::getenv("EDGEMILL_TEST_SEED");
  const std::vector<EdgeList> graphs = Graphs();
  uint64_t first = 1;
  if (replay != nullptr) {
    ASSERT_TRUE(ParseNumber(replay, &first)) << replay;
  }
  const uint64_t last = replay != nullptr ? first : first + 44;
  for (uint64_t seed = first; seed <= last && !HasFatalFailure(); ++seed) {
    Random random(Mix64(seed));
    const EdgeDirection directions[] = {EdgeDirection::kDirected, EdgeDirection::kUndirected,
                                        EdgeDirection::kSymmetrize};
    Layout layout;
    layout.direction = directions[random.Below(3)];
    layout.weights = static_cast<WeightChoice::Kind>(1 + random.Below(4));
    if (random.Below(4) == 0) layout.columns = static_cast<ColumnChoice>(random.Below(3));
    if (random.Below(3) > 0) layout.weights_in = static_cast<ColumnChoice>(random.Below(3));
    layout.renumbering = static_cast<Renumbering>(random.Below(4));
    layout.block_edges = 128u << random.Below(10);
    layout.page_blocks = 1u << random.Below(9);
    layout.directories = 1 + static_cast<int>(random.Below(4));
    layout.sparse = random.Below(2) == 0;
    layout.threads = 1 + static_cast<int>(random.Below(3));
    ExpectRight(graphs[seed % graphs.size()], layout, seed);
  }
}

TEST(EndToEndAnswers, AHubLargerThanManyPages) {
  const EdgeList star = DenseList(HardGraphs()[6]);
  for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
    ExpectRight(star, {.renumbering = renumbering, .block_edges = 128, .directories = 4}, 1);
    ExpectRight(star, {.direction = EdgeDirection::kUndirected, .renumbering = renumbering}, 2);
  }
}

TEST(EndToEndAnswers, TheLargestBlocksAndTheEmptiestGraphs) {
  const std::vector<EdgeList> graphs = Graphs();
  for (const size_t graph : {0, 1, 2}) {
    for (const bool sparse : {false, true}) {
      for (const uint32_t block_edges : {128u, 65536u}) {
        ExpectRight(graphs[graph],
                    {.renumbering = Renumbering::kHub,
                     .block_edges = block_edges,
                     .page_blocks = 256,
                     .directories = 2,
                     .sparse = sparse},
                    3);
      }
    }
  }
  ExpectRight(graphs.back(), {.block_edges = 65536, .page_blocks = 256}, 4);
}

/// With other internal ids, integers are the same, and ranks differ only by rounding.
TEST(EndToEndAnswers, AnswersDoNotDependOnInternalIds) {
  const EdgeList input = GeneratedList("R-MAT", {.kind = GeneratorKind::kRmat, .scale = 11});
  for (const bool sparse : {false, true}) {
    std::map<std::string, Outcome> plain;
    for (const Renumbering renumbering :
         {Renumbering::kNone, Renumbering::kDegree, Renumbering::kHub, Renumbering::kRandom}) {
      Layout layout{.renumbering = renumbering, .block_edges = 1024, .sparse = sparse};
      const EdgeList list = Prepare(input, layout);
      TemporaryDirectory root;
      ASSERT_TRUE(BuildGraph(list, root / "g.mill", OptionsOf(layout, root)).ok());
      Random random(5);
      for (const RunOptions& options : RunsOn(list, layout, random)) {
        const Outcome outcome = RunOnDisk(root / "g.mill", options);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        const Outcome& want = plain.emplace(options.algorithm, outcome).first->second;
        ASSERT_TRUE(options.algorithm == "pagerank" || SameAnswers(want, outcome));
        for (size_t i = 0; i < want.values.size(); ++i) {
          ASSERT_EQ(want.values[i].id, outcome.values[i].id);
          ASSERT_NEAR(want.values[i].real, outcome.values[i].real, 1e-6);
        }
      }
    }
  }
}

/// Graphs with weights in the lists of one direction: in little memory, with each kind of weights.
TEST(EndToEndAnswers, WeightsOfOneDirectionAreEnough) {
  const EdgeList input = GeneratedList("R-MAT", {.kind = GeneratorKind::kRmat, .scale = 9});
  for (const ColumnChoice weights_in : {ColumnChoice::kOut, ColumnChoice::kIn}) {
    for (const WeightChoice::Kind kind :
         {WeightChoice::Kind::kInt32, WeightChoice::Kind::kFloat32, WeightChoice::Kind::kFloat64}) {
      ExpectRight(input, {.weights = kind, .weights_in = weights_in, .block_edges = 256}, 7);
    }
  }
}

/// Modes and methods agree with the oracle on one directed and one symmetric graph.
TEST(EndToEndAnswers, ModesAndMethods) {
  for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
    const Layout layout{.direction = direction, .block_edges = 256, .page_blocks = 4};
    const EdgeList list = Prepare(DenseList(HardGraphs()[11]), layout);
    TemporaryDirectory root;
    ASSERT_TRUE(BuildGraph(list, root / "g.mill", OptionsOf(layout, root)).ok());
    const Oracle oracle(list, direction);
    Random random(9);
    for (RunOptions options : RunsOn(list, layout, random)) {
      options.verify = true;
      for (const Mode mode : {Mode::kPull, Mode::kPush, Mode::kNotifyPull}) {
        options.mode = mode;
        const auto least = LeastBudgetOf(root / "g.mill", options);
        if (least.status().code() == Code::kUsage) continue;  // not a mode of this algorithm
        SCOPED_TRACE(StrCat(options.algorithm, " by ", ModeName(mode)));
        ExpectAnswers(root / "g.mill", list, oracle, options, random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace edgemill

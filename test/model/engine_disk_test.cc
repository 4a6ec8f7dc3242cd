// Random sequences of operators on graphs in several data directories. The memory budget is small,
// so the engine reads blocks again and again. It must give the same results as the model.
#include <gtest/gtest.h>

#include "test/graphs/graph_builder.h"
#include "test/model/trials.h"
#include "test/temporary_directory.h"

namespace edgemill::model {
namespace {

/// A composition whose parallel edges have the same weight, because ingest may store them in any
/// order.
Composition ComposeForDisk(uint64_t seed) {
  std::mt19937_64 random(seed);
  Composition composition = Compose(seed);
  const bool directed = random() % 3 != 0;
  const uint64_t n = 300 + random() % 900;
  std::vector<InputEdge> edges = RandomEdges(n, 3000 + random() % 2000, random, true);
  for (VertexId v = 0; v < 700; ++v) edges.push_back({5, static_cast<VertexId>(random() % n), 1});
  for (InputEdge& edge : edges) edge.weight = (edge.from ^ edge.to) % 8;
  composition.graph = Graph(n, std::move(edges), directed);
  composition.options = {.directed = directed, .weights = WeightType::kInt32};
  composition.order_counts = false;
  return composition;
}

Status Build(const Composition& composition, const TemporaryDirectory& root) {
  TestCase test{"composed", composition.graph.num_vertices(), {}};
  for (const InputEdge& edge : composition.graph.input()) {
    test.edges.push_back({edge.from, edge.to, edge.weight});
  }
  IngestOptions options;
  options.weights.kind = WeightChoice::Kind::kInt32;
  options.direction =
      composition.options.directed ? EdgeDirection::kDirected : EdgeDirection::kUndirected;
  options.columns = ColumnChoice::kBoth;
  options.block_edges = 128;
  options.page_blocks = 1;
  options.ids = IdMode::kDense;
  for (int i = 0; i < 3; ++i) options.data_directories.push_back(root / StrCat("data", i));
  return BuildGraph(DenseList(test), root / "g.mill", options).status();
}

uint64_t blocks_read = 0;

std::string RunOnDisks(const Composition& composition, const TemporaryDirectory& root) {
  constexpr uint64_t kBudgetBytes = MemoryBudget::kProcessBytes + (uint64_t{4} << 20);
  MemoryBudget budget(kBudgetBytes);
  Progress progress;
  auto store = GraphStore::Open(root / "g.mill", {}, budget);
  if (!store.ok()) return std::string(store.status().message());
  const int threads = composition.setting.threads;
  auto reader = BlockReader::Create(
      **store, {.buffer_bytes = uint64_t{1} << 20, .max_read_bytes = 1u << 16, .threads = threads},
      budget);
  if (!reader.ok()) return std::string(reader.status().message());
  auto graph = LoadedGraph::Load({**store, **reader, threads, budget, progress},
                                 {.out_index = true, .in_index = true});
  if (!graph.ok()) return std::string(graph.status().message());
  Recorder recorder(**graph);
  ComposedPrograms state((*graph)->num_vertices(), threads, kBoth);
  if (const Status status = state.Allocate(budget); !status.ok()) {
    return std::string(status.message());
  }
  auto engine = MakeCpuEngine(
      **graph, state,
      {.mode = composition.setting.mode, .async_passes = composition.setting.async_passes},
      recorder);
  if (!engine.ok()) return std::string(engine.status().message());
  std::string wrong = Composer(composition, **engine, state).Run();
  blocks_read += (*reader)->stats().blocks_read;
  return wrong;
}

TEST(EngineDiskTest, RandomSequences) {
  const uint64_t first = NumberOf("EDGEMILL_SEED", 1);
  const uint64_t trials = std::max<uint64_t>(1, NumTrials(200) / 10);
  for (uint64_t seed = first; seed < first + trials && !testing::Test::HasFailure(); ++seed) {
    const TemporaryDirectory root;
    const Composition composition = ComposeForDisk(seed);
    const Status built = Build(composition, root);
    ASSERT_TRUE(built.ok()) << built.message();
    EXPECT_EQ(RunOnDisks(composition, root), "")
        << "replay with EDGEMILL_SEED=" << seed << ": " << NameOf(composition.setting);
  }
  // The lists of one direction of a graph fill about 40 blocks.
  if (trials >= 10) {
    EXPECT_GT(blocks_read, 500 * trials);
  }
}

}  // namespace
}  // namespace edgemill::model

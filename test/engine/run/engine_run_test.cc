// The function Run: ids, budgets, damage, failing disks, cancellation, and the list of algorithms.
#include <gtest/gtest.h>

#include "common/units.h"
#include "engine/api/algorithm.h"
#include "engine/graph/id_map.h"
#include "engine/graph/vertex_index.h"
#include "engine/run/algorithm_help.h"
#include "test/engine_testing.h"

namespace edgemill {
namespace {

/// Ids with wide gaps: 2^63 among them.
std::vector<ExternalId> SparseIds(uint64_t count) {
  std::vector<ExternalId> ids;
  for (uint64_t i = 0; i < count; ++i) ids.push_back(7 + i * (uint64_t{1} << 54));
  return ids;
}

TEST(IdMap, FindsSparseRenumberedIdsAndRefusesOthers) {
  const auto ids = SparseIds(1000);
  const InMemoryGraph graph(ids, {{ids[0], ids[999]}}, {.renumber_seed = 3});
  InMemoryReader reader(graph, 0);
  IdMap map(graph, reader);
  std::vector<VertexId> found;
  for (const ExternalId id : ids) {
    const auto vertex = map.Find(id);
    ASSERT_TRUE(vertex.ok()) << vertex.status().message();
    found.push_back(*vertex);
    for (const ExternalId other : {id - 1, id + 1}) {
      EXPECT_EQ(Code::kUsage, map.Find(other).status().code());
    }
  }
  std::vector<VertexId> visited;
  ASSERT_TRUE(map.Visit([&](uint64_t first_rank, std::span<const ExternalId> run,
                            std::span<const VertexId> vertices) {
                   for (size_t i = 0; i < run.size(); ++i) EXPECT_EQ(ids[first_rank + i], run[i]);
                   visited.insert(visited.end(), vertices.begin(), vertices.end());
                   return OkStatus();
                 })
                  .ok());
  EXPECT_EQ(found, visited);
  EXPECT_NE(std::string::npos, map.Find(5).status().message().find("vertex 5 is not in"));
}

TEST(Run, AnswersAreInInputIds) {
  const auto ids = SparseIds(600);
  std::vector<TestEdge> edges;
  for (size_t i = 300; i + 1 < 600; ++i) edges.push_back({ids[i], ids[i + 1]});
  const InMemoryGraph graph(ids, edges, {.renumber_seed = 8});
  const Outcome components = RunInMemory(graph, {.algorithm = "cc"});
  ASSERT_TRUE(components.status.ok()) << components.status.message();
  RunOptions bfs{.algorithm = "bfs", .values = {{"--source", ids[300]}}};
  bfs.values.Set("--parents", true);
  const Outcome parents = RunInMemory(graph, bfs);
  ASSERT_TRUE(parents.status.ok()) << parents.status.message();
  for (size_t i = 0; i < 600; ++i) {
    EXPECT_EQ(ids[i], components.values[i].id);
    EXPECT_EQ(i < 300 ? ids[i] : ids[300], components.values[i].integer);
    EXPECT_EQ(i >= 300, parents.values[i].reached);
    if (i < 300) continue;
    EXPECT_EQ(i == 300 ? ids[300] : ids[i - 1], parents.values[i].integer);
  }
}

TEST(Run, RefusesWhatItCannotDo) {
  const auto graph = InMemoryGraph::Dense(10, {{0, 1}}, {});
  const auto code = [&](const RunOptions& options) {
    return RunInMemory(*graph, options).status.code();
  };
  EXPECT_EQ(Code::kUsage, code({.algorithm = "magic"}));
  EXPECT_EQ(Code::kUsage, code({.algorithm = "bfs"}));  // no source
  EXPECT_EQ(Code::kUsage, code({.algorithm = "bfs", .values = {{"--source", 10}}}));
  EXPECT_EQ(Code::kUsage, code({.algorithm = "bfs", .values = {{"--source", ~uint64_t{0}}}}));
  EXPECT_EQ(Code::kUsage,
            code({.algorithm = "bfs", .values = {{"--source", 0}, {"--tolerance", 3}}}));
  EXPECT_EQ(Code::kUsage, code({.algorithm = "cc", .values = {{"--source", 0}}}));
  EXPECT_EQ(Code::kOk, code({.algorithm = "bfs", .values = {{"--source", 9}}}));
}

TEST(Run, LeastBudgetIsEnoughAndLessIsRefused) {
  const auto graph = InMemoryGraph::Dense(50000, RandomTestEdges(1, 50000, 100000),
                                          {.weights = WeightType::kInt32, .block_edges = 4096});
  for (const std::string name :
       {"bfs", "cc", "sssp", "sswp", "ssnsp", "pagerank", "mis", "coloring", "scc", "cdlp", "mst",
        "toposort", "bipartite", "diameter", "triangles", "lcc", "similarity"}) {
    RunOptions options{.algorithm = name, .threads = 2};
    if (FindAlgorithm(name)->needs_source()) options.values.Set("--source", 1);
    options.verify = true;
    const auto least = LeastBudget(*graph, options, MemoryBudget(uint64_t{1} << 30));
    ASSERT_TRUE(least.ok());
    EXPECT_TRUE(RunInMemory(*graph, options, 1, *least).status.ok());
    const Outcome refused = RunInMemory(*graph, options, 1, *least - 1);
    EXPECT_EQ(Code::kBudget, refused.status.code());
    EXPECT_NE(std::string::npos, refused.status.message().find(FormatMebibytesUp(*least)));
  }
}

/// With only Garaph's rule, a program may pull in every pass that has a choice, or in none.
TEST(Run, AThresholdForPullsChangesNoAnswer) {
  for (const bool directed : {true, false}) {
    const auto graph = InMemoryGraph::Dense(
        2000, RandomTestEdges(2, 2000, 9000),
        {.directed = directed, .weights = WeightType::kInt32, .block_edges = 1024});
    for (const std::string name : {"bfs", "cc", "sssp", "sswp", "ssnsp", "kcore", "betweenness"}) {
      for (const double threshold : {0.0, 0.2, 1.0}) {
        SCOPED_TRACE(StrCat(name, directed ? ", directed, " : ", ", threshold));
        RunOptions options{.algorithm = name, .threads = 2, .verify = true};
        if (FindAlgorithm(name)->needs_source()) options.values.Set("--source", 1);
        if (name == "cc") options.values.Set("--method", "labels");
        options.pull_threshold = threshold;
        const Outcome outcome = RunInMemory(*graph, options);
        ASSERT_TRUE(outcome.status.ok()) << outcome.status.message();
        const bool buckets = name == "sssp" || name == "sswp";  // a pull would look at all edges
        for (const IterationReport& iteration : outcome.report.iterations) {
          if (threshold == 1 || buckets) {
            EXPECT_NE(Mode::kPull, iteration.mode);
          }
          if (threshold == 0 && name == "cc" && iteration.active_edges > 0) {
            EXPECT_EQ(Mode::kPull, iteration.mode);
          }
        }
      }
    }
  }
}

TEST(Run, DiskFailureAtAnyDeliveryIsTheAnswer) {
  const auto graph =
      InMemoryGraph::Dense(2000, RandomTestEdges(2, 2000, 9000), {.block_edges = 1024});
  for (const std::string name :
       {"bfs", "cc", "pagerank", "sssp", "sswp", "ssnsp", "scc", "cdlp", "mst", "similarity"}) {
    for (int64_t failing = 0;; ++failing) {
      MemoryBudget budget(uint64_t{256} << 20);
      Progress progress;
      RunOptions options{.algorithm = name, .threads = 2};
      if (FindAlgorithm(name)->needs_source()) options.values.Set("--source", 1);
      if (name == "pagerank") options.values.Set("--iterations", 2);
      const auto result =
          edgemill::Run(*graph, options, budget, progress,
                        [&](const GraphStore&, const BlockReaderOptions&,
                            MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
                          auto reader = std::make_unique<InMemoryReader>(*graph, 1);
                          reader->deliveries_left = failing;
                          return std::unique_ptr<BlockReader>(std::move(reader));
                        });
      if (result.ok()) {
        EXPECT_GT(failing, 10);
        break;
      }
      ASSERT_EQ(Code::kIo, result.status().code());
      ASSERT_LT(failing, 1000);
      EXPECT_EQ(budget.total_bytes() - MemoryBudget::kProcessBytes, budget.available_bytes());
    }
  }
}

TEST(Run, CancellationStopsIt) {
  const auto graph = InMemoryGraph::Dense(2000, RandomTestEdges(2, 2000, 9000), {});
  MemoryBudget budget(uint64_t{256} << 20);
  Progress progress;
  const auto result =
      edgemill::Run(*graph, {.algorithm = "pagerank", .threads = 2}, budget, progress,
                    [&](const GraphStore&, const BlockReaderOptions&,
                        MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
                      auto reader = std::make_unique<InMemoryReader>(*graph, 1);
                      reader->deliveries_left = 100;
                      reader->cancel_instead = true;
                      return std::unique_ptr<BlockReader>(std::move(reader));
                    });
  ClearCancel();
  EXPECT_EQ(Code::kCancelled, result.status().code());
}

TEST(Run, CancellationWhileOffsetsAreCheckedIsNoDamage) {
  const auto graph = InMemoryGraph::Dense(2000, RandomTestEdges(2, 2000, 9000), {});
  MemoryBudget budget(uint64_t{256} << 20);
  InMemoryReader reader(*graph, 0);
  reader.cancel_at_end = true;
  Progress progress;
  const auto index = VertexIndex::Load({*graph, reader, 1, budget, progress}, Direction::kOut);
  ClearCancel();
  EXPECT_EQ(Code::kCancelled, index.status().code()) << index.status().message();
}

TEST(Run, DamagedBlocksNeverCrashAndIdsOutOfBoundsAreNamed) {
  // The reader checks checksums. Here, damaged blocks come without that check.
  Random random(77);
  const auto edges = RandomTestEdges(3, 3000, 20000);
  uint64_t refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto graph =
        InMemoryGraph::Dense(3000, edges, {.weights = WeightType::kInt32, .block_edges = 1024});
    const ColumnKind column = std::array{ColumnKind::kOutOffsets, ColumnKind::kOutNeighbors,
                                         ColumnKind::kInNeighbors}[random.Below(3)];
    auto payload = graph->mutable_payload(column, random.Below(graph->column(column).num_blocks));
    payload[random.Below(payload.size())] ^= std::byte{uint8_t(1 << random.Below(8))};
    const std::string name =
        std::array{"bfs",      "cc",        "pagerank", "sssp",      "sswp", "ssnsp",
                   "mis",      "scc",       "coloring", "cdlp",      "mst",  "bipartite",
                   "diameter", "triangles", "lcc",      "similarity"}[random.Below(16)];
    RunOptions options{.algorithm = name, .threads = 2};
    if (FindAlgorithm(name)->needs_source()) options.values.Set("--source", 1);
    const Outcome outcome = RunInMemory(*graph, options);
    if (outcome.status.ok()) continue;  // the flip made another valid graph, or was not read
    ++refused;
    ASSERT_EQ(Code::kBadData, outcome.status.code()) << outcome.status.message();
    EXPECT_NE(std::string::npos, outcome.status.message().find("memory.mill"));
  }
  EXPECT_GT(refused, 20u);
}

TEST(Registry, HelpIsThereForAll) {
  for (const AlgorithmHelp& help : Algorithms()) {
    EXPECT_FALSE(help.summary.empty());
    EXPECT_FALSE(help.text.empty());
    EXPECT_EQ(6u, help.facts.size()) << help.name << " declares no more of AlgorithmFacts";
    EXPECT_FALSE(help.memory.front().empty());
    EXPECT_FALSE(help.results.empty());
    for (const OptionDeclaration& option : help.options) EXPECT_FALSE(option.help.empty());
  }
  EXPECT_GE(Algorithms().size(), 11u);  // the linker has left out no algorithm
}

TEST(VertexIndex, CountsBeyond32Bits) {
  // List starts of three vertices around 2^32. One vertex has more edges than 32 bits can count.
  const std::vector<uint64_t> starts = {0,
                                        10,
                                        (uint64_t{1} << 32) - 1,
                                        (uint64_t{1} << 32) + 5,
                                        (uint64_t{3} << 32) + 1,
                                        (uint64_t{3} << 32) + 1};
  std::vector<uint32_t> low;
  std::vector<VertexId> crossings;
  for (VertexId v = 0; v < starts.size(); ++v) {
    low.push_back(static_cast<uint32_t>(starts[v]));
    while (crossings.size() < starts[v] >> 32) crossings.push_back(v);
  }
  const VertexIndexView index{low.data(), crossings.data(), static_cast<uint32_t>(crossings.size()),
                              5};
  for (VertexId v = 0; v < 5; ++v) {
    EXPECT_EQ(starts[v], index.first_edge(v));
    EXPECT_EQ(starts[v + 1] - starts[v], index.degree(v));
  }
  EXPECT_EQ(2u, index.LowerBound(11));
  EXPECT_EQ(3u, index.LowerBound(uint64_t{1} << 32));
  EXPECT_EQ(4u, index.LowerBound(uint64_t{2} << 32));
  EXPECT_EQ(4u, index.LowerBound((uint64_t{3} << 32) + 1));
  EXPECT_EQ(5u, index.LowerBound((uint64_t{3} << 32) + 2));
  EXPECT_EQ(0b01111u, index.HaveEdges(0));
}

TEST(VertexIndexView, WhichOf64VerticesHaveEdges) {
  // 130 vertices: every third has edges, and vertex 64 has exactly 2^32.
  std::vector<uint32_t> low = {0};
  for (VertexId v = 0; v < 130; ++v) low.push_back(low.back() + (v % 3 == 0 ? v + 1 : 0));
  const std::vector<VertexId> crossings = {65};
  const VertexIndexView index{low.data(), crossings.data(), 1, 130};
  for (uint64_t word = 0; word < 3; ++word) {
    for (uint64_t i = 0; i < 64; ++i) {
      const uint64_t v = word * 64 + i;
      EXPECT_EQ(v < 130 && (v % 3 == 0 || v == 64), (index.HaveEdges(word) >> i & 1) != 0) << v;
    }
  }
}

}  // namespace
}  // namespace edgemill

// MultiGraph's sparse kernel and Garaph's shards against the textbook, on graphs with a trap each,
// with each bound and each layout.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "bench/trials/gpu_trials.h"
#include "test/gpu/raw/raw_testing.h"

namespace edgemill::bench {
namespace {

/// Stars of more edges than a part of a shard has, and more targets than a segment and a shard
/// have.
std::vector<EdgeList> LargeTraps() {
  TestCase in{"large star in", 300'000, {}}, out{"large star out", 300'000, {}};
  for (uint64_t v = 0; v < 300'000; ++v) {
    if (v != 150'000) in.edges.push_back({v, 150'000, double(v % 7)});
    if (v != 5) out.edges.push_back({5, v, double(v % 9)});
  }
  TestCase twice{"parallel edges", 2000, {}};
  for (uint64_t v = 0; v < 2000; ++v) {
    for (int i = 0; i < 300; ++i) twice.edges.push_back({v, v * 7 % 2000, double(i % 20)});
  }
  TestCase gap{"two hubs far apart", 200'000, {}};  // pages between them are empty
  for (uint64_t v = 0; v < 3000; ++v) {
    gap.edges.push_back({v, 10, double(v % 5)});
    gap.edges.push_back({v, 199'990, double(v % 3)});
    gap.edges.push_back({199'990, v, 1});
  }
  std::vector<EdgeList> lists;
  for (const TestCase& test : {in, out, twice, gap}) {
    lists.push_back(DenseList(test));
    lists.back().weighted = true;
  }
  return lists;
}

/// Every in-degree that a bound can have an edge at: vertex v is the target of v edges.
EdgeList Staircase() {
  TestCase test{"staircase", 700, {}};
  for (uint64_t v = 0; v < 700; ++v) {
    for (uint64_t i = 0; i < v; ++i) test.edges.push_back({(v * 31 + i) % 700, v, double(i % 9)});
  }
  EdgeList list = DenseList(test);
  list.weighted = true;
  return list;
}

class PaperKernels : public RawRuns {
 protected:
  /// Runs every algorithm that each of `choices` can run, on the graph in both directions.
  void ExpectAllRight(const EdgeList& list, const std::vector<RawChoice>& choices) {
    for (const EdgeDirection direction : {EdgeDirection::kDirected, EdgeDirection::kUndirected}) {
      IngestOptions ingest;
      ingest.direction = direction;
      StoredGraph graph(list, ingest);
      if (graph.store().info().num_vertices == 0) continue;
      const PlainCsr csr = graph.Load(nullptr);
      for (const RawChoice& choice : choices) {
        for (const RawAlgorithm algorithm : kRawAlgorithms) {
          if (!CanRun(choice, algorithm)) continue;
          if (algorithm == RawAlgorithm::kSssp && csr.out().weights.empty()) continue;
          RawRunOptions options{.engine = choice.engine, .algorithm = algorithm, .threads = 2};
          options.sparse = choice.sparse;
          options.shards = choice.shards;
          options.tolerance = 1e-3;
          for (const uint64_t source : {uint64_t{0}, csr.num_vertices() / 2}) {
            options.source = static_cast<VertexId>(source);
            SCOPED_TRACE(StrCat(list.name, ", ", csr.directed() ? "directed, " : "symmetric, ",
                                choice.Name(), ", ", RawAlgorithmName(algorithm)));
            ExpectRight(csr, options, graph.budget());
            if (HasFatalFailure()) return;
            if (algorithm != RawAlgorithm::kBfs && algorithm != RawAlgorithm::kSssp) break;
          }
        }
      }
    }
  }
};

RawChoice SparseOf(std::string_view bounds) {
  return {.engine = RawEngine::kSparse, .sparse = SparseBounds::Parse(bounds).value()};
}
RawChoice ShardsOf(std::string_view tuning) {
  return {.engine = RawEngine::kShards, .shards = ShardTuning::Parse(tuning).value()};
}

std::vector<RawChoice> SparseChoices() {
  return {SparseOf("4/32/256/64/256"), SparseOf("1/32/256/64/1"), SparseOf("32/32/1024/32/0"),
          SparseOf("8/1/1/4/8"), SparseOf("2/128/1024/512/100")};
}
std::vector<RawChoice> ShardChoices() {
  return {ShardsOf("custom"),      ShardsOf("custom/target"), ShardsOf("1/target/0"),
          ShardsOf("32/source/0"), ShardsOf("2/source/1000"), ShardsOf("16/target/4097")};
}

TEST_F(PaperKernels, SmallGraphs) {
  std::vector<RawChoice> choices = {SparseOf("4/32/256/64/8"), ShardsOf("custom"),
                                    ShardsOf("8/target/100")};
  for (const TestCase& test : HardGraphs()) {
    ExpectAllRight(DenseList(test), choices);
    if (HasFatalFailure()) return;
  }
}

TEST_F(PaperKernels, SparseWithOtherBounds) {
  std::vector<EdgeList> lists = LargeTraps();
  lists.push_back(Kronecker(13));
  lists.push_back(Staircase());
  for (const EdgeList& list : lists) {
    ExpectAllRight(list, SparseChoices());
    if (HasFatalFailure()) return;
  }
}

TEST_F(PaperKernels, ShardsInOtherLayouts) {
  std::vector<EdgeList> lists = LargeTraps();
  lists.push_back(Kronecker(13));
  lists.push_back(Staircase());
  for (const EdgeList& list : lists) {
    ExpectAllRight(list, ShardChoices());
    if (HasFatalFailure()) return;
  }
}

/// For compute-sanitizer: frontiers of more than a sub-segment, and several segments.
TEST_F(PaperKernels, SegmentsAndShardsOfOneKronecker) {
  const EdgeList list = Kronecker(11);
  ExpectAllRight(list, {SparseOf("4/32/256/64/1"), ShardsOf("custom"), ShardsOf("custom/target")});
}

TEST_F(PaperKernels, EveryPageIsTimedAndTheAnswerStays) {
  StoredGraph graph(Kronecker(13));
  const PlainCsr csr = graph.Load(nullptr);
  for (const char* tuning : {"custom/source/4096", "1/target/4096", "custom/source/0"}) {
    RawRunOptions options{.engine = RawEngine::kShards,
                          .algorithm = RawAlgorithm::kPageRank,
                          .threads = 2,
                          .shards = ShardTuning::Parse(tuning).value(),
                          .num_pages = 33};
    ExpectRight(csr, options, graph.budget());
    const auto result = RunRaw(*gpu_, csr, options, graph.budget());
    ASSERT_TRUE(result.ok()) << result.status().message();
    ASSERT_EQ(result->page_seconds.size(), 33u);
    const auto timed = std::ranges::count_if(result->page_seconds, [](double s) { return s > 0; });
    // Uncut shards are fewer than pages, so that some pages are empty.
    EXPECT_EQ(timed == 33, options.shards.part_edges > 0) << timed;
    EXPECT_GT(timed, 0);
    EXPECT_GT(result->layout.mean_copies, 0);
    EXPECT_GE(result->layout.bytes, 6 * csr.num_edges());
    options.num_pages = 0;
    EXPECT_TRUE(RunRaw(*gpu_, csr, options, graph.budget())->page_seconds.empty());
  }
}

TEST_F(PaperKernels, IterationsAreReported) {
  StoredGraph graph(Kronecker(12));
  const PlainCsr csr = graph.Load(nullptr);
  RawRunOptions options{.engine = RawEngine::kSparse, .algorithm = RawAlgorithm::kBfs};
  options.source = static_cast<VertexId>(csr.num_vertices() / 2);
  const auto result = RunRaw(*gpu_, csr, options, graph.budget());
  ASSERT_TRUE(result.ok()) << result.status().message();
  ASSERT_EQ(result->steps.size(), result->iterations);
  EXPECT_EQ(result->steps[0].active_vertices, 1u);
  double seconds = 0;
  for (const RawIteration& step : result->steps) seconds += step.seconds;
  EXPECT_LE(seconds, result->seconds);
}

TEST_F(PaperKernels, WhatAKernelDoesNotAllowIsRefusedByName) {
  StoredGraph graph(Kronecker());
  const PlainCsr csr = graph.Load(nullptr);
  const auto refusal = [&](const RawChoice& choice, RawAlgorithm algorithm) {
    RawRunOptions options{.engine = choice.engine, .algorithm = algorithm};
    options.shards = choice.shards;
    const Status status = RunRaw(*gpu_, csr, options, graph.budget()).status();
    EXPECT_EQ(status.code(), Code::kUsage);
    return std::string(status.message());
  };
  const std::string deltas = refusal(ShardsOf("custom"), RawAlgorithm::kDeltaPageRank);
  EXPECT_TRUE(deltas.starts_with("Garaph shards, pagerank by deltas: ")) << deltas;
  const std::string sssp = refusal(ShardsOf("4/target"), RawAlgorithm::kSssp);
  EXPECT_TRUE(sssp.starts_with("Garaph shards 4/target, sssp: ")) << sssp;
  GpuTrialOptions options{.algorithms = {"delta"},
                          .raw_engines = {ShardsOf("custom")},
                          .trials = 1,
                          .csr_memory_bytes = uint64_t{64} << 20};
  const Status nothing =
      RunGpuTrials(graph.store(), options, graph.budget(), graph.progress()).status();
  EXPECT_EQ(nothing.code(), Code::kUsage);
  EXPECT_NE(nothing.message().find("delta, Garaph shards left out"), std::string::npos)
      << nothing.message();
}

TEST_F(PaperKernels, EachChoiceOfAnEngineHasItsTrials) {
  IngestOptions ingest;
  ingest.direction = EdgeDirection::kUndirected;
  StoredGraph graph(Kronecker(), ingest);
  GpuTrialOptions options{.algorithms = {"pagerank", "bfs"},
                          .engines = {{.transfer = Transfer::kResident}},
                          .calibration = BuiltInCalibration(),
                          .raw_engines = {SparseOf("4/32/256/64/256"), SparseOf("8/32/256/32/64"),
                                          ShardsOf("custom"), ShardsOf("8/target")},
                          .trials = 2,
                          .csr_memory_bytes = uint64_t{128} << 20,
                          .num_pages = 5,
                          .seed = 1,
                          .threads = 2};
  const auto trials = RunGpuTrials(graph.store(), options, graph.budget(), graph.progress());
  ASSERT_TRUE(trials.ok()) << trials.status().message();
  std::vector<std::string> names;
  for (const GpuTrialSeries& series : trials->series) {
    names.push_back(series.Name());
    EXPECT_EQ(series.seconds.size(), 2u) << series.Name();
    const bool is_timed_by_page =
        series.algorithm == "pagerank" && series.engine.starts_with("Garaph");
    EXPECT_EQ(series.page_seconds.size(), is_timed_by_page ? 5u : 0u) << series.Name();
    EXPECT_EQ(series.layout.bytes > 0, !series.engine.starts_with("Edgemill"));
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "pagerank, Edgemill resident", "pagerank, MultiGraph sparse",
                       "pagerank, MultiGraph sparse 8/32/256/32/64", "pagerank, Garaph shards",
                       "pagerank, Garaph shards 8/target", "bfs, Edgemill resident",
                       "bfs, MultiGraph sparse", "bfs, MultiGraph sparse 8/32/256/32/64",
                       "bfs, Garaph shards", "bfs, Garaph shards 8/target"}));
}

}  // namespace
}  // namespace edgemill::bench

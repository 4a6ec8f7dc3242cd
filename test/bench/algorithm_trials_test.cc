// Timed trials: sources are drawn by GAP's rule, starts are warm or cold, and algorithms take
// turns.
#include "bench/trials/algorithm_trials.h"

#include <gtest/gtest.h>

#include <random>

#include "bench/trials/source_picker.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::bench {
namespace {

class AlgorithmTrialsTest : public testing::Test {
 protected:
  /// Ingests `list` and opens it.
  void Build(const EdgeList& list, const IngestOptions& options = {}) {
    const std::string path = directory_ / "g.mill";
    std::filesystem::remove_all(path);
    const auto report = BuildGraph(list, path, options);
    ASSERT_TRUE(report.ok()) << report.status().message();
    store_ = std::move(GraphStore::Open(path, {}, budget_).value());
  }

  StatusOr<std::vector<ExternalId>> Pick(uint64_t seed, uint64_t count) {
    return PickSources(*store_, {seed, count}, 2, budget_, progress_);
  }

  static RunOptions Options(const std::string& algorithm) {
    RunOptions options;
    options.algorithm = algorithm;
    options.verify = true;
    options.threads = 2;
    return options;
  }

  TemporaryDirectory directory_;
  MemoryBudget budget_{uint64_t{256} << 20};
  Progress progress_;
  std::unique_ptr<GraphStore> store_;
};

TEST_F(AlgorithmTrialsTest, SourcesAreThoseThatTheGapSuiteDraws) {
  const EdgeList list = DenseList({"half isolated", 1024, RandomTestEdges(5, 1024, 700)});
  std::vector<int> degrees(1024);
  for (const TestEdge& edge : list.edges) ++degrees[edge.source];
  for (const Renumbering renumbering : {Renumbering::kNone, Renumbering::kDegree}) {
    IngestOptions options;
    options.renumbering = renumbering;
    Build(list, options);
    for (const uint64_t seed : {kGapSeed, uint64_t{1}}) {
      // 1024 is a power of two. So the generator refuses no draw, and each draw is its value modulo
      // 1024.
      std::mt19937_64 random(seed);
      std::vector<ExternalId> expected;
      while (expected.size() < 64) {
        const uint64_t vertex = random() % 1024;
        if (degrees[vertex] > 0) expected.push_back(vertex);
      }
      const auto picked = Pick(seed, 64);
      ASSERT_TRUE(picked.ok()) << picked.status().message();
      EXPECT_EQ(*picked, expected);
    }
  }
}

TEST_F(AlgorithmTrialsTest, SourcesOfAnyIdsHaveOutEdges) {
  const EdgeList list =
      WithSparseIds(DenseList({"skewed", 1000, RandomTestEdges(7, 1000, 3000, 3)}));
  Build(list);
  const auto picked = Pick(3, 200);
  ASSERT_TRUE(picked.ok()) << picked.status().message();
  for (const ExternalId id : *picked) {
    EXPECT_TRUE(std::any_of(list.edges.begin(), list.edges.end(), [&](const TestEdge& edge) {
      return edge.source == id;
    })) << id;
  }
}

TEST_F(AlgorithmTrialsTest, NoSourceIsAnError) {
  Build(DenseList({"no edges", 300, {}}));
  EXPECT_EQ(Pick(1, 1).status().code(), Code::kUsage);
}

TEST_F(AlgorithmTrialsTest, WarmReadsNothingColdEverything) {
  Build(DenseList({"random", 5000, RandomTestEdges(6, 5000, 200000)}));
  const uint64_t stored = store_->column(ColumnKind::kInNeighbors).stored_bytes;
  TrialPlan plan;
  plan.warm = true;
  plan.entries.push_back({.name = "pagerank", .options = Options("pagerank"), .trials = 3});
  plan.entries.push_back(
      {.name = "bfs", .options = Options("bfs"), .trials = 2, .has_source = true});
  plan.sources = {1, 2, 3};
  const auto all = RunTrials(*store_, plan, budget_, progress_);
  ASSERT_TRUE(all.ok()) << all.status().message();
  ASSERT_EQ(all->size(), 4u);
  const TrialSeries& cold = (*all)[0];
  const TrialSeries& warm = (*all)[1];
  EXPECT_EQ(cold.Name(), "pagerank, cold");
  EXPECT_EQ(warm.Name(), "pagerank, warm");
  ASSERT_EQ(cold.figures.seconds.size(), 3u);
  ASSERT_EQ(warm.figures.seconds.size(), 3u);
  ASSERT_EQ(cold.figures.verify_seconds.size(), 3u);
  EXPECT_GT(cold.figures.verify_seconds[0], 0);
  EXPECT_NEAR(cold.figures.edges[0], cold.figures.edges_per_second[0] * cold.figures.seconds[0],
              1e-3);
  EXPECT_EQ(cold.facts, warm.facts);
  for (int i = 0; i < 3; ++i) {
    EXPECT_GE(cold.figures.bytes_read[i], stored);
    // A warm run reads the index again, but not the blocks of edges.
    EXPECT_LT(warm.figures.bytes_read[i],
              cold.figures.bytes_read[i] - static_cast<double>(stored) * 0.9);
  }
  EXPECT_EQ((*all)[2].sources, (std::vector<ExternalId>{1, 2}));
  EXPECT_EQ((*all)[3].sources, (*all)[2].sources);
}

TEST_F(AlgorithmTrialsTest, ErrorsNameTheTrial) {
  Build(DenseList({"random", 500, RandomTestEdges(6, 500, 3000)}));
  TrialPlan plan;
  plan.entries.push_back(
      {.name = "bfs", .options = Options("bfs"), .trials = 2, .has_source = true});
  plan.sources = {1, 1'000'000};
  const auto all = RunTrials(*store_, plan, budget_, progress_);
  EXPECT_EQ(all.status().code(), Code::kUsage);
  EXPECT_NE(all.status().message().find("bfs, cold, trial 2"), std::string::npos);
}

TEST_F(AlgorithmTrialsTest, RunsWithMostlySaturatedValuesAreRefused) {
  std::vector<TestEdge> edges = RandomTestEdges(6, 500, 8000, 100);
  for (size_t i = 0; i < edges.size(); i += 2) edges[i].weight = -edges[i].weight;
  EdgeList list = DenseList({"weights of both signs", 500, edges});
  list.weighted = true;
  Build(list);
  TrialPlan plan;
  plan.entries.push_back({.name = "nn", .options = Options("nn"), .trials = 1});
  OptionValues& values = plan.entries[0].options.values;
  values.Set("--iterations", uint64_t{5});
  const auto saturated = RunTrials(*store_, plan, budget_, progress_);
  EXPECT_EQ(saturated.status().code(), Code::kBadData);
  EXPECT_NE(saturated.status().message().find("over half of the values"), std::string::npos)
      << saturated.status().message();
  values.Set("--gain", .01);
  EXPECT_TRUE(RunTrials(*store_, plan, budget_, progress_).ok());
}

}  // namespace
}  // namespace edgemill::bench

// Figures of graphs against plain counting: exact where everything is looked at, and within their
// bands where a sample is.
#include "engine/stats/graph_stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

#include "test/engine_testing.h"

namespace edgemill {
namespace {

StatusOr<GraphStats> Measure(const InMemoryGraph& graph, const StatsOptions& options,
                             uint64_t shuffle_seed = 1) {
  MemoryBudget budget(uint64_t{512} << 20);
  Progress progress;
  return MeasureGraph(
      graph, options, budget, progress,
      [&](const GraphStore&, const BlockReaderOptions&,
          MemoryBudget&) -> StatusOr<std::unique_ptr<BlockReader>> {
        return std::unique_ptr<BlockReader>(std::make_unique<InMemoryReader>(graph, shuffle_seed));
      });
}

/// A graph as sets of neighbours, for counting by definition.
struct PlainGraph {
  PlainGraph(const TestCase& shape, bool directed)
      : directed(directed), out(shape.num_vertices), near(shape.num_vertices) {
    for (const TestEdge& edge : shape.edges) {
      out[edge.source].insert(edge.target);
      if (!directed) out[edge.target].insert(edge.source);
      if (edge.source == edge.target) continue;
      near[edge.source].insert(edge.target);
      near[edge.target].insert(edge.source);
      if (directed) edges.push_back(edge);
    }
  }
  uint64_t size() const { return out.size(); }

  double Reciprocity() const {
    double returned = 0;
    for (const TestEdge& edge : edges) returned += out[edge.target].contains(edge.source);
    return edges.empty() ? 0 : returned / static_cast<double>(edges.size());
  }
  /// The local and the global coefficient.
  std::pair<double, double> Clustering() const {
    double all = 0, closed = 0, sum = 0;
    for (const std::set<uint64_t>& neighbors : near) {
      double pairs = 0, joined = 0;
      for (const uint64_t a : neighbors) {
        for (const uint64_t b : neighbors) {
          if (a >= b) continue;
          ++pairs;
          joined += near[a].contains(b);
        }
      }
      all += pairs;
      closed += joined;
      if (pairs > 0) sum += joined / pairs;
    }
    return {out.empty() ? 0 : sum / static_cast<double>(size()), all == 0 ? 0 : closed / all};
  }
  /// Vertices by their distance from `source`, in `lists`.
  std::vector<uint64_t> Levels(const std::vector<std::set<uint64_t>>& lists,
                               uint64_t source) const {
    std::vector<uint64_t> level(size(), ~uint64_t{0}), count;
    std::queue<uint64_t> queue;
    level[source] = 0;
    for (queue.push(source); !queue.empty(); queue.pop()) {
      const uint64_t v = queue.front();
      if (count.size() <= level[v]) count.push_back(0);
      ++count[level[v]];
      for (const uint64_t next : lists[v]) {
        if (level[next] != ~uint64_t{0}) continue;
        level[next] = level[v] + 1;
        queue.push(next);
      }
    }
    return count;
  }
  std::vector<uint64_t> Pairs() const {
    std::vector<uint64_t> pairs;
    for (uint64_t v = 0; v < size(); ++v) {
      const std::vector<uint64_t> levels = Levels(out, v);
      pairs.resize(std::max(pairs.size(), levels.size()));
      for (size_t i = 1; i < levels.size(); ++i) pairs[i] += levels[i];
    }
    return pairs;
  }
  /// How many components have each size.
  std::map<uint64_t, uint64_t> Components() const {
    std::map<uint64_t, uint64_t> vertices_in;  // that are in a component of this size
    for (uint64_t v = 0; v < size(); ++v) {
      const std::vector<uint64_t> levels = Levels(near, v);
      ++vertices_in[std::accumulate(levels.begin(), levels.end(), uint64_t{0})];
    }
    for (auto& [size, count] : vertices_in) count /= size;
    return vertices_in;
  }

  const bool directed;
  std::vector<std::set<uint64_t>> out, near;  // without duplicates; `near` without loops, both ways
  std::vector<TestEdge> edges;                // of a directed graph, without loops
};

std::vector<TestCase> SmallGraphs() {
  std::vector<TestCase> cases = {{"nothing", 0, {}},
                                 {"one vertex", 1, {}},
                                 {"one loop", 1, {{0, 0}}},
                                 {"two ways", 2, {{0, 1}, {1, 0}, {0, 1}}},
                                 {"triangle", 4, {{0, 1}, {1, 2}, {2, 0}}},
                                 {"star", 150, {}},
                                 {"dense", 40, RandomTestEdges(3, 40, 700)},
                                 {"random", 90, RandomTestEdges(4, 90, 300)},
                                 {"skewed", 80, RandomTestEdges(5, 80, 500, 3)},
                                 {"sparse", 120, RandomTestEdges(6, 120, 90)}};
  for (uint64_t v = 1; v < 150; ++v) cases[5].edges.push_back({0, v});
  return cases;
}

TEST(GraphStats, AreExactWhereAllIsLookedAt) {
  for (const TestCase& shape : SmallGraphs()) {
    for (const bool directed : {true, false}) {
      SCOPED_TRACE(StrCat(shape.name, directed ? ", directed" : ", undirected"));
      const PlainGraph plain(shape, directed);
      const auto graph = InMemoryGraph::Dense(shape.num_vertices, shape.edges,
                                              {.directed = directed, .renumber_seed = 7});
      const auto stats =
          Measure(*graph, {.sample = {.size = 1'000'000}, .sources = 200, .threads = 2});
      ASSERT_TRUE(stats.ok()) << stats.status().message();
      EXPECT_TRUE(stats->left_out.empty());
      EXPECT_EQ(stats->components->sizes, plain.Components());
      const auto [local, global] = plain.Clustering();
      EXPECT_TRUE(stats->clustering->local.exact);
      EXPECT_NEAR(stats->clustering->local.value, local, 1e-12);
      EXPECT_NEAR(stats->clustering->global.value, global, 1e-12);
      EXPECT_EQ(stats->reciprocity.has_value(), directed);
      if (directed) {
        EXPECT_TRUE(stats->reciprocity->exact);
        EXPECT_EQ(stats->reciprocity->sample, plain.edges.size());
        EXPECT_NEAR(stats->reciprocity->value, plain.Reciprocity(), 1e-12);
      }
      uint64_t isolated = 0;
      for (uint64_t v = 0; v < plain.size(); ++v) {
        isolated += plain.near[v].empty() && !plain.out[v].contains(v);
      }
      EXPECT_EQ(stats->isolated, isolated);
      if (plain.size() == 0) continue;
      const DistanceEstimates& distances = *stats->distances;
      std::vector<uint64_t> pairs = plain.Pairs();
      EXPECT_TRUE(distances.exact);
      EXPECT_EQ(distances.pairs, pairs);
      EXPECT_EQ(distances.diameter_low, pairs.size() - 1);
      EXPECT_EQ(distances.diameter_high, pairs.size() - 1);
    }
  }
}

TEST(GraphStats, CountDegrees) {
  const auto graph = InMemoryGraph::Dense(5, {{0, 1}, {0, 2}, {0, 2}, {3, 0}, {4, 4}});
  const auto stats = Measure(*graph, {.sources = 0});
  ASSERT_TRUE(stats.ok());
  EXPECT_FALSE(stats->distances.has_value());
  const DegreeCounts& out = *stats->out_degrees;
  ASSERT_EQ(out.counts().size(), 3u);  // 0, 1, 3
  EXPECT_EQ(out.counts()[0].vertices, 2u);
  EXPECT_EQ(out.counts()[1].vertices, 2u);
  EXPECT_EQ(out.most(), 3u);
  EXPECT_EQ(out.mean(), 1.0);
  EXPECT_EQ(out.Quantile(0.4), 0u);
  EXPECT_EQ(out.Quantile(0.5), 1u);
  EXPECT_EQ(out.Quantile(1), 3u);
  EXPECT_EQ(stats->in_degrees->most(), 2u);
  EXPECT_EQ(stats->isolated, 0u);
}

/// A graph with triangles, hubs, duplicates and edges both ways, too large to look at all of.
TestCase Clustered() {
  TestCase shape{"clustered", 3000, RandomTestEdges(11, 3000, 4000, 2)};
  Random random(12);
  for (int i = 0; i < 4000; ++i) {
    const uint64_t a = random.Below(2990), b = a + 1 + random.Below(4), c = b + 1 + random.Below(4);
    for (const TestEdge& edge : {TestEdge{a, b}, TestEdge{b, c}, TestEdge{c, a}}) {
      shape.edges.push_back(edge);
    }
    if (i % 2 == 0) shape.edges.push_back({b, a});
  }
  return shape;
}

TEST(GraphStats, SampledBandsHoldTheTruth) {
  const TestCase shape = Clustered();
  for (const bool directed : {true, false}) {
    const PlainGraph plain(shape, directed);
    const auto graph = InMemoryGraph::Dense(shape.num_vertices, shape.edges,
                                            {.directed = directed, .renumber_seed = 3});
    const auto [local, global] = plain.Clustering();
    ASSERT_GT(local, 0.1);
    int missed_local = 0, missed_global = 0, missed_reciprocity = 0;
    constexpr int kSeeds = 60;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const auto stats =
          Measure(*graph, {.sample = {.size = 400, .seed = seed}, .sources = 0, .threads = 2});
      ASSERT_TRUE(stats.ok()) << stats.status().message();
      const auto misses = [](const ShareEstimate& estimate, double truth) {
        EXPECT_FALSE(estimate.exact);
        EXPECT_LT(estimate.high - estimate.low, 0.15);
        return truth < estimate.low || truth > estimate.high;
      };
      missed_local += misses(stats->clustering->local, local);
      missed_global += misses(stats->clustering->global, global);
      if (directed) missed_reciprocity += misses(*stats->reciprocity, plain.Reciprocity());
    }
    // 3 of 60 are expected; 10 or more come once in 1,000 times.
    EXPECT_LT(missed_local, 10);
    EXPECT_LT(missed_global, 10);
    EXPECT_LT(missed_reciprocity, 10);
  }
}

TEST(GraphStats, DiameterIsWithinItsBounds) {
  const TestCase shape = WeightedGrid(20);
  const auto graph = InMemoryGraph::Dense(shape.num_vertices, shape.edges, {.directed = false});
  int missed = 0;
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const auto stats = Measure(*graph, {.sample = {.seed = seed}, .sources = 6, .threads = 2});
    ASSERT_TRUE(stats.ok());
    const DistanceEstimates& distances = *stats->distances;
    EXPECT_EQ(distances.sources, 6u);
    EXPECT_EQ(distances.diameter_low, 38u);  // the last searches go from corner to corner
    ASSERT_TRUE(distances.diameter_high.has_value());
    EXPECT_GE(*distances.diameter_high, 38u);
    EXPECT_LE(*distances.diameter_high, 76u);
    constexpr double kMean = 40.0 / 3;  // 2 / 3 of the side, for all pairs
    missed += *distances.mean_low > kMean || *distances.mean_high < kMean;
  }
  EXPECT_LT(missed, 6);  // 1.5 are expected; 6 or more come 3 times in 1,000
}

TEST(GraphStats, FollowTheSeedAlone) {
  const TestCase shape = Clustered();
  const auto graph = InMemoryGraph::Dense(shape.num_vertices, shape.edges);
  const auto large = InMemoryGraph::Dense(shape.num_vertices, shape.edges, {.block_edges = 4096});
  const auto figures = [](const StatusOr<GraphStats>& stats) {
    EXPECT_TRUE(stats.ok());
    return std::vector<double>{stats->reciprocity->value, stats->clustering->local.value,
                               stats->clustering->global.value, stats->distances->mean};
  };
  StatsOptions options{.sample = {.size = 700, .seed = 5}, .sources = 5, .threads = 1};
  const std::vector<double> expected = figures(Measure(*graph, options));
  options.threads = 4;
  EXPECT_EQ(figures(Measure(*graph, options, 99)), expected);
  EXPECT_EQ(figures(Measure(*large, options)), expected);
  options.sample.seed = 6;
  EXPECT_NE(figures(Measure(*graph, options)), expected);
}

TEST(GraphStats, SayWhatOneDirectionLeavesOut) {
  const TestCase shape{"random", 90, RandomTestEdges(4, 90, 300)};
  const PlainGraph plain(shape, true);
  for (const bool out : {true, false}) {
    const auto graph = InMemoryGraph::Dense(shape.num_vertices, shape.edges,
                                            {.out_columns = out, .in_columns = !out});
    const auto stats = Measure(*graph, {.sources = 100});
    ASSERT_TRUE(stats.ok()) << stats.status().message();
    EXPECT_NEAR(stats->reciprocity->value, plain.Reciprocity(), 1e-12);
    EXPECT_FALSE(stats->clustering.has_value());
    EXPECT_EQ(stats->out_degrees.has_value(), out);
    EXPECT_EQ(stats->in_degrees.has_value(), !out);
    ASSERT_FALSE(stats->left_out.empty());
    EXPECT_NE(stats->left_out[0].find("--columns both"), std::string::npos);
  }
}

TEST(GraphStats, DamageIsAnError) {
  const auto graph = InMemoryGraph::Dense(500, RandomTestEdges(6, 500, 3000));
  for (std::byte& byte : graph->mutable_payload(ColumnKind::kOutNeighbors, 3))
    byte = std::byte{255};
  EXPECT_EQ(Measure(*graph, {}).status().code(), Code::kBadData);
}

TEST(ShareEstimates, AreWilsonsIntervals) {
  const ShareEstimate none = ShareEstimate::Of(0, 10, false);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.2775, 1e-4);  // by the formula
  const ShareEstimate half = ShareEstimate::Of(50, 100, false);
  EXPECT_NEAR(half.low, 0.4038, 1e-4);
  EXPECT_NEAR(half.high, 0.5962, 1e-4);
  EXPECT_GT(ShareEstimate::Of(50, 100, false, 10).high, half.high + 0.05);
  EXPECT_EQ(ShareEstimate::Of(50, 100, false, 10).low, half.low);
  const ShareEstimate exact = ShareEstimate::Of(1, 4, true);
  EXPECT_EQ(exact.low, 0.25);
  EXPECT_EQ(exact.high, 0.25);
}

}  // namespace
}  // namespace edgemill

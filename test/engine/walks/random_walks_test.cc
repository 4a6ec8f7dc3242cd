// Random walks have the distributions of their definitions, and the same vertices in any memory and
// on any number of threads.
#include "engine/output/walks/random_walks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/cancel.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/strings.h"
#include "test/engine_testing.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {
namespace {

using Walk = std::vector<VertexId>;

struct WalkRun {
  std::vector<Walk> walks;
  WalkCounts counts;
  uint64_t least_vertices = 0;
};

StatusOr<WalkRun> WalksOf(const InMemoryGraph& graph, std::span<const VertexId> starts,
                          const WalkOptions& options, uint64_t bytes, int threads,
                          int64_t deliveries = int64_t{1} << 40) {
  MemoryBudget budget(MemoryBudget::kProcessBytes + bytes);
  Progress progress;
  InMemoryReader reader(graph, 1);
  reader.deliveries_left = deliveries;
  WalkRun run;
  const WalkSink sink = {.check =
                             [&](uint64_t least_vertices) {
                               run.least_vertices = least_vertices;
                               return OkStatus();
                             },
                         .take = [&](const WalkRows& rows) -> StatusOr<bool> {
                           EXPECT_EQ(run.walks.size(), rows.first_walk);
                           for (size_t i = 0; i < rows.sizes.size(); ++i) {
                             const auto vertices = rows.Of(i);
                             run.walks.emplace_back(vertices.begin(), vertices.end());
                           }
                           return true;
                         }};
  const StatusOr<WalkCounts> counts =
      MakeWalks({graph, reader, threads, budget, progress}, starts, options, sink);
  EXPECT_EQ(bytes, budget.available_bytes());
  if (!counts.ok()) return counts.status();
  run.counts = *counts;
  return run;
}

constexpr uint64_t kAmple = uint64_t{1} << 24;

/// The quantile of chi-square that is exceeded once in 10,000, by Wilson and Hilferty (1931).
double MostChiSquare(double freedom) {
  constexpr double kNormalQuantile = 3.719;
  const double a = 2 / (9 * freedom);
  return freedom * std::pow(1 - a + kNormalQuantile * std::sqrt(a), 3);
}

/// Expects `counts` to be drawn with `chances`, which need not have the sum 1. Nothing is drawn
/// that has no chance.
template <typename Key>
void ExpectDrawn(const std::map<Key, double>& chances, const std::map<Key, uint64_t>& counts) {
  double all = 0, drawn = 0, square = 0;
  for (const auto& [key, chance] : chances) all += chance;
  for (const auto& [key, count] : counts) {
    drawn += static_cast<double>(count);
    ASSERT_TRUE(chances.contains(key));
    ASSERT_GT(chances.at(key), 0);
  }
  int cells = 0;
  for (const auto& [key, chance] : chances) {
    if (chance == 0) continue;
    const double expected = drawn * chance / all;
    ASSERT_GE(expected, 5) << "too few walks for chi-square";
    const double seen = counts.contains(key) ? static_cast<double>(counts.at(key)) : 0;
    square += (seen - expected) * (seen - expected) / expected;
    ++cells;
  }
  ASSERT_GT(cells, 1);
  EXPECT_LT(square, MostChiSquare(cells - 1)) << cells << " cells";
}

/// Two triangles that share a vertex, with more edges, one parallel, a loop, a leaf, and weights.
std::vector<TestEdge> SmallEdges() {
  return {{0, 1, 1}, {1, 2, 2}, {2, 0, 3}, {2, 3, 4}, {3, 4, 1}, {4, 2, 5},
          {0, 1, 2}, {3, 3, 1}, {4, 5, 2}, {3, 0, 2}, {1, 3, 1}};
}
constexpr uint64_t kSmall = 6;

/// By vertex: the neighbours in its list, and the sum of their edges' weights.
std::vector<std::map<VertexId, double>> ListsOf(std::span<const TestEdge> edges, bool directed,
                                                bool weighted) {
  std::vector<std::map<VertexId, double>> lists(kSmall);
  for (const TestEdge& edge : edges) {
    const auto add = [&](uint64_t from, uint64_t to) {
      lists[from][static_cast<VertexId>(to)] += weighted ? edge.weight : 1;
    };
    add(edge.source, edge.target);
    if (!directed && edge.source != edge.target) add(edge.target, edge.source);
  }
  return lists;
}

/// Checks the chances of pairs of steps: those of the first step, and for each first step those of
/// the second.
void ExpectSteps(const std::vector<Walk>& walks,
                 const std::vector<std::map<VertexId, double>>& lists, const WalkOptions& options) {
  std::map<VertexId, std::map<VertexId, uint64_t>> first;
  std::map<std::pair<VertexId, VertexId>, std::map<VertexId, uint64_t>> next;
  for (const Walk& walk : walks) {
    if (walk.size() > 1) ++first[walk[0]][walk[1]];
    for (size_t i = 2; i < walk.size(); ++i) ++next[{walk[i - 2], walk[i - 1]}][walk[i]];
  }
  for (const auto& [from, counts] : first) {
    if (lists[from].size() > 1) ExpectDrawn(lists[from], counts);
  }
  EXPECT_GT(next.size(), size_t{8});
  for (const auto& [step, counts] : next) {
    SCOPED_TRACE(StrCat("from ", step.first, " to ", step.second));
    std::map<VertexId, double> chances = lists[step.second];
    for (auto& [to, chance] : chances) {
      if (to == step.first) {
        chance /= options.p;
      } else if (!lists[step.first].contains(to)) {
        chance /= options.q;
      }
    }
    if (chances.size() > 1) ExpectDrawn(chances, counts);
  }
}

/// `parallel`: with parallel edges. Without, the edge back is proposed in another way.
void ExpectDefinedWalks(bool parallel) {
  const std::vector<VertexId> starts = {0, 1, 2, 3, 4, 5};
  std::vector<TestEdge> edges = SmallEdges();
  if (!parallel) {
    std::erase_if(edges, [](const TestEdge& edge) {
      return edge.source == 0 && edge.target == 1 && edge.weight == 2;
    });
  }
  for (const bool directed : {false, true}) {
    for (const WeightType type : {WeightType::kInt32, WeightType::kFloat32, WeightType::kFloat64}) {
      const auto graph =
          InMemoryGraph::Dense(kSmall, edges, {.directed = directed, .weights = type});
      for (const bool weighted : {false, true}) {
        for (const auto& [p, q] : {std::pair(1.0, 1.0), std::pair(0.25, 4.0), std::pair(4.0, 0.25),
                                   std::pair(1.0, 0.5), std::pair(0.5, 0.5)}) {
          SCOPED_TRACE(StrCat(directed, " ", static_cast<int>(type), " ", weighted, " p ",
                              static_cast<int>(100 * p), " q ", static_cast<int>(100 * q)));
          const WalkOptions options{.length = 6,
                                    .walks_per_start = 2000,
                                    .seed = 8,
                                    .weighted = weighted,
                                    .p = p,
                                    .q = q};
          const auto run = WalksOf(*graph, starts, options, kAmple, 2);
          ASSERT_TRUE(run.ok()) << run.status().message();
          ASSERT_EQ(starts.size() * options.walks_per_start, run->walks.size());
          ExpectSteps(run->walks, ListsOf(edges, directed, weighted), options);
        }
      }
    }
  }
}

TEST(RandomWalks, HaveTheDistributionOfTheirDefinition) { ExpectDefinedWalks(true); }

TEST(RandomWalks, HaveTheDistributionWithoutParallelEdges) { ExpectDefinedWalks(false); }

constexpr uint64_t kLarge = 2000;

/// A graph of many blocks, whose vertex 0 has a list of many blocks.
std::vector<TestEdge> LargeEdges() {
  std::vector<TestEdge> edges = RandomTestEdges(3, kLarge, 9000, 2);
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    edges.push_back({0, random.Below(kLarge), static_cast<double>(random.Below(9))});
  }
  return edges;
}

std::vector<VertexId> EachVertex(uint64_t count) {
  std::vector<VertexId> vertices(count);
  for (uint64_t v = 0; v < count; ++v) vertices[v] = static_cast<VertexId>(count - 1 - v);
  return vertices;
}

TEST(RandomWalks, AreTheSameInAnyMemoryOnAnyThreads) {
  const std::vector<VertexId> starts = EachVertex(kLarge);
  const std::vector<TestEdge> edges = LargeEdges();
  for (const bool directed : {false, true}) {
    const auto graph = InMemoryGraph::Dense(
        kLarge, edges, {.directed = directed, .weights = WeightType::kFloat32, .block_edges = 128});
    for (const bool weighted : {false, true}) {
      for (const double q : {1.0, 0.5}) {
        SCOPED_TRACE(StrCat(directed, weighted, q == 1));
        const WalkOptions options{.length = 12,
                                  .walks_per_start = 2,
                                  .seed = 9,
                                  .weighted = weighted,
                                  .neighbors = directed ? Direction::kIn : Direction::kOut,
                                  .p = 2 * q,
                                  .q = q};
        const auto right = WalksOf(*graph, starts, options, kAmple, 1);
        ASSERT_TRUE(right.ok()) << right.status().message();
        EXPECT_EQ(right->counts.blocks, right->counts.blocks_read);
        EXPECT_EQ(uint64_t{1}, right->counts.batches);
        uint64_t vertices = 0;
        for (const Walk& walk : right->walks) vertices += walk.size();
        EXPECT_EQ(vertices, right->counts.steps + right->counts.walks);
        EXPECT_GE(vertices, right->least_vertices);
        const uint64_t least = WalkMemoryBytes(graph->info(), options);
        EXPECT_TRUE(q == 1 || right->counts.tries > right->counts.steps);
        for (const uint64_t more : {uint64_t{0}, uint64_t{5000}, uint64_t{60000}}) {
          if (more == 0 && (weighted || q != 1)) continue;  // each walk alone: slow
          for (const int threads : ThreadCounts({1, 3})) {
            const auto run = WalksOf(*graph, starts, options, least + more, threads);
            ASSERT_TRUE(run.ok()) << run.status().message();
            EXPECT_GT(run->counts.batches, uint64_t{1});
            EXPECT_GT(run->counts.blocks_read, run->counts.blocks);
            EXPECT_EQ(right->counts.tries, run->counts.tries) << more << " " << threads;
            ASSERT_EQ(right->walks, run->walks) << more << " " << threads;
          }
        }
        EXPECT_EQ(Code::kBudget, WalksOf(*graph, starts, options, least / 2, 1).status().code());
      }
    }
  }
}

/// A walk takes more memory than a block.
TEST(RandomWalks, LongWalksAreMadeInTheLeastMemory) {
  const std::vector<VertexId> starts = {0, 1, 2};
  const auto graph = InMemoryGraph::Dense(kLarge, LargeEdges(),
                                          {.directed = false, .weights = WeightType::kFloat32});
  for (const bool weighted : {false, true}) {
    for (const uint64_t length : {200, 2000}) {
      for (const double q : {1.0, 0.5}) {
        SCOPED_TRACE(StrCat(weighted, " ", length, " ", q == 1));
        const WalkOptions options{.length = length, .weighted = weighted, .q = q};
        const auto right = WalksOf(*graph, starts, options, kAmple, 1);
        ASSERT_TRUE(right.ok()) << right.status().message();
        const uint64_t least = WalkMemoryBytes(graph->info(), options);
        for (const uint64_t more : {0, 4000, 8000, 16000, 32000}) {
          const auto run = WalksOf(*graph, starts, options, least + more, 1);
          ASSERT_TRUE(run.ok()) << more << ": " << run.status().message();
          EXPECT_EQ(right->walks, run->walks) << more;
        }
      }
    }
  }
  // With space for all blocks, and just not for a walk.
  const auto one = InMemoryGraph::Dense(3, {{0, 1}, {1, 2}, {2, 0}});
  const WalkOptions options{.length = 2000};
  const auto run = WalksOf(*one, starts, options, WalkMemoryBytes(one->info(), options), 1);
  EXPECT_TRUE(run.ok()) << run.status().message();
}

TEST(RandomWalks, EndWhereTheSinkWantsNoMore) {
  const auto graph = InMemoryGraph::Dense(kLarge, LargeEdges(), {.directed = false});
  const std::vector<VertexId> starts = EachVertex(kLarge);
  const WalkOptions options{.length = 100};
  MemoryBudget budget(MemoryBudget::kProcessBytes + WalkMemoryBytes(graph->info(), options) +
                      100'000);
  Progress progress;
  InMemoryReader reader(*graph, 1);
  uint64_t given = 0;
  int calls = 0;
  const WalkSink sink = {.check = [](uint64_t) { return OkStatus(); },
                         .take = [&](const WalkRows& rows) -> StatusOr<bool> {
                           given += rows.sizes.size();
                           return ++calls < 2;
                         }};
  const auto counts = MakeWalks({*graph, reader, 1, budget, progress}, starts, options, sink);
  ASSERT_TRUE(counts.ok()) << counts.status().message();
  EXPECT_EQ(2, calls);
  EXPECT_EQ(uint64_t{2}, counts->batches);
  EXPECT_EQ(given, counts->walks);
  EXPECT_LT(given, starts.size());
}

/// An undirected edge: at p 1000 and q 0.001, the edge back is taken once in a million proposals.
TEST(RandomWalks, AreCancelledWithinAStep) {
  const auto graph = InMemoryGraph::Dense(2, {{0, 1}, {0, 1}, {0, 1}}, {.directed = false});
  const std::vector<VertexId> starts = {0};
  std::thread stopper([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    RequestCancel();
  });
  const auto run =
      WalksOf(*graph, starts, {.length = 20'000, .p = kMostBias, .q = kLeastBias}, kAmple, 1);
  stopper.join();
  ClearCancel();
  EXPECT_EQ(Code::kCancelled, run.status().code()) << run.status().message();
}

TEST(RandomWalks, TheLeastNumberOfVerticesDoesNotOverflow) {
  constexpr size_t kStarts = 20'000'000;  // times 10^12 are more than 2^64
  const auto graph = InMemoryGraph::Dense(2, {{0, 1}}, {.directed = false});
  const std::vector<VertexId> starts(kStarts, 1);
  MemoryBudget budget(MemoryBudget::kProcessBytes + kAmple);
  Progress progress;
  InMemoryReader reader(*graph, 1);
  uint64_t least = 0;
  const WalkSink sink = {.check =
                             [&](uint64_t least_vertices) {
                               least = least_vertices;
                               return UsageError("enough");
                             },
                         .take = [](const WalkRows&) -> StatusOr<bool> { return true; }};
  const WalkOptions options{.length = kMostWalkSteps, .walks_per_start = 1'000'000};
  const auto counts = MakeWalks({*graph, reader, 1, budget, progress}, starts, options, sink);
  EXPECT_EQ(Code::kUsage, counts.status().code());
  EXPECT_EQ(~uint64_t{0}, least);
}

TEST(RandomWalks, OtherSeedsAndNumbersGiveOtherWalks) {
  const auto graph = InMemoryGraph::Dense(kLarge, LargeEdges(), {.directed = false});
  const std::vector<VertexId> starts = {0, 0};
  WalkOptions options{.length = 50};
  const auto one = WalksOf(*graph, starts, options, kAmple, 1);
  options.seed = 1;
  const auto other = WalksOf(*graph, starts, options, kAmple, 1);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE(one->walks[0], one->walks[1]);
  EXPECT_NE(one->walks[0], other->walks[0]);
  EXPECT_EQ(uint64_t{102}, one->least_vertices);
}

TEST(RandomWalks, EndWhereThereIsNoEdge) {
  const std::vector<VertexId> starts = {0, 2, 3};
  const auto graph =
      InMemoryGraph::Dense(4, {{0, 1, 1}, {1, 2, 0}}, {.weights = WeightType::kInt32});
  WalkOptions options{.length = 5};
  const auto run = WalksOf(*graph, starts, options, kAmple, 1);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ((std::vector<Walk>{{0, 1, 2}, {2}, {3}}), run->walks);
  EXPECT_EQ(uint64_t{4}, run->least_vertices);
  options.weighted = true;  // an edge of weight 0 is never taken
  const auto weighted = WalksOf(*graph, starts, options, kAmple, 1);
  ASSERT_TRUE(weighted.ok());
  EXPECT_EQ((std::vector<Walk>{{0, 1}, {2}, {3}}), weighted->walks);
  const auto none = InMemoryGraph::Dense(2, {});
  const auto alone = WalksOf(*none, std::vector<VertexId>{1}, {.length = 3}, kAmple, 1);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ((std::vector<Walk>{{1}}), alone->walks);
}

TEST(RandomWalks, RefusesGraphsWithoutListsOrWeights) {
  const std::vector<VertexId> starts = {0};
  const auto plain = InMemoryGraph::Dense(3, {{0, 1}, {2, 1}}, {.in_columns = false});
  EXPECT_EQ(Code::kUsage, WalksOf(*plain, starts, {.weighted = true}, kAmple, 1).status().code());
  EXPECT_EQ(Code::kUsage,
            WalksOf(*plain, starts, {.neighbors = Direction::kIn}, kAmple, 1).status().code());
  const auto negative =
      InMemoryGraph::Dense(3, {{0, 1, -1}, {0, 2, 1}}, {.weights = WeightType::kFloat64});
  EXPECT_FALSE(WalksOf(*negative, starts, {.weighted = true}, kAmple, 1).ok());
}

TEST(RandomWalks, RefuseWeightsWhoseSumIsInfinite) {
  const std::vector<VertexId> starts = {0};
  const WalkOptions options{.length = 2, .weighted = true};
  for (const uint64_t block_edges : {128, 1024}) {  // in several blocks, and in one
    for (const double weight : {1e306, 1e305}) {
      std::vector<TestEdge> edges;
      for (uint64_t i = 0; i < 400; ++i) edges.push_back({0, 1 + i, weight});
      const auto graph = InMemoryGraph::Dense(
          401, edges,
          {.weights = WeightType::kFloat64, .block_edges = static_cast<uint32_t>(block_edges)});
      const auto run = WalksOf(*graph, starts, options, kAmple, 1);
      if (weight == 1e305) {
        EXPECT_TRUE(run.ok()) << run.status().message();
        continue;
      }
      EXPECT_EQ(Code::kBadData, run.status().code()) << block_edges;
      EXPECT_NE(std::string::npos, run.status().message().find("sum to more than"))
          << run.status().message();
      EXPECT_EQ(std::string::npos, run.status().message().find("verify"));
    }
  }
}

TEST(RandomWalks, FailuresOfTheDiskAreErrors) {
  const auto graph =
      InMemoryGraph::Dense(kLarge, LargeEdges(), {.directed = false, .block_edges = 1024});
  const std::vector<VertexId> starts = EachVertex(kLarge);
  const WalkOptions options{.length = 3, .p = 0.5};
  const uint64_t bytes = WalkMemoryBytes(graph->info(), options) + 100'000;
  int64_t failing = 0;
  for (;; ++failing) {
    const auto run = WalksOf(*graph, starts, options, bytes, 2, failing);
    if (run.ok()) break;
    ASSERT_EQ(Code::kIo, run.status().code()) << run.status().message();
  }
  EXPECT_GT(failing, 20);
}

}  // namespace
}  // namespace edgemill

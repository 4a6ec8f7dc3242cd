// Similarities of pairs are those of their definition, with the same bits in any memory that is
// enough.
#include "engine/output/pairs/pair_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "common/progress.h"
#include "common/random.h"
#include "engine/graph/loaded_graph.h"
#include "engine/verify/pair_check.h"
#include "test/engine_testing.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {
namespace {

constexpr uint64_t kPairVertices = 3000;

/// Vertices 0 to 3 have lists longer than a bit for each vertex, and many duplicates. There are
/// loops.
std::vector<TestEdge> EdgesWithHubs() {
  std::vector<TestEdge> edges = RandomTestEdges(11, kPairVertices, 9000, 2);
  Random random(12);
  for (uint64_t hub = 0; hub < 4; ++hub) {
    for (int i = 0; i < 2000; ++i) edges.push_back({hub, random.Below(kPairVertices)});
    for (int i = 0; i < 300; ++i) edges.push_back({hub, 5});  // a list of equal neighbours
  }
  for (uint64_t v = 0; v < kPairVertices; v += 7) edges.push_back({v, v});
  return edges;
}

std::vector<VertexPair> SomePairs() {
  std::vector<VertexPair> pairs;
  Random random(13);
  const auto any = [&] { return static_cast<VertexId>(random.Below(kPairVertices)); };
  for (int i = 0; i < 1500; ++i) pairs.push_back({any(), any()});
  for (VertexId hub = 0; hub < 4; ++hub) {
    for (VertexId other = 0; other < 4; ++other) pairs.push_back({hub, other});
    for (int i = 0; i < 50; ++i) pairs.push_back({any(), hub});
  }
  return pairs;
}

/// The neighbours of each vertex, and the vertices that have it as a neighbour.
struct NeighborsOfAll {
  NeighborsOfAll(std::span<const TestEdge> edges, bool directed, bool turned)
      : near(kPairVertices), holders(kPairVertices) {
    for (const TestEdge& edge : edges) {
      if (edge.source == edge.target) continue;
      if (!directed || !turned) Add(edge.source, edge.target);
      if (!directed || turned) Add(edge.target, edge.source);
    }
  }
  void Add(uint64_t from, uint64_t to) {
    near[from].insert(to);
    holders[to].insert(from);
  }
  double Of(const VertexPair& pair, SimilarityMeasure measure) const {
    const auto &one = near[pair.one], &other = near[pair.other];
    double shared = 0, by_log = 0, by_number = 0;
    for (const uint64_t w : one) {
      if (!other.contains(w)) continue;
      shared += 1;
      const auto h = static_cast<double>(holders[w].size());
      if (h > 1) by_log += 1 / std::log(h), by_number += 1 / h;
    }
    const auto a = static_cast<double>(one.size()), b = static_cast<double>(other.size());
    if (shared == 0) return 0;
    if (measure == SimilarityMeasure::kJaccard) return shared / (a + b - shared);
    if (measure == SimilarityMeasure::kSorensen) return 2 * shared / (a + b);
    if (measure == SimilarityMeasure::kOverlap) return shared / std::min(a, b);
    if (measure == SimilarityMeasure::kCosine) return shared / std::sqrt(a) / std::sqrt(b);
    if (measure == SimilarityMeasure::kCommon) return shared;
    return measure == SimilarityMeasure::kAdamicAdar ? by_log : by_number;
  }

  std::vector<std::set<uint64_t>> near, holders;
};

Status SimilaritiesOf(const InMemoryGraph& graph, const PairOptions& options, uint64_t bytes,
                      int threads, std::span<const VertexPair> pairs, std::span<double> values,
                      int64_t deliveries = int64_t{1} << 40) {
  MemoryBudget budget(MemoryBudget::kProcessBytes + bytes);
  Progress progress;
  InMemoryReader reader(graph, 1);
  reader.deliveries_left = deliveries;
  const Status status =
      FindSimilarities({graph, reader, threads, budget, progress}, pairs, options, values);
  EXPECT_EQ(bytes, budget.available_bytes());
  return status;
}

TEST(PairSimilarity, IsTheDefinitionsInAnyMemory) {
  constexpr double kRounding = 1e-12;
  const std::vector<TestEdge> edges = EdgesWithHubs();
  const std::vector<VertexPair> pairs = SomePairs();
  for (const bool directed : {false, true}) {
    for (const Direction neighbors : {Direction::kOut, Direction::kIn}) {
      const NeighborsOfAll sets(edges, directed, neighbors == Direction::kIn);
      const auto graph =
          InMemoryGraph::Dense(kPairVertices, edges, {.directed = directed, .block_edges = 128});
      for (const std::string_view name :
           {"jaccard", "sorensen", "overlap", "cosine", "common", "adamic-adar", "allocation"}) {
        SCOPED_TRACE(StrCat(name, directed ? ", directed, " : ", ", static_cast<int>(neighbors)));
        const PairOptions options{SimilarityMeasureOf(name), neighbors};
        const uint64_t least = PairMemoryBytes(*graph, pairs.size(), options);
        std::vector<double> right(pairs.size()), values(pairs.size());
        ASSERT_TRUE(SimilaritiesOf(*graph, options, uint64_t{1} << 24, 1, pairs, right).ok());
        for (size_t i = 0; i < pairs.size(); ++i) {
          const double defined = sets.Of(pairs[i], options.measure);
          ASSERT_NEAR(defined, right[i], kRounding * std::max(1.0, defined))
              << pairs[i].one << " " << pairs[i].other;
        }
        // In the least memory, every other list is a part of its own.
        for (const uint64_t more : {uint64_t{0}, uint64_t{1000}, uint64_t{20000}}) {
          const int threads = 1 + static_cast<int>(more % 3);
          ASSERT_TRUE(SimilaritiesOf(*graph, options, least + more, threads, pairs, values).ok());
          ASSERT_EQ(right, values) << more;
        }
        EXPECT_EQ(Code::kBudget,
                  SimilaritiesOf(*graph, options, least / 2, 1, pairs, values).code());
      }
    }
  }
}

TEST(PairSimilarity, TheVerifierRefusesOtherValues) {
  const std::vector<TestEdge> edges = EdgesWithHubs();
  for (const bool by_in : {false, true}) {
    const NeighborsOfAll sets(edges, /*directed=*/true, by_in);
    const auto graph = InMemoryGraph::Dense(kPairVertices, edges, {.block_edges = 128});
    MemoryBudget budget(uint64_t{256} << 20);
    Progress progress;
    InMemoryReader reader(*graph, 1);
    const auto loaded = LoadedGraph::Load({*graph, reader, 2, budget, progress},
                                          {.out_index = !by_in, .in_index = by_in});
    ASSERT_TRUE(loaded.ok());
    for (const std::string_view name :
         {"jaccard", "sorensen", "overlap", "cosine", "common", "adamic-adar", "allocation"}) {
      std::vector<CheckedPair> pairs;
      for (VertexId v = 0; v < kMostCheckedPairs; ++v) {
        pairs.push_back({v % 5, v, sets.Of({v % 5, v}, SimilarityMeasureOf(name))});
      }
      ASSERT_TRUE(CheckPairs(**loaded, name, by_in, pairs).ok());
      for (const size_t i : {size_t{0}, size_t{7}, pairs.size() - 1}) {
        std::vector<CheckedPair> wrong = pairs;
        wrong[i].value = wrong[i].value * 1.001 + (wrong[i].value == 0 ? 1e-6 : 0);
        EXPECT_EQ(Code::kInternal, CheckPairs(**loaded, name, by_in, wrong).code()) << i;
      }
    }
  }
}

TEST(PairSimilarity, RefusesGraphsWithoutTheLists) {
  const auto graph = InMemoryGraph::Dense(3, {{0, 1}, {2, 1}}, {.in_columns = false});
  const std::vector<VertexPair> pairs = {{0, 2}};
  std::vector<double> values(1);
  EXPECT_TRUE(SimilaritiesOf(*graph, {}, uint64_t{1} << 20, 1, pairs, values).ok());
  EXPECT_EQ(1, values[0]);
  const PairOptions by_in{SimilarityMeasure::kCommon, Direction::kIn};
  EXPECT_EQ(Code::kUsage,
            SimilaritiesOf(*graph, by_in, uint64_t{1} << 20, 1, pairs, values).code());
}

TEST(PairSimilarity, FailuresOfTheDiskAreErrors) {
  const auto graph = InMemoryGraph::Dense(kPairVertices, EdgesWithHubs(), {.block_edges = 1024});
  const std::vector<VertexPair> pairs = SomePairs();
  std::vector<double> values(pairs.size());
  const PairOptions options{SimilarityMeasure::kAllocation, Direction::kOut};
  int64_t failing = 0;
  for (;; ++failing) {
    const Status status =
        SimilaritiesOf(*graph, options, uint64_t{1} << 24, 2, pairs, values, failing);
    if (status.ok()) break;
    ASSERT_EQ(Code::kIo, status.code()) << status.message();
  }
  EXPECT_GT(failing, 20);
}

}  // namespace
}  // namespace edgemill

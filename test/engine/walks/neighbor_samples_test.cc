// Samples of neighbourhoods take the edges of their definition, each with the same chance, in any
// memory and on any number of threads.
#include "engine/output/walks/neighbor_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/progress.h"
#include "common/random.h"
#include "common/strings.h"
#include "test/engine_testing.h"
#include "test/graphs/in_memory_graph.h"

namespace edgemill {
namespace {

using HopEdges = std::vector<std::pair<VertexId, VertexId>>;
using Hops = std::vector<HopEdges>;

struct SampleRun {
  std::vector<Hops> samples;
  SampleCounts counts;
};

StatusOr<SampleRun> SamplesOf(const InMemoryGraph& graph, std::span<const VertexId> starts,
                              const SampleOptions& options, uint64_t bytes, int threads,
                              int64_t deliveries = int64_t{1} << 40) {
  MemoryBudget budget(MemoryBudget::kProcessBytes + bytes);
  Progress progress;
  InMemoryReader reader(graph, 1);
  reader.deliveries_left = deliveries;
  SampleRun run;
  const SampleSink sink = {[&](uint64_t count, const SampleSink::At& at) -> StatusOr<bool> {
    for (uint64_t i = 0; i < count; ++i) {
      const NeighborSample sample = at(i);
      EXPECT_EQ(run.samples.size(), sample.number);
      Hops hops;
      uint64_t begin = 0;
      for (const uint64_t end : sample.hop_ends) {
        HopEdges edges;
        for (; begin < end; ++begin) {
          edges.emplace_back(sample.edges[begin].vertex, sample.edges[begin].neighbor);
        }
        hops.push_back(std::move(edges));
      }
      EXPECT_EQ(begin, sample.edges.size());
      run.samples.push_back(std::move(hops));
    }
    return true;
  }};
  const StatusOr<SampleCounts> counts =
      SampleNeighbors({graph, reader, threads, budget, progress}, starts, options, sink);
  EXPECT_EQ(bytes, budget.available_bytes());
  if (!counts.ok()) return counts.status();
  run.counts = *counts;
  return run;
}

constexpr uint64_t kAmpleMemory = uint64_t{1} << 24;
constexpr uint64_t kSampledVertices = 1500;

std::vector<TestEdge> SampledEdges() {
  std::vector<TestEdge> edges = RandomTestEdges(5, kSampledVertices, 9000, 2);
  Random random(6);
  for (int i = 0; i < 2000; ++i) edges.push_back({7, random.Below(kSampledVertices)});
  return edges;
}

std::vector<VertexId> EveryVertex() {
  std::vector<VertexId> vertices;
  for (VertexId v = 0; v < kSampledVertices; ++v) vertices.push_back((v * 7) % kSampledVertices);
  return vertices;
}

/// By vertex, the neighbours and how many edges there are to each.
std::vector<std::map<VertexId, uint64_t>> NeighborCounts(std::span<const TestEdge> edges,
                                                         bool turned) {
  std::vector<std::map<VertexId, uint64_t>> lists(kSampledVertices);
  for (const TestEdge& edge : edges) {
    const auto from = turned ? edge.target : edge.source, to = turned ? edge.source : edge.target;
    ++lists[from][static_cast<VertexId>(to)];
  }
  return lists;
}

/// Checks what each hop has asked, and how many of whose edges it took.
void ExpectSample(const Hops& hops, VertexId start, const SampleOptions& options,
                  const std::vector<std::map<VertexId, uint64_t>>& lists) {
  std::set<VertexId> known;
  std::set<VertexId> asked = {start};
  for (size_t hop = 0; hop < hops.size(); ++hop) {
    std::map<VertexId, std::map<VertexId, uint64_t>> taken;
    for (const auto& [vertex, neighbor] : hops[hop]) ++taken[vertex][neighbor];
    std::set<VertexId> found;
    for (const VertexId vertex : asked) {
      uint64_t degree = 0, count = 0;
      for (const auto& [neighbor, edges] : lists[vertex]) degree += edges;
      for (const auto& [neighbor, edges] : taken[vertex]) {
        count += edges;
        ASSERT_TRUE(lists[vertex].contains(neighbor));
        if (!options.replace) {
          ASSERT_LE(edges, lists[vertex].at(neighbor));
        }
        found.insert(neighbor);
      }
      const uint64_t fanout = options.fanouts[hop];
      ASSERT_EQ(degree == 0 || options.replace ? fanout * (degree > 0) : std::min(degree, fanout),
                count);
    }
    for (const auto& [vertex, neighbors] : taken) ASSERT_TRUE(asked.contains(vertex));
    known.insert(asked.begin(), asked.end());
    asked.clear();
    for (const VertexId vertex : found) {
      if (!known.contains(vertex)) asked.insert(vertex);
    }
  }
}

TEST(NeighborSamples, TakeWhatIsAskedInAnyMemoryOnAnyThreads) {
  const std::vector<TestEdge> edges = SampledEdges();
  const std::vector<VertexId> starts = EveryVertex();
  const auto graph = InMemoryGraph::Dense(kSampledVertices, edges, {.block_edges = 128});
  for (const bool replace : {false, true}) {
    for (const Direction neighbors : {Direction::kOut, Direction::kIn}) {
      for (const std::vector<uint64_t>& fanouts :
           {std::vector<uint64_t>{1}, std::vector<uint64_t>{5, 3, 2}, std::vector<uint64_t>{100}}) {
        SCOPED_TRACE(StrCat(replace, static_cast<int>(neighbors), " ", fanouts[0]));
        const SampleOptions options{fanouts, replace, neighbors, 3};
        const auto right = SamplesOf(*graph, starts, options, kAmpleMemory, 1);
        ASSERT_TRUE(right.ok()) << right.status().message();
        ASSERT_EQ(starts.size(), right->samples.size());
        const auto lists = NeighborCounts(edges, neighbors == Direction::kIn);
        uint64_t all_edges = 0;
        for (size_t i = 0; i < starts.size(); ++i) {
          ExpectSample(right->samples[i], starts[i], options, lists);
          for (const HopEdges& hop : right->samples[i]) all_edges += hop.size();
        }
        EXPECT_EQ(all_edges, right->counts.edges);
        const uint64_t least = SampleMemoryBytes(graph->info(), options);
        for (const uint64_t more : {uint64_t{0}, uint64_t{30000}}) {
          const auto run = SamplesOf(*graph, starts, options, least + more, more == 0 ? 1 : 3);
          ASSERT_TRUE(run.ok()) << run.status().message();
          EXPECT_GT(run->counts.blocks_read, run->counts.blocks);
          ASSERT_EQ(right->samples, run->samples) << more;
        }
        EXPECT_EQ(Code::kBudget, SamplesOf(*graph, starts, options, least / 2, 1).status().code());
      }
    }
  }
}

TEST(NeighborSamples, AllSetsOfEdgesHaveTheSameChance) {
  constexpr uint64_t kLeaves = 6, kTaken = 3, kSets = 20;  // 6 over 3
  constexpr uint64_t kRuns = 8000;
  constexpr double kMostSquare = 50.8;  // chi-square of 19 degrees, exceeded once in 10,000
  std::vector<TestEdge> edges;
  for (uint64_t leaf = 1; leaf <= kLeaves; ++leaf) edges.push_back({0, leaf});
  const auto graph = InMemoryGraph::Dense(kLeaves + 1, edges);
  const std::vector<VertexId> starts(kRuns, 0);
  const auto run = SamplesOf(*graph, starts, {.fanouts = {kTaken}, .seed = 5}, kAmpleMemory, 2);
  ASSERT_TRUE(run.ok());
  std::map<HopEdges, uint64_t> counts;
  for (const Hops& hops : run->samples) ++counts[hops[0]];
  ASSERT_EQ(kSets, counts.size());
  double square = 0;
  for (const auto& [set, count] : counts) {
    constexpr double kExpected = static_cast<double>(kRuns) / kSets;
    const double off = static_cast<double>(count) - kExpected;
    square += off * off / kExpected;
  }
  EXPECT_LT(square, kMostSquare);
}

/// Fan-outs above 64 are drawn by another way; above half of the edges, those that are not taken
/// are drawn.
void ExpectDistinctAndEven(uint64_t taken) {
  SCOPED_TRACE(taken);
  constexpr uint64_t kLeaves = 200, kRuns = 2000;
  std::vector<TestEdge> edges;
  for (uint64_t leaf = 1; leaf <= kLeaves; ++leaf) edges.push_back({0, leaf});
  const auto graph = InMemoryGraph::Dense(kLeaves + 1, edges);
  const std::vector<VertexId> starts(kRuns, 0);
  const auto run = SamplesOf(*graph, starts, {.fanouts = {taken}}, kAmpleMemory, 2);
  ASSERT_TRUE(run.ok());
  std::vector<uint64_t> counts(kLeaves + 1);
  for (const Hops& hops : run->samples) {
    ASSERT_EQ(taken,
              (std::set<std::pair<VertexId, VertexId>>(hops[0].begin(), hops[0].end()).size()));
    for (const auto& [vertex, neighbor] : hops[0]) ++counts[neighbor];
  }
  const double share = static_cast<double>(taken) / kLeaves;
  const double deviation = std::sqrt(kRuns * share * (1 - share));
  for (uint64_t leaf = 1; leaf <= kLeaves; ++leaf) {
    EXPECT_NEAR(static_cast<double>(counts[leaf]), kRuns * share, 5 * deviation) << leaf;
  }
}

TEST(NeighborSamples, LargeFanOutsAreDistinctAndEven) {
  for (const uint64_t taken : {65, 100, 101, 150, 199}) ExpectDistinctAndEven(taken);
}

TEST(NeighborSamples, EndWhereTheSinkWantsNoMore) {
  const auto graph = InMemoryGraph::Dense(kSampledVertices, SampledEdges());
  const std::vector<VertexId> starts = EveryVertex();
  const SampleOptions options{.fanouts = {3, 2}};
  MemoryBudget budget(MemoryBudget::kProcessBytes + SampleMemoryBytes(graph->info(), options) +
                      10'000);
  Progress progress;
  InMemoryReader reader(*graph, 1);
  uint64_t given = 0;
  const SampleSink sink = {[&](uint64_t count, const SampleSink::At&) -> StatusOr<bool> {
    given += count;
    return false;
  }};
  const auto counts = SampleNeighbors({*graph, reader, 1, budget, progress}, starts, options, sink);
  ASSERT_TRUE(counts.ok()) << counts.status().message();
  EXPECT_EQ(uint64_t{1}, counts->batches);
  EXPECT_EQ(given, counts->samples);
  EXPECT_LT(given, starts.size());
}

TEST(NeighborSamples, TooManyEdgesAreTooMuchMemory) {
  const auto graph = InMemoryGraph::Dense(3, {{0, 1}});
  SampleOptions options{.fanouts = std::vector<uint64_t>(kMostHops, kMostFanout)};
  EXPECT_EQ(~uint64_t{0}, SampleMemoryBytes(graph->info(), options));
  options.fanouts = {25, 10};
  EXPECT_EQ(uint64_t{275}, MostSampledEdges(options));
}

TEST(NeighborSamples, FailuresOfTheDiskAreErrors) {
  const auto graph = InMemoryGraph::Dense(kSampledVertices, SampledEdges(), {.block_edges = 1024});
  const std::vector<VertexId> starts = EveryVertex();
  const SampleOptions options{.fanouts = {3, 2}};
  const uint64_t bytes = SampleMemoryBytes(graph->info(), options) + 100'000;
  int64_t failing = 0;
  for (;; ++failing) {
    const auto run = SamplesOf(*graph, starts, options, bytes, 2, failing);
    if (run.ok()) break;
    ASSERT_EQ(Code::kIo, run.status().code()) << run.status().message();
  }
  EXPECT_GT(failing, 10);
}

}  // namespace
}  // namespace edgemill

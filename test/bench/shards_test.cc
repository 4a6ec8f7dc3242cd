// Garaph's shards by definition: equation 2, shards that fit shared memory, each edge once.
#include "bench/layouts/shards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "test/bench/layouts_testing.h"

namespace edgemill::bench {
namespace {

TEST(ShardsTest, CopiesAreThoseOfEquation2) {
  EXPECT_EQ(CopiesOf(0, 10), 1u);
  EXPECT_EQ(CopiesOf(10, 10), 1u);
  EXPECT_EQ(CopiesOf(14, 10), 1u);    // below the square root of 2
  EXPECT_EQ(CopiesOf(15, 10), 2u);    // above
  EXPECT_EQ(CopiesOf(28, 10), 2u);    // 2^1.49
  EXPECT_EQ(CopiesOf(29, 10), 4u);    // 2^1.54
  EXPECT_EQ(CopiesOf(226, 10), 16u);  // 2^4.498
  EXPECT_EQ(CopiesOf(227, 10), 32u);  // 2^4.505
  EXPECT_EQ(CopiesOf(1'000'000, 1), 32u);
  for (uint64_t edges = 1; edges < 3000; ++edges) {
    // The paper rounds as ceil(x - .5).
    const double power = std::ceil(std::log2(static_cast<double>(edges) / 7) - .5);
    EXPECT_EQ(CopiesOf(edges, 7), std::exp2(std::clamp(power, 0.0, 5.0))) << edges;
  }
}

TEST(ShardsTest, ShardsFitSharedMemoryAndHoldAllTargets) {
  for (const LayoutGraph& graph : LayoutGraphs()) {
    const PlainLists in = ListsOf(graph, true);
    for (const uint32_t copies : {0u, 1u, 8u, 32u}) {
      SCOPED_TRACE(testing::Message() << graph.name << ", " << copies << " copies");
      const std::vector<Shard> shards = CutShards(in.offsets.span(), {.copies = copies});
      VertexId next = 0;
      for (const Shard& shard : shards) {
        ASSERT_EQ(shard.first_target, next);
        ASSERT_GT(shard.num_targets, 0u);
        next += shard.num_targets;
        EXPECT_LE(shard.num_targets, 65'536u);  // offsets of 16 bits
        EXPECT_LE(uint64_t{shard.num_targets} * shard.copies, kShardValues);
        EXPECT_EQ(shard.begin, in.offsets[shard.first_target]);
        EXPECT_EQ(shard.end, in.offsets[next]);
        if (next < graph.num_vertices) {
          EXPECT_EQ(shard.num_targets, kShardValues / shard.copies);
        }
        if (copies != 0) {
          EXPECT_EQ(shard.copies, copies);
          continue;
        }
        EXPECT_GE(CopiesOf(shard.end - shard.begin, shard.num_targets), shard.copies);
        if (shard.copies == kMaxCopies) continue;
        // With twice the copies, the targets that then fit would have fewer by the equation.
        const uint64_t last = std::min<uint64_t>(
            shard.first_target + kShardValues / (2 * shard.copies), graph.num_vertices);
        EXPECT_LT(CopiesOf(in.offsets[last] - shard.begin, last - shard.first_target),
                  2 * shard.copies);
      }
      EXPECT_EQ(next, graph.num_vertices);
    }
  }
}

TEST(ShardsTest, PartsHaveAllEdgesAndAboutTheSameNumber) {
  for (const LayoutGraph& graph : LayoutGraphs()) {
    const PlainLists in = ListsOf(graph, true);
    const std::vector<Shard> shards = CutShards(in.offsets.span(), {});
    for (const uint64_t most : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, kShardPartEdges}) {
      SCOPED_TRACE(testing::Message() << graph.name << ", parts of " << most);
      const std::vector<ShardPart> parts = CutParts(shards, most);
      uint64_t next = 0;
      for (const ShardPart& part : parts) {
        ASSERT_EQ(part.begin, next);
        ASSERT_LT(part.begin, part.end);
        next = part.end;
        if (most > 0) {
          EXPECT_LE(part.end - part.begin, most);
        }
        const auto shard = std::find_if(shards.begin(), shards.end(), [&](const Shard& one) {
          return one.first_target == part.first_target;
        });
        ASSERT_NE(shard, shards.end());
        EXPECT_TRUE(shard->begin <= part.begin && part.end <= shard->end);
        EXPECT_EQ(part.num_targets, shard->num_targets);
        EXPECT_EQ(part.copies, shard->copies);
      }
      EXPECT_EQ(next, graph.edges.size());
      const auto with_edges = std::count_if(
          shards.begin(), shards.end(), [](const Shard& shard) { return shard.begin < shard.end; });
      if (most == 0) {
        EXPECT_EQ(parts.size(), static_cast<size_t>(with_edges));
      }
      const std::vector<uint32_t> pages = CutPages(parts, 33);
      ASSERT_EQ(pages.size(), 34u);
      EXPECT_TRUE(std::is_sorted(pages.begin(), pages.end()));
      EXPECT_EQ(pages.front(), 0u);
      EXPECT_EQ(pages.back(), parts.size());
      if (most != 1000) continue;
      for (uint32_t page = 0; page < 33; ++page) {
        const uint64_t begin = pages[page] < parts.size() ? parts[pages[page]].begin : next;
        const uint64_t end = pages[page + 1] < parts.size() ? parts[pages[page + 1]].begin : next;
        EXPECT_NEAR(static_cast<double>(end - begin), static_cast<double>(next) / 33, 1001);
      }
    }
  }
}

TEST(ShardsTest, EveryEdgeIsInItsShardOnceInOrder) {
  for (const LayoutGraph& graph : LayoutGraphs()) {
    const PlainLists out = ListsOf(graph, false), in = ListsOf(graph, true);
    const std::vector<Shard> shards = CutShards(in.offsets.span(), {});
    for (const bool by_target : {false, true}) {
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(testing::Message() << graph.name << (by_target ? ", by target" : ""));
        MemoryBudget budget(uint64_t{64} << 20);
        const auto edges = LayOutShards({out, in, true}, shards, by_target, threads, budget);
        ASSERT_TRUE(edges.ok()) << edges.status().message();
        EXPECT_EQ(edges->weights.empty(), by_target || graph.edges.empty());
        std::vector<LayoutEdge> found;
        for (const Shard& shard : shards) {
          for (uint64_t e = shard.begin; e < shard.end; ++e) {
            ASSERT_LT(edges->targets[e], shard.num_targets);
            const VertexId target = shard.first_target + edges->targets[e];
            found.push_back({edges->sources[e], target, by_target ? 0 : edges->weights[e]});
            if (e == shard.begin) continue;
            if (by_target) {
              ASSERT_LE(edges->targets[e - 1], edges->targets[e]);
            } else {
              ASSERT_LE(edges->sources[e - 1], edges->sources[e]);
            }
          }
        }
        std::vector<LayoutEdge> expected = graph.edges;
        for (LayoutEdge& edge : expected) {
          if (by_target) edge.weight = 0;
        }
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        EXPECT_TRUE(found == expected);
      }
    }
  }
}

TEST(ShardsTest, TooLittleMemoryIsRefused) {
  const LayoutGraph graph = LayoutGraphs()[3];
  const PlainLists out = ListsOf(graph, false), in = ListsOf(graph, true);
  const std::vector<Shard> shards = CutShards(in.offsets.span(), {});
  MemoryBudget budget(6 * graph.edges.size() - 1);
  EXPECT_EQ(LayOutShards({out, in, false}, shards, false, 1, budget).status().code(),
            Code::kBudget);
}

}  // namespace
}  // namespace edgemill::bench

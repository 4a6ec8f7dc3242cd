// MultiGraph's lists by segment, by definition.
#include "bench/layouts/segments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "test/bench/layouts_testing.h"

namespace edgemill::bench {
namespace {

/// More targets of high in-degree than a segment has.
LayoutGraph ManyHubs() {
  LayoutGraph graph{"many hubs", 60'000, {}};
  Random random(3);
  for (int i = 0; i < 500'000; ++i) {
    graph.edges.push_back({static_cast<VertexId>(random.Below(60'000)),
                           static_cast<VertexId>(random.Below(50'000)),
                           static_cast<int32_t>(random.Below(255))});
  }
  std::sort(graph.edges.begin(), graph.edges.end());
  return graph;
}

TEST(SegmentsTest, TargetsOfHighInDegreeHaveNumbers) {
  const std::vector<uint64_t> in_offsets = {0, 5, 5, 8, 20, 21};
  EXPECT_EQ(SegmentTargets(in_offsets, 4), (std::vector<VertexId>{0, 3}));
  EXPECT_EQ(SegmentTargets(in_offsets, 5), (std::vector<VertexId>{0, 3}));
  EXPECT_EQ(SegmentTargets(in_offsets, 6), (std::vector<VertexId>{3}));
  EXPECT_TRUE(SegmentTargets(in_offsets, 0).empty());
  EXPECT_EQ(NumSegments(0), 0u);
  EXPECT_EQ(NumSegments(kSegmentTargets), 1u);
  EXPECT_EQ(NumSegments(kSegmentTargets + 1), 2u);
}

TEST(SegmentsTest, ListsHaveLowTargetsThenSegments) {
  std::vector<LayoutGraph> graphs = LayoutGraphs();
  graphs.push_back(ManyHubs());
  for (const LayoutGraph& graph : graphs) {
    const PlainLists out = ListsOf(graph, false), in = ListsOf(graph, true);
    for (const uint32_t least : {0u, 1u, 8u, 256u}) {
      SCOPED_TRACE(testing::Message() << graph.name << ", in-degree " << least);
      const std::vector<VertexId> targets = SegmentTargets(in.offsets.span(), least);
      const uint64_t num_segments = NumSegments(targets.size());
      MemoryBudget budget(uint64_t{64} << 20);
      const auto made = LayOutSegments(out, targets, true, 3, budget);
      ASSERT_TRUE(made.ok()) << made.status().message();
      std::vector<LayoutEdge> found;
      for (VertexId v = 0; v < graph.num_vertices; ++v) {
        uint64_t at = out.offsets[v];
        for (uint64_t segment = 0; segment <= num_segments; ++segment) {
          const uint64_t end =
              segment == num_segments
                  ? out.offsets[v + 1]
                  : out.offsets[v] + made->splits[segment * graph.num_vertices + v];
          ASSERT_LE(at, end);
          for (; at < end; ++at) {
            VertexId target = made->neighbors[at];
            if (segment > 0) {  // the edges before split i are those of segment i - 1
              ASSERT_LT(target, targets.size());
              ASSERT_EQ(target / kSegmentTargets, segment - 1);
              target = targets[target];
            }
            const bool is_high = least > 0 && in.degree(target) >= least;
            ASSERT_EQ(is_high, segment > 0);
            found.push_back({v, target, made->weights[at]});
          }
        }
      }
      std::sort(found.begin(), found.end());
      EXPECT_TRUE(found == graph.edges);
    }
  }
}

TEST(SegmentsTest, TooLittleMemoryIsRefused) {
  const LayoutGraph graph = ManyHubs();
  const PlainLists out = ListsOf(graph, false);
  const std::vector<VertexId> targets = SegmentTargets(ListsOf(graph, true).offsets.span(), 1);
  MemoryBudget budget(4 * (graph.edges.size() + 3 * graph.num_vertices) - 1);
  EXPECT_EQ(LayOutSegments(out, targets, false, 1, budget).status().code(), Code::kBudget);
}

}  // namespace
}  // namespace edgemill::bench

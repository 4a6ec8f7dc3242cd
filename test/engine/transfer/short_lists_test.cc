// Lists decoded edge by edge, against the edges they were packed from.
#include "engine/cpu/push/short_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

#include "common/random.h"
#include "test/graphs/packed_payload.h"

namespace edgemill {
namespace {

constexpr uint64_t kNumVertices = 100'000;

/// A block of random sorted edges with weights.
struct Block {
  explicit Block(uint64_t num_targets) : edges(5000), weights(edges.size()) {
    Random random(7);
    for (uint64_t& edge : edges) {
      edge = random.Below(1500) * 60 << 32 | random.Below(num_targets);
    }
    std::sort(edges.begin(), edges.end());
    for (uint32_t& weight : weights) weight = static_cast<uint32_t>(random.Below(1000));
  }
  VertexId source(uint32_t edge) const { return static_cast<VertexId>(edges[edge] >> 32); }

  std::vector<uint64_t> edges;
  std::vector<uint32_t> weights;
};

TEST(ShortLists, EveryEdgeComesWithItsMessageAndWeight) {
  const Block block(kNumVertices);
  const auto neighbors = PackedPayload::OfNeighbors(block.edges);
  const auto weights = PackedPayload::OfValues(block.weights);
  BlockEdges view;
  view.neighbors = neighbors.view();
  view.weights = WeightType::kInt32;
  view.packed_weights = weights.view();
  ShortLists<int32_t, uint64_t> lists;
  using Edge = std::tuple<VertexId, uint64_t, int32_t>;
  std::vector<Edge> wanted, seen;
  const auto decode = [&] {
    ASSERT_TRUE(lists.Decode(view, kNumVertices));
    lists.VisitEdges([&](VertexId, VertexId target, uint64_t message, int32_t weight) {
      seen.emplace_back(target, message, weight);
    });
    lists.PopFrom(0, [](auto...) { return true; });
  };
  const uint32_t count = static_cast<uint32_t>(block.edges.size());
  for (uint32_t first = 0, last = 0; first < count; first = last) {
    while (last < count && block.source(last) == block.source(first)) ++last;
    if (!lists.HasSpace(last - first)) decode();
    lists.Add(block.source(first), first, last - first, uint64_t{first} << 32);
    for (uint32_t edge = first; edge < last; ++edge) {
      wanted.emplace_back(static_cast<VertexId>(block.edges[edge]), uint64_t{first} << 32,
                          static_cast<int32_t>(block.weights[edge]));
    }
  }
  decode();
  EXPECT_EQ(wanted, seen);
}

TEST(ShortLists, ThoseTakenBackAreNotDecoded) {
  const Block block(kNumVertices);
  const auto neighbors = PackedPayload::OfNeighbors(block.edges);
  BlockEdges view;
  view.neighbors = neighbors.view();
  ShortLists<NoWeight, int> lists;
  lists.Add(block.source(0), 0, 1, 10);
  lists.Add(3, 7, 2, 20);
  lists.Add(4, 9, 5, 30);
  std::vector<std::tuple<VertexId, uint32_t, uint32_t, int>> back;
  EXPECT_FALSE(lists.PopFrom(1, [&](auto... list) {
    back.emplace_back(list...);
    return back.size() < 2;
  }));
  EXPECT_EQ(
      (std::vector<std::tuple<VertexId, uint32_t, uint32_t, int>>{{3, 7, 2, 20}, {4, 9, 5, 30}}),
      back);
  ASSERT_TRUE(lists.Decode(view, kNumVertices));
  std::vector<VertexId> targets;
  lists.VisitEdges([&](VertexId, VertexId target, int message, NoWeight) {
    EXPECT_EQ(10, message);
    targets.push_back(target);
  });
  EXPECT_EQ(std::vector<VertexId>{static_cast<VertexId>(block.edges[0])}, targets);
}

TEST(ShortLists, IdsOutOfBoundsAreRefused) {
  const std::vector<uint64_t> edges = {0ull << 32 | 5, 0ull << 32 | 99};
  const auto packed = PackedPayload::OfNeighbors(edges);
  // The sum of these gaps wraps around 2^32 to a value below the bound.
  const auto wrapped = PackedPayload::OfValues(std::vector<uint32_t>{2, 0xfffffff0u, 0x12u});
  const auto sound = [](const PackedPayload& payload, uint64_t num_vertices) {
    BlockEdges view;
    view.neighbors = payload.view();
    ShortLists<NoWeight, int> lists;
    lists.Add(0, 0, payload.num_values(), 0);
    return lists.Decode(view, num_vertices);
  };
  EXPECT_TRUE(sound(packed, 100));
  EXPECT_FALSE(sound(packed, 99));
  EXPECT_FALSE(sound(packed, 5));
  EXPECT_FALSE(sound(wrapped, 100));
}

}  // namespace
}  // namespace edgemill

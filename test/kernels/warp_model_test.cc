// A model of a GPU's warp decodes the same bytes as CPUs. Its values are equal to the scalar
// reference, and it takes a few instructions an edge.
#include "test/graphs/warp_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "common/random.h"
#include "test/graphs/packed_payload.h"

namespace edgemill {
namespace {

/// A group's register values in the order of its edges.
std::vector<uint32_t> InOrder(const Warp::Four& registers) {
  std::vector<uint32_t> values(kGroupSize);
  for (uint32_t i = 0; i < kGroupSize; ++i) values[i] = registers[i % 4][i / 4];
  return values;
}

TEST(WarpModel, ValuesOfEveryWidthMatchReference) {
  Random random(1);
  Warp warp;
  for (uint32_t bits = 0; bits <= 32; ++bits) {
    for (const uint32_t count : {1u, 5u, 127u, 128u, 129u, 1000u}) {
      for (const uint32_t rare : {2u, 12u, 1000000u}) {
        const auto payload = PackedPayload::OfValues(RandomValues(random, count, bits, rare));
        const PackedView view = payload.view();
        for (uint32_t group = 0; group < view.num_groups(); ++group) {
          std::vector<uint32_t> reference(kGroupSize);
          UnpackGroup(view, group, reference.data());
          ASSERT_EQ(InOrder(WarpDecoder(warp).Values(view, group)), reference) << bits << " bits";
        }
      }
    }
  }
}

TEST(WarpModel, AscendingMatchesReference) {
  Random random(2);
  std::vector<uint32_t> sequence(3000);
  uint32_t value = 0xfffff000;
  for (uint32_t& next : sequence) next = value += uint32_t(random.Below(random.Below(5000) + 1));
  const auto payload = PackedPayload::OfAscending(sequence, 0xfffff000);
  const PackedView view = payload.view();
  Warp warp;
  WarpDecoder decoder(warp);
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    const auto sums = InOrder(decoder.Sums(decoder.Values(view, group)));
    for (uint32_t i = 0; i < kGroupSize && group * kGroupSize + i < sequence.size(); ++i) {
      ASSERT_EQ(view.header(group).base + sums[i], sequence[group * kGroupSize + i]);
    }
  }
}

/// Decodes all lists of `edges`. Returns the number of instructions.
uint64_t ExpectLists(const std::vector<uint64_t>& edges) {
  const auto payload = PackedPayload::OfNeighbors(edges);
  const PackedView view = payload.view();
  Warp warp;
  WarpDecoder decoder(warp);
  for (uint32_t group = 0; group < view.num_groups(); ++group) {
    Warp::Four is_head{}, sources{};
    const uint32_t first = group * kGroupSize;
    const uint32_t count = std::min<uint32_t>(kGroupSize, uint32_t(edges.size()) - first);
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t source = edges[first + i] >> 32;
      is_head[i % 4][i / 4] = first + i == 0 || edges[first + i - 1] >> 32 != source;
      sources[i % 4][i / 4] = uint32_t(source);
    }
    const auto ids = InOrder(
        decoder.Neighbors(decoder.Values(view, group), is_head, sources, view.header(group).base));
    for (uint32_t i = 0; i < count; ++i) {
      EXPECT_EQ(ids[i], uint32_t(edges[first + i])) << first + i;
      if (testing::Test::HasFailure()) return 0;
    }
  }
  return warp.instructions();
}

TEST(WarpModel, ListsMatchReference) {
  Random random(3);
  for (const uint64_t num_vertices : {1ull, 1000ull, 1ull << 20, kMaxVertices + 0ull}) {
    for (const uint64_t sources : {1ull, 10ull, 700ull, 3000ull}) {
      for (const size_t count : {1u, 100u, 3000u}) {
        std::vector<uint64_t> edges(count);
        for (uint64_t& edge : edges) {
          edge = random.Below(std::min(sources, num_vertices)) << 32 | random.Below(num_vertices);
        }
        std::sort(edges.begin(), edges.end());
        ExpectLists(edges);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

TEST(WarpModel, AFewInstructionsAnEdge) {
  Random random(4);
  std::vector<uint64_t> edges(1 << 15);
  for (uint64_t& edge : edges) {  // lists of all lengths among 2^22 vertices
    edge = (random.Below(1 << 11) * random.Below(1 << 11)) << 32 | random.Below(1 << 22);
  }
  std::sort(edges.begin(), edges.end());
  const double a_group = double(ExpectLists(edges)) / double(edges.size()) * kGroupSize;
  RecordProperty("instructions_a_group", std::to_string(a_group));
  // Each lane decodes four edges of a group.
  RecordProperty("lane_instructions_an_edge", std::to_string(a_group / 4));
  EXPECT_LT(a_group / kGroupSize, 1.2);  // instructions of the warp, each for 32 lanes
}

}  // namespace
}  // namespace edgemill

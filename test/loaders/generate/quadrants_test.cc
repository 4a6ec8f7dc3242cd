// Random numbers and edges, drawn in vectors on each instruction set of this processor, are those
// of the definition.
#include "loaders/generate/quadrants.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "loaders/generate/mt19937.h"
#include "test/graphs/decode_targets.h"

namespace edgemill {
namespace {

class Mt19937Test : public EachDecodeTarget {};
class QuadrantStreamTest : public EachDecodeTarget {};
class LabelShuffleTest : public EachDecodeTarget {};
INSTANTIATE_FOR_DECODE_TARGETS(Mt19937Test);
INSTANTIATE_FOR_DECODE_TARGETS(QuadrantStreamTest);
INSTANTIATE_FOR_DECODE_TARGETS(LabelShuffleTest);

TEST_P(Mt19937Test, GivesTheNumbersOfTheStandard) {
  for (const uint32_t seed : {0u, 1u, 5489u, 27491095u, 0x80000000u, ~0u}) {
    Mt19937 random(seed);
    std::mt19937 expected(seed);
    for (int batch = 0; batch < 5; ++batch) {
      std::array<uint32_t, Mt19937::kBatch> numbers;
      random.Fill(numbers);
      for (size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(numbers[i], expected()) << "seed " << seed << ", batch " << batch << ", " << i;
      }
    }
  }
}

TEST_P(QuadrantStreamTest, DrawsAQuadrantFromEachNumber) {
  constexpr QuadrantEnds kEnds{2'448'131'358, 3'264'175'144, 4'080'218'930};
  for (int scale = 0; scale <= 31; ++scale) {
    QuadrantStream quadrants(27491095, kEnds);
    std::mt19937 random(27491095);
    // Draws in parts of different sizes.
    for (const size_t size : {1, 7, 300, 0, 1000}) {
      std::vector<NarrowEdge> edges(size);
      quadrants.Draw(scale, edges);
      for (const NarrowEdge& edge : edges) {
        NarrowEdge expected{0, 0};
        for (int depth = 0; depth < scale; ++depth) {
          const auto point = static_cast<uint32_t>(random());
          const bool lower = point >= kEnds.ab;
          const bool right = lower ? point > kEnds.abc : point > kEnds.a;
          expected = {expected.source << 1 | lower, expected.target << 1 | right};
        }
        ASSERT_EQ(edge.source, expected.source) << scale;
        ASSERT_EQ(edge.target, expected.target) << scale;
      }
    }
  }
}

TEST_P(LabelShuffleTest, GivesEachVertexANewLabel) {
  for (const int bits : {0, 1, 5, 12, 16}) {
    const LabelShuffle shuffle(bits, 9);
    const uint32_t size = uint32_t{1} << bits;
    std::vector<NarrowEdge> edges(size);
    for (uint32_t v = 0; v < size; ++v) edges[v] = {v, size - 1 - v};
    shuffle.Apply(edges);
    std::vector<bool> taken(size);
    for (uint32_t v = 0; v < size; ++v) {
      ASSERT_LT(edges[v].source, size);
      EXPECT_FALSE(taken[edges[v].source]) << bits << ", " << v;
      taken[edges[v].source] = true;
      EXPECT_EQ(edges[v].source, edges[size - 1 - v].target);
    }
  }
}

TEST_P(LabelShuffleTest, LargestLabelsStayInRange) {
  std::vector<NarrowEdge> edges{{0x7fffffff, 0}, {0x40000000, 0x7ffffffe}, {1, 2}};
  const std::vector<NarrowEdge> before = edges;
  LabelShuffle(31, 1).Apply(edges);
  for (size_t i = 0; i < edges.size(); ++i) {
    EXPECT_LT(edges[i].source, uint32_t{1} << 31);
    EXPECT_LT(edges[i].target, uint32_t{1} << 31);
    EXPECT_NE(edges[i].source, before[i].source);
  }
}

}  // namespace
}  // namespace edgemill

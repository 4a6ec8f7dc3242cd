// Whether ids have locality, for graphs with a known order.
#include "loaders/sort/id_locality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "common/random.h"

namespace edgemill {
namespace {

constexpr uint32_t kSide = 256;

/// The edges of a grid, row by row.
std::vector<NarrowEdge> Grid() {
  std::vector<NarrowEdge> edges;
  for (uint32_t v = 0; v + kSide < kSide * kSide; ++v) {
    edges.push_back({v, v + 1});
    edges.push_back({v, v + kSide});
  }
  return edges;
}

template <typename T>
void Shuffle(std::vector<T>& values) {
  Random random(7);
  for (size_t i = values.size() - 1; i > 0; --i) std::swap(values[i], values[random.Below(i + 1)]);
}

TEST(IdLocality, IsOfIdsAndNotOfTheOrderOfLines) {
  std::vector<NarrowEdge> grid = Grid();
  EXPECT_GT(LocalityBits(grid), 6);
  EXPECT_FALSE(WantsOrderByDegree(grid));
  Shuffle(grid);
  EXPECT_GT(LocalityBits(grid), 6);
  EXPECT_FALSE(WantsOrderByDegree(grid));

  std::vector<uint32_t> ids(kSide * kSide);
  std::iota(ids.begin(), ids.end(), 0u);
  Shuffle(ids);
  std::vector<NarrowEdge> shuffled;
  for (const NarrowEdge& edge : grid) shuffled.push_back({ids[edge.source], ids[edge.target]});
  EXPECT_LT(std::abs(LocalityBits(shuffled)), .2);
  EXPECT_TRUE(WantsOrderByDegree(shuffled));
  std::sort(shuffled.begin(), shuffled.end(), [](const NarrowEdge& a, const NarrowEdge& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
  EXPECT_LT(std::abs(LocalityBits(shuffled)), .2);
  EXPECT_TRUE(WantsOrderByDegree(shuffled));
}

TEST(IdLocality, ListsOfNearTargetsHaveIt) {
  // Each source has edges to a range of targets that is far from the source.
  Random random(3);
  std::vector<NarrowEdge> edges;
  for (uint32_t source = 0; source < 5000; ++source) {
    const auto first = static_cast<uint32_t>(random.Below(uint64_t{1} << 24));
    for (uint32_t i = 0; i < 20; ++i) edges.push_back({source, first + 2 * i});
  }
  EXPECT_FALSE(WantsOrderByDegree(edges));
}

TEST(IdLocality, SmallInputsAndNoneKeepTheirOrder) {
  EXPECT_EQ(LocalityBits({}), 0);
  EXPECT_FALSE(WantsOrderByDegree({}));
  Random random(5);
  std::vector<NarrowEdge> edges;
  while (edges.size() < 65'535) {
    edges.push_back(
        {static_cast<uint32_t>(random.Below(10'000)), static_cast<uint32_t>(random.Below(10'000))});
  }
  EXPECT_FALSE(WantsOrderByDegree(edges));
  edges.push_back({1, 2});
  EXPECT_TRUE(WantsOrderByDegree(edges));
  const std::vector<NarrowEdge> same(100'000, NarrowEdge{7, 7});
  EXPECT_EQ(LocalityBits(same), 0);
}

}  // namespace
}  // namespace edgemill

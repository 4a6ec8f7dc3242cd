#include "storage/write/placement.h"

#include <gtest/gtest.h>

#include <vector>

namespace edgemill {
namespace {

const Uuid kGraphUuid = *Uuid::Parse("01234567-89ab-4def-8123-456789abcdef");
constexpr uint64_t kBlocks = 40000;

std::vector<PlacementTarget> Targets(const std::vector<uint32_t>& weights) {
  std::vector<PlacementTarget> targets;
  for (size_t i = 0; i < weights.size(); ++i) targets.push_back({kGraphUuid.Derive(i), weights[i]});
  return targets;
}

std::vector<uint8_t> PlaceAll(const std::vector<PlacementTarget>& targets,
                              ColumnKind column = ColumnKind::kOutNeighbors) {
  std::vector<uint8_t> places;
  for (uint64_t block = 0; block < kBlocks; ++block) {
    places.push_back(PlaceBlock(kGraphUuid, column, block, targets));
  }
  return places;
}

TEST(Placement, EachDirectoryGetsItsShareByWeight) {
  for (const std::vector<uint32_t>& weights : std::vector<std::vector<uint32_t>>{
           {1}, {1, 1}, {1, 1, 1, 1}, {1, 2}, {4, 1, 2}, {64, 1}, {1, 1, 1, 1, 1, 1, 1, 1}}) {
    uint32_t sum = 0;
    for (const uint32_t weight : weights) sum += weight;
    std::vector<uint64_t> counts(weights.size());
    for (const uint8_t place : PlaceAll(Targets(weights))) ++counts[place];
    for (size_t i = 0; i < weights.size(); ++i) {
      const double expected = static_cast<double>(kBlocks) * weights[i] / sum;
      EXPECT_NEAR(static_cast<double>(counts[i]), expected, 0.03 * kBlocks / weights.size() + 50)
          << "directory " << i << " of " << weights.size();
    }
  }
}

TEST(Placement, AnotherDirectoryOnlyTakesAndNeverMovesBetweenOthers) {
  for (size_t count = 1; count < 8; ++count) {
    std::vector<uint32_t> weights(count, 1);
    weights[0] = 2;
    const std::vector<uint8_t> before = PlaceAll(Targets(weights));
    weights.push_back(1);
    const std::vector<uint8_t> after = PlaceAll(Targets(weights));
    uint64_t moved = 0;
    for (uint64_t block = 0; block < kBlocks; ++block) {
      if (before[block] == after[block]) continue;
      ++moved;
      ASSERT_EQ(after[block], count);
    }
    EXPECT_NEAR(static_cast<double>(moved), kBlocks / (count + 2.0), 0.05 * kBlocks);
  }
}

TEST(Placement, ColumnsAreSpreadApartAndResultsAreTheSameEveryTime) {
  const std::vector<PlacementTarget> targets = Targets({1, 1});
  const std::vector<uint8_t> neighbors = PlaceAll(targets);
  EXPECT_EQ(neighbors, PlaceAll(targets));
  const std::vector<uint8_t> weights = PlaceAll(targets, ColumnKind::kOutWeights);
  uint64_t same = 0;
  for (uint64_t block = 0; block < kBlocks; ++block) same += neighbors[block] == weights[block];
  EXPECT_NEAR(static_cast<double>(same), kBlocks / 2.0, 0.02 * kBlocks);
}

TEST(Placement, WeightsAreCoarsePowersOfTwoOfWhatIsFree) {
  const uint64_t tib = uint64_t{1} << 40;
  using Weights = std::vector<uint32_t>;
  using Sizes = std::vector<uint64_t>;
  EXPECT_EQ(PlacementWeights(Sizes{tib}), Weights({1}));
  EXPECT_EQ(PlacementWeights(Sizes{tib, tib + tib / 10}), Weights({1, 1}));
  EXPECT_EQ(PlacementWeights(Sizes{2 * tib, tib, 4 * tib}), Weights({2, 1, 4}));
  EXPECT_EQ(PlacementWeights(Sizes{tib, tib * 14 / 10, tib * 15 / 10}), Weights({1, 1, 2}));
  EXPECT_EQ(PlacementWeights(Sizes{tib, 1000 * tib}), Weights({1, kMaxPlacementWeight}));
  EXPECT_EQ(PlacementWeights(Sizes{0, tib}), Weights({1, kMaxPlacementWeight}));
  EXPECT_EQ(PlacementWeights(Sizes{}), Weights({}));
}

}  // namespace
}  // namespace edgemill

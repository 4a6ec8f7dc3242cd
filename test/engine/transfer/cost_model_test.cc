// The cost of transfers, and the choice among them. It is plain arithmetic, tested without a GPU.
#include "engine/cost/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgemill {
namespace {

constexpr uint32_t kGroups = 256;
constexpr uint64_t kBytes = 60'000;

constexpr BlockShape kBlock = {.num_groups = kGroups, .bytes = kBytes};

CostModel Model(CostModelKind kind = CostModelKind::kCalibrated,
                const Calibration& calibration = BuiltInCalibration()) {
  return CostModel(kind, calibration);
}

double PartSeconds(const CostModel& model, uint32_t wanted_groups) {
  return model.PricesOf(kBlock).PartSeconds(wanted_groups);
}

/// The choices of a pass for the blocks of which it wants any groups. `wanted_groups` has a number
/// for each block.
std::vector<CostModel::Choice> ChooseAll(const CostModel& model,
                                         const std::vector<uint32_t>& wanted_groups,
                                         const BlockShape& block = kBlock) {
  const BlockPrices prices = model.PricesOf(block);
  std::vector<uint64_t> blocks;
  for (uint64_t i = 0; i < wanted_groups.size(); ++i) {
    if (wanted_groups[i] > 0) blocks.push_back(i);
  }
  std::vector<CostModel::Choice> choices(blocks.size());
  model.Choose(blocks, wanted_groups, prices, choices);
  return choices;
}

CostModel::Choice Choose(const CostModel& model, uint32_t wanted_groups) {
  return ChooseAll(model, {wanted_groups})[0];
}

TEST(Curve, GoesThroughItsPointsAndIsLevelBeyond) {
  const Curve curve({{1, 10}, {100, 1000}});
  EXPECT_DOUBLE_EQ(curve.At(1), 10);
  EXPECT_NEAR(curve.At(10), 100, 1e-9);
  EXPECT_DOUBLE_EQ(curve.At(100), 1000);
  EXPECT_DOUBLE_EQ(curve.At(0.01), 10);
  EXPECT_DOUBLE_EQ(curve.At(1e9), 1000);
  EXPECT_TRUE(curve.valid());
  EXPECT_FALSE(Curve().valid());
  EXPECT_FALSE(Curve({{2, 1}, {1, 1}}).valid());
  EXPECT_FALSE(Curve({{1, 0}}).valid());
  EXPECT_FALSE(Curve({{1, INFINITY}}).valid());
}

/// The seconds that a pass takes if it sends the blocks `whole` whole and zero-copies the others.
/// Blocks of which it wants no groups take no time.
double TotalSeconds(const std::vector<uint32_t>& wanted_groups, const std::vector<bool>& whole,
                    const BlockPrices& prices) {
  double seconds = 0;
  for (size_t i = 0; i < wanted_groups.size(); ++i) {
    if (wanted_groups[i] == 0) continue;
    seconds += whole[i] ? prices.whole_seconds : prices.PartSeconds(wanted_groups[i]);
    const bool joins = i > 0 && whole[i - 1] && wanted_groups[i - 1] > 0;
    if (whole[i] && !joins) seconds += prices.alone_seconds;
  }
  return seconds;
}

TEST(CostModel, AutoTakesTheLeastOfAllTogether) {
  constexpr uint32_t kBlocks = 11;
  CostModel model = Model();
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::vector<uint32_t> wanted;
    for (uint32_t i = 0; i < kBlocks; ++i) {
      const uint32_t hash = (seed * kBlocks + i + 1) * 2654435761u;
      wanted.push_back(hash % 8 == 0 ? 0 : 1 + (hash >> 8) % kGroups);
    }
    const BlockShape block = {.num_groups = kGroups, .bytes = kBytes, .columns = 1 + seed % 2};
    const BlockPrices prices = model.PricesOf(block);
    double least = INFINITY;
    std::vector<bool> whole(kBlocks);
    for (uint32_t mask = 0; mask < 1u << kBlocks; ++mask) {
      for (uint32_t i = 0; i < kBlocks; ++i) whole[i] = (mask >> i & 1) != 0;
      least = std::min(least, TotalSeconds(wanted, whole, prices));
    }
    const std::vector<CostModel::Choice> choices = ChooseAll(model, wanted, block);
    size_t next = 0;
    for (uint32_t i = 0; i < kBlocks; ++i) {
      if (wanted[i] == 0) continue;
      whole[i] = choices[next++].transfer == Transfer::kFilter;
    }
    EXPECT_NEAR(TotalSeconds(wanted, whole, prices), least, 1e-9 * least) << seed;
  }
}

TEST(CostModel, FewGroupsAreZeroCopiedAllAreSent) {
  CostModel model = Model();
  EXPECT_EQ(Choose(model, 3).transfer, Transfer::kZeroCopy);
  const std::vector<CostModel::Choice> choices =
      ChooseAll(model, std::vector<uint32_t>(100, kGroups));
  for (const CostModel::Choice& choice : choices) EXPECT_EQ(choice.transfer, Transfer::kFilter);
}

/// Zero-copied groups move at most the bytes of the block.
TEST(CostModel, ZeroCopyTakesTheBytesAtItsRate) {
  Calibration calibration = BuiltInCalibration();
  calibration.zero_copy_rate = 10e9;
  const CostModel model = Model(CostModelKind::kCalibrated, calibration);
  for (const uint32_t wanted : {1u, kGroups / 2, kGroups}) {
    EXPECT_DOUBLE_EQ(PartSeconds(model, wanted), wanted * (double{kBytes} / kGroups / 10e9));
  }
}

TEST(CostModel, BlocksStayOnceTheirPartsHaveCostAsMuch) {
  CostModel model = Model();
  EXPECT_TRUE(model.Stays({.transfer = Transfer::kFilter}, 0, 2));
  const CostModel::Choice part = Choose(model, 1);
  EXPECT_EQ(part.transfer, Transfer::kZeroCopy);
  EXPECT_EQ(part.whole_seconds, model.PricesOf(kBlock).whole_seconds);
  EXPECT_FALSE(model.Stays(part, 0, 2));
  EXPECT_FALSE(model.Stays(part, 1.9 * part.whole_seconds, 2));
  EXPECT_TRUE(model.Stays(part, 2 * part.whole_seconds, 2));
}

TEST(CostModel, BlocksNeedNotWaitOncePartsHaveTakenAsLongAsFillingTheCapacity) {
  EXPECT_EQ(CostModel::Patience(0, 1e-3, 1), 1);
  EXPECT_DOUBLE_EQ(CostModel::Patience(0.25e-3, 1e-3, 1), 0.75);
  EXPECT_EQ(CostModel::Patience(1e-3, 1e-3, 1), 0);
  EXPECT_EQ(CostModel::Patience(2e-3, 1e-3, 1), 0);
  CostModel model = Model();
  EXPECT_TRUE(model.Stays(Choose(model, 1), 0, CostModel::Patience(1e-3, 0, 1)));
}

TEST(CostModel, BlocksWaitWhereSomeAreWantedMore) {
  EXPECT_EQ(CostModel::Spread(0, 0, 5), 0);
  EXPECT_DOUBLE_EQ(CostModel::Spread(2 + 2 + 2, 3 * 2 * 2, 3), 0);
  EXPECT_DOUBLE_EQ(CostModel::Spread(1 + 3, 1 + 3 * 3, 2), 0.25);
  EXPECT_DOUBLE_EQ(CostModel::Spread(7, 7 * 7, 10), 9);  // nothing of the others is wanted
  EXPECT_EQ(CostModel::Patience(0, 1e-3, 0), 0);
  EXPECT_DOUBLE_EQ(CostModel::Patience(0.5e-3, 1e-3, 0.5), 0.25);
  EXPECT_DOUBLE_EQ(CostModel::Patience(0.5e-3, 1e-3, 9), 0.5);
}

TEST(CostModel, LargerBlocksTakeLonger) {
  const CostModel model = Model();
  BlockShape larger = kBlock;
  larger.bytes *= 3;
  const BlockPrices prices = model.PricesOf(larger);
  EXPECT_GT(prices.PartSeconds(3), 2 * PartSeconds(model, 3));
  EXPECT_NEAR(prices.whole_seconds, 3 * model.PricesOf(kBlock).whole_seconds, 1e-12);
}

TEST(CostModel, SumsAreThoseOfTheCheaperWays) {
  const BlockPrices prices = Model().PricesOf(kBlock);
  std::vector<uint32_t> num_blocks(kGroups + 1);
  double seconds = 0;
  double squares = 0;
  num_blocks[0] = 5;  // these cost nothing
  for (const uint32_t groups : {3u, 3u, kGroups, 40u}) {
    ++num_blocks[groups];
    const double least = std::min(prices.whole_seconds, prices.PartSeconds(groups));
    seconds += least;
    squares += least * least;
  }
  EXPECT_DOUBLE_EQ(prices.LeastSums(num_blocks).seconds, seconds);
  EXPECT_DOUBLE_EQ(prices.LeastSums(num_blocks).squares, squares);
}

/// The choices of section V-A of HyTGraph's paper, with its constants 0.8, 0.4 and 0.625.
TEST(HytgraphModel, ChoosesAsPublished) {
  CostModel model = Model(CostModelKind::kHytgraph);
  EXPECT_EQ(Choose(model, kGroups).transfer, Transfer::kFilter);
  EXPECT_EQ(Choose(model, 1).transfer, Transfer::kZeroCopy);
  EXPECT_TRUE(model.Stays(Choose(model, 1), 0, 2));
  // If most lists are wanted and lists are far shorter than a request of 128 bytes, it compacts.
  const BlockShape tiny{.num_groups = 1000, .bytes = 40'000};
  EXPECT_EQ(ChooseAll(model, {300}, tiny)[0].transfer, Transfer::kCompaction);
  // In between, the choice changes where Tiz = Tef: 3 requests for each group against 60,000 / 128
  // for the block.
  for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
    const double share = static_cast<double>(wanted) / kGroups;
    const double zero_copy = wanted * 3.0 * (0.625 + 0.375 * share);
    const Transfer expected = zero_copy < kBytes / 128.0 ? Transfer::kZeroCopy : Transfer::kFilter;
    EXPECT_EQ(Choose(model, wanted).transfer, expected) << wanted;
  }
}

}  // namespace
}  // namespace edgemill

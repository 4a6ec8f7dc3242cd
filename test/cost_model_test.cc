// What is predicted of transfers, and chosen: plain arithmetic, so tested without a GPU.
#include "engine/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgemill {
namespace {

constexpr uint64_t kState = uint64_t{128} << 20;
constexpr uint32_t kGroups = 256;
constexpr uint64_t kBytes = 60'000;

CostModel Model(CostModelKind kind = CostModelKind::kCalibrated,
                const Calibration& calibration = BuiltInCalibration()) {
  CostModel model(kind, calibration, kState, 16);
  for (const uint64_t bytes : {kBytes, 3 * kBytes}) model.KnowPrices(kGroups, bytes);
  return model;
}

BlockSituation Block(uint32_t wanted, bool follows = true) {
  return {.num_groups = kGroups, .wanted_groups = wanted, .bytes = kBytes, .follows = follows};
}

/// A sweep's choices, in one stretch.
std::vector<CostModel::Choice> ChooseAll(const CostModel& model, Transfer asked,
                                         const std::vector<BlockSituation>& blocks,
                                         EdgeKernel kernel = EdgeKernel::kPull) {
  const BlockPrices prices = model.PricesOf(kernel);
  const bool gathers = model.kind() == CostModelKind::kCalibrated &&
                       model.GatheringPays(prices.GatheringGain(blocks));
  EXPECT_LE(gathers, model.GatheringPays(prices.MostGatheringGain(blocks.size())));
  std::vector<CostModel::Choice> choices(blocks.size());
  model.Choose(asked, blocks, prices, gathers, 1, choices);
  return choices;
}

CostModel::Choice Choose(const CostModel& model, const BlockSituation& block,
                         EdgeKernel kernel = EdgeKernel::kPull) {
  return ChooseAll(model, Transfer::kAuto, {block}, kernel)[0];
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

TEST(CostModel, AskedEnginesAreTaken) {
  CostModel model = Model();
  const std::vector<BlockSituation> blocks = {Block(3), Block(kGroups)};
  for (const Transfer transfer : {Transfer::kResident, Transfer::kFilter, Transfer::kCompaction,
                                  Transfer::kZeroCopy, Transfer::kManaged}) {
    const std::vector<CostModel::Choice> choices = ChooseAll(model, transfer, blocks);
    ASSERT_EQ(choices.size(), 2u);
    for (const CostModel::Choice& choice : choices) EXPECT_EQ(choice.transfer, transfer);
  }
}

/// What the choices take together, by the least that any could.
double TotalSeconds(const CostModel& model, const std::vector<BlockSituation>& blocks,
                    const std::vector<bool>& whole) {
  double seconds = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (!whole[i]) {
      seconds += model.BlockSeconds(blocks[i], Transfer::kZeroCopy, EdgeKernel::kPull);
      continue;
    }
    seconds += model.BlockSeconds(blocks[i], Transfer::kFilter, EdgeKernel::kPull);
    const bool joins = i > 0 && whole[i - 1] && blocks[i].follows;
    if (!joins) seconds += model.AloneSeconds(blocks[i]);
  }
  return seconds;
}

TEST(CostModel, AutoTakesTheLeastOfAllTogether) {
  CostModel model = Model();
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::vector<BlockSituation> blocks;
    for (uint32_t i = 0; i < 10; ++i) {
      const uint32_t hash = (seed * 10 + i + 1) * 2654435761u;
      blocks.push_back(Block(1 + (hash >> 8) % kGroups, hash % 8 != 0));
      blocks.back().columns = 1 + seed % 2;
    }
    blocks[0].follows = false;
    double least = INFINITY;
    for (uint32_t mask = 0; mask < 1024; ++mask) {
      std::vector<bool> whole;
      for (uint32_t i = 0; i < 10; ++i) whole.push_back((mask >> i & 1) != 0);
      least = std::min(least, TotalSeconds(model, blocks, whole));
    }
    const std::vector<CostModel::Choice> choices = ChooseAll(model, Transfer::kAuto, blocks);
    std::vector<bool> whole;
    for (const CostModel::Choice& choice : choices) {
      whole.push_back(choice.transfer == Transfer::kFilter);
      ASSERT_NE(choice.transfer, Transfer::kCompaction);  // too few to start threads for
    }
    EXPECT_NEAR(TotalSeconds(model, blocks, whole), least, 1e-9 * least) << seed;
  }
}

TEST(CostModel, FewGroupsAreReadAcrossAllAreSent) {
  CostModel model = Model();
  EXPECT_EQ(Choose(model, Block(3)).transfer, Transfer::kZeroCopy);
  const std::vector<BlockSituation> many(100, Block(kGroups));
  const std::vector<CostModel::Choice> choices = ChooseAll(model, Transfer::kAuto, many);
  for (const CostModel::Choice& choice : choices) EXPECT_EQ(choice.transfer, Transfer::kFilter);
}

TEST(CostModel, GatheringMustGainWhatStartingThreadsTakes) {
  Calibration calibration = BuiltInCalibration();
  calibration.gather_rate = Curve({{1, 1e12}});
  calibration.gather_block_seconds = 1e-9;
  const CostModel model = Model(CostModelKind::kCalibrated, calibration);
  const auto chosen_of = [&](size_t blocks) {
    return ChooseAll(model, Transfer::kAuto,
                     std::vector<BlockSituation>(blocks, Block(kGroups / 4)))[5]
        .transfer;
  };
  EXPECT_EQ(chosen_of(10), Transfer::kZeroCopy);
  EXPECT_EQ(chosen_of(5000), Transfer::kCompaction);
  EXPECT_FALSE(model.GatheringPays(model.PricesOf(EdgeKernel::kPull).MostGatheringGain(10)));
}

TEST(CostModel, MoreWantedGroupsNeverCostLess) {
  CostModel model = Model();
  for (const Transfer transfer : {Transfer::kFilter, Transfer::kCompaction}) {
    double before = 0;
    for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
      const double seconds = model.BlockSeconds(Block(wanted), transfer, EdgeKernel::kPush);
      EXPECT_GE(seconds, before) << TransferName(transfer) << " " << wanted;
      before = seconds;
    }
  }
}

TEST(CostModel, BlocksStayOnceTheirPartsHaveCostAsMuch) {
  CostModel model = Model();
  EXPECT_TRUE(model.Stays({Transfer::kFilter, 1, 1}, 0, 2));
  const CostModel::Choice part = Choose(model, Block(1));
  EXPECT_EQ(part.transfer, Transfer::kZeroCopy);
  EXPECT_EQ(part.whole_seconds, model.BlockSeconds(Block(1), Transfer::kFilter, EdgeKernel::kPull));
  EXPECT_FALSE(model.Stays(part, 0, 2));
  EXPECT_FALSE(model.Stays(part, 1.9 * part.whole_seconds, 2));
  EXPECT_TRUE(model.Stays(part, 2 * part.whole_seconds, 2));
}

TEST(CostModel, BlocksNeedNotWaitOncePartsHaveTakenAsLongAsFillingTheRoom) {
  EXPECT_EQ(CostModel::Patience(0, 1e-3, 1), 1);
  EXPECT_DOUBLE_EQ(CostModel::Patience(0.25e-3, 1e-3, 1), 0.75);
  EXPECT_EQ(CostModel::Patience(1e-3, 1e-3, 1), 0);
  EXPECT_EQ(CostModel::Patience(2e-3, 1e-3, 1), 0);
  CostModel model = Model();
  EXPECT_TRUE(model.Stays(Choose(model, Block(1)), 0, CostModel::Patience(1e-3, 0, 1)));
}

TEST(CostModel, BlocksWaitWhereSomeAreWantedMore) {
  EXPECT_EQ(CostModel::Spread(0, 0, 5), 0);
  EXPECT_DOUBLE_EQ(CostModel::Spread(2 + 2 + 2, 3 * 2 * 2, 3), 0);
  EXPECT_DOUBLE_EQ(CostModel::Spread(1 + 3, 1 + 3 * 3, 2), 0.25);
  EXPECT_DOUBLE_EQ(CostModel::Spread(7, 7 * 7, 10), 9);  // the others are not wanted at all
  EXPECT_EQ(CostModel::Patience(0, 1e-3, 0), 0);
  EXPECT_DOUBLE_EQ(CostModel::Patience(0.5e-3, 1e-3, 0.5), 0.25);
  EXPECT_DOUBLE_EQ(CostModel::Patience(0.5e-3, 1e-3, 9), 0.5);
}

TEST(CostModel, GatheringCostsWhatTheHostTook) {
  CostModel model = Model();
  const BatchWork work{.blocks = 100,
                       .groups = 100 * kGroups,
                       .wanted_groups = 10 * kGroups,
                       .moved_bytes = 1'000'000,
                       .host_bytes = 1'000'000};
  const auto host = [&] {
    return model.Predict(work, Transfer::kCompaction, EdgeKernel::kPull).host;
  };
  const double before = host();
  const double block = model.BlockSeconds(Block(10), Transfer::kCompaction, EdgeKernel::kPull);
  model.ObserveHost(1, 5);  // at once
  EXPECT_NEAR(host(), 5 * before, 1e-9 * before);
  EXPECT_GT(model.BlockSeconds(Block(10), Transfer::kCompaction, EdgeKernel::kPull), 2 * block);
  model.ObserveHost(10, 2.5);  // then by halves
  EXPECT_NEAR(host(), 2.5 * before, 1e-9 * before);
  model.ObserveHost(0, 1);
  model.ObserveHost(1, 0);
  EXPECT_NEAR(host(), 2.5 * before, 1e-9 * before);
  model.ObserveHost(0.001, 0.002);  // what took no time tells little
  EXPECT_NEAR(host(), 2.5 * before, 0.01 * before);
  model.ObserveHost(1000, 4000);  // what took longest tells most
  EXPECT_NEAR(host(), 10 * before, 0.1 * before);
}

TEST(CostModel, PricesFollowBlocksAndObservations) {
  CostModel model = Model();
  // A single block that is read across has all of the waiting.
  const double wait = BuiltInCalibration().batch_seconds + BuiltInCalibration().zero_copy_wait;
  const auto seconds = [&](const BlockSituation& block) {
    return Choose(model, block).seconds - wait;
  };
  const double before = seconds(Block(3));
  EXPECT_NEAR(before, model.BlockSeconds(Block(3), Transfer::kZeroCopy, EdgeKernel::kPull), 1e-15);
  model.Observe(EdgeKernel::kPull, KernelPlace::kAcross, false, 1, 2);
  EXPECT_NEAR(seconds(Block(3)), 2 * before, 1e-15);
  BlockSituation larger = Block(3);
  larger.bytes *= 3;
  EXPECT_NEAR(seconds(larger), model.BlockSeconds(larger, Transfer::kZeroCopy, EdgeKernel::kPull),
              1e-15);
  EXPECT_NEAR(seconds(Block(3)), 2 * before, 1e-15);
  // The link does not become faster than it was measured to be.
  for (int i = 0; i < 8; ++i) {
    model.Observe(EdgeKernel::kPull, KernelPlace::kAcross, false, 10, 1);
  }
  EXPECT_GT(seconds(Block(3)), 0.85 * before);
}

/// What is looked up is what is worked out for a block by itself.
TEST(CostModel, PricesAreThoseOfEachBlock) {
  CostModel model = Model();
  model.Observe(EdgeKernel::kPush, KernelPlace::kBatch, false, 1, 3);
  model.Observe(EdgeKernel::kPush, KernelPlace::kAcross, false, 1, 2);
  model.ObserveHost(1, 1.5);
  const BlockPrices prices = model.PricesOf(EdgeKernel::kPush);
  BlockSituation larger = Block(0);
  larger.bytes *= 3;
  for (BlockSituation block : {Block(0), larger}) {
    for (const uint32_t wanted : {1u, 7u, kGroups / 2, kGroups}) {
      block.wanted_groups = wanted;
      const BlockPrice& price = prices.At(block);
      const auto seconds = [&](Transfer transfer) {
        return model.BlockSeconds(block, transfer, EdgeKernel::kPush);
      };
      EXPECT_DOUBLE_EQ(price.whole_seconds, seconds(Transfer::kFilter));
      EXPECT_DOUBLE_EQ(price.zero_copy_seconds, seconds(Transfer::kZeroCopy));
      EXPECT_DOUBLE_EQ(price.compaction_seconds, seconds(Transfer::kCompaction));
    }
  }
}

TEST(CostModel, FewHostThreadsMakeGatheringDear) {
  CostModel many = Model();
  CostModel one(CostModelKind::kCalibrated, BuiltInCalibration(), kState, 1);
  EXPECT_GT(one.BlockSeconds(Block(100), Transfer::kCompaction, EdgeKernel::kPull),
            2 * many.BlockSeconds(Block(100), Transfer::kCompaction, EdgeKernel::kPull));
}

TEST(CostModel, ABatchIsAsLongAsItsCopiesOrKernels) {
  CostModel model = Model();
  const BatchWork work{.blocks = 200,
                       .groups = 200 * kGroups,
                       .wanted_groups = 200 * kGroups,
                       .bytes = 200 * kBytes,
                       .moved_bytes = 200 * kBytes,
                       .copies = 1};
  const StageSeconds filter = model.Predict(work, Transfer::kFilter, EdgeKernel::kPull);
  EXPECT_NEAR(filter.link, 12e6 / 54e9, 0.1 * filter.link);
  EXPECT_EQ(filter.host, 0);
  BatchWork torn = work;
  torn.copies = 200;  // small copies are slower
  EXPECT_GT(model.Predict(torn, Transfer::kFilter, EdgeKernel::kPull).link, 2 * filter.link);
  BatchWork there = work;
  there.moved_bytes = there.copies = 0;
  EXPECT_EQ(model.Predict(there, Transfer::kResident, EdgeKernel::kPull).link, 0);
  EXPECT_TRUE(model.Predict(work, Transfer::kZeroCopy, EdgeKernel::kPull).reads_across);
}

TEST(CostModel, LearnsTheRateOfKernelsNotOfTheLink) {
  CostModel model = Model();
  const BatchWork work{.blocks = 1, .groups = kGroups * 100, .wanted_groups = kGroups * 100};
  const auto seconds = [&](EdgeKernel kernel) {
    return model.Predict(work, Transfer::kResident, kernel).gpu;
  };
  const double pull = seconds(EdgeKernel::kPull);
  const double before = seconds(EdgeKernel::kPush);
  for (int i = 0; i < 20; ++i) {
    const double predicted = seconds(EdgeKernel::kPush);
    model.Observe(EdgeKernel::kPush, KernelPlace::kResident, false, predicted, 3 * before);
  }
  EXPECT_NEAR(seconds(EdgeKernel::kPush), 3 * before, 0.1 * before);
  EXPECT_EQ(seconds(EdgeKernel::kPull), pull);
  model.Observe(EdgeKernel::kPull, KernelPlace::kResident, false, 1, 0);  // nothing was measured
  EXPECT_EQ(seconds(EdgeKernel::kPull), pull);
}

TEST(CostModel, SmallLaunchesHaveAFactorOfTheirOwn) {
  CostModel model = Model();
  const BatchWork one{.blocks = 1, .groups = kGroups, .wanted_groups = 1};
  const auto seconds = [&](EdgeKernel kernel) {
    return model.Predict(one, Transfer::kResident, kernel).wait;
  };
  EXPECT_GT(seconds(EdgeKernel::kPush), seconds(EdgeKernel::kPull));  // atomics are waited for
  EXPECT_EQ(seconds(EdgeKernel::kPush), seconds(EdgeKernel::kAdd));
  const double before = seconds(EdgeKernel::kPush);
  const double block = model.BlockSeconds(Block(kGroups), Transfer::kFilter, EdgeKernel::kPush);
  model.Observe(EdgeKernel::kPush, KernelPlace::kResident, true, before, 2 * before);
  EXPECT_NEAR(seconds(EdgeKernel::kPush), 2 * before, 0.01 * before);
  EXPECT_EQ(model.BlockSeconds(Block(kGroups), Transfer::kFilter, EdgeKernel::kPush), block);
}

/// Section V-A with its constants: .8, .4, .625.
TEST(HytgraphModel, ChoosesAsPublished) {
  CostModel model = Model(CostModelKind::kHytgraph);
  EXPECT_EQ(Choose(model, Block(kGroups)).transfer, Transfer::kFilter);
  EXPECT_EQ(Choose(model, Block(1)).transfer, Transfer::kZeroCopy);
  EXPECT_TRUE(model.Stays(Choose(model, Block(1)), 0, 2));
  // Lists far below a request of 128 bytes, most of them wanted: compaction.
  const BlockSituation tiny{.num_groups = 1000, .wanted_groups = 300, .bytes = 40'000};
  EXPECT_EQ(Choose(model, tiny).transfer, Transfer::kCompaction);
  // Between them the border is where Tiz = Tef: 3 requests a group against 60,000 / 128 a block.
  for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
    const double share = static_cast<double>(wanted) / kGroups;
    const double zero_copy = wanted * 3.0 * (0.625 + 0.375 * share);
    const Transfer expected = zero_copy < kBytes / 128.0 ? Transfer::kZeroCopy : Transfer::kFilter;
    EXPECT_EQ(Choose(model, Block(wanted)).transfer, expected) << wanted;
  }
}

}  // namespace
}  // namespace edgemill

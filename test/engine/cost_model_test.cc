// What is predicted of transfers, and chosen: plain arithmetic, so tested without a GPU.
#include "engine/cost/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgemill {
namespace {

constexpr uint64_t kState = uint64_t{128} << 20;
constexpr uint32_t kGroups = 256;
constexpr uint64_t kBytes = 60'000;

constexpr BlockShape kBlock = {.num_groups = kGroups, .bytes = kBytes};

CostModel Model(CostModelKind kind = CostModelKind::kCalibrated,
                const Calibration& calibration = BuiltInCalibration()) {
  return CostModel(kind, calibration, kState, 16);
}

BlockPrice Price(const CostModel& model, uint32_t wanted_groups,
                 EdgeKernel kernel = EdgeKernel::kPull) {
  return model.PriceOf(model.BringingOf(kBlock), wanted_groups, kernel);
}

/// How many blocks want so many groups.
std::vector<uint32_t> Numbers(const std::vector<uint32_t>& wanted_groups,
                              const BlockShape& block = kBlock) {
  std::vector<uint32_t> numbers(block.num_groups + 1);
  for (const uint32_t wanted : wanted_groups) ++numbers[wanted];
  return numbers;
}

/// A sweep's choices, in one stretch, for the blocks of which it wants any groups; `wanted_groups`
/// by block.
std::vector<CostModel::Choice> ChooseAll(const CostModel& model,
                                         const std::vector<uint32_t>& wanted_groups,
                                         const BlockShape& block = kBlock) {
  const BlockPrices prices = model.PricesOf(model.BringingOf(block), EdgeKernel::kPull);
  std::vector<uint64_t> blocks;
  for (uint64_t i = 0; i < wanted_groups.size(); ++i) {
    if (wanted_groups[i] > 0) blocks.push_back(i);
  }
  std::vector<CostModel::Choice> choices(blocks.size());
  const bool gathers = model.Gathers(prices, Numbers(wanted_groups, block));
  model.Choose(blocks, wanted_groups, prices, gathers, 1, choices);
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

/// What sending so many blocks of a sweep whole takes, and reading the others across; blocks of
/// which it wants nothing are neither.
double TotalSeconds(const CostModel& model, const std::vector<uint32_t>& wanted_groups,
                    const std::vector<bool>& whole, const BringingCosts& costs) {
  double seconds = 0;
  for (size_t i = 0; i < wanted_groups.size(); ++i) {
    if (wanted_groups[i] == 0) continue;
    const BlockPrice price = model.PriceOf(costs, wanted_groups[i], EdgeKernel::kPull);
    seconds += whole[i] ? price.whole_seconds : price.zero_copy_seconds;
    const bool joins = i > 0 && whole[i - 1] && wanted_groups[i - 1] > 0;
    if (whole[i] && !joins) seconds += costs.alone_seconds;
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
    const BringingCosts costs = model.BringingOf(block);
    double least = INFINITY;
    std::vector<bool> whole(kBlocks);
    for (uint32_t mask = 0; mask < 1u << kBlocks; ++mask) {
      for (uint32_t i = 0; i < kBlocks; ++i) whole[i] = (mask >> i & 1) != 0;
      least = std::min(least, TotalSeconds(model, wanted, whole, costs));
    }
    const std::vector<CostModel::Choice> choices = ChooseAll(model, wanted, block);
    size_t next = 0;
    for (uint32_t i = 0; i < kBlocks; ++i) {
      if (wanted[i] == 0) continue;
      ASSERT_NE(choices[next].transfer, Transfer::kCompaction);  // too few to start threads for
      whole[i] = choices[next++].transfer == Transfer::kFilter;
    }
    EXPECT_NEAR(TotalSeconds(model, wanted, whole, costs), least, 1e-9 * least) << seed;
  }
}

TEST(CostModel, FewGroupsAreReadAcrossAllAreSent) {
  CostModel model = Model();
  EXPECT_EQ(Choose(model, 3).transfer, Transfer::kZeroCopy);
  const std::vector<CostModel::Choice> choices =
      ChooseAll(model, std::vector<uint32_t>(100, kGroups));
  for (const CostModel::Choice& choice : choices) EXPECT_EQ(choice.transfer, Transfer::kFilter);
}

TEST(CostModel, GatheringMustGainWhatStartingThreadsTakes) {
  Calibration calibration = BuiltInCalibration();
  calibration.gather_rate = Curve({{1, 1e12}});
  calibration.gather_block_seconds = 1e-9;
  const CostModel model = Model(CostModelKind::kCalibrated, calibration);
  const auto chosen_of = [&](size_t blocks) {
    return ChooseAll(model, std::vector<uint32_t>(blocks, kGroups / 4))[5].transfer;
  };
  EXPECT_EQ(chosen_of(10), Transfer::kZeroCopy);
  EXPECT_EQ(chosen_of(5000), Transfer::kCompaction);
  // What is wanted nothing of gains nothing.
  const BlockPrices prices = model.PricesOf(model.BringingOf(kBlock), EdgeKernel::kPull);
  EXPECT_FALSE(model.Gathers(prices, Numbers(std::vector<uint32_t>(1'000'000, 0))));
}

TEST(CostModel, MoreWantedGroupsNeverCostLess) {
  CostModel model = Model();
  BlockPrice before;
  for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
    const BlockPrice price = Price(model, wanted, EdgeKernel::kPush);
    EXPECT_GE(price.whole_seconds, before.whole_seconds) << wanted;
    EXPECT_GE(price.compaction_seconds, before.compaction_seconds) << wanted;
    before = price;
  }
}

TEST(CostModel, BlocksStayOnceTheirPartsHaveCostAsMuch) {
  CostModel model = Model();
  EXPECT_TRUE(model.Stays({.transfer = Transfer::kFilter}, 0, 2));
  const CostModel::Choice part = Choose(model, 1);
  EXPECT_EQ(part.transfer, Transfer::kZeroCopy);
  EXPECT_EQ(part.whole_seconds, Price(model, 1).whole_seconds);
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
  EXPECT_TRUE(model.Stays(Choose(model, 1), 0, CostModel::Patience(1e-3, 0, 1)));
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
  const double block = Price(model, 10).compaction_seconds;
  model.ObserveHost(1, 5);  // at once
  EXPECT_NEAR(host(), 5 * before, 1e-9 * before);
  EXPECT_GT(Price(model, 10).compaction_seconds, 2 * block);
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

TEST(CostModel, PricesFollowObservations) {
  CostModel model = Model();
  // A single block that is read across has all of the waiting.
  const double wait = BuiltInCalibration().batch_seconds + BuiltInCalibration().zero_copy_wait;
  const auto seconds = [&] { return Choose(model, 3).seconds - wait; };
  const double before = seconds();
  EXPECT_NEAR(before, Price(model, 3).zero_copy_seconds, 1e-15);
  model.Observe(EdgeKernel::kPull, KernelPlace::kAcross, false, 1, 2);
  EXPECT_NEAR(seconds(), 2 * before, 1e-15);
  // The link does not become faster than it was measured to be.
  for (int i = 0; i < 8; ++i) {
    model.Observe(EdgeKernel::kPull, KernelPlace::kAcross, false, 10, 1);
  }
  EXPECT_GT(seconds(), 0.85 * before);
}

TEST(CostModel, LargerBlocksTakeLonger) {
  CostModel model = Model();
  BlockShape larger = kBlock;
  larger.bytes *= 3;
  const BlockPrice price = model.PriceOf(model.BringingOf(larger), 3, EdgeKernel::kPull);
  EXPECT_GT(price.zero_copy_seconds, 2 * Price(model, 3).zero_copy_seconds);
  EXPECT_NEAR(price.whole_seconds, 3 * Price(model, 3).whole_seconds, 1e-12);
}

/// What is looked up is what is worked out for a block by itself.
TEST(CostModel, PricesAreThoseOfEachBlock) {
  CostModel model = Model();
  model.Observe(EdgeKernel::kPush, KernelPlace::kBatch, false, 1, 3);
  model.Observe(EdgeKernel::kPush, KernelPlace::kAcross, false, 1, 2);
  model.ObserveHost(1, 1.5);
  const BlockPrices prices = model.PricesOf(model.BringingOf(kBlock), EdgeKernel::kPush);
  for (const uint32_t wanted : {1u, 7u, kGroups / 2, kGroups}) {
    const BlockPrice expected = Price(model, wanted, EdgeKernel::kPush);
    const BlockPrice& price = prices.At(wanted);
    EXPECT_DOUBLE_EQ(price.whole_seconds, expected.whole_seconds);
    EXPECT_DOUBLE_EQ(price.zero_copy_seconds, expected.zero_copy_seconds);
    EXPECT_DOUBLE_EQ(price.compaction_seconds, expected.compaction_seconds);
  }
}

TEST(CostModel, SumsAreThoseOfTheCheapestWays) {
  CostModel model = Model();
  const BlockPrices prices = model.PricesOf(model.BringingOf(kBlock), EdgeKernel::kPull);
  const std::vector<uint32_t> wanted = {0, 3, 3, kGroups, 40};
  for (const bool gathers : {false, true}) {
    double seconds = 0;
    double squares = 0;
    for (const uint32_t groups : {3u, 3u, kGroups, 40u}) {
      const BlockPrice& price = prices.At(groups);
      double least = std::min(price.whole_seconds, price.zero_copy_seconds);
      if (gathers) least = std::min(least, price.compaction_seconds);
      seconds += least;
      squares += least * least;
    }
    const BlockPrices::Sums sums = prices.LeastSums(Numbers(wanted), gathers);
    EXPECT_DOUBLE_EQ(sums.seconds, seconds);
    EXPECT_DOUBLE_EQ(sums.squares, squares);
  }
}

TEST(CostModel, FewHostThreadsMakeGatheringDear) {
  CostModel one(CostModelKind::kCalibrated, BuiltInCalibration(), kState, 1);
  EXPECT_GT(Price(one, 100).compaction_seconds, 2 * Price(Model(), 100).compaction_seconds);
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
  const auto block = [&] { return Price(model, kGroups, EdgeKernel::kPush).whole_seconds; };
  const double block_before = block();
  model.Observe(EdgeKernel::kPush, KernelPlace::kResident, true, before, 2 * before);
  EXPECT_NEAR(seconds(EdgeKernel::kPush), 2 * before, 0.01 * before);
  EXPECT_EQ(block(), block_before);
}

/// Section V-A with its constants: .8, .4, .625.
TEST(HytgraphModel, ChoosesAsPublished) {
  CostModel model = Model(CostModelKind::kHytgraph);
  EXPECT_EQ(Choose(model, kGroups).transfer, Transfer::kFilter);
  EXPECT_EQ(Choose(model, 1).transfer, Transfer::kZeroCopy);
  EXPECT_TRUE(model.Stays(Choose(model, 1), 0, 2));
  // Lists far below a request of 128 bytes, most of them wanted: compaction.
  const BlockShape tiny{.num_groups = 1000, .bytes = 40'000};
  EXPECT_EQ(ChooseAll(model, {300}, tiny)[0].transfer, Transfer::kCompaction);
  // Between them the border is where Tiz = Tef: 3 requests a group against 60,000 / 128 a block.
  for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
    const double share = static_cast<double>(wanted) / kGroups;
    const double zero_copy = wanted * 3.0 * (0.625 + 0.375 * share);
    const Transfer expected = zero_copy < kBytes / 128.0 ? Transfer::kZeroCopy : Transfer::kFilter;
    EXPECT_EQ(Choose(model, wanted).transfer, expected) << wanted;
  }
}

}  // namespace
}  // namespace edgemill

// What is predicted of transfers, and chosen: plain arithmetic, so tested without a GPU.
#include "engine/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/sweep_record.h"

namespace edgemill {
namespace {

constexpr uint64_t kState = uint64_t{128} << 20;
constexpr uint32_t kGroups = 256;
constexpr uint64_t kBytes = 60'000;

CostModel Model(CostModelKind kind = CostModelKind::kCalibrated) {
  return CostModel(kind, BuiltInCalibration(), kState, 16);
}

BlockSituation Block(uint32_t wanted, bool room = false, double spent = 0) {
  return {.num_groups = kGroups,
          .wanted_groups = wanted,
          .bytes = kBytes,
          .room_on_card = room,
          .joins = true,
          .spent_seconds = spent};
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

TEST(PipelineClock, TheSlowestStageDecides) {
  PipelineClock clock(4);
  EXPECT_DOUBLE_EQ(clock.Add({.host = 1, .link = 2, .gpu = 0.5}), 3.5);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(clock.Add({.host = 1, .link = 2, .gpu = 0.5}), 2);
  EXPECT_DOUBLE_EQ(clock.end(), 9.5);
}

TEST(PipelineClock, OneSlotHidesNothing) {
  PipelineClock clock(1);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(clock.Add({.host = 1, .link = 2, .gpu = 0.5}), 3.5);
}

TEST(PipelineClock, KernelsThatReadAcrossShareTheLink) {
  PipelineClock clock(4);
  EXPECT_DOUBLE_EQ(clock.Add({.gpu = 3, .reads_across = true}), 3);
  EXPECT_DOUBLE_EQ(clock.Add({.link = 2, .gpu = 1}), 3);
  PipelineClock apart(4);
  EXPECT_DOUBLE_EQ(apart.Add({.gpu = 3}, false), 3);
  EXPECT_DOUBLE_EQ(apart.Add({.link = 2, .gpu = 1}), 1);
}

TEST(CostModel, AskedEnginesAreTaken) {
  CostModel model = Model();
  for (const Transfer transfer : {Transfer::kResident, Transfer::kFilter, Transfer::kCompaction,
                                  Transfer::kZeroCopy, Transfer::kManaged}) {
    EXPECT_EQ(model.Choose(transfer, Block(3), EdgeKernel::kPull).transfer, transfer);
  }
}

TEST(CostModel, AutoTakesTheLeastPredicted) {
  CostModel model = Model();
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(3), EdgeKernel::kPull).transfer,
            Transfer::kZeroCopy);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(kGroups), EdgeKernel::kPull).transfer,
            Transfer::kFilter);
  for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
    const Transfer chosen =
        model.Choose(Transfer::kAuto, Block(wanted), EdgeKernel::kPull).transfer;
    const double least = model.BlockSeconds(Block(wanted), chosen, EdgeKernel::kPull);
    for (const Transfer other : {Transfer::kFilter, Transfer::kCompaction, Transfer::kZeroCopy}) {
      EXPECT_LE(least, model.BlockSeconds(Block(wanted), other, EdgeKernel::kPull)) << wanted;
    }
  }
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
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(kGroups, true), EdgeKernel::kPull).transfer,
            Transfer::kResident);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(1, true), EdgeKernel::kPull).transfer,
            Transfer::kZeroCopy);
  const double whole =
      CostModel::kPatience * model.BlockSeconds(Block(1), Transfer::kFilter, EdgeKernel::kPull);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(1, true, whole), EdgeKernel::kPull).transfer,
            Transfer::kResident);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(1, false, whole), EdgeKernel::kPull).transfer,
            Transfer::kZeroCopy);
}

TEST(CostModel, PricesFollowBlocksAndObservations) {
  CostModel model = Model();
  const auto choose = [&](const BlockSituation& block) {
    return model.Choose(Transfer::kAuto, block, EdgeKernel::kPull);
  };
  const double before = choose(Block(3)).seconds;
  EXPECT_DOUBLE_EQ(before, model.BlockSeconds(Block(3), Transfer::kZeroCopy, EdgeKernel::kPull));
  model.Observe(EdgeKernel::kPull, KernelPlace::kAcross, false, 1, 2);
  EXPECT_DOUBLE_EQ(choose(Block(3)).seconds, 2 * before);
  BlockSituation larger = Block(3);
  larger.bytes *= 3;
  EXPECT_DOUBLE_EQ(choose(larger).seconds,
                   model.BlockSeconds(larger, Transfer::kZeroCopy, EdgeKernel::kPull));
  EXPECT_DOUBLE_EQ(choose(Block(3)).seconds, 2 * before);
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
    return model.Predict(one, Transfer::kResident, kernel).gpu;
  };
  EXPECT_GT(seconds(EdgeKernel::kPush), seconds(EdgeKernel::kPull));  // atomics are waited for
  const double before = seconds(EdgeKernel::kPush);
  const double block = model.BlockSeconds(Block(kGroups), Transfer::kFilter, EdgeKernel::kPush);
  model.Observe(EdgeKernel::kPush, KernelPlace::kResident, true, before, 2 * before);
  EXPECT_NEAR(seconds(EdgeKernel::kPush), 2 * before, 0.01 * before);
  EXPECT_EQ(model.BlockSeconds(Block(kGroups), Transfer::kFilter, EdgeKernel::kPush), block);
}

/// Section V-A with its constants: .8, .4, .625.
TEST(HytgraphModel, ChoosesAsPublished) {
  CostModel model = Model(CostModelKind::kHytgraph);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(kGroups), EdgeKernel::kPull).transfer,
            Transfer::kFilter);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(1), EdgeKernel::kPull).transfer,
            Transfer::kZeroCopy);
  EXPECT_EQ(model.Choose(Transfer::kAuto, Block(1, true), EdgeKernel::kPull).transfer,
            Transfer::kResident);
  // Lists far below a request of 128 bytes, most of them wanted: compaction.
  const BlockSituation tiny{.num_groups = 1000, .wanted_groups = 300, .bytes = 40'000};
  EXPECT_EQ(model.Choose(Transfer::kAuto, tiny, EdgeKernel::kPull).transfer, Transfer::kCompaction);
  // Between them the border is where Tiz = Tef: 3 requests a group against 60,000 / 128 a block.
  for (uint32_t wanted = 1; wanted <= kGroups; ++wanted) {
    const double share = static_cast<double>(wanted) / kGroups;
    const double zero_copy = wanted * 3.0 * (0.625 + 0.375 * share);
    const Transfer expected = zero_copy < kBytes / 128.0 ? Transfer::kZeroCopy : Transfer::kFilter;
    EXPECT_EQ(model.Choose(Transfer::kAuto, Block(wanted), EdgeKernel::kPull).transfer, expected)
        << wanted;
  }
}

BatchRecord Batch(Transfer transfer, double link, double gpu, double begun, double copied,
                  double ended) {
  BatchRecord record{.begun = begun, .copied = copied, .ended = ended};
  record.work[static_cast<size_t>(transfer)] = {
      .blocks = 2, .groups = 8192, .wanted_groups = 8192, .moved_bytes = 100};
  record.predicted[static_cast<size_t>(transfer)] = {.link = link, .gpu = gpu};
  return record;
}

TEST(SweepRecord, WhatIsHiddenCountsNothing) {
  CostModel model = Model();
  SweepRecord record;
  record.Start(4);
  BatchRecord resident = Batch(Transfer::kResident, 0, 3, 10, 10, 13);
  resident.on_card = true;
  record.Add(resident);
  record.Add(Batch(Transfer::kFilter, 2, 1, 10, 12, 14));
  record.Add(Batch(Transfer::kFilter, 2, 1, 10, 14, 15));
  record.Start(4);
  record.Add(Batch(Transfer::kZeroCopy, 0, 1, 20, 20, 21));
  const TransferAccounts accounts = record.Account(&model);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].predicted_seconds, 3);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].measured_seconds, 3);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].predicted_seconds, 2);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, 2);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 1);
  EXPECT_EQ(accounts[Transfer::kFilter].blocks, 4u);
  EXPECT_EQ(accounts.total().bytes, 400u);
  record.Clear();
  EXPECT_EQ(record.Account(&model).total().blocks, 0u);
}

TEST(SweepRecord, MixedBatchesAreSharedOut) {
  CostModel model = Model();
  SweepRecord record;
  record.Start(1);
  BatchRecord mixed = Batch(Transfer::kFilter, 3, 0, 0, 3, 8);
  mixed.work[static_cast<size_t>(Transfer::kZeroCopy)] = {.blocks = 1};
  mixed.predicted[static_cast<size_t>(Transfer::kZeroCopy)] = {.gpu = 1, .reads_across = true};
  record.Add(mixed);
  const TransferAccounts accounts = record.Account(&model);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, 6);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 2);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].predicted_seconds, 1);
}

TEST(SweepRecord, TellsWhoWorkedWhen) {
  SweepRecord record;
  record.Start(4);
  BatchRecord gathered = Batch(Transfer::kCompaction, 1, 1, 2, 3, 4);
  gathered.filling = 1;
  gathered.filled = 2;
  gathered.host_seconds = 0.5;
  record.Add(gathered);
  record.Add(Batch(Transfer::kFilter, 1, 1, 2.5, 3.5, 5));
  record.Add(Batch(Transfer::kZeroCopy, 0, 1, 6, 6, 7));
  Timeline timeline;
  record.AddTo(&timeline);
  EXPECT_EQ(timeline.spans().size(), 6u);
  EXPECT_DOUBLE_EQ(timeline.Seconds(), 6);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kHost), 1);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kCopy), 1.5);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kKernel), 3);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kDisk), 0);
  for (size_t i = 0; i < 2 * Timeline::kMostSpans; ++i) timeline.Add({Worker::kDisk, 0, 1, 2});
  EXPECT_EQ(timeline.spans().size(), Timeline::kMostSpans);
  EXPECT_EQ(timeline.left_out(), Timeline::kMostSpans + 6);
}

TEST(PredictionError, IsRelative) {
  EXPECT_DOUBLE_EQ(PredictionError(3, 2), 0.5);
  EXPECT_DOUBLE_EQ(PredictionError(1, 2), 0.5);
  EXPECT_DOUBLE_EQ(PredictionError(1, 0), 0);
}

}  // namespace
}  // namespace edgemill

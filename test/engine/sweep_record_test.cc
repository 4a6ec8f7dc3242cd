// What batches of blocks took, engine by engine, and what the cost model learns from it: plain
// arithmetic, so tested without a GPU.
#include "engine/cost/sweep_record.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgemill {
namespace {

CostModel BuiltInModel() {
  return CostModel(CostModelKind::kCalibrated, BuiltInCalibration(), uint64_t{128} << 20, 16);
}

/// What the model takes kernels to need for as much as a Batch's.
double KernelSeconds(const CostModel& model, Transfer transfer) {
  const BatchWork work{.blocks = 2, .groups = 8192, .wanted_groups = 8192};
  return model.Predict(work, transfer, EdgeKernel::kPush).gpu;
}

BatchRecord Batch(Transfer transfer, double link, double gpu, double begun, double copied,
                  double ended) {
  BatchRecord record{.begun = begun, .copied = copied, .ended = ended};
  record.work[static_cast<size_t>(transfer)] = {
      .blocks = 2, .groups = 8192, .wanted_groups = 8192, .moved_bytes = 100};
  record.predicted[static_cast<size_t>(transfer)] = {.link = link, .gpu = gpu};
  return record;
}

/// A loop over what is on the card already.
BatchRecord OnCard(double gpu, double begun, double ended) {
  BatchRecord record = Batch(Transfer::kResident, 0, gpu, begun, begun, ended);
  record.on_card = true;
  return record;
}

/// A loop that reads across the link.
BatchRecord Across(double gpu, double begun, double ended) {
  BatchRecord record = Batch(Transfer::kZeroCopy, 0, gpu, begun, begun, ended);
  record.predicted[static_cast<size_t>(Transfer::kZeroCopy)].reads_across = true;
  return record;
}

TEST(SweepRecord, WhatOverlapsIsShared) {
  CostModel model = BuiltInModel();
  SweepRecord record;
  record.Start(4, 0);
  record.Add(OnCard(3, 10, 13));
  record.Add(Batch(Transfer::kFilter, 2, 1, 10, 12, 14));
  record.Start(4, 0);
  record.Add(Batch(Transfer::kZeroCopy, 0, 1, 20, 20, 21));
  const TransferAccounts accounts = record.Account(&model);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].measured_seconds, 1.5);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, 2.5);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 1);
  EXPECT_EQ(accounts[Transfer::kFilter].blocks, 2u);
  EXPECT_EQ(accounts.total().bytes, 300u);
  record.Clear();
  EXPECT_EQ(record.Account(&model).total().blocks, 0u);
}

/// Batches that come one by one from the disk share nothing, and what the disk takes is in neither
/// time.
TEST(SweepRecord, BatchesBeginWhenTheirBlocksHaveCome) {
  CostModel model = BuiltInModel();
  for (const bool awaited : {true, false}) {
    SweepRecord record;
    record.Start(4, 100);
    for (const double filled : {101.0, 111.0, 121.0}) {
      BatchRecord batch = Batch(Transfer::kFilter, 2, 1, filled, filled + 2, filled + 3);
      if (awaited) batch.ready = filled;
      record.Add(batch);
    }
    const TransferAccount account = record.Account(&model)[Transfer::kFilter];
    EXPECT_DOUBLE_EQ(account.measured_seconds, 9);
  }
}

/// Two batches that the host gathered, whose threads were to take half a second for each, and were
/// at work for `busy` of the `wall` seconds in which each was filled, while the disk was read for
/// the first `reading` of them all. Returns by how much the model takes gathering to be slower than
/// before.
double LearntOfGathering(uint64_t host_bytes, double busy, double wall, double reading = 0) {
  CostModel model = BuiltInModel();
  const BatchWork work{.blocks = 1, .groups = 256, .wanted_groups = 256, .host_bytes = 1 << 20};
  const auto host = [&] {
    return model.Predict(work, Transfer::kCompaction, EdgeKernel::kPush).host;
  };
  const double before = host();
  SweepRecord record;
  record.Start(4, 0);
  for (int i = 0; i < 2; ++i) {
    BatchRecord batch = Batch(Transfer::kCompaction, 0.1, 0.1, i, i + 0.1, i + 0.2);
    const size_t gathered = static_cast<size_t>(Transfer::kCompaction);
    batch.work[gathered].host_bytes = host_bytes;
    batch.predicted[gathered].host = 0.5;
    batch.host_seconds = busy;
    batch.filling = 10 + i * wall;
    batch.filled = batch.filling + wall;
    record.Add(batch);
  }
  record.AddReading(5, 6);
  record.AddReading(9, 10 + reading);
  record.Account(&model);
  return host() / before;
}

TEST(SweepRecord, SlowGatheringIsLearnt) {
  EXPECT_DOUBLE_EQ(LearntOfGathering(1 << 24, 0.5, 0.1), 1);
  EXPECT_DOUBLE_EQ(LearntOfGathering(1 << 24, 4, 0.1), 8);
  // What threads waited for, where nothing else can have held the sweep up.
  EXPECT_DOUBLE_EQ(LearntOfGathering(1 << 24, 0.5, 4), 8);
  // But not if it was the disk that they waited for.
  EXPECT_DOUBLE_EQ(LearntOfGathering(1 << 24, 0.5, 4, 2), 6);
  EXPECT_DOUBLE_EQ(LearntOfGathering(1 << 24, 0.5, 4, 8), 1);
  // A handful of groups says nothing.
  EXPECT_DOUBLE_EQ(LearntOfGathering(1 << 12, 4, 4), 1);
}

/// A loop beside a slower one on the card says nothing about the link.
TEST(SweepRecord, LoopsOnTheCardDoNotTeachThoseAcross) {
  CostModel model = BuiltInModel();
  const BringingCosts costs = model.BringingOf({.num_groups = 256, .bytes = 60'000});
  const auto price = [&] { return model.PriceOf(costs, 3, EdgeKernel::kPush).zero_copy_seconds; };
  const double before = price();
  SweepRecord record;
  record.Start(4, 0);
  record.Add(OnCard(5, 0, 5));
  record.Add(Across(4, 0, 4));
  record.Account(&model);
  EXPECT_DOUBLE_EQ(price(), before);
}

/// What waits for the link has what is on the card wait, which is predicted, and does not make that
/// seem slower.
TEST(SweepRecord, TheLoopOnTheCardRestsWhileOthersReadAcross) {
  CostModel model = BuiltInModel();
  const double before = KernelSeconds(model, Transfer::kResident);
  SweepRecord record;
  record.Start(4, 0);
  record.Add(OnCard(4, 0, 6));
  for (int i = 0; i < 2; ++i) record.Add(Across(1, 1, 3));
  const TransferAccounts accounts = record.Account(&model);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].measured_seconds, 4);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 2);
  EXPECT_DOUBLE_EQ(KernelSeconds(model, Transfer::kResident), before);
}

/// But only while they do, which is not while copies have the link before them.
TEST(SweepRecord, TheLoopOnTheCardDoesNotRestForCopies) {
  CostModel model = BuiltInModel();
  SweepRecord record;
  record.Start(4, 0);
  record.Add(OnCard(4, 0, 4));
  record.Add(Batch(Transfer::kFilter, 4, 1, 0, 4, 5));
  record.Add(Across(1, 4, 5));
  const TransferAccounts accounts = record.Account(&model);
  const auto expect = [&](Transfer transfer, double seconds) {
    EXPECT_DOUBLE_EQ(accounts[transfer].measured_seconds, seconds);
  };
  expect(Transfer::kResident, 2);
  expect(Transfer::kFilter, 2.5);
  expect(Transfer::kZeroCopy, 0.5);
}

/// Batches that wait for the loop on the card do not make it seem shorter.
TEST(SweepRecord, LoopsThatWaitDoNotTeachTheOneThatIsWaitedFor) {
  CostModel model = BuiltInModel();
  const double before = KernelSeconds(model, Transfer::kResident);
  SweepRecord record;
  record.Start(4, 0);
  record.Add(OnCard(2, 0, 2));
  for (int i = 1; i <= 4; ++i) {
    record.Add(Batch(Transfer::kFilter, 0.1, 0.1, 0, 0.1 * i, 2 + 0.1 * i));
  }
  record.Account(&model);
  EXPECT_NEAR(KernelSeconds(model, Transfer::kResident), before, 1e-9 * before);
}

/// Several passes over a batch do not make one seem longer.
TEST(SweepRecord, RepeatedPassesTeachNothing) {
  CostModel model = BuiltInModel();
  const double before = KernelSeconds(model, Transfer::kFilter);
  for (const bool repeated : {true, false}) {
    SweepRecord record;
    record.Start(1, 0);
    BatchRecord batch = Batch(Transfer::kFilter, 1, 1, 0, 1, 5);
    batch.repeated = repeated;
    record.Add(batch);
    record.Account(&model);
    const double after = KernelSeconds(model, Transfer::kFilter);
    EXPECT_EQ(after == before, repeated) << after << " after " << before;
  }
}

TEST(SweepRecord, MixedBatchesAreSharedOut) {
  CostModel model = BuiltInModel();
  SweepRecord record;
  record.Start(1, 0);
  BatchRecord mixed = Batch(Transfer::kFilter, 3, 0, 0, 3, 8);
  mixed.work[static_cast<size_t>(Transfer::kZeroCopy)] = {.blocks = 1};
  mixed.predicted[static_cast<size_t>(Transfer::kZeroCopy)] = {.gpu = 1, .reads_across = true};
  record.Add(mixed);
  const TransferAccounts accounts = record.Account(&model);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, 6);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 2);
}

TEST(SweepRecord, TellsWhoWorkedWhen) {
  SweepRecord record;
  record.Start(4, 0);
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

/// What CUDA tells of such a time after an event: milliseconds in a `float`.
double AsCudaTells(double seconds) {
  return static_cast<double>(static_cast<float>(seconds * 1e3)) * 1e-3;
}

/// A launch of 40 microseconds, an hour into a run. From the run's begin, CUDA's times of its begin
/// and end are a quarter of a second apart, or the same.
TEST(SweepRecord, LateLaunchesAreTimedAsWellAsEarlyOnes) {
  constexpr double kHour = 3600.1;
  constexpr double kTook = 40e-6;
  EXPECT_GT(std::abs(AsCudaTells(kHour + kTook) - AsCudaTells(kHour) - kTook), kTook / 2);
  CostModel model = BuiltInModel();
  SweepRecord record;
  record.SetOrigin(record.Start(4, 0), 1);  // an earlier pass
  record.Add(OnCard(kTook, 0, kTook));
  const size_t pass = record.Start(4, kHour);
  record.SetOrigin(pass, kHour);
  record.Add(OnCard(kTook, AsCudaTells(1e-3), AsCudaTells(1e-3 + kTook)));
  const TransferAccounts accounts = record.Account(&model);
  EXPECT_NEAR(accounts[Transfer::kResident].measured_seconds, 2 * kTook, 1e-9);
  Timeline timeline;
  record.AddTo(&timeline);
  ASSERT_EQ(timeline.spans().size(), 2u);
  EXPECT_DOUBLE_EQ(timeline.spans()[0].begin, 1);
  EXPECT_NEAR(timeline.spans()[1].begin, kHour + 1e-3, 1e-9);
  EXPECT_NEAR(timeline.spans()[1].end, kHour + 1e-3 + kTook, 1e-9);
}

}  // namespace
}  // namespace edgemill

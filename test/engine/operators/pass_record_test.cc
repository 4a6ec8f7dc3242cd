// The time of batches of blocks, for each engine. It is plain arithmetic, tested without a GPU.
#include "engine/cost/pass_record.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgemill {
namespace {

BatchRecord Batch(Transfer transfer, double begun, double copied, double ended) {
  BatchRecord record{.begun = begun, .copied = copied, .ended = ended};
  record.moved[transfer] = {.blocks = 2, .bytes = 100};
  return record;
}

/// A loop over blocks that are already on the GPU.
BatchRecord BatchOnGpu(double begun, double ended) {
  BatchRecord record{.on_device = true, .begun = begun, .copied = begun, .ended = ended};
  record.moved[Transfer::kResident] = {.blocks = 2};
  return record;
}

BatchRecord ZeroCopied(double begun, double ended) {
  return Batch(Transfer::kZeroCopy, begun, begun, ended);
}

TEST(PassRecord, WhatOverlapsIsShared) {
  PassRecord record;
  record.Start();
  record.Add(BatchOnGpu(10, 13));
  record.Add(Batch(Transfer::kFilter, 10, 12, 14));
  record.Start();
  record.Add(ZeroCopied(10, 11));  // a batch of another pass, which has its own origin
  const TransferAccounts accounts = record.Account();
  EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].measured_seconds, 1.5);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, 2.5);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 1);
  EXPECT_EQ(accounts[Transfer::kFilter].blocks, 2u);
  EXPECT_EQ(accounts.total().bytes, 200u);
  record.Clear();
  EXPECT_EQ(record.Account().total().blocks, 0u);
}

/// The time in which host threads gather groups counts for an engine. The time of reads from disk
/// counts for none.
TEST(PassRecord, GatheringCountsReadingDoesNot) {
  PassRecord record;
  record.Start();
  for (const double filled : {1.0, 11.0, 21.0}) {
    BatchRecord batch = Batch(Transfer::kCompaction, filled, filled + 2, filled + 3);
    batch.host_seconds = 0.5;
    record.AddReading(filled - 1, filled);
    record.Add(batch);
  }
  EXPECT_DOUBLE_EQ(record.Account()[Transfer::kCompaction].measured_seconds, 3 * 3.5);
}

/// Blocks that wait for the link make the loop over resident blocks wait.
TEST(PassRecord, TheLoopOnTheGpuRestsWhileOthersAreZeroCopied) {
  for (const Transfer transfer : {Transfer::kZeroCopy, Transfer::kManaged}) {
    PassRecord record;
    record.Start();
    record.Add(BatchOnGpu(0, 6));
    for (int i = 0; i < 2; ++i) record.Add(Batch(transfer, 1, 1, 3));
    const TransferAccounts accounts = record.Account();
    EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].measured_seconds, 4);
    EXPECT_DOUBLE_EQ(accounts[transfer].measured_seconds, 2);
  }
}

/// The loop does not wait while copies use the link before zero-copied blocks.
TEST(PassRecord, TheLoopOnTheGpuDoesNotRestForCopies) {
  PassRecord record;
  record.Start();
  record.Add(BatchOnGpu(0, 4));
  record.Add(Batch(Transfer::kFilter, 0, 4, 5));
  record.Add(ZeroCopied(4, 5));
  const TransferAccounts accounts = record.Account();
  EXPECT_DOUBLE_EQ(accounts[Transfer::kResident].measured_seconds, 2);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, 2.5);
  EXPECT_DOUBLE_EQ(accounts[Transfer::kZeroCopy].measured_seconds, 0.5);
}

/// A batch's time is divided by the bytes that each engine moved, or equally if none moved any.
TEST(PassRecord, MixedBatchesAreSharedOut) {
  for (const uint64_t bytes : {uint64_t{300}, uint64_t{0}}) {
    PassRecord record;
    record.Start();
    BatchRecord mixed{.ended = 8};
    mixed.moved[Transfer::kFilter] = {.blocks = 5, .bytes = bytes};
    mixed.moved[Transfer::kCompaction] = {.blocks = 1, .bytes = bytes / 3};
    record.Add(mixed);
    const TransferAccounts accounts = record.Account();
    EXPECT_DOUBLE_EQ(accounts[Transfer::kFilter].measured_seconds, bytes > 0 ? 6 : 4);
    EXPECT_DOUBLE_EQ(accounts[Transfer::kCompaction].measured_seconds, bytes > 0 ? 2 : 4);
    EXPECT_DOUBLE_EQ(accounts.total().measured_seconds, 8);
    EXPECT_EQ(accounts[Transfer::kFilter].blocks, 5u);
  }
}

TEST(PassRecord, TellsWhoWorkedWhen) {
  PassRecord record;
  record.Start();
  BatchRecord gathered = Batch(Transfer::kCompaction, 2, 3, 4);
  gathered.filling = 1;
  gathered.filled = 2;
  gathered.host_seconds = 0.5;
  record.Add(gathered);
  record.Add(Batch(Transfer::kFilter, 2.5, 3.5, 5));
  record.Add(ZeroCopied(6, 7));
  record.AddReading(2, 3);
  Timeline timeline;
  record.AddTo(&timeline);
  EXPECT_EQ(timeline.spans().size(), 7u);
  EXPECT_DOUBLE_EQ(timeline.Seconds(), 6);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kHost), 1);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kCopy), 1.5);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kKernel), 3);
  EXPECT_DOUBLE_EQ(timeline.BusySeconds(Worker::kDisk), 1);
  for (size_t i = 0; i < 2 * Timeline::kMaxSpans; ++i) timeline.Add({Worker::kDisk, 0, 1, 2});
  EXPECT_EQ(timeline.spans().size(), Timeline::kMaxSpans);
  EXPECT_EQ(timeline.left_out(), Timeline::kMaxSpans + 7);
}

/// A time after an event as CUDA reports it: milliseconds in a `float`.
double AsCudaTells(double seconds) {
  return static_cast<double>(static_cast<float>(seconds * 1e3)) * 1e-3;
}

/// A launch takes 40 microseconds, an hour after a run began. Counted from the begin of the run,
/// CUDA's times of its begin and end are equal or a quarter of a second apart.
TEST(PassRecord, LateLaunchesAreTimedAsWellAsEarlyOnes) {
  constexpr double kHour = 3600.1;
  constexpr double kTook = 40e-6;
  EXPECT_GT(std::abs(AsCudaTells(kHour + kTook) - AsCudaTells(kHour) - kTook), kTook / 2);
  PassRecord record;
  record.SetOrigin(record.Start(), 1);  // an earlier pass
  record.Add(BatchOnGpu(0, kTook));
  record.SetOrigin(record.Start(), kHour);
  record.Add(BatchOnGpu(AsCudaTells(1e-3), AsCudaTells(1e-3 + kTook)));
  const TransferAccounts accounts = record.Account();
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

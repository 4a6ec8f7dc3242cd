// Disks that fail, hang or become full while temporary files are written and read.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "common/cancel.h"
#include "common/clock.h"
#include "test/io_faults.h"
#include "test/spill_space_fixture.h"

namespace edgemill {
namespace {

/// A write or a read has a fault while numbers are appended and read back.
class SpillFaultsTest : public SpillSpaceTest {
 protected:
  static constexpr size_t kCount = 40 * kPageBytes / 8;
  void TearDown() override { ClearCancel(); }
  bool packed_ = false;

  /// With `packed_` the numbers are keys of records, whose order may change.
  Status AppendAndRead(IoRequest::Op op, const IoFault& fault, const IoPatience& patience) {
    const ScopedIoFaults faults(FaultOn(op, "pages.spill", 3, fault, true));
    Open(8, false, patience);
    const std::unique_ptr<SpillStream> stream =
        space_->NewStream(packed_ ? SpillForm::Records(SpilledWeight::kNone) : SpillForm::Bytes());
    RETURN_IF_ERROR(Append(*stream, 1, kCount));
    stream->Seal();
    RETURN_IF_ERROR(space_->Drain());
    std::vector<uint64_t> read(kCount), want = Values(1, 0, kCount);
    const size_t step = packed_ ? 3 * stream->page_records() : 5000;
    for (size_t first = 0; first < kCount; first += step) {
      const auto part = std::span(read).subspan(first, std::min(step, kCount - first));
      RETURN_IF_ERROR(stream->Read(first * 8, std::as_writable_bytes(part)));
    }
    if (packed_) {
      std::sort(read.begin(), read.end());
      std::sort(want.begin(), want.end());
    }
    EXPECT_EQ(read, want);
    return OkStatus();
  }
  static void ExpectHas(const Status& status, std::string_view part) {
    EXPECT_NE(status.message().find(part), std::string_view::npos) << status.message();
  }
};

TEST_F(SpillFaultsTest, AHungTransferIsReported) {
  for (const IoRequest::Op op : {IoRequest::Op::kWrite, IoRequest::Op::kRead}) {
    const Stopwatch watch;
    const Status status = AppendAndRead(op, {IoFault::Kind::kNever, 0}, {.stall_seconds = 0.4});
    EXPECT_EQ(status.code(), Code::kIo);
    ExpectHas(status, "pages.spill: no answer for 0.4 s to a ");
    ExpectHas(status, op == IoRequest::Op::kWrite ? "write (offset" : "read (offset");
    space_.reset();
    EXPECT_LT(watch.seconds(), 5);
  }
}

TEST_F(SpillFaultsTest, AStopIsNoticedWhileATransferHangs) {
  for (const IoRequest::Op op : {IoRequest::Op::kWrite, IoRequest::Op::kRead}) {
    const Stopwatch watch;
    std::thread stop([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      RequestCancel();
    });
    const Status status =
        AppendAndRead(op, {IoFault::Kind::kNever, 0}, {.stall_seconds = 60, .cancel_seconds = 0.3});
    stop.join();
    ClearCancel();
    EXPECT_EQ(status.code(), Code::kCancelled) << status.message();
    space_.reset();
    EXPECT_LT(watch.seconds(), 5);
  }
}

/// A directory whose disk is full keeps its pages, and the other directories take the rest.
TEST_F(SpillFaultsTest, PagesGoToAnotherDirectoryWhenADiskIsFull) {
  for (const bool all_full : {false, true}) {
    SCOPED_TRACE(all_full);
    const TemporaryDirectory other;
    std::atomic<uint64_t> writes{0};
    const ScopedIoFaults faults(FaultsOn(IoRequest::Op::kWrite,
                                         all_full ? "pages.spill" : other / "pages.spill",
                                         [&writes](uint64_t) -> std::optional<IoFault> {
                                           if (++writes <= 3) return std::nullopt;
                                           return IoFault{IoFault::Kind::kErrno, ENOSPC};
                                         }));
    SpillSpace::Options options;
    options.directories = {root_.path(), other.path()};
    options.page_bytes = kPageBytes;
    options.memory_bytes = 8 * kPageBytes + 4 * SpillSpace::WriterBytes(kPageBytes);
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok());
    const std::unique_ptr<SpillStream> stream = (*space)->NewStream();
    const Status appended = Append(*stream, 1, kCount);
    const Status saved = appended.ok() ? stream->Save() : appended;
    if (all_full) {
      EXPECT_EQ(saved.exit_code(), 74);
      ExpectHas(saved, "is full");
    } else {
      EXPECT_TRUE(saved.ok()) << saved.message();
      EXPECT_TRUE(Holds(*stream, 1, 0, kCount));
      EXPECT_GT(writes, 3u);
    }
  }
}

/// Faults with streams of bytes and of packed records.
class SpillFormFaultsTest : public SpillFaultsTest, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override { packed_ = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Packed, SpillFormFaultsTest, testing::Bool());

TEST_P(SpillFormFaultsTest, AFailedTransferNamesItsFile) {
  for (const IoRequest::Op op : {IoRequest::Op::kWrite, IoRequest::Op::kRead}) {
    const Status status = AppendAndRead(op, {IoFault::Kind::kErrno, EIO}, {});
    EXPECT_EQ(status.exit_code(), 74);
    ExpectHas(status, "pages.spill");
    ExpectHas(status, "offset ");
  }
}

/// Short and late transfers are completed. Flipped bits and sectors that were not written are
/// found.
TEST_P(SpillFormFaultsTest, ShortTransfersAreCompletedAndWrongBytesAreFound) {
  for (const IoRequest::Op op : {IoRequest::Op::kWrite, IoRequest::Op::kRead}) {
    for (const IoFault& fault : {IoFault{IoFault::Kind::kDelay, 20},
                                 {IoFault::Kind::kReorder, 1},
                                 {IoFault::Kind::kDuplicate, 0}}) {
      EXPECT_TRUE(AppendAndRead(op, fault, {}).ok());
    }
    const Status flipped = AppendAndRead(op, {IoFault::Kind::kCorrupt, 12345}, {});
    EXPECT_EQ(flipped.code(), Code::kBadData) << flipped.message();
    ExpectHas(flipped, "pages.spill");
  }
  const Status torn = AppendAndRead(IoRequest::Op::kWrite, {IoFault::Kind::kTorn, 4096}, {});
  EXPECT_EQ(torn.code(), Code::kBadData) << torn.message();
  // Only one transfer is short. If all were short, none would end.
  for (const IoRequest::Op op : {IoRequest::Op::kWrite, IoRequest::Op::kRead}) {
    const ScopedIoFaults faults(FaultOn(op, "pages.spill", 3, {IoFault::Kind::kShort, 5000}));
    Open(8);
    const std::unique_ptr<SpillStream> stream = space_->NewStream();
    ASSERT_TRUE(Append(*stream, 1, kCount).ok());
    EXPECT_TRUE(Holds(*stream, 1, 0, kCount));
  }
}

}  // namespace
}  // namespace edgemill

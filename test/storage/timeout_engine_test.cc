// Waits end when bytes are moved, when a device hangs too long, or when a stop is requested.
#include "storage/io/timeout_engine.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "common/buffer.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "test/io_faults.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

constexpr size_t kExtent = 4096;
constexpr IoFault kHang{IoFault::Kind::kNever, 0};

class TimeoutEngineTest : public testing::Test {
 protected:
  void SetUp() override {
    auto file = File::Open(root_ / "data", O_RDWR | O_CREAT);
    ASSERT_TRUE(file.ok());
    file_ = std::move(*file);
    auto memory = Buffer::Allocate(4 * kExtent);
    ASSERT_TRUE(memory.ok());
    memory_ = std::move(*memory);
  }
  void TearDown() override { ClearCancel(); }

  IoRequest Request(IoRequest::Op op, size_t index) {
    return {.op = op,
            .file = &file_,
            .offset = index * kExtent,
            .memory = memory_.bytes().subspan(index * kExtent, kExtent),
            .tag = index};
  }
  static void ExpectHas(const Status& status, std::string_view part) {
    EXPECT_NE(status.message().find(part), std::string_view::npos) << status.message();
  }

  TemporaryDirectory root_;
  File file_;
  Buffer memory_;
};

TEST_F(TimeoutEngineTest, ReadsAndWritesLikeOtherEngines) {
  TransferPool pool(IoPatience{});
  std::fill(memory_.bytes().begin(), memory_.bytes().end(), std::byte{7});
  const StatusOr<size_t> written = pool.Transfer(Request(IoRequest::Op::kWrite, 0));
  ASSERT_TRUE(written.ok()) << written.status().message();
  EXPECT_EQ(*written, kExtent);
  std::fill(memory_.bytes().begin(), memory_.bytes().end(), std::byte{0});
  EXPECT_EQ(pool.Transfer(Request(IoRequest::Op::kRead, 0)).value(), kExtent);
  EXPECT_EQ(memory_.bytes()[kExtent - 1], std::byte{7});
  EXPECT_EQ(pool.Transfer(Request(IoRequest::Op::kRead, 1)).value(), 0u);  // past the end
}

TEST_F(TimeoutEngineTest, AHungRequestIsReported) {
  const ScopedIoFaults faults(FaultOn(IoRequest::Op::kWrite, "data", 1, kHang));
  const auto engine = TimeoutEngine::Create(4, {.stall_seconds = 0.4});
  ASSERT_TRUE(engine.ok());
  const Stopwatch watch;
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE((*engine)->Submit(Request(IoRequest::Op::kWrite, i)).ok());
  }
  std::vector<IoCompletion> completions;
  const Status status = (*engine)->Wait(3, &completions);
  EXPECT_EQ(status.code(), Code::kIo);
  ExpectHas(status, file_.path());
  ExpectHas(status, "no answer for 0.4 s to a write (offset 4096, length 4096): the device hangs");
  EXPECT_EQ(completions.size(), 2u);
  EXPECT_LT(watch.seconds(), 3);
}

TEST_F(TimeoutEngineTest, AStopIsNoticedWhileADeviceHangs) {
  const ScopedIoFaults faults(FaultOn(IoRequest::Op::kRead, "data", 0, kHang, true));
  TransferPool pool({.stall_seconds = 60, .cancel_seconds = 0.3});
  const Stopwatch watch;
  RequestCancel();
  const Status status = pool.Transfer(Request(IoRequest::Op::kRead, 0)).status();
  EXPECT_EQ(status.code(), Code::kCancelled);
  ExpectHas(status, "to a read (offset 0");
  EXPECT_LT(watch.seconds(), 3);
}

/// The engine waits for a slow device also after a stop, because data that is saved then must be on
/// disk.
TEST_F(TimeoutEngineTest, ALateAnswerIsWaitedFor) {
  const ScopedIoFaults faults(
      FaultOn(IoRequest::Op::kWrite, "data", 0, {IoFault::Kind::kDelay, 600}));
  TransferPool pool({.stall_seconds = 20, .cancel_seconds = 10});
  RequestCancel();
  EXPECT_TRUE(pool.Transfer(Request(IoRequest::Op::kWrite, 0)).ok());
}

TEST_F(TimeoutEngineTest, AFailureConcernsOnlyItsRequest) {
  const ScopedIoFaults faults(
      FaultOn(IoRequest::Op::kRead, "data", 0, {IoFault::Kind::kErrno, EIO}));
  TransferPool pool(IoPatience{});
  const Status status = pool.Transfer(Request(IoRequest::Op::kRead, 0)).status();
  EXPECT_EQ(status.code(), Code::kIo);
  ExpectHas(status, file_.path());
  EXPECT_TRUE(pool.Transfer(Request(IoRequest::Op::kRead, 0)).ok());
}

}  // namespace
}  // namespace edgemill

// Files that only one process may write at a time.
#include "common/os/file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "common/cancel.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

TEST(OpenAlone, AStopEndsTheWaitForAnotherProcess) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  StatusOr<File> first = File::OpenAlone(path, /*wait=*/false);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_EQ(File::OpenAlone(path, /*wait=*/false).status().code(), Code::kLocked);
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    RequestCancel();
  });
  EXPECT_EQ(File::OpenAlone(path, /*wait=*/true).status().code(), Code::kCancelled);
  other.join();
  EXPECT_TRUE(PathExists(path)) << "it is the other's";
  *first = File();
  EXPECT_TRUE(File::OpenAlone(path, /*wait=*/true).ok()) << "writing at the end goes on";
  ClearCancel();
}

TEST(OpenAlone, AFailureLeavesNoFile) {
  for (const bool left : {false, true}) {
    const TemporaryDirectory directory;
    const std::string path = left ? directory.Write("file", "left") : directory / "file";
    fault::SetHook(
        [](fault::Op op, std::string_view) { return op == fault::Op::kTruncate ? EIO : 0; });
    EXPECT_EQ(File::OpenAlone(path, /*wait=*/false).status().errno_value(), EIO);
    fault::SetHook({});
    EXPECT_FALSE(PathExists(path));
  }
}

}  // namespace
}  // namespace edgemill

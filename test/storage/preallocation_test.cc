#include "storage/io/preallocation.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <string>

#include "test/temporary_directory.h"

namespace edgemill {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

class PreallocationTest : public testing::Test {
 protected:
  void SetUp() override {
    auto file = File::Open(directory_ / "f", O_RDWR | O_CREAT);
    ASSERT_TRUE(file.ok()) << file.status().message();
    file_ = std::move(*file);
  }
  void TearDown() override { fault::SetHook({}); }
  uint64_t Size() const { return file_.Size().value(); }

  TemporaryDirectory directory_;
  File file_;
  Preallocation ahead_;
};

TEST_F(PreallocationTest, AFileGrowsByWhatItHas) {
  ahead_.Cover(file_, kMebibyte - 1);
  EXPECT_EQ(Size(), 0u);
  ahead_.Cover(file_, kMebibyte);
  EXPECT_EQ(Size(), 2 * kMebibyte);
  ahead_.Cover(file_, 2 * kMebibyte);
  EXPECT_EQ(Size(), 2 * kMebibyte);
  ahead_.Cover(file_, 2 * kMebibyte + 1);
  EXPECT_EQ(Size(), 4 * kMebibyte + 2);
  EXPECT_EQ(ahead_.end(), Size());
  ASSERT_TRUE(file_.Truncate(3 * kMebibyte).ok());
  ahead_.Begin(3 * kMebibyte);
  ahead_.Cover(file_, 4 * kMebibyte);
  EXPECT_EQ(Size(), 8 * kMebibyte);
  // Steps have an upper limit.
  ahead_.Begin(1000 * kMebibyte);
  ahead_.Cover(file_, 1001 * kMebibyte);
  EXPECT_LE(Size(), 1300 * kMebibyte);
}

TEST_F(PreallocationTest, WhatCannotBeSetAsideIsNotAskedForAgain) {
  for (const int error : {EOPNOTSUPP, ENOSPC}) {
    std::atomic<int> calls{0};
    fault::SetHook([&](fault::Op op, std::string_view path) {
      if (op != fault::Op::kTruncate || path != file_.path()) return 0;
      ++calls;
      return error;
    });
    Preallocation ahead;
    EXPECT_FALSE(ahead.Cover(file_, kMebibyte));
    EXPECT_TRUE(ahead.gave_up());
    for (uint64_t end = kMebibyte; end < 64 * kMebibyte; end += kMebibyte) {
      EXPECT_TRUE(ahead.Cover(file_, end));
    }
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(Size(), 0u);
  }
}

}  // namespace
}  // namespace edgemill

#include "storage/write/segment_writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <map>
#include <tuple>

#include "common/cancel.h"
#include "common/clock.h"
#include "test/graphs/written_graph.h"
#include "test/io_faults.h"

namespace edgemill {
namespace {

constexpr ColumnKind kColumn = ColumnKind::kOutNeighbors;

class SegmentWriterTest : public testing::Test {
 protected:
  void Make(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string path = temporary_ / StrCat("disk", i);
      StatusOr<DataDirectory> made =
          CreateDataDirectory(path, {TestUuid(), TestUuid().Derive(i), static_cast<uint32_t>(i),
                                     static_cast<uint32_t>(count)});
      ASSERT_TRUE(made.ok()) << made.status().message();
      directories_.push_back(std::move(*made));
    }
  }
  std::unique_ptr<SegmentWriter> Writer(uint64_t max_segment_bytes = kMaxSegmentBytes) {
    auto writer = SegmentWriter::Create(directories_, max_segment_bytes);
    EXPECT_TRUE(writer.ok()) << writer.status().message();
    return std::move(*writer);
  }
  /// Appends random bytes of `seed`, and records their place.
  Status Append(SegmentWriter& writer, uint8_t directory, size_t size, uint64_t seed,
                ColumnKind column = kColumn) {
    Random random(seed);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    BlockLocation location{};
    RETURN_IF_ERROR(writer.Append(column, directory, bytes, &location));
    EXPECT_EQ(location.directory, directory);
    const SegmentKey key{column, directory, location.segment};
    std::string& expected = expected_[key];
    EXPECT_EQ(location.offset(), expected.size());
    expected.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return OkStatus();
  }
  /// Every segment file has the appended bytes, then zeros up to the border. There are no other
  /// files.
  std::string Path(const SegmentKey& key) const {
    return directories_[key.directory].blocks.path() + "/" + key.FileName();
  }

  void ExpectFiles() {
    size_t files = 0;
    for (const auto& [key, bytes] : expected_) {
      std::string padded = bytes;
      padded.resize(SegmentFileBytes(bytes.size()));
      const std::string path = Path(key);
      ASSERT_EQ(std::filesystem::file_size(path), padded.size()) << path;
      ASSERT_TRUE(*ReadWholeFile(path, padded.size()) == padded) << path;
    }
    for (const DataDirectory& directory : directories_) {
      const auto names = ListDirectory(directory.blocks.path());
      ASSERT_TRUE(names.ok());
      for (const std::string& name : *names) files += name.ends_with(".seg");
    }
    EXPECT_EQ(files, expected_.size());
  }

  TemporaryDirectory temporary_;
  std::vector<DataDirectory> directories_;
  std::map<SegmentKey, std::string> expected_;
};

TEST_F(SegmentWriterTest, WhatIsAppendedIsInTheFilesAfterEverySync) {
  Make(2);
  const auto writer = Writer();
  Random random(1);
  for (int i = 0; i < 400; ++i) {
    const size_t size = 128 * (1 + random.Below(i % 50 == 0 ? 20000 : 300));
    const ColumnKind column = random.Below(2) == 0 ? kColumn : ColumnKind::kOutOffsets;
    ASSERT_TRUE(Append(*writer, static_cast<uint8_t>(random.Below(2)), size, i, column).ok());
    if (random.Below(20) == 0) {
      ASSERT_TRUE(writer->Sync().ok());
      ExpectFiles();
    }
  }
  ASSERT_TRUE(writer->Sync().ok());
  ExpectFiles();
  for (const auto& [key, bytes] : expected_) EXPECT_EQ(writer->lengths().at(key), bytes.size());
}

TEST_F(SegmentWriterTest, WhatIsSetAsideGoesBackWhereSpaceIsShort) {
  Make(1);
  const auto writer = Writer();
  constexpr size_t kBytes = (size_t{5} << 20) / 4;
  const std::string first = Path({kColumn, 0, 0});
  ASSERT_TRUE(Append(*writer, 0, kBytes, 1).ok());
  EXPECT_EQ(std::filesystem::file_size(first), size_t{2} << 20);
  std::atomic<bool> failed{false};
  fault::SetHook([&](fault::Op op, std::string_view) {
    return op == fault::Op::kTruncate && !failed.exchange(true) ? ENOSPC : 0;
  });
  ASSERT_TRUE(Append(*writer, 0, kBytes, 2, ColumnKind::kOutOffsets).ok());
  EXPECT_TRUE(failed);
  EXPECT_EQ(std::filesystem::file_size(first), SegmentFileBytes(kBytes));
  ASSERT_TRUE(Append(*writer, 0, kBytes, 3).ok());
  fault::SetHook({});
  ASSERT_TRUE(writer->Sync().ok());
  ExpectFiles();
}

TEST_F(SegmentWriterTest, FullSegmentsAreFollowedByTheNextNumber) {
  Make(1);
  const auto writer = Writer(10000);
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(Append(*writer, 0, 128 * (1 + i), i).ok());
  ASSERT_TRUE(Append(*writer, 0, 128 * 100, 99).ok());  // one append that is longer than a segment
  ASSERT_TRUE(writer->Sync().ok());
  ExpectFiles();
  EXPECT_GE(expected_.size(), 6u);
  for (const auto& [key, bytes] : expected_) {
    EXPECT_TRUE(bytes.size() <= 10000 || bytes.size() == 12800) << bytes.size();
  }
}

TEST_F(SegmentWriterTest, RestoreGoesBackToASyncAndGoesOnAlike) {
  Make(2);
  std::map<SegmentKey, uint64_t> lengths;
  std::map<SegmentKey, std::string> at_sync;
  {
    const auto writer = Writer(60000);
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(Append(*writer, static_cast<uint8_t>(i % 2), 128 * (i % 37 + 1), i).ok());
    }
    ASSERT_TRUE(writer->Sync().ok());
    lengths = writer->lengths();
    at_sync = expected_;
    for (int i = 40; i < 90; ++i) {
      ASSERT_TRUE(Append(*writer, static_cast<uint8_t>(i % 2), 128 * 40, i + 1000).ok());
    }
    if (writer->lengths().size() == lengths.size()) FAIL() << "no segment to be deleted again";
    ASSERT_TRUE(writer->Sync().ok());
  }
  for (int round = 0; round < 3; ++round) {
    expected_ = at_sync;
    if (round == 2) {  // what a Restore leaves that was killed between cutting and padding
      for (const auto& [key, length] : lengths) std::filesystem::resize_file(Path(key), length);
    }
    const auto writer = Writer(60000);
    const Status restored = writer->Restore(lengths);
    ASSERT_TRUE(restored.ok()) << restored.message();
    ExpectFiles();
    for (int i = 40; i < 70; ++i) {
      ASSERT_TRUE(Append(*writer, static_cast<uint8_t>(i % 2), 128 * (i % 37 + 1), i).ok());
    }
    ASSERT_TRUE(writer->Sync().ok());
    ExpectFiles();
  }
  std::filesystem::resize_file(Path(lengths.begin()->first), lengths.begin()->second - 1);
  EXPECT_EQ(Writer()->Restore(lengths).code(), Code::kBadData);
  lengths.begin()->second += 1 << 20;
  EXPECT_EQ(Writer()->Restore(lengths).code(), Code::kBadData);
}

TEST_F(SegmentWriterTest, ManyStreamsShareTheBuffers) {
  Make(60);  // 120 streams of 64 KiB and more are as much as the buffers hold
  const auto writer = Writer();
  Random random(5);
  for (int i = 0; i < 3000; ++i) {
    const ColumnKind column = static_cast<ColumnKind>(random.Below(3));
    ASSERT_TRUE(Append(*writer, static_cast<uint8_t>(random.Below(60)),
                       128 * (1 + random.Below(60)), i, column)
                    .ok());
  }
  ASSERT_TRUE(writer->Sync().ok());
  ExpectFiles();
}

TEST_F(SegmentWriterTest, AFailureSticks) {
  Make(1);
  const auto writer = Writer();
  fault::SetHook([](fault::Op op, std::string_view) { return op == fault::Op::kSync ? EIO : 0; });
  ASSERT_TRUE(Append(*writer, 0, 128, 1).ok());
  EXPECT_EQ(writer->Sync().code(), Code::kIo);
  fault::SetHook({});
  EXPECT_EQ(writer->Sync().code(), Code::kIo) << "a failed sync is never tried again";
  EXPECT_EQ(Append(*writer, 0, 128, 2).code(), Code::kIo);
}

TEST(SegmentNames, OnlyExactNamesAreRead) {
  ColumnKind column;
  uint16_t number = 0;
  for (int c = 0; c < kNumColumns; ++c) {
    for (const uint16_t n : {0, 7, 9999, 10000, 65535}) {
      const SegmentKey key{static_cast<ColumnKind>(c), 0, n};
      ASSERT_TRUE(ParseSegmentName(key.FileName(), &column, &number)) << key.FileName();
      EXPECT_EQ(std::tuple(column, number), std::tuple(key.column, n));
    }
  }
  for (const std::string name :
       {"", "out-neighbors", "out-neighbors.seg", "out-neighbors.1.seg", "out-neighbors.00001.seg",
        "out-neighbors.0001.seg.bak", "out-neighbors.65536.seg", "out-neighbors.-001.seg",
        "out-neighbors.+001.seg", "OUT-neighbors.0000.seg", "x.0000.seg"}) {
    EXPECT_FALSE(ParseSegmentName(name, &column, &number)) << name;
  }
}

/// A device never completes a write. The error comes in time, or at once after a request to stop.
/// The writer's destructor does not wait for the device.
TEST_F(SegmentWriterTest, AHungWriteIsGivenUp) {
  Make(1);
  for (const bool stopped : {false, true}) {
    SCOPED_TRACE(stopped);
    const ScopedIoFaults faults(
        FaultOn(IoRequest::Op::kWrite, ".seg", 1, {IoFault::Kind::kNever, 0}));
    auto writer = SegmentWriter::Create(
        directories_, kMaxSegmentBytes,
        {.stall_seconds = stopped ? 60 : 0.4, .cancel_seconds = stopped ? 0.3 : 60});
    ASSERT_TRUE(writer.ok());
    const Stopwatch watch;
    if (stopped) RequestCancel();
    Status status;
    for (uint64_t i = 0; i < 30 && status.ok(); ++i) {
      status = Append(**writer, 0, size_t{1} << 20, i, static_cast<ColumnKind>(stopped ? 2 : 1));
    }
    if (status.ok()) status = (*writer)->Sync();
    ClearCancel();
    EXPECT_EQ(status.code(), stopped ? Code::kCancelled : Code::kIo);
    for (const char* part : {".seg: no answer for 0.", " s to a write (offset "}) {
      EXPECT_NE(status.message().find(part), std::string_view::npos) << status.message();
    }
    EXPECT_FALSE((*writer)->Sync().ok());
    writer->reset();
    EXPECT_LT(watch.seconds(), 40);  // less than 60, even on a busy machine
  }
}

}  // namespace
}  // namespace edgemill

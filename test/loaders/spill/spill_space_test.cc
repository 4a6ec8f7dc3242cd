// Spill streams of several threads: reads give the appended data, while pages move between memory
// and files.
#include "loaders/spill/spill_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/os/file.h"
#include "test/graphs/written_graph.h"
#include "test/io_faults.h"
#include "test/spill_space_fixture.h"
#include "test/tmpfs.h"

namespace edgemill {
namespace {

TEST_F(SpillSpaceTest, PagesThatAreReadBecomeNoOtherStreams) {
  constexpr size_t kPages = 64, kValues = kPages / 2 * kPageBytes / 8;
  for (int round = 0; round < 8; ++round) {
    Open(kPages);
    const std::unique_ptr<SpillStream> old = space_->NewStream();
    ASSERT_TRUE(Append(*old, 1, kValues).ok());
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&] {
        do wrong += Holds(*old, 1, 0, kValues) ? 0 : 1;
        while (!done);
      });
    }
    // The pages of `next` evict those of `old` from memory while these are read.
    const std::unique_ptr<SpillStream> next = space_->NewStream();
    const Status appended = Append(*next, 2, 2 * kValues);
    done = true;
    for (std::thread& reader : readers) reader.join();
    ASSERT_TRUE(appended.ok()) << appended.message();
    ASSERT_EQ(wrong, 0);
    EXPECT_TRUE(space_->spilling());
    EXPECT_TRUE(Holds(*next, 2, 0, 2 * kValues));
  }
}

/// Threads work as in an ingest: they take turns to reserve places for batches, and copy the data
/// later. The streams take most pages.
TEST_F(SpillSpaceTest, ThreadsPlaceInTurnAndCopyLater) {
  constexpr size_t kStreams = 16, kBatch = 3000, kBatches = 60;
  Open(2 * kStreams);
  std::vector<std::unique_ptr<SpillStream>> streams;
  for (size_t i = 0; i < kStreams; ++i) streams.push_back(space_->NewStream());
  Mutex turn;
  size_t placed = 0;
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      std::vector<std::vector<uint64_t>> batch(kStreams);
      SpillCopies copies;
      while (true) {
        {
          MutexLock lock(turn);
          if (placed == kBatches) return;
          ++placed;
          for (size_t i = 0; i < kStreams; ++i) {
            batch[i] = Values(i, streams[i]->size() / 8, kBatch + i);
            failed += streams[i]->Reserve(std::as_bytes(std::span(batch[i])), &copies).ok() ? 0 : 1;
          }
        }
        copies.CopyAll();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(failed, 0);
  EXPECT_TRUE(space_->spilling());
  for (size_t i = 0; i < kStreams; ++i) {
    streams[i]->Seal();
    ASSERT_EQ(streams[i]->size(), kBatches * (kBatch + i) * 8);
    EXPECT_TRUE(Holds(*streams[i], i, 0, kBatches * (kBatch + i))) << i;
  }
}

TEST_F(SpillSpaceTest, SavingWaitsForOthersCopies) {
  Open(8);
  const std::vector<uint64_t> values = Values(1, 0, 2 * kPageBytes / 8 + 100);
  std::unique_ptr<SpillStream> stream = space_->NewStream();
  SpillCopies copies;
  ASSERT_TRUE(stream->Reserve(std::as_bytes(std::span(values)), &copies).ok());
  std::atomic<bool> copied{false};
  std::thread saver([&] {
    EXPECT_TRUE(stream->Save().ok());
    EXPECT_TRUE(copied);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  copied = true;
  copies.CopyAll();
  saver.join();
  StateWriter out;
  stream->PutState(&out);
  stream->LeaveFiles();
  stream.reset();
  const std::string state = out.Take();
  space_.reset();
  Open(8, true);
  StateReader in(state);
  auto again = space_->OpenStream(&in);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_TRUE(Holds(**again, 1, 0, values.size()));
}

/// Tries every flipped bit, exchanged pages, and old data of an earlier write in the place of a
/// page.
TEST_F(SpillSpaceTest, ChangedPagesAreRefused) {
  Open(4);
  constexpr size_t kCount = 5 * kPageBytes / 8 + 300;
  std::unique_ptr<SpillStream> stream = space_->NewStream();
  ASSERT_TRUE(Append(*stream, 1, kCount).ok());
  const std::string state = SaveAndClose(std::move(stream));
  const std::string path = root_ / "pages.spill";
  const std::string whole = *ReadWholeFile(path, 1 << 20);
  // Returns whether the data is read as it was written. The test fails if other bytes are read
  // without an error.
  const auto read = [&](const std::string& contents) {
    root_.Write("pages.spill", contents);
    Open(4, true);
    StateReader in(state);
    auto again = space_->OpenStream(&in);
    EXPECT_TRUE(again.ok()) << again.status().message();
    (*again)->LeaveFiles();
    bool good = true;
    for (const uint64_t step : {uint64_t{700}, uint64_t{kPageBytes / 8}, uint64_t{kCount}}) {
      for (uint64_t first = 0; first < kCount; first += step) {
        const size_t count = std::min<uint64_t>(step, kCount - first);
        std::vector<uint64_t> values(count);
        const Status status = (*again)->Read(first * 8, std::as_writable_bytes(std::span(values)));
        if (status.ok()) {
          EXPECT_EQ(values, Values(1, first, count));
        } else {
          EXPECT_EQ(status.code(), Code::kBadData) << status.message();
          EXPECT_NE(status.message().find(path), std::string::npos);
          good = false;
        }
      }
    }
    return good;
  };
  EXPECT_TRUE(read(whole));
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); at += 1024) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    refused += read(flipped) ? 0 : 1;
  }
  EXPECT_GE(refused, kCount * 8 / 1024);
  std::string exchanged = whole;
  std::swap_ranges(exchanged.begin(), exchanged.begin() + kPageBytes,
                   exchanged.begin() + kPageBytes);
  EXPECT_FALSE(read(exchanged));
  EXPECT_FALSE(read(whole.substr(0, kPageBytes) + whole));
}

/// Streams have many pages in little memory. Memory for their page tables is counted, refused if it
/// is too much, and released.
TEST_F(SpillSpaceTest, PageTablesAreReserved) {
  constexpr uint64_t kSmallPage = 4096, kPages = 10'000;
  MemoryBudget budget(MemoryBudget::kProcessBytes + kMebibyte);
  SpillSpace::Options options;
  options.directories = {root_.path()};
  options.memory_bytes = 32 * kSmallPage + SpillSpace::WriterBytes(kSmallPage);
  options.page_bytes = kSmallPage;
  auto space = SpillSpace::Create(options, budget);
  ASSERT_TRUE(space.ok());
  const uint64_t before = budget.available_bytes();
  std::unique_ptr<SpillStream> stream = (*space)->NewStream();
  const std::vector<std::byte> page(kSmallPage, std::byte{1});
  for (uint64_t i = 0; i < kPages; ++i) ASSERT_TRUE(stream->Append(page).ok());
  const uint64_t taken = before - budget.available_bytes();
  EXPECT_GE(taken, kPages * SpillTableBytes(kSmallPage));
  EXPECT_LE(taken, kPages * SpillTableBytes(kSmallPage) + kMebibyte / 4);
  Status status;
  uint64_t more = 0;
  while (status.ok() && more < 2 * kPages) {
    status = stream->Append(page);
    ++more;
  }
  EXPECT_EQ(status.code(), Code::kBudget) << status.message();
  EXPECT_NE(status.message().find("page tables of temporary files"), std::string::npos);
  EXPECT_LT((kPages + more) * SpillTableBytes(kSmallPage), kMebibyte + kSmallPage);
  stream.reset();
  EXPECT_EQ(budget.available_bytes(), before);
}

/// Pages that follow each other in a stream are written at once, and so is the last one of a sealed
/// stream. What is read back is what was appended.
TEST_F(SpillSpaceTest, SmallPagesAreWrittenTogether) {
  constexpr size_t kPages = 256, kStreams = 24, kRounds = 400, kCount = 777;
  std::atomic<uint64_t> writes{0};
  const ScopedIoFaults counted(FaultsOn(IoRequest::Op::kWrite, "pages.spill", [&writes](uint64_t) {
    ++writes;
    return std::nullopt;
  }));
  Open(kPages);
  EXPECT_LT(space_->num_pages(), kPages);  // gathered pages take memory
  std::vector<std::unique_ptr<SpillStream>> streams;
  for (size_t i = 0; i < kStreams; ++i) streams.push_back(space_->NewStream());
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < kStreams; ++i) ASSERT_TRUE(Append(*streams[i], i, kCount + i).ok());
  }
  for (const auto& stream : streams) stream->Seal();
  // Evicts the last pages from memory.
  const std::unique_ptr<SpillStream> more = space_->NewStream();
  ASSERT_TRUE(Append(*more, kStreams, kPages * kPageBytes / 8).ok());
  ASSERT_TRUE(space_->Drain().ok());
  EXPECT_GT(space_->bytes_written(), kStreams * kRounds * kCount * 8);
  EXPECT_LT(writes * 2 * kPageBytes, space_->bytes_written());
  for (size_t i = 0; i < kStreams; ++i) {
    EXPECT_TRUE(Holds(*streams[i], i, 0, kRounds * (kCount + i)));
  }
}

/// Fills and forgets a stream of several ranges. Returns the free bytes after, less those before.
int64_t FreedByForgetting(const std::string& directory, MemoryBudget& budget) {
  SpillSpace::Options options;
  options.directories = {directory};
  options.page_bytes = kPageBytes;
  options.memory_bytes = 8 * kPageBytes + 2 * SpillSpace::WriterBytes(kPageBytes);
  auto space = SpillSpace::Create(options, budget);
  EXPECT_TRUE(space.ok());
  std::unique_ptr<SpillStream> stream = (*space)->NewStream();
  const std::vector<uint64_t> values = Values(1, 0, 5 * kMebibyte / 8);
  EXPECT_TRUE(stream->Append(std::as_bytes(std::span(values))).ok());
  EXPECT_TRUE((*space)->Drain().ok());
  const uint64_t before = FreeDiskBytes(directory).value();
  stream.reset();
  return static_cast<int64_t>(FreeDiskBytes(directory).value() - before);
}

TEST_F(SpillSpaceTest, RoomGoesBackToAFileSystemThatIsShortOfIt) {
  for (const bool is_short : {true, false}) {
    const std::string data = root_ / (is_short ? "short" : "ample");
    ASSERT_TRUE(MakeDirectory(data).ok());
    const Tmpfs small(data, is_short ? "8m" : "64m");
    if (!small.mounted()) GTEST_SKIP() << small.why_not();
    const int64_t freed = FreedByForgetting(data, budget_);
    if (is_short) {
      EXPECT_GT(freed, int64_t{3 * kMebibyte});
    } else {
      EXPECT_EQ(freed, 0);
    }
  }
}

}  // namespace
}  // namespace edgemill

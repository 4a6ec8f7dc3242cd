// Spill streams of several threads: what was appended is what is read, while pages come and go.
#include "loaders/spill/spill_space.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "common/cancel.h"
#include "common/clock.h"
#include "common/random.h"
#include "common/units.h"
#include "test/io_faults.h"
#include "test/written_graph.h"

namespace edgemill {
namespace {

constexpr uint64_t kPageBytes = 16384;

/// Number `place` of stream `stream`.
uint64_t Value(uint64_t stream, uint64_t place) { return Mix64(stream << 32 | place); }

std::vector<uint64_t> Values(uint64_t stream, uint64_t first, size_t count) {
  std::vector<uint64_t> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = Value(stream, first + i);
  return values;
}

class SpillSpaceTest : public testing::Test {
 protected:
  void Open(size_t pages, bool reopen = false, const IoPatience& patience = {}) {
    SpillSpace::Options options;
    options.directories = {root_.path()};
    options.memory_bytes = pages * kPageBytes + SpillSpace::WriterBytes(kPageBytes);
    options.page_bytes = kPageBytes;
    options.reopen = reopen;
    options.patience = patience;
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok()) << space.status().message();
    space_ = std::move(*space);
  }

  Status Append(SpillStream& stream, uint64_t number, size_t count) {
    const std::vector<uint64_t> values = Values(number, stream.size() / 8, count);
    return stream.Append(std::as_bytes(std::span(values)));
  }
  /// Whether `count` numbers of `stream` from `first` on are those of stream `number`.
  bool Holds(const SpillStream& stream, uint64_t number, uint64_t first, size_t count) {
    std::vector<uint64_t> read(count);
    return stream.Read(first * 8, std::as_writable_bytes(std::span(read))).ok() &&
           read == Values(number, first, count);
  }

  TemporaryDirectory root_;
  MemoryBudget budget_{128 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
};

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
    // Its pages push those of `old` out while they are read.
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

/// As ingest does: threads place batches in turn, over streams that take most pages, and copy
/// whenever they come to it.
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
            failed += streams[i]->Place(std::as_bytes(std::span(batch[i])), &copies).ok() ? 0 : 1;
          }
        }
        copies.Run();
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
  ASSERT_TRUE(stream->Place(std::as_bytes(std::span(values)), &copies).ok());
  std::atomic<bool> copied{false};
  std::thread saver([&] {
    EXPECT_TRUE(stream->Save().ok());
    EXPECT_TRUE(copied);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  copied = true;
  copies.Run();
  saver.join();
  StateWriter out;
  stream->PutState(&out);
  stream->Keep();
  stream.reset();
  const std::string state = out.Take();
  space_.reset();
  Open(8, true);
  StateReader in(state);
  auto again = space_->OpenStream(&in);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_TRUE(Holds(**again, 1, 0, values.size()));
}

/// Every flipped bit, pages that are exchanged, and what an earlier write left in a page's place.
TEST_F(SpillSpaceTest, WhatIsNotWhatWasWrittenIsRefused) {
  Open(4);
  constexpr size_t kCount = 5 * kPageBytes / 8 + 300;
  std::unique_ptr<SpillStream> stream = space_->NewStream();
  ASSERT_TRUE(Append(*stream, 1, kCount).ok());
  ASSERT_TRUE(stream->Save().ok());
  StateWriter out;
  stream->PutState(&out);
  const std::string state = out.Take();
  stream->Keep();
  stream.reset();
  space_.reset();
  const std::string path = root_ / "pages.spill";
  const std::string whole = *ReadWholeFile(path, 1 << 20);
  // Whether it reads as it was written; fails the test when other bytes were read without an error.
  const auto read = [&](const std::string& contents) {
    root_.Write("pages.spill", contents);
    Open(4, true);
    StateReader in(state);
    auto again = space_->OpenStream(&in);
    EXPECT_TRUE(again.ok()) << again.status().message();
    (*again)->Keep();
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

/// Records in pages that are packed on their way to a file.
class SpilledRecordsTest : public SpillSpaceTest {
 protected:
  static constexpr SpilledWeight kWeight = SpilledWeight::kInt32;
  using Record = SpilledRecord<int32_t>;

  std::unique_ptr<SpillStream> NewStream() {
    return space_->NewStream(SpillForm::Records(kWeight));
  }
  /// Record `i` of a bucket of edges: some keys are equal, weights tell which came first.
  static Record RecordAt(uint64_t i) {
    return {(Mix64(i) % 1000 + 5000) << 32 | Mix64(i) >> 50, static_cast<int32_t>(i)};
  }
  static Status AppendRecords(SpillStream& stream, uint64_t count) {
    std::vector<Record> records;
    for (uint64_t i = 0; i < count; ++i) records.push_back(RecordAt(stream.num_records() + i));
    return stream.Append(std::as_bytes(std::span(records)));
  }
  /// Whether `stream` has records 0 to count - 1, page by page, equal keys in the order they came
  /// in.
  static bool HoldsRecords(const SpillStream& stream, uint64_t count) {
    if (stream.num_records() != count) return false;
    const auto less = [](const Record& a, const Record& b) { return a.key < b.key; };
    for (uint64_t first = 0; first < count; first += stream.page_records()) {
      std::vector<Record> read(std::min(stream.page_records(), count - first)), want;
      if (!stream.Read(first * sizeof(Record), std::as_writable_bytes(std::span(read))).ok()) {
        return false;
      }
      for (uint64_t i = first; i < first + read.size(); ++i) want.push_back(RecordAt(i));
      std::stable_sort(read.begin(), read.end(), less);
      std::stable_sort(want.begin(), want.end(), less);
      if (std::memcmp(read.data(), want.data(), read.size() * sizeof(Record)) != 0) return false;
    }
    return true;
  }
};

TEST_F(SpilledRecordsTest, TakeHalfTheBytesAndComeBack) {
  Open(8);
  constexpr uint64_t kCount = 100'000;
  const std::unique_ptr<SpillStream> stream = NewStream();
  ASSERT_TRUE(AppendRecords(*stream, kCount).ok());
  EXPECT_TRUE(HoldsRecords(*stream, kCount));  // some pages in memory, some not
  stream->Seal();
  ASSERT_TRUE(space_->Drain().ok());
  EXPECT_GT(space_->bytes_written(), 0u);
  EXPECT_LT(space_->bytes_written(), kCount * sizeof(Record) * 55 / 100);
  EXPECT_TRUE(HoldsRecords(*stream, kCount));
  // Parts of pages, while nobody appends.
  std::vector<Record> whole(kCount);
  ASSERT_TRUE(stream->Read(0, std::as_writable_bytes(std::span(whole))).ok());
  for (const uint64_t first : {uint64_t{0}, uint64_t{1}, uint64_t{1364}, uint64_t{50'001}}) {
    std::vector<Record> part(3000);
    ASSERT_TRUE(stream->Read(first * sizeof(Record), std::as_writable_bytes(std::span(part))).ok());
    EXPECT_EQ(std::memcmp(part.data(), &whole[first], part.size() * sizeof(Record)), 0) << first;
  }
}

/// What a stream had in its file goes back to the file system with it.
TEST_F(SpilledRecordsTest, GoneStreamsLeaveTheDisk) {
  Open(8);
  std::unique_ptr<SpillStream> stream = NewStream();
  ASSERT_TRUE(AppendRecords(*stream, 400'000).ok());
  ASSERT_TRUE(stream->Save().ok());
  const auto on_disk = [&] {
    struct stat info {};
    EXPECT_EQ(stat((root_ / "pages.spill").c_str(), &info), 0);
    return static_cast<uint64_t>(info.st_blocks) * 512;
  };
  const uint64_t before = on_disk();
  EXPECT_GT(before, uint64_t{1} << 20);
  stream.reset();
  EXPECT_LT(on_disk(), before / 2);
}

/// A journal's streams that were opened again and given up before all were leave their pages.
TEST_F(SpilledRecordsTest, AnOpeningThatFailsLeavesWhatWasSaved) {
  Open(8);
  constexpr uint64_t kCount = 400'000;
  std::unique_ptr<SpillStream> stream = NewStream();
  ASSERT_TRUE(AppendRecords(*stream, kCount).ok());
  ASSERT_TRUE(stream->Save().ok());
  StateWriter out;
  stream->PutState(&out);
  stream->Keep();
  stream.reset();
  const std::string state = out.Take();
  for (const bool last : {false, true}) {
    space_.reset();
    Open(8, true);
    StateReader in(state);
    auto again = space_->OpenStream(&in, SpillForm::Records(kWeight));
    ASSERT_TRUE(again.ok()) << again.status().message();
    if (last) {
      EXPECT_TRUE(HoldsRecords(**again, kCount));
      (*again)->Keep();
    }
  }
}

/// What the journal names is there until it names something else: a crash at any time between two
/// saves leaves what the first has saved.
TEST_F(SpilledRecordsTest, SavedPagesStayUntilTheNextAreNamed) {
  Open(8);
  std::unique_ptr<SpillStream> stream = NewStream();
  std::unique_ptr<SpillStream> other = NewStream();
  std::string state, next_state;
  uint64_t count = 0, next_count = 0;
  for (int round = 0; round < 12; ++round) {
    // Tails that fill up before the next save, and some that do not.
    const uint64_t more = round % 3 == 0 ? 100 : 5000 + 777 * static_cast<uint64_t>(round);
    ASSERT_TRUE(AppendRecords(*stream, more).ok());
    ASSERT_TRUE(AppendRecords(*other, 3000).ok());
    next_count = count + more;
    for (const bool saved : {false, true}) {
      if (saved) {
        ASSERT_TRUE(stream->Save().ok());
        StateWriter out;
        stream->PutState(&out);
        next_state = out.Take();
      }
      if (round == 0) continue;  // nothing is saved yet
      // The process ends here, and another goes on with what was named: `state` in either case.
      ASSERT_TRUE(space_->Drain().ok());
      SpillSpace::Options options;
      options.directories = {root_.path()};
      options.page_bytes = kPageBytes;
      options.memory_bytes = 8 * kPageBytes + SpillSpace::WriterBytes(kPageBytes);
      options.reopen = true;
      auto space = SpillSpace::Create(options, budget_);
      ASSERT_TRUE(space.ok());
      StateReader in(state);
      auto again = (*space)->OpenStream(&in, SpillForm::Records(kWeight));
      ASSERT_TRUE(again.ok()) << again.status().message();
      EXPECT_TRUE(HoldsRecords(**again, count)) << round << saved;
      (*again)->Keep();
    }
    state = next_state;
    count = next_count;
  }
  stream->Keep();
  other->Keep();
  stream.reset();
  other.reset();
  space_.reset();
  Open(8, true);
  StateReader in(state);
  auto again = space_->OpenStream(&in, SpillForm::Records(kWeight));
  ASSERT_TRUE(again.ok());
  space_->EndOpening();
  ASSERT_TRUE(AppendRecords(**again, 20'000).ok());
  EXPECT_TRUE(HoldsRecords(**again, count + 20'000));
}

TEST_F(SpilledRecordsTest, DamagedPagesAreRefused) {
  Open(4);
  constexpr uint64_t kCount = 9000;
  std::unique_ptr<SpillStream> stream = NewStream();
  ASSERT_TRUE(AppendRecords(*stream, kCount).ok());
  ASSERT_TRUE(stream->Save().ok());
  StateWriter out;
  stream->PutState(&out);
  const std::string state = out.Take();
  stream->Keep();
  stream.reset();
  space_.reset();
  const std::string path = root_ / "pages.spill";
  const std::string whole = *ReadWholeFile(path, 1 << 20);
  const auto read = [&](const std::string& contents) -> Status {
    root_.Write("pages.spill", contents);
    Open(4, true);
    StateReader in(state);
    ASSIGN_OR_RETURN(const auto again, space_->OpenStream(&in, SpillForm::Records(kWeight)));
    again->Keep();
    std::vector<Record> records(kCount);
    RETURN_IF_ERROR(again->Read(0, std::as_writable_bytes(std::span(records))));
    EXPECT_TRUE(HoldsRecords(*again, kCount));
    return OkStatus();
  };
  EXPECT_TRUE(read(whole).ok());
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); at += 512) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 16);
    const Status status = read(flipped);
    if (status.ok()) continue;  // behind a run's end
    EXPECT_EQ(status.exit_code(), 65) << status.message();
    EXPECT_NE(status.message().find(path), std::string::npos);
    ++refused;
  }
  EXPECT_GE(refused, kCount * 4 / 512);
  EXPECT_EQ(read(whole.substr(0, 4096) + whole).exit_code(), 65);
  EXPECT_EQ(read(whole.substr(0, whole.size() / 2)).exit_code(), 65);
  // Another stream's state is none of this one's.
  for (size_t at = 0; at + 8 < state.size(); at += 8) {
    std::string forged = state;
    forged[at] = static_cast<char>(forged[at] ^ 32);
    root_.Write("pages.spill", whole);
    Open(4, true);
    StateReader in(forged);
    const auto again = space_->OpenStream(&in, SpillForm::Records(kWeight));
    if (!again.ok()) continue;
    (*again)->Keep();
    std::vector<std::byte> bytes((*again)->size());
    EXPECT_FALSE((*again)->Read(0, bytes).ok() && bytes.size() != kCount * sizeof(Record)) << at;
  }
}

/// Streams of many pages in little memory: what their tables take is counted, refused when it is
/// too much, and comes back.
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

/// Pages that follow each other in a stream are written at once, the last one of a sealed stream
/// too, and what is read back is what was appended.
TEST_F(SpillSpaceTest, SmallPagesAreWrittenTogether) {
  constexpr size_t kPages = 256, kStreams = 24, kRounds = 400, kCount = 777;
  std::atomic<uint64_t> writes{0};
  const ScopedIoFaults counted(FaultsOn(IoRequest::Op::kWrite, "pages.spill", [&writes](uint64_t) {
    ++writes;
    return std::nullopt;
  }));
  Open(kPages);
  EXPECT_LT(space_->num_pages(), kPages);  // what is gathered takes room
  std::vector<std::unique_ptr<SpillStream>> streams;
  for (size_t i = 0; i < kStreams; ++i) streams.push_back(space_->NewStream());
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < kStreams; ++i) ASSERT_TRUE(Append(*streams[i], i, kCount + i).ok());
  }
  for (const auto& stream : streams) stream->Seal();
  // Presses the last pages out of memory.
  const std::unique_ptr<SpillStream> more = space_->NewStream();
  ASSERT_TRUE(Append(*more, kStreams, kPages * kPageBytes / 8).ok());
  ASSERT_TRUE(space_->Drain().ok());
  EXPECT_GT(space_->bytes_written(), kStreams * kRounds * kCount * 8);
  EXPECT_LT(writes * 2 * kPageBytes, space_->bytes_written());
  for (size_t i = 0; i < kStreams; ++i) {
    EXPECT_TRUE(Holds(*streams[i], i, 0, kRounds * (kCount + i)));
  }
}

/// What happens to a write, or to a read, while numbers are appended and read back.
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

/// A directory whose disk is full is left to what it has, and the others take the rest.
TEST_F(SpillFaultsTest, WhatADiskHasNoRoomForGoesToAnother) {
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

/// Of bytes and of packed records.
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

/// Short and late transfers are made up for; bits that flip and sectors that are not written show.
TEST_P(SpillFormFaultsTest, WhatAKernelMayDoIsMadeUpForOrFound) {
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
  // One short transfer: of all that are short none ends.
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

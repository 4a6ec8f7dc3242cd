// Streams of records are packed on their way to a file, and come back unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "test/graphs/written_graph.h"
#include "test/spill_space_fixture.h"

namespace edgemill {
namespace {

/// Records in pages that are packed on their way to a file.
class SpilledRecordsTest : public SpillSpaceTest {
 protected:
  static constexpr SpilledWeight kWeight = SpilledWeight::kInt32;
  using Record = SpilledRecord<int32_t>;

  std::unique_ptr<SpillStream> NewStream() {
    return space_->NewStream(SpillForm::Records(kWeight));
  }
  /// Record `i` of a bucket of edges. Some keys are equal; weights show the order of appending.
  static Record RecordAt(uint64_t i) {
    return {(Mix64(i) % 1000 + 5000) << 32 | Mix64(i) >> 50, static_cast<int32_t>(i)};
  }
  static Status AppendRecords(SpillStream& stream, uint64_t count) {
    std::vector<Record> records;
    for (uint64_t i = 0; i < count; ++i) records.push_back(RecordAt(stream.num_records() + i));
    return stream.Append(std::as_bytes(std::span(records)));
  }
  /// Whether `stream` has records 0 to count - 1, page by page, with equal keys in the order of
  /// appending.
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
  EXPECT_TRUE(HoldsRecords(*stream, kCount));  // some pages are in memory, others in the file
  stream->Seal();
  ASSERT_TRUE(space_->Drain().ok());
  EXPECT_GT(space_->bytes_written(), 0u);
  EXPECT_LT(space_->bytes_written(), kCount * sizeof(Record) * 55 / 100);
  EXPECT_TRUE(HoldsRecords(*stream, kCount));
  // Reads parts of pages while no thread appends.
  std::vector<Record> whole(kCount);
  ASSERT_TRUE(stream->Read(0, std::as_writable_bytes(std::span(whole))).ok());
  for (const uint64_t first : {uint64_t{0}, uint64_t{1}, uint64_t{1364}, uint64_t{50'001}}) {
    std::vector<Record> part(3000);
    ASSERT_TRUE(stream->Read(first * sizeof(Record), std::as_writable_bytes(std::span(part))).ok());
    EXPECT_EQ(std::memcmp(part.data(), &whole[first], part.size() * sizeof(Record)), 0) << first;
  }
}

/// Opening a journal's streams may fail after some of them are open. These leave their pages in the
/// files.
TEST_F(SpilledRecordsTest, AnOpeningThatFailsLeavesWhatWasSaved) {
  Open(8);
  constexpr uint64_t kCount = 400'000;
  std::unique_ptr<SpillStream> stream = NewStream();
  ASSERT_TRUE(AppendRecords(*stream, kCount).ok());
  ASSERT_TRUE(stream->Save().ok());
  StateWriter out;
  stream->PutState(&out);
  stream->LeaveFiles();
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
      (*again)->LeaveFiles();
    }
  }
}

/// Pages that the journal names stay until the next save. So after a crash between two saves, the
/// data of the first save is there.
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
      // The process ends here, and another one goes on with `state`, which the journal has in both
      // cases.
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
      (*again)->LeaveFiles();
    }
    state = next_state;
    count = next_count;
  }
  stream->LeaveFiles();
  other->LeaveFiles();
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
  const std::string state = SaveAndClose(std::move(stream));
  const std::string path = root_ / "pages.spill";
  const std::string whole = *ReadWholeFile(path, 1 << 20);
  const auto read = [&](const std::string& contents) -> Status {
    root_.Write("pages.spill", contents);
    Open(4, true);
    StateReader in(state);
    ASSIGN_OR_RETURN(const auto again, space_->OpenStream(&in, SpillForm::Records(kWeight)));
    again->LeaveFiles();
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
    if (status.ok()) continue;  // after the end of the data
    EXPECT_EQ(status.exit_code(), 65) << status.message();
    EXPECT_NE(status.message().find(path), std::string::npos);
    ++refused;
  }
  EXPECT_GE(refused, kCount * 4 / 512);
  EXPECT_EQ(read(whole.substr(0, 4096) + whole).exit_code(), 65);
  EXPECT_EQ(read(whole.substr(0, whole.size() / 2)).exit_code(), 65);
  // The state of another stream is refused.
  for (size_t at = 0; at + 8 < state.size(); at += 8) {
    std::string forged = state;
    forged[at] = static_cast<char>(forged[at] ^ 32);
    root_.Write("pages.spill", whole);
    Open(4, true);
    StateReader in(forged);
    const auto again = space_->OpenStream(&in, SpillForm::Records(kWeight));
    if (!again.ok()) continue;
    (*again)->LeaveFiles();
    std::vector<std::byte> bytes((*again)->size());
    EXPECT_FALSE((*again)->Read(0, bytes).ok() && bytes.size() != kCount * sizeof(Record)) << at;
  }
}

}  // namespace
}  // namespace edgemill

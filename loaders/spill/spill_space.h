// Temporary data in a fixed amount of memory, going on to one file a directory when that is full.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/buffer.h"
#include "common/file.h"
#include "common/memory_budget.h"
#include "common/state_blob.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/spill/file_room.h"
#include "loaders/spill/spill_page.h"
#include "storage/io/patient_engine.h"
#include "storage/io/room_ahead.h"

namespace edgemill {

class SpillCopies;
class SpillSpace;

/// Bytes to be placed in a stream.
using SpillRun = std::span<const std::byte>;

/// Direct I/O goes to offsets, and from and to memory, that are multiples of this, and so are
/// pages.
inline constexpr uint64_t kSpillAlignment = 4096;
constexpr uint64_t SpillAligned(uint64_t bytes) {
  return (bytes + kSpillAlignment - 1) / kSpillAlignment * kSpillAlignment;
}
/// The most bytes of a page that share a checksum: what a read of a few of them takes.
inline constexpr uint64_t kMostCheckedBytes = uint64_t{64} << 10;

/// The bytes of pages of `page_bytes` that share a checksum.
constexpr uint64_t SpillPieceBytes(uint64_t page_bytes) {
  return std::min(page_bytes, kMostCheckedBytes);
}
/// Where a page of a stream is.
struct SpilledPage {
  /// How it is in its file.
  enum class Form : uint8_t {
    kAsIs,    // its bytes
    kPacked,  // by PackPage
    kTail,    // the bytes of a stream's last page that was saved before it was full
  };
  std::byte* memory = nullptr;  // null where it is in its file alone
  uint64_t offset = 0;          // in its file
  uint32_t bytes = 0;           // there; 0 before it is written
  uint16_t file = 0;
  Form form = Form::kAsIs;

  bool written() const { return bytes > 0; }
  uint64_t end() const { return offset + bytes; }
};

/// What is reserved in memory for each page of a stream: where it is and its checksums; twice,
/// since tables that grow are copied, and the journal has a copy.
constexpr uint64_t SpillTableBytes(uint64_t page_bytes) {
  return 2 * (sizeof(SpilledPage) + page_bytes / SpillPieceBytes(page_bytes) * sizeof(uint64_t));
}

/// Bytes of one of a space's files.
struct SpillRange {
  uint16_t file = 0;
  FileRoom::Range room;
};

/// What a stream consists of.
struct SpillForm {
  /// Bytes, which keep their order.
  static SpillForm Bytes() { return {}; }
  /// Things of `bytes` each, which keep their order; none lies in two pages.
  static SpillForm Things(uint32_t bytes) { return {.record_bytes = bytes}; }
  /// Records (spill_page.h), which are packed on their way to a file: those of a page change their
  /// order then, but for records with equal keys.
  static SpillForm Records(SpilledWeight weight) {
    return {.record_bytes = SpilledRecordBytes(weight), .packed = true, .weight = weight};
  }
  uint32_t record_bytes = 1;
  bool packed = false;
  SpilledWeight weight = SpilledWeight::kNone;
};

/// A stream of bytes that is written once, in order, and read back. Its whole pages go to the
/// space's files when memory is short; the last one only when the stream is sealed. What was
/// written is trusted no more than a block: its checksums stay in memory, and go to the journal, so
/// that a page which is damaged, stale or another's is found when it is read. Gives its room in the
/// files back when destroyed, unless Keep was called.
class SpillStream {
 public:
  ~SpillStream();
  SpillStream(const SpillStream&) = delete;
  SpillStream& operator=(const SpillStream&) = delete;

  uint64_t size() const { return size_; }
  /// Bytes of a whole page: a multiple of a record's.
  uint64_t page_bytes() const { return page_bytes_; }
  uint64_t num_records() const { return size_ / form_.record_bytes; }
  /// Records of a whole page. Who reads packed records while others append to the space reads whole
  /// pages: a part of one may have another order the next time.
  uint64_t page_records() const { return page_bytes_ / form_.record_bytes; }

  /// Appends `bytes`. Waits for writes when every page is taken. IoError of a write that failed, or
  /// of a device that hangs; CancelledError when it hangs and a stop was asked for; BudgetError
  /// when the page table does not fit. One thread at a time.
  Status Append(std::span<const std::byte> bytes);
  /// As Append of all `runs`, one after the other, but only decides where their bytes go, and
  /// leaves the copying to `copies`, which must run before the stream is read or saved. One thread
  /// at a time, beside which none appends to the space.
  Status Place(std::span<const SpillRun> runs, SpillCopies* copies);
  Status Place(SpillRun run, SpillCopies* copies) { return Place(std::span(&run, 1), copies); }
  /// Reads `into.size()` bytes at `offset`. Fastest when `offset` is a multiple of
  /// kMostCheckedBytes and `into` aligned to kSpillAlignment. BadDataError when they are not what
  /// was appended; otherwise errors as Append's. Thread-safe, but not against Append.
  Status Read(uint64_t offset, std::span<std::byte> into) const;
  /// The error of bytes at `offset` that cannot be what was appended, though their checksums are
  /// right; `what` is wrong with them.
  Status BadAt(uint64_t offset, std::string_view what) const;
  /// No more will be appended: the last page may go to the file too when memory is short.
  void Seal();
  /// Writes what is in memory to its files as well and syncs: size() bytes survive a crash. Costs
  /// nothing when nothing came since the last time.
  Status Save();
  /// Leaves the bytes in place when destroyed: for an ingest that is to be resumed.
  void Keep();
  /// Where a saved stream's bytes are, for the journal, and for SpillSpace::OpenStream.
  void PutState(StateWriter* out) const;

 private:
  friend class SpillCopies;
  friend class SpillSpace;
  /// A place in a page for some bytes of runs.
  struct Copy {
    SpillStream* stream;
    size_t index;  // of the page in the stream
    std::span<std::byte> to;
    /// Copies from the front of `runs` on, of which the first `skip` bytes have their place, after
    /// which the page may be whole. Thread-safe.
    void Run(const SpillRun* runs, size_t skip) const;
  };
  SpillStream(SpillSpace* space, const SpillForm& form);
  /// The page that byte size() belongs to, `inside` bytes into it; `copies` as of TakePage.
  StatusOr<std::byte*> LastPage(uint64_t inside, SpillCopies* copies);
  /// A place for the next bytes, `count` or as many as the page has room for.
  StatusOr<Copy> PlaceFirst(uint64_t count, SpillCopies* copies);
  /// Bytes of page `index` that the stream has.
  uint64_t BytesOfPage(size_t index) const {
    return std::min(page_bytes_, size_ - index * page_bytes_);
  }
  /// Pages from `first` on that are in their file alone, one after the other there, of which
  /// `wanted` bytes are wanted.
  std::vector<SpilledPage> PagesInFile(size_t first, uint64_t wanted) const;
  /// What packed pages are read to and unpacked to.
  struct ReadMemory {
    Buffer cover;
    Buffer page;
  };
  /// Reads bytes at `offset` of `pages`, the first of which has it; returns how many.
  StatusOr<uint64_t> ReadPages(const std::vector<SpilledPage>& pages, uint64_t offset,
                               std::span<std::byte> into, ReadMemory* memory) const;
  /// As ReadPages, of pages that are in their file as they are, all of whose `into` are wanted.
  Status ReadAsIs(const SpilledPage& first, uint64_t offset, std::span<std::byte> into) const;
  /// The same of whole checked pieces, but for the stream's end.
  Status ReadPieces(const SpilledPage& first, uint64_t offset, std::span<std::byte> into) const;
  /// Of packed records: each page with what follows it in the file in one read.
  StatusOr<uint64_t> ReadPacked(const std::vector<SpilledPage>& pages, uint64_t offset,
                                std::span<std::byte> into, ReadMemory* memory) const;
  /// Checksums a page has.
  size_t ChecksumsAPage() const;
  /// The checksums of `bytes`, of which a page consists in its file.
  std::vector<uint64_t> ChecksumsOf(std::span<const std::byte> bytes) const;
  /// The `count` checksums from number `first` on.
  std::vector<uint64_t> Checksums(size_t first, size_t count) const;
  /// Sets the checksums of page `index`.
  void SetChecksums(size_t index, const std::vector<uint64_t>& checksums);

  SpillSpace* const space_;
  const SpillForm form_;
  const uint64_t page_bytes_;
  uint64_t size_ = 0;
  uint64_t saved_size_ = 0;  // of the bytes that survive a crash
  // Under the space's mutex:
  std::vector<SpilledPage> pages_;
  std::vector<uint64_t> checksums_;  // of each page, once it is written
  uint64_t tail_bytes_ = 0;          // of the last page, once the stream is sealed; 0: all
  SpillRange range_;                 // set aside for the next pages, so that reads are long
  uint64_t written_bytes_ = 0;       // in files
  /// Where the last page is saved, in turn: what the journal names stays until it names another.
  std::array<SpillRange, 2> tails_;
  size_t saves_ = 0;
  size_t writes_under_way_ = 0;
  mutable size_t reads_under_way_ = 0;  // of pages in memory, which stay there meanwhile
  bool keep_ = false;
};

/// One thread's copies that SpillStream::Place has left to be done, so that many threads can append
/// in order and copy at the same time. The bytes of runs that are placed must stay until Run.
class SpillCopies {
  struct Copy {
    SpillStream::Copy place;
    size_t run;   // whose bytes come first
    size_t skip;  // bytes of it that have another place
  };

 public:
  /// Memory of one copy, and of one run, while more are added, in bytes.
  static constexpr uint64_t kCopyBytes = 2 * sizeof(Copy);
  static constexpr uint64_t kRunBytes = 2 * sizeof(SpillRun);

  SpillCopies() = default;
  ~SpillCopies() { Run(); }
  SpillCopies(const SpillCopies&) = delete;
  SpillCopies& operator=(const SpillCopies&) = delete;

  bool empty() const { return copies_.empty(); }
  /// Does all copies. Waits for nothing but the space's lock.
  void Run();

 private:
  friend class SpillSpace;
  friend class SpillStream;
  /// Does the copies there are; more may come of the same runs.
  void RunCopies();

  std::vector<Copy> copies_;
  std::vector<SpillRun> runs_;
};

/// The memory, the files and the writer threads that streams share. One file a directory: hundreds
/// of streams cost neither descriptors nor a sync each. Thread-safe.
class SpillSpace {
 public:
  struct Options {
    std::vector<std::string> directories;  // existing; pages are spread over them
    uint64_t memory_bytes = 0;             // for pages, and for writers
    uint64_t expected_bytes = 0;           // that will be appended, if known, with room in pages
    uint64_t page_bytes = 0;               // multiple of kSpillAlignment
    int threads = 1;  // of the process: many fill pages faster than few write them
    /// Reserved for page tables from the start.
    uint64_t table_bytes = 0;
    /// Files that an earlier process left hold streams to be opened again; otherwise they are
    /// emptied.
    bool reopen = false;
    IoPatience patience;
  };
  /// Whether pages may have so many bytes.
  static bool IsPageSize(uint64_t bytes) {
    return bytes > 0 && bytes % kSpillAlignment == 0 &&
           bytes / sizeof(uint64_t) <= kMostPageRecords;
  }
  /// Reserves `memory_bytes` and `table_bytes` in `budget`, and what page tables take beyond,
  /// SpillTableBytes a page, while streams grow. `budget` must outlive the space.
  static StatusOr<std::unique_ptr<SpillSpace>> Create(const Options& options, MemoryBudget& budget);
  /// The memory of one writer at the least, of Options::memory_bytes.
  static uint64_t WriterBytes(uint64_t page_bytes);
  ~SpillSpace();  // removes the files, unless a stream was kept

  /// A new, empty stream. Every stream that is being appended to holds one page; at most
  /// num_pages() / 2 may be.
  std::unique_ptr<SpillStream> NewStream(const SpillForm& form = SpillForm::Bytes());
  /// A stream that an earlier process saved, by what its PutState wrote. BadDataError when its file
  /// is too short, BudgetError when its page table does not fit.
  StatusOr<std::unique_ptr<SpillStream>> OpenStream(StateReader* in,
                                                    const SpillForm& form = SpillForm::Bytes());
  /// Says that all streams to be opened are: what no stream holds may be written again.
  void EndOpening();

  uint64_t page_bytes() const { return page_bytes_; }
  /// The bytes that share a checksum where pages are as they are: they divide a page.
  uint64_t piece_bytes() const { return SpillPieceBytes(page_bytes_); }
  size_t num_pages() const { return num_pages_; }
  /// About how many bytes will be written in all: for the message when a disk is full.
  void Expect(uint64_t bytes) { expected_bytes_.store(bytes, std::memory_order_relaxed); }
  /// Whether any page had to be written to a file for want of memory, or was saved.
  bool spilling() const;
  uint64_t bytes_written() const { return bytes_written_.load(std::memory_order_relaxed); }
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  /// Whether to save all that is in memory pays after `seconds` of work: it takes a twentieth of
  /// them at the most, by a disk of usual speed, or a tenth of a second.
  bool SavingPays(double seconds) const;
  /// Waits until no write is under way; the error of any that failed.
  Status Drain();
  /// Saves `streams` as SpillStream::Save does, with one sync a directory for all of them.
  Status Save(std::span<SpillStream* const> streams);

 private:
  friend class SpillCopies;
  friend class SpillStream;
  struct FullPage {
    SpillStream* stream;
    size_t index;
  };
  /// Pages that follow each other in a stream.
  struct PageRun {
    SpillStream* stream;
    size_t first;  // index of the first
    std::vector<std::byte*> pages;
    std::vector<uint64_t> bytes;  // that each holds
  };
  /// How a run's pages are in their file.
  struct WrittenRun {
    std::vector<SpilledPage> pages;
    std::vector<std::vector<uint64_t>> checksums;  // of each
  };
  /// A writer's memory.
  struct WriterMemory {
    std::span<std::byte> sorting;   // two pages
    std::span<std::byte> gathered;  // what is written at once
  };
  SpillSpace(const IoPatience& patience, MemoryBudget& budget)
      : transfers_(patience), budget_(budget) {}
  Status OpenFiles(bool reopen);
  std::vector<SpillRange> RangesOf(const SpillStream& stream) const;
  /// Waits for a free page. Runs the caller's `copies`, unless null, where no other comes free.
  StatusOr<std::byte*> TakePage(SpillCopies* copies);
  /// The count of those who still fill the page at `byte`: the stream that appends to it, and
  /// copies that are placed in it.
  std::atomic<uint32_t>& FillersOf(const std::byte* byte) {
    return fillers_[static_cast<size_t>(byte - memory_.data()) / page_bytes_];
  }
  /// One of a page's fillers is done. After the last, the page may be written.
  void EndFilling(SpillStream* stream, size_t index, const std::byte* byte);
  /// Room for `bytes`, a multiple of kSpillAlignment: the next of the stream's range.
  SpillRange RoomFor(SpillStream* stream, uint64_t bytes) REQUIRES(mutex_);
  /// New room for so many bytes, in the files that have some in turn.
  SpillRange NewRoom(uint64_t bytes) REQUIRES(mutex_);
  /// Whether what could not be written to `range`, whose disk is full, may go to another file.
  bool LeaveFullFile(const SpillRange& range);
  /// Reserves memory for the page tables of `pages` more pages, and gives it back, in steps.
  Status ReserveTables(uint64_t pages) REQUIRES(mutex_);
  void ReleaseTables(uint64_t pages) REQUIRES(mutex_);
  void Forget(SpillStream* stream);
  /// Gives `ranges` back to the file system where it is short of room, then to whoever writes next.
  void GiveBack(std::vector<SpillRange> ranges);
  Status WriteOut();
  Status SaveTail(SpillStream* stream);
  void WriteLoop(const WriterMemory& memory);
  bool ShouldWrite() const REQUIRES(mutex_);
  /// Takes the first of the full pages, and those that follow it in its stream, as many as `memory`
  /// gathers at once.
  PageRun TakeFull(const WriterMemory& memory) REQUIRES(mutex_);
  /// Writes the pages of a run, packed where the stream's form says so, one after the other.
  StatusOr<WrittenRun> WriteRun(const PageRun& run, const WriterMemory& memory);
  /// Writes `bytes`, a multiple of kSpillAlignment, to `range`.
  Status WriteBytes(const SpillRange& range, std::span<std::byte> bytes);

  std::vector<std::string> directories_;
  std::vector<File> files_;
  std::vector<RoomAhead> ahead_;  // of each file
  TransferPool transfers_;
  uint64_t page_bytes_ = 0;
  uint64_t table_bytes_ = 0;  // reserved from the start
  size_t num_pages_ = 0;
  size_t spare_pages_ = 0;  // when so few are left, full ones are written
  MemoryBudget& budget_;
  MemoryReservation reservation_;
  Buffer memory_;                               // the pages, then what the writers have
  std::vector<std::atomic<uint32_t>> fillers_;  // of each page
  std::vector<std::thread> writers_;
  std::atomic<uint64_t> bytes_written_{0};
  std::atomic<uint64_t> expected_bytes_{0};
  mutable std::atomic<uint64_t> bytes_read_{0};

  mutable Mutex mutex_;
  /// Signalled when a page, or the last read or write that holds one, is done.
  CondVar page_free_;
  CondVar work_;
  std::vector<std::byte*> free_ GUARDED_BY(mutex_);
  /// Whole pages in memory. The first are written when free pages become few: what is soon
  /// forgotten never is.
  std::deque<FullPage> full_ GUARDED_BY(mutex_);
  std::vector<FileRoom> rooms_ GUARDED_BY(mutex_);     // of each file
  std::vector<bool> is_full_ GUARDED_BY(mutex_);       // each file's disk: no more goes there
  std::vector<bool> is_short_ GUARDED_BY(mutex_);      // each file's disk: what is free goes back
  std::vector<SpillRange> opened_ GUARDED_BY(mutex_);  // of streams opened again
  uint64_t table_pages_ GUARDED_BY(mutex_) = 0;        // of all streams
  std::vector<MemoryReservation> tables_ GUARDED_BY(mutex_);  // beyond table_bytes_, in steps
  size_t next_file_ GUARDED_BY(mutex_) = 0;
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
  size_t copying_ GUARDED_BY(mutex_) = 0;     // SpillCopies that are not empty
  size_t write_outs_ GUARDED_BY(mutex_) = 0;  // callers that want all of full_ written
  bool spilling_ GUARDED_BY(mutex_) = false;
  bool keep_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool linked_ GUARDED_BY(mutex_) = false;  // the files' names survive a crash
  Status error_ GUARDED_BY(mutex_);
};

}  // namespace edgemill

// Temporary data in a fixed amount of memory, going on to one file a directory when that is full.
#pragma once

#include <algorithm>
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
#include "storage/io/patient_engine.h"

namespace edgemill {

class SpillCopies;
class SpillSpace;

/// Direct I/O goes to offsets, and from and to memory, that are multiples of this, and so are
/// pages.
inline constexpr uint64_t kSpillAlignment = 4096;
/// The most bytes of a page that share a checksum: what a read of a few of them takes.
inline constexpr uint64_t kMostCheckedBytes = uint64_t{64} << 10;

/// The bytes of pages of `page_bytes` that share a checksum.
constexpr uint64_t SpillPieceBytes(uint64_t page_bytes) {
  return std::min(page_bytes, kMostCheckedBytes);
}
/// What is reserved in memory for each page of a stream, wherever it is: its address, its slot and
/// its checksums; twice, since tables that grow are copied, and the journal has a copy.
constexpr uint64_t SpillTableBytes(uint64_t page_bytes) {
  return 2 * (sizeof(std::byte*) + sizeof(uint32_t) +
              page_bytes / SpillPieceBytes(page_bytes) * sizeof(uint64_t));
}

/// Consecutive pages of one of a space's files.
struct SlotRange {
  uint32_t file = 0;
  uint32_t row = 0;  // of the first: its offset in pages
  uint32_t count = 0;
};

/// A stream of bytes that is written once, in order, and read back. Its whole pages go to slots of
/// the space's files when memory is short; the last one only when the stream is sealed. What was
/// written is trusted no more than a block: its checksums stay in memory, and go to the journal, so
/// that a page which is damaged, stale or another's is found when it is read. Gives its slots back
/// when destroyed, unless Keep was called.
class SpillStream {
 public:
  ~SpillStream();
  SpillStream(const SpillStream&) = delete;
  SpillStream& operator=(const SpillStream&) = delete;

  uint64_t size() const { return size_; }

  /// Appends `bytes`. Waits for writes when every page is taken. IoError of a write that failed, or
  /// of a device that hangs; CancelledError when it hangs and a stop was asked for; BudgetError
  /// when the page table does not fit. One thread at a time.
  Status Append(std::span<const std::byte> bytes);
  /// As Append, but only decides where `bytes` go, and leaves the copying to `copies`, which must
  /// run before the stream is read or saved. One thread at a time, beside which none appends to the
  /// space.
  Status Place(std::span<const std::byte> bytes, SpillCopies* copies);
  /// Reads `into.size()` bytes at `offset`. Fastest when `offset` is a multiple of
  /// kMostCheckedBytes and `into` aligned to kSpillAlignment. BadDataError when they are not what
  /// was appended; otherwise errors as Append's. Thread-safe, but not against Append.
  Status Read(uint64_t offset, std::span<std::byte> into) const;
  /// The error of bytes at `offset` that cannot be what was appended, though their checksums are
  /// right; `what` is wrong with them.
  Status BadAt(uint64_t offset, std::string_view what) const;
  /// No more will be appended: the last page may go to the file too when memory is short.
  void Seal();
  /// Writes what is in memory to its slots as well and syncs: size() bytes survive a crash. Costs
  /// nothing when nothing came since the last time.
  Status Save();
  /// Leaves the bytes in place when destroyed: for an ingest that is to be resumed.
  void Keep();
  /// Where a saved stream's bytes are, for the journal, and for SpillSpace::OpenStream.
  void PutState(StateWriter* out) const;

 private:
  friend class SpillCopies;
  friend class SpillSpace;
  /// Bytes with a place in a page.
  struct Copy {
    SpillStream* stream;
    size_t index;  // of the page in the stream
    std::byte* to;
    std::span<const std::byte> from;
    /// Copies, after which the page may be whole. Thread-safe.
    void Run() const;
  };
  explicit SpillStream(SpillSpace* space) : space_(space) {}
  /// The page that byte size() belongs to, `inside` bytes into it.
  StatusOr<std::byte*> LastPage(uint64_t inside);
  /// Gives the first of `bytes` their place, up to the end of a page, and takes them off.
  StatusOr<Copy> PlaceFirst(std::span<const std::byte>* bytes);
  /// Reads bytes that were written, at `offset`, to pages that lie one after the other.
  Status ReadWritten(uint64_t offset, std::span<std::byte> into) const;
  /// As ReadWritten, of whole checked pieces, but for the stream's end.
  Status ReadPieces(uint64_t offset, std::span<std::byte> into) const;
  /// Sets the checksums of page `index`.
  void SetChecksums(size_t index, const std::vector<uint64_t>& checksums);

  SpillSpace* const space_;
  uint64_t size_ = 0;
  uint64_t saved_size_ = 0;  // of the bytes that survive a crash
  // Under the space's mutex:
  std::vector<std::byte*> pages_;    // null where written out
  std::vector<uint32_t> slots_;      // of each page; SpillSpace::kNoSlot before it is written
  std::vector<uint64_t> checksums_;  // of each piece of each page, once it is written
  uint64_t tail_bytes_ = 0;          // of the last page, once the stream is sealed; 0: all
  SlotRange range_;                  // set aside for the next pages, so that reads are long
  size_t writes_under_way_ = 0;
  mutable size_t reads_under_way_ = 0;  // of pages in memory, which stay there meanwhile
  bool keep_ = false;
};

/// One thread's copies that SpillStream::Place has left to be done, so that many threads can append
/// in order and copy at the same time. What is placed must stay until Run.
class SpillCopies {
 public:
  SpillCopies() = default;
  ~SpillCopies() { Run(); }
  SpillCopies(const SpillCopies&) = delete;
  SpillCopies& operator=(const SpillCopies&) = delete;

  /// Memory of one copy while more are added, in bytes.
  static constexpr uint64_t kCopyBytes = 2 * sizeof(SpillStream::Copy);

  bool empty() const { return copies_.empty(); }
  /// Does all copies. Waits for nothing but the space's lock.
  void Run();

 private:
  friend class SpillStream;
  std::vector<SpillStream::Copy> copies_;
};

/// The memory, the files and the writer threads that streams share. One file a directory: hundreds
/// of streams cost neither descriptors nor a sync each. Thread-safe.
class SpillSpace {
 public:
  struct Options {
    std::vector<std::string> directories;  // existing; pages are spread over them
    uint64_t memory_bytes = 0;  // for pages, and for what writers write at once
    uint64_t page_bytes = 0;  // multiple of kSpillAlignment
    /// Reserved for page tables from the start.
    uint64_t table_bytes = 0;
    /// Files that an earlier process left hold streams to be opened again; otherwise they are
    /// emptied.
    bool reopen = false;
    IoPatience patience;
  };
  /// Reserves `memory_bytes` and `table_bytes` in `budget`, and what page tables take beyond,
  /// SpillTableBytes a page, while streams grow. `budget` must outlive the space.
  static StatusOr<std::unique_ptr<SpillSpace>> Create(const Options& options, MemoryBudget& budget);
  /// Removes the files, unless a stream was kept.
  ~SpillSpace();

  /// A new, empty stream. Every stream that is being appended to holds one page; at most
  /// num_pages() / 2 may be.
  std::unique_ptr<SpillStream> NewStream();
  /// A stream that an earlier process saved, by what its PutState wrote. BadDataError when its file
  /// is too short, BudgetError when its page table does not fit.
  StatusOr<std::unique_ptr<SpillStream>> OpenStream(StateReader* in);
  /// Says that all streams to be opened are: what no stream holds may be written again.
  void EndOpening();

  uint64_t page_bytes() const { return page_bytes_; }
  /// The bytes that share a checksum: they divide a page.
  uint64_t piece_bytes() const { return SpillPieceBytes(page_bytes_); }
  /// How many pieces `bytes` from a piece's border on reach into.
  uint64_t NumPieces(uint64_t bytes) const { return (bytes + piece_bytes() - 1) / piece_bytes(); }
  /// The checksums of `bytes`, which start at a piece's border.
  std::vector<uint64_t> ChecksumsOf(std::span<const std::byte> bytes) const;
  size_t num_pages() const { return num_pages_; }
  /// About how many bytes will be written in all: for the message when a disk is full.
  void Expect(uint64_t bytes) { expected_bytes_.store(bytes, std::memory_order_relaxed); }
  /// Whether any page had to be written to a file for want of memory, or was saved.
  bool spilling() const;
  uint64_t bytes_written() const { return bytes_written_.load(std::memory_order_relaxed); }
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  /// Waits until no write is under way; the error of any that failed.
  Status Drain();
  /// Saves `streams` as SpillStream::Save does, with one sync a directory for all of them.
  Status Save(std::span<SpillStream* const> streams);

 private:
  friend class SpillCopies;
  friend class SpillStream;
  static constexpr uint32_t kNoSlot = ~0u;
  struct FullPage {
    SpillStream* stream;
    size_t index;
  };
  /// Pages that follow each other in a stream and in a file.
  struct PageRun {
    SpillStream* stream;
    size_t first;  // index of the first
    uint32_t slot;
    std::vector<std::byte*> pages;
    uint64_t bytes;  // what they hold: less than the pages where they are a sealed stream's last
  };
  SpillSpace(const IoPatience& patience, MemoryBudget& budget)
      : transfers_(patience), budget_(budget) {}
  Status OpenFiles(bool reopen);
  /// Page `row` of file `file` is slot row * (number of files) + file.
  const File& FileOf(uint32_t slot) const { return files_[slot % files_.size()]; }
  uint64_t OffsetOf(uint32_t slot) const { return slot / files_.size() * page_bytes_; }
  std::vector<SlotRange> RangesOf(const SpillStream& stream) const;
  StatusOr<std::byte*> TakePage();
  bool HasFreePage() const;
  /// The count of those who still fill the page at `byte`: the stream that appends to it, and
  /// copies that are placed in it.
  std::atomic<uint32_t>& FillersOf(const std::byte* byte) {
    return fillers_[static_cast<size_t>(byte - memory_.data()) / page_bytes_];
  }
  /// One of a page's fillers is done. After the last, the page may be written.
  void EndFilling(SpillStream* stream, size_t index, const std::byte* byte);
  /// The slot of a page about to be written: its old one, or the next of the stream's range.
  uint32_t SlotFor(SpillStream* stream, size_t index) REQUIRES(mutex_);
  /// Reserves memory for the page tables of `pages` more pages.
  Status ReserveTables(uint64_t pages) REQUIRES(mutex_);
  /// Gives back what the tables of `pages` pages had, in steps.
  void ReleaseTables(uint64_t pages) REQUIRES(mutex_);
  void Forget(SpillStream* stream);
  /// Gives `ranges` back to the file system where that pays, then to whoever writes next.
  void GiveBack(const std::vector<SlotRange>& ranges);
  Status WriteOut();
  Status SaveTail(SpillStream* stream);
  void WriteLoop(std::span<std::byte> gathered);
  bool ShouldWrite() const REQUIRES(mutex_);
  /// Takes the first of the full pages, and those at most `most` that follow it in its stream and
  /// in the file.
  PageRun TakeFull(size_t most) REQUIRES(mutex_);
  /// Writes the pages of a run, one after the other in `gathered` where there are several, and
  /// returns their checksums.
  StatusOr<std::vector<uint64_t>> WriteRun(const PageRun& run, std::span<std::byte> gathered);
  /// Writes whole pages from `slot` on.
  Status WritePages(uint32_t slot, std::span<std::byte> pages);

  std::vector<std::string> directories_;
  std::vector<File> files_;
  TransferPool transfers_;
  uint64_t page_bytes_ = 0;
  uint64_t table_bytes_ = 0;  // reserved from the start
  size_t num_pages_ = 0;
  MemoryBudget& budget_;
  MemoryReservation reservation_;
  Buffer memory_;  // the pages, then where each writer gathers what it writes at once
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
  std::vector<SlotRange> free_ranges_ GUARDED_BY(mutex_);
  std::vector<uint32_t> end_rows_ GUARDED_BY(mutex_);  // of each file: rows that were ever used
  std::vector<uint32_t> opened_ GUARDED_BY(mutex_);    // slots of streams opened again
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

// Streams of bytes that are written once and read back, in memory or in temporary files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/state_blob.h"
#include "common/status.h"
#include "loaders/spill/page_pool.h"
#include "loaders/spill/page_reader.h"
#include "loaders/spill/page_table.h"
#include "loaders/spill/spill_files.h"
#include "loaders/spill/spill_form.h"

namespace edgemill {

/// What the streams of a space share. It outlives them.
struct SpillParts {
  SpillFiles& files;
  PagePool& pool;
  TableBudget& tables;
};

/// The copies of one thread that SpillStream::Reserve has not done yet, so that many threads can
/// append in order and copy at the same time. The bytes of placed runs must stay valid until
/// CopyAll. All streams belong to one space.
class SpillCopies {
  struct Copy {
    PageTable* table;
    size_t index;             // of the page in the stream
    std::span<std::byte> to;  // in the page
    size_t run;               // the run whose bytes come first
    size_t skip;              // bytes of this run that have another place
  };

 public:
  /// Memory of one copy, and of one run, while more are added, in bytes.
  static constexpr uint64_t kCopyBytes = 2 * sizeof(Copy);
  static constexpr uint64_t kRunBytes = 2 * sizeof(SpillRun);

  SpillCopies() = default;
  ~SpillCopies() { CopyAll(); }
  SpillCopies(const SpillCopies&) = delete;
  SpillCopies& operator=(const SpillCopies&) = delete;

  bool empty() const { return copies_.empty(); }
  /// Does all copies. Waits for nothing but the pool's lock.
  void CopyAll();
  /// Does all copies so far. More copies of the same runs may be added.
  void RunCopies();

  /// Adds `runs`, whose bytes go where Add says, in order.
  void AddRuns(std::span<const SpillRun> runs);
  /// Adds a copy of the runs' next bytes to `to`, in page `index` of `table`. The page counts the
  /// copy as a filler.
  void Add(PagePool& pool, PageTable* table, size_t index, std::span<std::byte> to);

 private:
  std::vector<Copy> copies_;
  std::vector<SpillRun> runs_;
  PagePool* pool_ = nullptr;  // of all copies
  size_t run_ = 0;            // whose bytes come next
  size_t skip_ = 0;           // bytes of it that have a place
};

/// A stream of bytes that is written once, in order, and read back. When memory is short, its whole
/// pages go to the space's files, and the last page once the stream is sealed. Files are not
/// trusted: checksums, which stay in memory and go to the journal, find a page that is damaged,
/// stale or of another stream. When destroyed, frees its ranges of files, unless LeaveFiles was
/// called.
class SpillStream {
 public:
  SpillStream(const SpillParts& parts, const SpillForm& form);
  /// Opens a stream that an earlier process saved, from what its PutState wrote. BadDataError when
  /// its file is too short, BudgetError when its page table does not fit.
  static StatusOr<std::unique_ptr<SpillStream>> Open(const SpillParts& parts, const SpillForm& form,
                                                     StateReader* in);
  ~SpillStream();
  SpillStream(const SpillStream&) = delete;
  SpillStream& operator=(const SpillStream&) = delete;

  uint64_t size() const { return size_; }
  /// Bytes of a whole page: a multiple of a record's size.
  uint64_t page_bytes() const { return layout().page_bytes(); }
  uint64_t num_records() const { return size_ / layout().form().record_bytes; }
  /// Records of a whole page. A caller must read packed records in whole pages while others append
  /// to the space: the order in a page changes when it is packed between two reads.
  uint64_t page_records() const { return page_bytes() / layout().form().record_bytes; }

  /// Appends `bytes`. Waits for writes when every page is taken. IoError of a write that failed, or
  /// of a device that hangs; CancelledError when it hangs and a stop was requested. BudgetError
  /// when the page table does not fit. One thread at a time.
  Status Append(std::span<const std::byte> bytes);
  /// As Append of all `runs`, one after the other, but only decides where their bytes go. Leaves
  /// the copying to `copies`, which must run before the stream is read or saved. No other thread
  /// may append to the space at the same time.
  Status Reserve(std::span<const SpillRun> runs, SpillCopies* copies);
  Status Reserve(SpillRun run, SpillCopies* copies) { return Reserve(std::span(&run, 1), copies); }
  /// Reads `into.size()` bytes at `offset`. Fastest when `offset` is a multiple of
  /// kMaxCheckedBytes and `into` is aligned to kSpillAlignment. BadDataError when the bytes are not
  /// those that were appended; other errors are those of Append. Thread-safe, except beside Append.
  Status Read(uint64_t offset, std::span<std::byte> into) const;
  /// The error for bytes at `offset` that cannot be those that were appended, although their
  /// checksums are right. `what` says what is wrong with them.
  Status BadAt(uint64_t offset, std::string_view what) const;
  /// Ends appending. From now on the last page may go to the file too when memory is short.
  void Seal();
  /// Writes what is only in memory to the files and syncs, so that size() bytes survive a crash.
  /// Does nothing if nothing was appended since the last time.
  Status Save();
  /// Saves `streams` of one space, with one sync a directory for all of them.
  static Status SaveAll(const SpillParts& parts, std::span<SpillStream* const> streams);
  /// Leaves the bytes in place when destroyed: for an ingest that is to be resumed.
  void LeaveFiles();
  /// Writes where the bytes of a saved stream are, for the journal and for Open.
  void PutState(StateWriter* out) const;

 private:
  /// The page of byte size(), which is `inside` bytes behind the page's start. Runs `copies`,
  /// unless null, if no page comes free otherwise.
  StatusOr<std::byte*> LastPage(uint64_t inside, SpillCopies* copies);
  /// The place of the next `count` bytes, or of as many as the page has room for.
  StatusOr<std::span<std::byte>> PlaceFirst(uint64_t count, SpillCopies* copies);
  /// Writes the last page, which is not full.
  Status SaveTail();
  const PageLayout& layout() const { return table_.layout(); }
  /// All ranges of files that the stream has.
  std::vector<SpillRange> Ranges() const;
  PageReader reader() const { return PageReader(parts_.files, table_, size_); }

  const SpillParts parts_;
  PageTable table_;
  uint64_t size_ = 0;
  uint64_t saved_size_ = 0;  // of the bytes that survive a crash
  /// Two places where the last page is saved in turn: the one that the journal names must stay
  /// until the journal names the other.
  std::array<SpillRange, 2> tails_;
  size_t saves_ = 0;
  bool keep_ = false;
};

}  // namespace edgemill

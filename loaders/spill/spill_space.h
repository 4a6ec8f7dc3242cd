// Temporary data in a fixed amount of memory. When it is full, data goes to one file in each
// directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/buffer.h"
#include "common/os/memory_budget.h"
#include "common/state_blob.h"
#include "common/status.h"
#include "loaders/spill/page_pool.h"
#include "loaders/spill/page_table.h"
#include "loaders/spill/page_writers.h"
#include "loaders/spill/spill_files.h"
#include "loaders/spill/spill_form.h"
#include "loaders/spill/spill_stream.h"
#include "storage/io/timeout_engine.h"

namespace edgemill {

/// The memory, the files and the writer threads that streams share. Thread-safe.
class SpillSpace {
 public:
  struct Options {
    std::vector<std::string> directories;  // existing; pages are spread over them
    uint64_t memory_bytes = 0;             // for pages, and for writers
    uint64_t expected_bytes = 0;           // of pages that would hold all data; 0: unknown
    uint64_t page_bytes = 0;               // multiple of kSpillAlignment
    int threads = 1;                       // of the process, for the number of writers
    /// Bytes that are reserved for page tables from the start.
    uint64_t table_bytes = 0;
    /// Whether streams in the files of an earlier process are opened again. Otherwise the files are
    /// emptied.
    bool reopen = false;
    IoPatience patience;
  };
  /// Whether a page may have this size.
  static bool IsPageSize(uint64_t bytes) {
    return bytes > 0 && bytes % kSpillAlignment == 0 && bytes / sizeof(uint64_t) <= kMaxPageRecords;
  }
  /// Reserves `memory_bytes` and `table_bytes` in `budget`. While streams grow, reserves more for
  /// page tables, SpillTableBytes a page. `budget` must outlive the space.
  static StatusOr<std::unique_ptr<SpillSpace>> Create(const Options& options, MemoryBudget& budget);
  /// The least part of Options::memory_bytes that one writer takes.
  static uint64_t WriterBytes(uint64_t page_bytes) { return WriterPlan::LeastBytes(page_bytes); }
  // When destroyed, removes the files, unless a stream was kept.

  /// A new, empty stream. At most num_pages() / 2 streams may be appended to at a time, since each
  /// of them holds a page.
  std::unique_ptr<SpillStream> NewStream(const SpillForm& form = SpillForm::Bytes()) {
    return std::make_unique<SpillStream>(parts(), form);
  }
  /// A stream that an earlier process saved (SpillStream::Open).
  StatusOr<std::unique_ptr<SpillStream>> OpenStream(StateReader* in,
                                                    const SpillForm& form = SpillForm::Bytes()) {
    return SpillStream::Open(parts(), form, in);
  }
  /// Called when all streams are opened. Ranges that belong to no stream may be overwritten then.
  void EndOpening() { files_->EndOpening(); }

  uint64_t page_bytes() const { return pool_.page_bytes(); }
  size_t num_pages() const { return pool_.num_pages(); }
  /// Sets about how many bytes will be written in all, for the message when a disk is full.
  void Expect(uint64_t bytes) { files_->Expect(bytes); }
  /// Whether any page was written to a file, because memory was short or to save it.
  bool spilling() const { return files_->used(); }
  uint64_t bytes_written() const { return files_->bytes_written(); }
  uint64_t bytes_read() const { return files_->bytes_read(); }
  /// Whether a save of all pages in memory is worth its time after `seconds` of work. With a disk
  /// of usual speed, it must take at most a twentieth of this time, or less than 0.1 s.
  bool SavingPays(double seconds) const;
  /// Waits until no write is under way. Returns the error of any that failed.
  Status Drain() { return pool_.Drain(); }
  /// Saves `streams` as SpillStream::Save does, with one sync a directory for all of them.
  Status Save(std::span<SpillStream* const> streams) {
    return SpillStream::SaveAll(parts(), streams);
  }

 private:
  /// What the space consists of, once all is reserved and open.
  struct Contents {
    MemoryReservation reservation;
    Buffer memory;  // of the pages, then of the writers
    std::unique_ptr<SpillFiles> files;
  };
  SpillSpace(Contents contents, const Options& options, const WriterPlan& plan,
             MemoryBudget& budget);
  SpillParts parts() { return {*files_, pool_, tables_}; }

  const MemoryReservation reservation_;
  Buffer memory_;
  const std::unique_ptr<SpillFiles> files_;
  PagePool pool_;
  TableBudget tables_;
  PageWriters writers_;
};

}  // namespace edgemill

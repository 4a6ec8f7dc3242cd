// Temporary data in a fixed amount of memory, going on to one file a directory when that is full.
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
    return bytes > 0 && bytes % kSpillAlignment == 0 && bytes / sizeof(uint64_t) <= kMaxPageRecords;
  }
  /// Reserves `memory_bytes` and `table_bytes` in `budget`, and what page tables take beyond,
  /// SpillTableBytes a page, while streams grow. `budget` must outlive the space.
  static StatusOr<std::unique_ptr<SpillSpace>> Create(const Options& options, MemoryBudget& budget);
  /// The memory of one writer at the least, of Options::memory_bytes.
  static uint64_t WriterBytes(uint64_t page_bytes) { return WriterPlan::LeastBytes(page_bytes); }
  // When destroyed, removes the files, unless a stream was kept.

  /// A new, empty stream. Every stream that is being appended to holds one page; at most
  /// num_pages() / 2 may be.
  std::unique_ptr<SpillStream> NewStream(const SpillForm& form = SpillForm::Bytes()) {
    return std::make_unique<SpillStream>(parts(), form);
  }
  /// A stream that an earlier process saved (SpillStream::Open).
  StatusOr<std::unique_ptr<SpillStream>> OpenStream(StateReader* in,
                                                    const SpillForm& form = SpillForm::Bytes()) {
    return SpillStream::Open(parts(), form, in);
  }
  /// Says that all streams to be opened are: what no stream holds may be written again.
  void EndOpening() { files_->EndOpening(); }

  uint64_t page_bytes() const { return pool_.page_bytes(); }
  size_t num_pages() const { return pool_.num_pages(); }
  /// About how many bytes will be written in all: for the message when a disk is full.
  void Expect(uint64_t bytes) { files_->Expect(bytes); }
  /// Whether any page had to be written to a file for want of memory, or was saved.
  bool spilling() const { return files_->used(); }
  uint64_t bytes_written() const { return files_->bytes_written(); }
  uint64_t bytes_read() const { return files_->bytes_read(); }
  /// Whether to save all that is in memory pays after `seconds` of work: it takes a twentieth of
  /// them at the most, by a disk of usual speed, or a tenth of a second.
  bool SavingPays(double seconds) const;
  /// Waits until no write is under way; the error of any that failed.
  Status Drain() { return pool_.Drain(); }
  /// Saves `streams` as SpillStream::Save does, with one sync a directory for all of them.
  Status Save(std::span<SpillStream* const> streams) {
    return SpillStream::SaveAll(parts(), streams);
  }

 private:
  /// What the space consists of, once all is reserved and open.
  struct Contents {
    MemoryReservation reservation;
    Buffer memory;  // the pages, then what the writers have
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

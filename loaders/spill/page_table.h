// Where the pages of a stream are, and the memory that such tables take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/os/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/spill/spill_files.h"
#include "loaders/spill/spill_form.h"

namespace edgemill {

/// Memory that is reserved for the place and the checksums of one page. It counts them twice, since
/// growing tables are copied, and the journal has a copy.
constexpr uint64_t SpillTableBytes(uint64_t page_bytes) {
  return 2 * (sizeof(SpilledPage) + page_bytes / SpillChunkBytes(page_bytes) * sizeof(uint64_t));
}

/// The memory of all page tables of a space. Thread-safe.
class TableBudget {
 public:
  /// The caller has reserved `first_bytes`. More memory for the tables is reserved in `budget`, in
  /// steps. Pages have `page_bytes`.
  TableBudget(MemoryBudget& budget, uint64_t first_bytes, uint64_t page_bytes)
      : budget_(budget), first_bytes_(first_bytes), page_bytes_(page_bytes) {}

  /// Reserves memory for the tables of `pages` more pages. BudgetError when it does not fit.
  Status Reserve(uint64_t pages);
  void Release(uint64_t pages);

 private:
  MemoryBudget& budget_;
  const uint64_t first_bytes_;
  const uint64_t page_bytes_;
  Mutex mutex_;
  uint64_t pages_ GUARDED_BY(mutex_) = 0;
  std::vector<MemoryReservation> steps_ GUARDED_BY(mutex_);
};

/// How a stream is divided into pages.
class PageLayout {
 public:
  /// For a space whose pages have `page_bytes`.
  PageLayout(const SpillForm& form, uint64_t page_bytes)
      : form_(form),
        page_bytes_(page_bytes / form.record_bytes * form.record_bytes),
        chunk_bytes_(SpillChunkBytes(page_bytes)) {}

  const SpillForm& form() const { return form_; }
  /// Bytes of a whole page: a multiple of a record's size.
  uint64_t page_bytes() const { return page_bytes_; }
  /// How many bytes share a checksum in pages that are not packed.
  uint64_t chunk_bytes() const { return chunk_bytes_; }
  /// How many bytes a stream of `size` bytes has in page `index`.
  uint64_t BytesOfPage(size_t index, uint64_t size) const;
  /// The most bytes of a page in its file.
  uint64_t MostFileBytes() const;
  size_t ChecksumsAPage() const;
  /// The checksums of a page that its file stores as `bytes`.
  std::vector<uint64_t> ChecksumsOf(std::span<const std::byte> bytes) const;

 private:
  const SpillForm form_;
  const uint64_t page_bytes_;
  const uint64_t chunk_bytes_;
};

/// The page table of one stream: where each page is, and its checksums once it is written. One
/// thread appends to the stream; readers and writers of its pages come at any time. Thread-safe.
class PageTable {
 public:
  explicit PageTable(const PageLayout& layout) : layout_(layout) {}

  const PageLayout& layout() const { return layout_; }
  size_t num_pages() const;
  SpilledPage page(size_t index) const;
  std::vector<SpilledPage> pages() const;
  /// The `count` checksums from number `first` on.
  std::vector<uint64_t> Checksums(size_t first, size_t count) const;
  /// The ranges of files that the stream has, except its tails.
  std::vector<SpillRange> Ranges() const;

  /// Adds a page, in `memory`.
  void Add(std::byte* memory);
  /// Notes that the last page, which was only in its file, is in `memory` too.
  void SetLast(std::byte* memory);
  /// Sets all pages of a stream that is opened again.
  void Restore(std::vector<SpilledPage> pages, std::vector<uint64_t> checksums);
  /// Ends the last page at the `tail_bytes` that it has. Returns its memory, or null if nothing is
  /// left to be done.
  std::byte* Seal(uint64_t tail_bytes);
  /// The bytes of page `index`, which is no longer being filled.
  uint64_t FilledBytes(size_t index) const;
  /// Takes the next `bytes`, a multiple of kSpillAlignment, from the range that is set aside for
  /// the stream. Sets a new range aside if it is too short.
  SpillRange AllocateRange(SpillFiles& files, uint64_t bytes);
  /// Sets the places of pages from `first` on to `pages`. Waits for readers of these pages in
  /// memory.
  void SetPages(size_t first, const std::vector<SpilledPage>& pages,
                const std::vector<std::vector<uint64_t>>& checksums);
  /// Returns the pages' memory, and removes it from the table.
  std::vector<std::byte*> ReleaseMemory();

  /// Page `first` if it is in memory, where it stays until EndRead. Otherwise the pages from
  /// `first` on that are only in their file, one after the other, as many as `wanted` bytes need.
  /// Packed pages have at most `max_read` bytes together in the file.
  std::vector<SpilledPage> BeginRead(size_t first, uint64_t wanted, uint64_t max_read) const;
  /// Ends the read of a page in memory.
  void EndRead() const;

 private:
  std::vector<SpilledPage> PagesInFile(size_t first, uint64_t wanted, uint64_t max_read) const
      REQUIRES(mutex_);

  const PageLayout layout_;
  mutable Mutex mutex_;
  mutable CondVar reads_done_;
  std::vector<SpilledPage> pages_ GUARDED_BY(mutex_);
  std::vector<uint64_t> checksums_ GUARDED_BY(mutex_);  // ChecksumsAPage of each page
  uint64_t tail_bytes_ GUARDED_BY(mutex_) = 0;  // of the last page, once it is sealed; 0: all
  SpillRange range_ GUARDED_BY(mutex_);  // set aside for the next pages, so that reads are long
  uint64_t written_bytes_ GUARDED_BY(mutex_) = 0;          // in files
  mutable size_t reads_under_way_ GUARDED_BY(mutex_) = 0;  // of pages in memory
};

}  // namespace edgemill

// The pages in memory that the streams of a space fill and its writers write.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "common/check.h"
#include "common/status.h"
#include "common/thread_annotations.h"

namespace edgemill {

class PageTable;

/// Memory in pages, with a count of fillers for each page: the stream that appends to it, and
/// copies that are placed in it. Thread-safe.
class PageMemory {
 public:
  PageMemory(std::span<std::byte> memory, uint64_t page_bytes)
      : memory_(memory), page_bytes_(page_bytes), fillers_(memory.size() / page_bytes) {}

  uint64_t page_bytes() const { return page_bytes_; }
  size_t num_pages() const { return fillers_.size(); }
  std::byte* page(size_t index) const { return memory_.data() + index * page_bytes_; }
  /// The page that has `byte`.
  std::byte* PageOf(const std::byte* byte) const { return page(IndexOf(byte)); }
  /// Called when a stream begins to fill `page`.
  void Begin(const std::byte* page) {
    CHECK_EQ(fillers_[IndexOf(page)].exchange(1), 0u);  // a page has one stream at a time
  }
  void Add(const std::byte* byte) { ++fillers_[IndexOf(byte)]; }
  /// Called when one of the fillers is done. Returns whether it was the last.
  bool End(const std::byte* byte) {
    const uint32_t before = fillers_[IndexOf(byte)].fetch_sub(1, std::memory_order_acq_rel);
    CHECK_GT(before, 0u);
    return before == 1;
  }
  /// Called when the stream of `page` is destroyed, whether it has filled the page or not.
  void Abandon(const std::byte* page) {
    CHECK_LE(fillers_[IndexOf(page)].exchange(0), 1u);  // no copies
  }

 private:
  size_t IndexOf(const std::byte* byte) const {
    return static_cast<size_t>(byte - memory_.data()) / page_bytes_;
  }

  const std::span<std::byte> memory_;
  const uint64_t page_bytes_;
  std::vector<std::atomic<uint32_t>> fillers_;
};

/// Consecutive full pages of a stream, for a writer.
struct PageRun {
  PageTable* table;
  size_t first;                             // index of the first
  std::vector<std::span<std::byte>> pages;  // what each holds
};

/// Gives streams pages to fill. Gives writers full pages to write only when few pages are free, so
/// that data that is freed early is never written. Thread-safe.
class PagePool {
 public:
  /// Writing starts when only `spare_pages` pages are free.
  PagePool(std::span<std::byte> memory, uint64_t page_bytes, size_t spare_pages);

  uint64_t page_bytes() const { return memory_.page_bytes(); }
  size_t num_pages() const { return memory_.num_pages(); }
  /// Pages that are not free.
  size_t num_taken() const;

  // For streams.
  /// Waits for a free page and takes it. Null if none can come free before the caller does its
  /// delayed copies (`has_copies`). BudgetError if none can come free at all. Also returns the
  /// error of an earlier write.
  StatusOr<std::byte*> Acquire(bool has_copies);
  /// Frees a page that was taken but not filled.
  void Give(std::byte* page);
  /// The memory of pages, and the count of their fillers.
  PageMemory& memory() { return memory_; }
  /// Called when a filler of the page of `byte`, number `index` of a stream, is done. The page may
  /// be written after its last filler.
  void EndFilling(PageTable* table, size_t index, const std::byte* byte);
  /// A thread calls BeginCopies when it has copies to do, and EndCopies when they are done.
  void BeginCopies();
  void EndCopies();
  /// Called when a stream is destroyed. Waits until no page of the stream is being written, and
  /// frees its pages.
  void RemoveStream(PageTable* table);

  // For writers.
  /// Waits until pages must be written. Returns the first full page and full pages that follow it
  /// in its stream, as many as fit `gather_bytes`. Nullopt after Stop.
  std::optional<PageRun> AwaitFull(uint64_t gather_bytes);
  /// Ends the write of `run`. If `written` is ok, its pages are in their file and become free.
  /// Otherwise `written` becomes the error of Acquire, WriteAll and Drain.
  void EndWriting(const PageRun& run, const Status& written);
  void Stop();

  /// Waits until all full pages are written. Returns the error of any write that failed.
  Status WriteAll();
  /// Waits until no write is under way. Returns the error of any that failed.
  Status Drain();

 private:
  struct FullPage {
    PageTable* table;
    size_t index;
    std::span<std::byte> bytes;
  };
  /// A run that a writer is writing.
  struct Writing {
    const PageTable* table;
    size_t first;
    size_t pages;
  };
  size_t InFlight() const REQUIRES(mutex_);
  bool ShouldWrite() const REQUIRES(mutex_);
  PageRun PopFull(uint64_t gather_bytes) REQUIRES(mutex_);
  void Free(std::byte* page) REQUIRES(mutex_);

  PageMemory memory_;
  const size_t spare_pages_;
  mutable Mutex mutex_;
  CondVar page_free_;  // a page is free, or a write or copies have ended
  CondVar work_;
  std::vector<std::byte*> free_ GUARDED_BY(mutex_);
  std::deque<FullPage> full_ GUARDED_BY(mutex_);
  std::vector<Writing> writing_ GUARDED_BY(mutex_);
  size_t copying_ GUARDED_BY(mutex_) = 0;     // threads that have copies to do
  size_t write_alls_ GUARDED_BY(mutex_) = 0;  // callers that want all of full_ written
  bool stopping_ GUARDED_BY(mutex_) = false;
  Status error_ GUARDED_BY(mutex_);
};

}  // namespace edgemill

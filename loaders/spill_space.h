// Temporary data in a fixed amount of memory, going on to files when that is full.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/buffer.h"
#include "common/file.h"
#include "common/memory_budget.h"
#include "common/status.h"
#include "common/thread_annotations.h"

namespace edgemill {

class SpillSpace;

/// A stream of bytes that is written once, in order, and read back. Its whole pages go to a file of its own
/// when the space runs out of memory; the last one only when the stream is sealed. Removes its file when destroyed,
/// unless Keep was called.
class SpillStream {
 public:
  ~SpillStream();
  SpillStream(const SpillStream&) = delete;
  SpillStream& operator=(const SpillStream&) = delete;

  uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// Appends `bytes`. Waits for writes when every page is taken. One thread at a time.
  Status Append(std::span<const std::byte> bytes);
  /// Reads `into.size()` bytes at `offset`. Fastest (direct I/O) when `offset` is a multiple of 4,096 and `into`
  /// aligned like it. Thread-safe, but not against Append.
  Status Read(uint64_t offset, std::span<std::byte> into) const;
  /// No more will be appended: the last page may go to the file too when memory is short.
  void Seal();
  /// Writes what is in memory to the file as well and syncs it: size() bytes survive a crash.
  Status Save();
  /// Leaves the file in place when destroyed: for an ingest that is to be resumed.
  void Keep() { keep_ = true; }

 private:
  friend class SpillSpace;
  SpillStream(SpillSpace* space, std::string name, std::string path)
      : space_(space), name_(std::move(name)), path_(std::move(path)) {}
  Status OpenFile();
  /// The page that byte size() belongs to, `inside` bytes into it.
  StatusOr<std::byte*> LastPage(uint64_t inside);
  Status ReadFile(uint64_t offset, std::span<std::byte> into) const;

  SpillSpace* const space_;
  const std::string name_;
  const std::string path_;
  File file_;  // opened by the first write
  uint64_t size_ = 0;
  std::vector<std::byte*> pages_;  // null where written out; changed under the space's mutex
  size_t writes_under_way_ = 0;    // under the space's mutex
  bool keep_ = false;
};

/// The memory and the writer threads that streams share. Thread-safe.
class SpillSpace {
 public:
  struct Options {
    std::vector<std::string> directories;  // existing; streams are spread over them by name
    uint64_t memory_bytes = 0;
    uint64_t page_bytes = 0;  // multiple of 4,096
  };
  /// Reserves `memory_bytes` in `budget`.
  static StatusOr<std::unique_ptr<SpillSpace>> Create(const Options& options, MemoryBudget& budget);
  ~SpillSpace();

  /// A new, empty stream. Every stream that is being appended to holds one page; at most num_pages() / 2 may be.
  std::unique_ptr<SpillStream> NewStream(const std::string& name);
  /// A stream that an earlier process saved with `size` bytes. BadDataError when its file is shorter.
  StatusOr<std::unique_ptr<SpillStream>> OpenStream(const std::string& name, uint64_t size);

  uint64_t page_bytes() const { return page_bytes_; }
  size_t num_pages() const { return num_pages_; }
  /// Whether any page had to be written to a file for want of memory.
  bool spilling() const;
  uint64_t bytes_written() const { return bytes_written_.load(std::memory_order_relaxed); }
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  /// Waits until no write is under way; the error of any that failed.
  Status Drain();
  /// Sends every whole page still in memory to its file.
  Status WriteOut();

 private:
  friend class SpillStream;
  struct FullPage {
    SpillStream* stream;
    size_t index;
  };
  SpillSpace() = default;
  std::string PathOf(const std::string& name) const;
  StatusOr<std::byte*> TakePage();
  void PageFull(SpillStream* stream, size_t index);
  void Forget(SpillStream* stream);
  void WriteLoop();
  Status WritePage(SpillStream* stream, size_t index, const std::byte* page);

  std::vector<std::string> directories_;
  uint64_t page_bytes_ = 0;
  size_t num_pages_ = 0;
  MemoryReservation reservation_;
  Buffer memory_;
  std::vector<std::thread> writers_;
  std::atomic<uint64_t> bytes_written_{0};
  mutable std::atomic<uint64_t> bytes_read_{0};

  mutable Mutex mutex_;
  CondVar page_free_;
  CondVar work_;
  std::vector<std::byte*> free_ GUARDED_BY(mutex_);
  std::vector<FullPage> full_ GUARDED_BY(mutex_);   // whole pages in memory, not asked to be written
  std::vector<FullPage> queue_ GUARDED_BY(mutex_);  // to be written, first in first out
  size_t queue_head_ GUARDED_BY(mutex_) = 0;
  size_t in_flight_ GUARDED_BY(mutex_) = 0;
  bool spilling_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  Status error_ GUARDED_BY(mutex_);
};

}  // namespace edgemill

// The temporary files of a space: one in each directory, so that hundreds of streams need neither a
// descriptor nor a sync each.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/os/file.h"
#include "common/status.h"
#include "common/thread_annotations.h"
#include "loaders/spill/spill_form.h"
#include "storage/io/preallocation.h"
#include "storage/io/timeout_engine.h"

namespace edgemill {

/// The file of one directory, and which of its bytes are taken. Thread-safe.
class SpillFile {
 public:
  /// Opens the file of `directory`: with `reopen` the existing file, otherwise an empty one.
  static StatusOr<std::unique_ptr<SpillFile>> Open(const std::string& directory, bool reopen);

  const File& file() const { return file_; }
  const std::string& directory() const { return directory_; }
  /// Whether the disk was found full, so that no more is written to this file.
  bool full() const;
  ExtentAllocator::Range Allocate(uint64_t bytes);
  void Free(const ExtentAllocator::Range& range);
  /// Notes that the disk is full and that `range` could not be written.
  void LeaveFull(const ExtentAllocator::Range& range);
  /// Frees everything except `taken`.
  void Restore(std::vector<ExtentAllocator::Range> taken);
  /// Frees ranges for the next writers. If the file system is short of room, it gets their disk
  /// space back first.
  void FreeAndPunch(std::vector<ExtentAllocator::Range> ranges);
  /// Sets disk space aside before a write that ends at `end`.
  void Preallocate(uint64_t end) { preallocation_.Cover(file_, end); }

 private:
  SpillFile(std::string directory, File file)
      : directory_(std::move(directory)), file_(std::move(file)) {}

  const std::string directory_;
  const File file_;
  Preallocation preallocation_;
  mutable Mutex mutex_;
  ExtentAllocator room_ GUARDED_BY(mutex_);
  bool full_ GUARDED_BY(mutex_) = false;
  /// The disk is short of room, and gets free ranges back.
  bool short_of_space_ GUARDED_BY(mutex_) = false;
};

/// The files of all directories, and transfers to and from them. Thread-safe.
class SpillFiles {
 public:
  /// Opens a file in each of `directories`. With `reopen` opens the files that an earlier process
  /// left there: nothing in them is freed or removed before EndOpening. If a disk is full and the
  /// need is unknown, the error asks for `page_bytes`.
  static StatusOr<std::unique_ptr<SpillFiles>> Open(const std::vector<std::string>& directories,
                                                    bool reopen, uint64_t page_bytes,
                                                    const IoPatience& patience);
  /// Removes the files, unless they are kept.
  ~SpillFiles();

  size_t size() const { return files_.size(); }
  const File& file(size_t index) const { return files_[index]->file(); }

  /// Notes that `ranges` belong to a stream that was opened again.
  void AddOpened(const std::vector<SpillRange>& ranges);
  /// Called when all streams are opened. Ranges that belong to no stream may be overwritten then.
  void EndOpening();
  /// Keeps the files, and what streams have in them, after destruction.
  void LeaveFiles();

  /// Takes a new range of `bytes`, from one file after the other whose disk is not full.
  SpillRange Allocate(uint64_t bytes);
  void Free(const SpillRange& range) { files_[range.file]->Free(range.room); }
  /// As Free, for ranges that were written. If the file system is short of room, it gets their disk
  /// space back first. Does nothing while the files are kept.
  void FreeAndPunch(const std::vector<SpillRange>& ranges);
  /// Whether the disk of file `index` was found full.
  bool full(size_t index) const { return files_[index]->full(); }

  /// Writes `bytes`, a multiple of kSpillAlignment, to the range that `allocate_range` gives, and
  /// returns this range. When a disk is full, tries the next range, unless all disks are full.
  /// Errors are those of TransferPool.
  template <typename AllocateRange>
  StatusOr<SpillRange> Write(std::span<std::byte> bytes, AllocateRange allocate_range) {
    for (;;) {
      const SpillRange range = allocate_range();
      const Status written = WriteTo(range, bytes);
      if (written.ok()) return range;
      if (!written.disk_full() || !LeaveFull(range)) return written;
    }
  }
  /// Reads any bytes of file `index` into any memory; fewer at the end of the file. Fastest when
  /// offset and memory are aligned to kSpillAlignment.
  StatusOr<size_t> Read(size_t index, uint64_t offset, std::span<std::byte> into);
  /// Makes what was written survive a crash.
  Status Sync();

  /// Sets about how many bytes will be written in all, for the message when a disk is full.
  void Expect(uint64_t bytes) { expected_bytes_.store(bytes, std::memory_order_relaxed); }
  /// Counts `bytes` of streams that were read.
  void CountRead(uint64_t bytes) { bytes_read_.fetch_add(bytes, std::memory_order_relaxed); }
  /// Whether streams have, or had, bytes in the files.
  bool used() const { return used_; }
  uint64_t bytes_written() const { return bytes_written_.load(std::memory_order_relaxed); }
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

 private:
  SpillFiles(uint64_t page_bytes, const IoPatience& patience)
      : page_bytes_(page_bytes), transfers_(patience) {}
  Status WriteTo(const SpillRange& range, std::span<std::byte> bytes);
  /// True if data for `range`, whose disk is full, may go to another file.
  bool LeaveFull(const SpillRange& range);
  /// Those of `ranges` that are in file `index`.
  static std::vector<ExtentAllocator::Range> RangesIn(size_t index,
                                                      const std::vector<SpillRange>& ranges);

  const uint64_t page_bytes_;
  std::vector<std::unique_ptr<SpillFile>> files_;
  TransferPool transfers_;
  std::atomic<size_t> next_file_{0};
  std::atomic<bool> used_{false};
  std::atomic<uint64_t> expected_bytes_{0};
  std::atomic<uint64_t> bytes_written_{0};
  std::atomic<uint64_t> bytes_read_{0};
  mutable Mutex mutex_;
  std::vector<SpillRange> opened_ GUARDED_BY(mutex_);
  bool keep_ GUARDED_BY(mutex_) = false;
  bool linked_ GUARDED_BY(mutex_) = false;  // the files' names survive a crash
};

}  // namespace edgemill

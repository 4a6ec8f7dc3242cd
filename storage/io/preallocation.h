// Disk space that is set aside ahead of writes.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/os/file.h"
#include "common/thread_annotations.h"

namespace edgemill {

/// Lengthens a file before writes go beyond its end. A file system does direct writes inside a file
/// at once. Writes that lengthen the file wait for each other, and for all earlier reads. Where
/// space cannot be set aside, or is short, the writes themselves lengthen the file. Thread-safe.
class Preallocation {
 public:
  /// Begins with a file of `bytes` to which no write is under way.
  void Begin(uint64_t bytes) {
    end_ = bytes;
    gave_up_ = false;
  }
  /// Call it before a write to `file` that ends at `end`. Returns false once, when it stops setting
  /// space aside until the next Begin.
  bool Cover(const File& file, uint64_t end);
  /// The end of what is set aside, or of the file.
  uint64_t end() const { return end_; }
  bool gave_up() const { return gave_up_; }

 private:
  Mutex mutex_;
  std::atomic<uint64_t> end_{0};
  std::atomic<bool> gave_up_{false};
};

}  // namespace edgemill

// Disk space that is set aside ahead of writes.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/os/file.h"
#include "common/thread_annotations.h"

namespace edgemill {

/// Makes a file longer ahead of the writes that go behind its end. A file system lets direct writes
/// inside a file go on at once. It makes those that lengthen the file wait for each other, and for
/// all earlier reads. Where space cannot be set aside, or is short, writes make the file longer as
/// they come. Thread-safe.
class Preallocation {
 public:
  /// Tells it that the file has `bytes`, and no write is under way.
  void Begin(uint64_t bytes) {
    end_ = bytes;
    gave_up_ = false;
  }
  /// Call it before a write to `file` that ends at `end`. False, once, when no more is set aside
  /// from now on, until Begin.
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

// Disk space that is set aside ahead of writes.
#pragma once

#include <atomic>
#include <cstdint>

#include "common/file.h"
#include "common/thread_annotations.h"

namespace edgemill {

/// Makes a file longer ahead of the writes that go behind its end. A file system lets direct writes
/// that make a file longer go one at a time, and each of them waits in line with all reads: several
/// at once are up to twice as fast where they need not, and beside reads many times. Where space
/// cannot be set aside, or is short, writes make the file longer as they come. Thread-safe.
class RoomAhead {
 public:
  /// Says that the file has `bytes`, and no write is under way.
  void Begin(uint64_t bytes) { end_ = bytes; }
  /// Before a write to `file` that ends at `end`.
  void Cover(const File& file, uint64_t end);
  /// Up to where the file may reach.
  uint64_t end() const { return end_; }

 private:
  Mutex mutex_;
  std::atomic<uint64_t> end_{0};
};

}  // namespace edgemill

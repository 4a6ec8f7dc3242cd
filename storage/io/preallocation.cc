#include "storage/io/preallocation.h"

#include <algorithm>

namespace edgemill {
namespace {

/// A file's length doubles at each step, but grows by at most this.
constexpr uint64_t kMaxBytesAhead = uint64_t{256} << 20;
/// The end of a shorter file is not worth a system call.
constexpr uint64_t kMinFileBytes = uint64_t{1} << 20;
/// At most the free space divided by this is set aside: the rest is for other files.
constexpr uint64_t kShareOfFree = 8;

}  // namespace

bool Preallocation::Cover(const File& file, uint64_t end) {
  if (end <= end_ || end < kMinFileBytes || gave_up_) return true;
  MutexLock lock(mutex_);
  if (end <= end_ || gave_up_) return true;
  const uint64_t bytes = end + std::min(end, kMaxBytesAhead) - end_;
  const StatusOr<uint64_t> free_bytes = FreeDiskBytes(file.path());
  gave_up_ =
      !free_bytes.ok() || *free_bytes / kShareOfFree <= bytes || !file.SetAside(end_, bytes).ok();
  if (!gave_up_) end_ = end_ + bytes;
  return !gave_up_;
}

}  // namespace edgemill

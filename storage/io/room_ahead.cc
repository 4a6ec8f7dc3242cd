#include "storage/io/room_ahead.h"

#include <algorithm>
#include <limits>

namespace edgemill {
namespace {

/// A file grows by what it has, up to so much at a time.
constexpr uint64_t kMostBytesAhead = uint64_t{256} << 20;
/// The end of a shorter file is not worth a system call.
constexpr uint64_t kLeastFileBytes = uint64_t{1} << 20;
/// Of the free space, one part in so many may be set aside: the rest is for other files.
constexpr uint64_t kShareOfFree = 8;

}  // namespace

void RoomAhead::Cover(const File& file, uint64_t end) {
  if (end <= end_ || end < kLeastFileBytes) return;
  MutexLock lock(mutex_);
  if (end <= end_) return;
  const uint64_t bytes = end + std::min(end, kMostBytesAhead) - end_;
  const StatusOr<uint64_t> free_bytes = FreeDiskBytes(file.path());
  const bool set_aside =
      free_bytes.ok() && *free_bytes / kShareOfFree > bytes && file.SetAside(end_, bytes).ok();
  end_ = set_aside ? end_ + bytes : std::numeric_limits<uint64_t>::max();
}

}  // namespace edgemill

#include "storage/read/range_arena.h"

#include <sys/mman.h>

#include <bit>
#include <iterator>

#include "common/check.h"

namespace edgemill {

StatusOr<RangeArena> RangeArena::Create(uint64_t bytes, uint32_t unit) {
  CHECK(std::has_single_bit(unit) && unit <= kGuardBytes);
  RangeArena arena;
  arena.unit_ = unit;
  arena.size_bytes_ = bytes / unit * unit;
  arena.free_bytes_ = arena.size_bytes_;
  if (arena.size_bytes_ == 0) return arena;
  ASSIGN_OR_RETURN(arena.memory_, Buffer::Allocate(arena.size_bytes_ + kGuardBytes));
  // Large pages make pinning for direct I/O, and the gathers of decoders, cheaper. The kernel may
  // refuse them.
  madvise(arena.memory_.data(), arena.memory_.size(), MADV_HUGEPAGE);
  arena.gaps_.emplace(0, arena.size_bytes_);
  return arena;
}

std::span<std::byte> RangeArena::Allocate(uint64_t bytes) {
  const uint64_t wanted = (bytes + unit_ - 1) / unit_ * unit_;
  CHECK_GT(wanted, 0u);
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    if (gap->second < wanted) continue;
    const uint64_t offset = gap->first;
    const uint64_t left = gap->second - wanted;
    const auto after = gaps_.erase(gap);
    if (left > 0) gaps_.emplace_hint(after, offset + wanted, left);
    free_bytes_ -= wanted;
    return {memory_.data() + offset, wanted};
  }
  return {};
}

void RangeArena::Free(std::span<std::byte> range) {
  uint64_t offset = static_cast<uint64_t>(range.data() - memory_.data());
  uint64_t length = range.size();
  CHECK_LE(offset + length, size_bytes_);
  free_bytes_ += length;
  auto after = gaps_.lower_bound(offset);
  CHECK(after == gaps_.end() || offset + length <= after->first);  // a range is freed once
  if (after != gaps_.end() && after->first == offset + length) {
    length += after->second;
    after = gaps_.erase(after);
  }
  if (after != gaps_.begin()) {
    const auto before = std::prev(after);
    CHECK_LE(before->first + before->second, offset);
    if (before->first + before->second == offset) {
      before->second += length;
      return;
    }
  }
  gaps_.emplace_hint(after, offset, length);
}

}  // namespace edgemill

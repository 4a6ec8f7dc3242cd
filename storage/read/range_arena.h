// Hands out contiguous ranges of any length from one mapping, so that blocks of all sizes share a
// budget exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "common/buffer.h"
#include "common/status.h"

namespace edgemill {

/// Hands out ranges first fit, in address order; freed neighbours merge. Its resident memory never
/// exceeds its size, whatever ranges are taken and freed in any order. Not thread-safe.
class RangeArena {
 public:
  /// Readable bytes behind the last range, so that decoders may load whole vectors there.
  static constexpr size_t kGuardBytes = 4096;

  RangeArena() = default;
  /// Maps `bytes` (and the guard); ranges start at multiples of `unit` (a power of two, at most
  /// 4,096).
  static StatusOr<RangeArena> Create(uint64_t bytes, uint32_t unit);

  /// A range of `bytes` rounded up to the unit; empty when no gap is long enough. Cost: looks at
  /// each gap.
  std::span<std::byte> Allocate(uint64_t bytes);
  /// Gives back a range exactly as Allocate returned it.
  void Free(std::span<std::byte> range);

  uint64_t free_bytes() const { return free_bytes_; }
  uint64_t size_bytes() const { return size_bytes_; }
  /// All of the memory.
  std::span<std::byte> memory() { return memory_.bytes(); }

 private:
  Buffer memory_;
  uint64_t size_bytes_ = 0;
  uint64_t free_bytes_ = 0;
  uint32_t unit_ = 1;
  std::map<uint64_t, uint64_t> gaps_;  // offset to length
};

}  // namespace edgemill

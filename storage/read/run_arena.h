// Contiguous runs of memory of any length out of one mapping, so that blocks of all sizes share a
// budget exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "common/buffer.h"
#include "common/status.h"

namespace edgemill {

/// Hands out runs first fit, in address order; freed neighbours merge. Its resident memory never
/// exceeds its size, whatever the sizes and order of what is taken and freed. Not thread-safe.
class RunArena {
 public:
  /// Readable bytes behind the last run, so that decoders may load whole vectors there.
  static constexpr size_t kGuardBytes = 4096;

  RunArena() = default;
  /// Maps `bytes` (and the guard); runs start at multiples of `unit` (a power of two, at most
  /// 4,096).
  static StatusOr<RunArena> Create(uint64_t bytes, uint32_t unit);

  /// A run of `bytes` rounded up to the unit; empty when no gap is long enough. Cost: one look a
  /// gap.
  std::span<std::byte> Allocate(uint64_t bytes);
  /// Gives back a run exactly as Allocate returned it.
  void Free(std::span<std::byte> run);

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

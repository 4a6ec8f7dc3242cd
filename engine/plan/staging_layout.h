// The layout of a staging buffer's pinned memory, and the bytes that a block takes on the GPU.
#pragma once

#include <cstdint>

#include "kernels/gpu/edge_kernels.h"
#include "storage/format/group_codec.h"
#include "storage/read/block_cache.h"

namespace edgemill {

/// A buffer begins with lists of its blocks and copies. Payloads follow.
struct StagingLayout {
  static constexpr uint32_t kMaxBlocks = 1024;
  static constexpr uint32_t kMaxCopies = 2 * kMaxBlocks;  // of neighbours, and of weights
  static constexpr uint64_t kListsBytes =
      kMaxBlocks * sizeof(BlockPlace) + kMaxCopies * sizeof(CopyRange);
  /// Payloads start at multiples of this, so that copies and lines stay aligned.
  static constexpr uint64_t kAlignment = 128;

  static constexpr uint64_t Aligned(uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  /// The pinned memory of a buffer for `bytes` of payloads.
  static constexpr uint64_t HostBytes(uint64_t bytes) { return bytes + kListsBytes; }

  /// Payloads that are neighbours in the host's memory are copied together with the gap between
  /// them, if it is less than this. There are gaps because the block cache rounds sizes up.
  static constexpr uint64_t kMaxGap = 2 * kAlignment;
  /// The most bytes that a payload takes on the GPU, with such a gap.
  static constexpr uint64_t DeviceBytes(uint64_t bytes) {
    return bytes == 0 ? 0 : Aligned(bytes) + kAlignment;
  }
  static_assert(kAlignment % BlockCache::kUnitBytes == 0 && kAlignment >= kDecodeSlackBytes);
};

}  // namespace edgemill

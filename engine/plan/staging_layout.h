// How a staging buffer's pinned memory is laid out, and what a block takes on the GPU.
#pragma once

#include <cstdint>

#include "kernels/gpu/edge_kernels.h"
#include "storage/format/group_codec.h"
#include "storage/read/block_cache.h"

namespace edgemill {

/// First the lists of what is in the buffer, then payloads.
struct StagingLayout {
  static constexpr uint32_t kMaxBlocks = 1024;
  static constexpr uint32_t kMaxCopies = 2 * kMaxBlocks;  // neighbours, weights
  static constexpr uint64_t kListsBytes =
      kMaxBlocks * sizeof(BlockPlace) + kMaxCopies * sizeof(CopyRange);
  /// Payloads start at multiples of this, so that copies and lines stay aligned.
  static constexpr uint64_t kAlignment = 128;

  static constexpr uint64_t Aligned(uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  /// Pinned memory of a buffer for `bytes` of payloads.
  static constexpr uint64_t HostBytes(uint64_t bytes) { return bytes + kListsBytes; }

  /// Neighbours in the host's memory are copied with the little that lies between them: less than
  /// this, as the block cache rounds up.
  static constexpr uint64_t kMaxGap = 2 * kAlignment;
  /// What a payload takes on the GPU at most, with that.
  static constexpr uint64_t DeviceBytes(uint64_t bytes) {
    return bytes == 0 ? 0 : Aligned(bytes) + kAlignment;
  }
  static_assert(kAlignment % BlockCache::kUnitBytes == 0 && kAlignment >= kDecodeSlackBytes);
};

}  // namespace edgemill

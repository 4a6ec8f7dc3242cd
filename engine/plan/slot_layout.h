// How the host's pinned memory of a slot (block_slots.h) is laid out.
#pragma once

#include <cstdint>

#include "kernels/edge_kernels.h"

namespace edgemill {

/// First the lists of what is in the slot, then payloads.
struct SlotLayout {
  static constexpr uint32_t kMostBlocks = 1024;
  static constexpr uint32_t kMostPieces = 2 * kMostBlocks;  // neighbours, weights
  static constexpr uint64_t kListsBytes =
      kMostBlocks * sizeof(BlockPlace) + kMostPieces * sizeof(CopyPiece);
  /// Payloads start at multiples of this, so that copies and lines stay aligned.
  static constexpr uint64_t kAlignment = 128;

  static constexpr uint64_t Aligned(uint64_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  /// Pinned memory of a slot for `bytes` of payloads.
  static constexpr uint64_t HostBytes(uint64_t bytes) { return bytes + kListsBytes; }
};

}  // namespace edgemill

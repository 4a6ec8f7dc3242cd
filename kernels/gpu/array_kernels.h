// Kernels over plain arrays on a GPU, of elements of any size. None waits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/types.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// An element's bytes.
struct ElementBytes {
  static constexpr uint32_t kMax = 16;
  uint32_t size = 0;
  unsigned char bytes[kMax] = {};
};

/// Writes `count` copies of `element` at `place`, one after the other. Fastest for 1, 2, 4, 8 and
/// 16 bytes.
void LaunchFillElements(std::byte* place, const ElementBytes& element, uint64_t count,
                        CUstream_st* stream);

/// Copies the elements at `place`, of `element_bytes` each, that have these `count` indexes: in
/// their order to `to`. `indexes` and `to` may be in pinned memory of the host.
void LaunchGatherElements(std::byte* to, const std::byte* place, uint32_t element_bytes,
                          const VertexId* indexes, uint64_t count, CUstream_st* stream);

/// Which elements of an array are packed, in their order: element 32 * numbers[i] + j where bit j
/// of words[i] is set. `offsets`: how many come before words 0, 32, 64 and so on. All may be in
/// pinned memory of the host.
struct PackedMembers {
  static constexpr uint32_t kWordsAnOffset = 32;
  const uint32_t* words = nullptr;
  const uint32_t* numbers = nullptr;
  const uint32_t* offsets = nullptr;
  uint32_t num_words = 0;
};
/// Copies elements from their places in an array at `place` to a row at `packed`, which may be in
/// pinned memory of the host; and from there to their places. Fastest for 1, 2, 4, 8 and 16 bytes.
void LaunchPackMembers(std::byte* packed, const std::byte* place, uint32_t element_bytes,
                       const PackedMembers& members, CUstream_st* stream);
void LaunchUnpackMembers(std::byte* place, const std::byte* packed, uint32_t element_bytes,
                         const PackedMembers& members, CUstream_st* stream);

}  // namespace edgemill

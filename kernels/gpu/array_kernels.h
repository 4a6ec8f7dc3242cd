// Kernels over plain arrays on a GPU, with elements of any size. No function waits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/types.h"

struct CUstream_st;  // CUDA's stream

namespace edgemill {

/// The bytes of one element.
struct ElementBytes {
  static constexpr uint32_t kMax = 16;
  uint32_t size = 0;
  unsigned char bytes[kMax] = {};
};

/// Writes `count` copies of `element` at `place`, one after the other. Fastest for 1, 2, 4, 8 and
/// 16 bytes.
void LaunchFillElements(std::byte* place, const ElementBytes& element, uint64_t count,
                        CUstream_st* stream);

/// Copies elements of `element_bytes` each from the array at `place` to `to`. Element k of `to`
/// gets element indexes[k] of the array, for `count` indexes. `indexes` and `to` may be in pinned
/// memory of the host.
void LaunchGatherElements(std::byte* to, const std::byte* place, uint32_t element_bytes,
                          const VertexId* indexes, uint64_t count, CUstream_st* stream);

/// The elements of an array whose bit is set in `words`, of the first `count`.
struct MembersOfArray {
  const uint32_t* words = nullptr;
  uint64_t count = 0;
};
/// Copies these elements from the array at `from` to the same places of the array at `to`. All may
/// be in another GPU's memory that this one can reach.
void LaunchCopyMembers(std::byte* to, const std::byte* from, uint32_t element_bytes,
                       const MembersOfArray& members, CUstream_st* stream);

/// Which elements of an array are packed, in order. Element 32 * numbers[i] + j is packed if bit j
/// of words[i] is set. `offsets`: how many elements come before words 0, 32, 64 and so on. All
/// arrays may be in pinned memory of the host.
struct PackedMembers {
  static constexpr uint32_t kWordsAnOffset = 32;
  const uint32_t* words = nullptr;
  const uint32_t* numbers = nullptr;
  const uint32_t* offsets = nullptr;
  uint32_t num_words = 0;
};
/// Pack copies elements from their places in the array at `place` to a row at `packed`. Unpack
/// copies them from the row to their places. `packed` may be in pinned memory of the host. Elements
/// of 1, 2, 4, 8 and 16 bytes are fastest.
void LaunchPackMembers(std::byte* packed, const std::byte* place, uint32_t element_bytes,
                       const PackedMembers& members, CUstream_st* stream);
void LaunchUnpackMembers(std::byte* place, const std::byte* packed, uint32_t element_bytes,
                         const PackedMembers& members, CUstream_st* stream);

}  // namespace edgemill

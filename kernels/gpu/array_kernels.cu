#include "kernels/gpu/array_kernels.h"
#include "kernels/gpu/frontier_members.cuh"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint64_t kMaxThreadBlocks = 2048;

uint32_t ThreadBlocks(uint64_t threads) {
  const uint64_t wanted = (threads + kThreads - 1) / kThreads;
  return static_cast<uint32_t>(wanted == 0                 ? 1
                               : wanted > kMaxThreadBlocks ? kMaxThreadBlocks
                                                           : wanted);
}

/// `words` has 16 bytes of repeated elements.
__global__ void FillWordsKernel(std::byte* place, uint4 words, uint64_t bytes) {
  auto* const whole = reinterpret_cast<uint4*>(place);
  for (uint64_t i = ThreadNumber(); i < bytes / sizeof(uint4); i += NumThreads()) whole[i] = words;
  if (ThreadNumber() > 0) return;
  const auto* const from = reinterpret_cast<const std::byte*>(&words);
  for (uint64_t i = bytes / sizeof(uint4) * sizeof(uint4); i < bytes; ++i) {
    place[i] = from[i % sizeof(uint4)];
  }
}

__global__ void FillElementsKernel(std::byte* place, ElementBytes element, uint64_t count) {
  for (uint64_t i = ThreadNumber(); i < count; i += NumThreads()) {
    for (uint32_t byte = 0; byte < element.size; ++byte) {
      place[i * element.size + byte] = static_cast<std::byte>(element.bytes[byte]);
    }
  }
}

__global__ void GatherElementsKernel(std::byte* to, const std::byte* place, uint32_t element_bytes,
                                     const VertexId* indexes, uint64_t count) {
  for (uint64_t i = ThreadNumber(); i < count; i += NumThreads()) {
    const std::byte* const from = place + uint64_t{indexes[i]} * element_bytes;
    for (uint32_t byte = 0; byte < element_bytes; ++byte) {
      to[i * element_bytes + byte] = from[byte];
    }
  }
}

/// Calls visit(index, rank) for each member. A warp takes 32 words at a time; for each word, lane i
/// visits bit i.
template <typename Visit>
__device__ inline void VisitPacked(const PackedMembers& members, Visit visit) {
  static_assert(PackedMembers::kWordsAnOffset == kWarpSize);
  const uint32_t lane = threadIdx.x % kWarpSize;
  for (uint64_t base = ThreadNumber() - lane; base < members.num_words; base += NumThreads()) {
    const bool has_word = base + lane < members.num_words;
    const uint32_t mine = has_word ? members.words[base + lane] : 0;
    const uint32_t number = has_word ? members.numbers[base + lane] : 0;
    const uint32_t size = __popc(mine);
    uint32_t end = size;  // rank after the word's last, in this warp
#pragma unroll
    for (uint32_t by = 1; by < kWarpSize; by *= 2) {
      const uint32_t below = __shfl_up_sync(kAllLanes, end, by);
      if (lane >= by) end += below;
    }
    const uint32_t begin = members.offsets[base / kWarpSize] + end - size;
    for (uint32_t left = __ballot_sync(kAllLanes, mine != 0); left != 0; left &= left - 1) {
      const uint32_t from = __ffs(left) - 1;
      const uint32_t bits = __shfl_sync(kAllLanes, mine, from);
      const uint32_t first = __shfl_sync(kAllLanes, begin, from);
      const uint64_t word = __shfl_sync(kAllLanes, number, from);
      if ((bits >> lane & 1) == 0) continue;
      visit(word * 32 + lane, first + __popc(bits & ((1u << lane) - 1)));
    }
  }
}

template <typename T>
__global__ void PackMembersKernel(T* packed, const T* place, PackedMembers members) {
  VisitPacked(members, [&](uint64_t index, uint64_t rank) { packed[rank] = place[index]; });
}

template <typename T>
__global__ void UnpackMembersKernel(T* place, const T* packed, PackedMembers members) {
  VisitPacked(members, [&](uint64_t index, uint64_t rank) { place[index] = packed[rank]; });
}

/// For elements of any size.
__global__ void PackBytesKernel(std::byte* packed, const std::byte* place, uint32_t element_bytes,
                                PackedMembers members) {
  VisitPacked(members, [&](uint64_t index, uint64_t rank) {
    for (uint32_t byte = 0; byte < element_bytes; ++byte) {
      packed[rank * element_bytes + byte] = place[index * element_bytes + byte];
    }
  });
}

__global__ void UnpackBytesKernel(std::byte* place, const std::byte* packed, uint32_t element_bytes,
                                  PackedMembers members) {
  VisitPacked(members, [&](uint64_t index, uint64_t rank) {
    for (uint32_t byte = 0; byte < element_bytes; ++byte) {
      place[index * element_bytes + byte] = packed[rank * element_bytes + byte];
    }
  });
}

template <typename T>
__global__ void CopyMembersKernel(T* to, const T* from, MembersOfArray members) {
  VisitMemberWords(members.words, members.count, [&](VertexId index, bool is_member) {
    if (is_member) to[index] = from[index];
  });
}

/// For elements of any size.
__global__ void CopyMemberBytesKernel(std::byte* to, const std::byte* from, uint32_t element_bytes,
                                      MembersOfArray members) {
  VisitMemberWords(members.words, members.count, [&](VertexId index, bool is_member) {
    const uint64_t at = uint64_t{index} * element_bytes;
    for (uint32_t byte = 0; is_member && byte < element_bytes; ++byte)
      to[at + byte] = from[at + byte];
  });
}

/// Calls `call(element)` with a value of a type of `element_bytes` bytes. If there is no such type,
/// or `address` is not aligned for it, calls `otherwise()`.
template <typename Call, typename Otherwise>
void WithElementType(uint32_t element_bytes, const void* address, Call call, Otherwise otherwise) {
  if (reinterpret_cast<uintptr_t>(address) % element_bytes != 0) return otherwise();
  switch (element_bytes) {
    case 1:
      return call(uint8_t());
    case 2:
      return call(uint16_t());
    case 4:
      return call(uint32_t());
    case 8:
      return call(uint64_t());
    case 16:
      return call(uint4());
    default:
      return otherwise();
  }
}

}  // namespace

void LaunchFillElements(std::byte* place, const ElementBytes& element, uint64_t count,
                        CUstream_st* stream) {
  const bool is_even = (element.size & (element.size - 1)) == 0 &&
                       reinterpret_cast<uintptr_t>(place) % sizeof(uint4) == 0;
  if (!is_even) {
    FillElementsKernel<<<ThreadBlocks(count), kThreads, 0, stream>>>(place, element, count);
    return;
  }
  uint4 words;
  auto* const bytes = reinterpret_cast<unsigned char*>(&words);
  for (uint32_t i = 0; i < sizeof(words); ++i) bytes[i] = element.bytes[i % element.size];
  FillWordsKernel<<<ThreadBlocks(count * element.size / sizeof(uint4)), kThreads, 0, stream>>>(
      place, words, count * element.size);
}

void LaunchGatherElements(std::byte* to, const std::byte* place, uint32_t element_bytes,
                          const VertexId* indexes, uint64_t count, CUstream_st* stream) {
  GatherElementsKernel<<<ThreadBlocks(count), kThreads, 0, stream>>>(to, place, element_bytes,
                                                                     indexes, count);
}

void LaunchCopyMembers(std::byte* to, const std::byte* from, uint32_t element_bytes,
                       const MembersOfArray& members, CUstream_st* stream) {
  const uint32_t blocks = ThreadBlocks(members.count);
  WithElementType(
      element_bytes, to,
      [&](auto element) {
        using T = decltype(element);
        CopyMembersKernel<<<blocks, kThreads, 0, stream>>>(
            reinterpret_cast<T*>(to), reinterpret_cast<const T*>(from), members);
      },
      [&] {
        CopyMemberBytesKernel<<<blocks, kThreads, 0, stream>>>(to, from, element_bytes, members);
      });
}

void LaunchPackMembers(std::byte* packed, const std::byte* place, uint32_t element_bytes,
                       const PackedMembers& members, CUstream_st* stream) {
  const uint32_t blocks = ThreadBlocks(members.num_words);
  WithElementType(
      element_bytes, place,
      [&](auto element) {
        using T = decltype(element);
        PackMembersKernel<<<blocks, kThreads, 0, stream>>>(
            reinterpret_cast<T*>(packed), reinterpret_cast<const T*>(place), members);
      },
      [&] {
        PackBytesKernel<<<blocks, kThreads, 0, stream>>>(packed, place, element_bytes, members);
      });
}

void LaunchUnpackMembers(std::byte* place, const std::byte* packed, uint32_t element_bytes,
                         const PackedMembers& members, CUstream_st* stream) {
  const uint32_t blocks = ThreadBlocks(members.num_words);
  WithElementType(
      element_bytes, place,
      [&](auto element) {
        using T = decltype(element);
        UnpackMembersKernel<<<blocks, kThreads, 0, stream>>>(
            reinterpret_cast<T*>(place), reinterpret_cast<const T*>(packed), members);
      },
      [&] {
        UnpackBytesKernel<<<blocks, kThreads, 0, stream>>>(place, packed, element_bytes, members);
      });
}

}  // namespace edgemill

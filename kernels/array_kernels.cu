#include "kernels/array_kernels.h"
#include "kernels/frontier_members.cuh"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint64_t kMostThreadBlocks = 2048;

uint32_t ThreadBlocks(uint64_t threads) {
  const uint64_t wanted = (threads + kThreads - 1) / kThreads;
  return static_cast<uint32_t>(wanted == 0                  ? 1
                               : wanted > kMostThreadBlocks ? kMostThreadBlocks
                                                            : wanted);
}

/// `words` is 16 bytes of elements in a row.
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

}  // namespace edgemill

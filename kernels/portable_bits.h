// Operations on the bits of a number, for host and device.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/portable_atomics.h"

namespace edgemill {

/// How many bits of `bits` are set. In code for GPUs, std::popcount compiles and gives 0 (CUDA 13).
EM_HOST_DEVICE inline uint32_t CountBits(uint64_t bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<uint32_t>(__popcll(bits));
#else
  return static_cast<uint32_t>(std::popcount(bits));
#endif
}

}  // namespace edgemill

// An order of vertices that a seed chooses: the same on every processor.
#pragma once

#include <cstdint>

#include "common/types.h"
#include "engine/api/options.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

inline constexpr Option<uint64_t> kOrderSeed{
    .names = "--order-seed", .help = "chooses the order of vertices", .value = 1};

/// A vertex's key in the order of `seed`. All keys differ: for each seed this is a bijection of 32
/// bits, two rounds of xor, shift and multiplication by odd numbers (Ellis, Prospecting for Hash
/// Functions, 2018).
EM_HOST_DEVICE constexpr uint32_t OrderKey(VertexId v, uint64_t seed) {
  uint32_t x = v + static_cast<uint32_t>(seed);
  x = (x ^ x >> 16) * 0x7feb352d;
  x ^= static_cast<uint32_t>(seed >> 32);
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}

}  // namespace edgemill

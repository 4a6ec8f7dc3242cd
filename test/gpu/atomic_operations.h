// Atomic operations of kernels/portable_atomics.h, for tests: one source for the host and for a
// GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/portable_atomics.h"

struct CUstream_st;

namespace edgemill {

/// Two values in 8 bytes.
struct SumAndMost {
  uint32_t sum;
  int32_t most;
};

enum class AtomicUse : uint8_t { kMin, kMax, kAdd, kOr, kCombine, kExchange, kReplace };

template <typename T>
struct AtomicStep {
  uint32_t place;
  T value;
};

/// The operation of kCombine and kReplace. For numbers it is commutative, but not min, max or sum.
struct CombineAtomically {
  template <typename T>
  EM_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_class_v<T>) {
      return {a.sum + b.sum, a.most < b.most ? b.most : a.most};
    } else if constexpr (std::is_floating_point_v<T>) {
      return a + b + 1;
    } else {
      return static_cast<T>(a ^ b);
    }
  }
};

/// Does a step. Returns the value before. For kMin and kMax, returns whether the value changed.
template <typename T>
EM_HOST_DEVICE inline T DoAtomically(AtomicUse use, T* places, const AtomicStep<T>& step) {
  T* const place = places + step.place;
  if constexpr (!std::is_class_v<T>) {
    if (use == AtomicUse::kMin) return static_cast<T>(AtomicMin(place, step.value));
    if (use == AtomicUse::kMax) return static_cast<T>(AtomicMax(place, step.value));
    if (use == AtomicUse::kAdd) return AtomicAdd(place, step.value);
  }
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {
    if (use == AtomicUse::kOr) return AtomicOr(place, step.value);
  }
  if (use == AtomicUse::kCombine) return AtomicCombine(place, step.value, CombineAtomically());
  if (use == AtomicUse::kExchange) return AtomicExchange(place, step.value);
  while (true) {
    const T seen = LoadRelaxed(place);
    if (AtomicReplace(place, seen, CombineAtomically()(seen, step.value))) return seen;
  }
}

/// Does `count` steps in any order, in parallel. All pointers are to memory on the GPU.
template <typename T>
void LaunchAtomically(AtomicUse use, T* places, const AtomicStep<T>* steps, uint32_t count,
                      T* returned, CUstream_st* stream);

/// Sets bits. For each one, `were_clear` says afterwards whether the bit was clear before.
void LaunchSetBits(uint64_t* words, const uint32_t* bits, uint32_t count, uint8_t* were_clear,
                   CUstream_st* stream);

}  // namespace edgemill

// What lets one source compile for the host and for a GPU.
#pragma once

#include <atomic>
#include <cstdint>

#if defined(__CUDACC__)
#define EM_HOST_DEVICE __host__ __device__
#else
#define EM_HOST_DEVICE
#endif

namespace edgemill {

// Vertex state is read and written by many threads at once wherever an order-independent program
// runs. These are the accesses that make that defined; on the host each compiles to a plain load or
// store.

/// Reads `*place` while others may write it.
template <typename T>
EM_HOST_DEVICE inline T LoadRelaxed(const T* place) {
  return std::atomic_ref<T>(*const_cast<T*>(place)).load(std::memory_order_relaxed);
}

/// Writes `*place` while others may read it.
template <typename T>
EM_HOST_DEVICE inline void StoreRelaxed(T* place, T value) {
  std::atomic_ref<T>(*place).store(value, std::memory_order_relaxed);
}

/// Sets `*place` to `value` if that is less; returns whether it was.
template <typename T>
EM_HOST_DEVICE inline bool AtomicMin(T* place, T value) {
  std::atomic_ref<T> shared(*place);
  T seen = shared.load(std::memory_order_relaxed);
  while (value < seen) {
    if (shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
  }
  return false;
}

/// Replaces `*place` by `combine(*place, value)`; returns what was there before.
template <typename T, typename Combine>
EM_HOST_DEVICE inline T AtomicCombine(T* place, T value, Combine combine) {
  std::atomic_ref<T> shared(*place);
  T seen = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(seen, combine(seen, value), std::memory_order_relaxed)) {
  }
  return seen;
}

/// Writes `value` to `*place` if it holds `expected`; returns whether it did.
template <typename T>
EM_HOST_DEVICE inline bool AtomicReplace(T* place, T expected, T value) {
  return std::atomic_ref<T>(*place).compare_exchange_strong(expected, value,
                                                            std::memory_order_relaxed);
}

/// Bit `bit % 64` of word `bit / 64`, while others may set bits.
EM_HOST_DEVICE inline bool TestBit(const uint64_t* words, uint64_t bit) {
  return (LoadRelaxed(&words[bit / 64]) >> (bit % 64) & 1) != 0;
}

/// Sets bit `bit % 64` of word `bit / 64`; returns whether it was clear. Looks before it writes.
EM_HOST_DEVICE inline bool AtomicSetBit(uint64_t* words, uint64_t bit) {
  const uint64_t mask = uint64_t{1} << (bit % 64);
  std::atomic_ref<uint64_t> word(words[bit / 64]);
  if ((word.load(std::memory_order_relaxed) & mask) != 0) return false;
  return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
}

/// Puts `value` in `*place`; returns what was there.
template <typename T>
EM_HOST_DEVICE inline T AtomicExchange(T* place, T value) {
  return std::atomic_ref<T>(*place).exchange(value, std::memory_order_relaxed);
}

}  // namespace edgemill

// Lets one source compile for the host and for a GPU.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__CUDACC__)
#define EM_HOST_DEVICE __host__ __device__
#else
#define EM_HOST_DEVICE
#endif

namespace edgemill {

// Many threads read and write vertex state at once where an order-independent program runs. These
// accesses make that well defined on both processors. All are relaxed. Places have 1, 2, 4 or 8
// bytes. On the host, LoadRelaxed and StoreRelaxed compile to plain loads and stores.

#if defined(__CUDA_ARCH__)
namespace internal {

/// The unsigned integer of a T's size, for CUDA's atomic operations.
template <typename T>
using AtomicWord = std::conditional_t<
    sizeof(T) == 8, unsigned long long,
    std::conditional_t<sizeof(T) == 4, unsigned int,
                       std::conditional_t<sizeof(T) == 2, unsigned short, unsigned char>>>;

template <typename T>
__device__ inline AtomicWord<T> ToWord(T value) {
  static_assert(sizeof(T) == sizeof(AtomicWord<T>));
  AtomicWord<T> word;
  memcpy(&word, &value, sizeof(word));
  return word;
}
template <typename T>
__device__ inline T FromWord(AtomicWord<T> word) {
  T value;
  memcpy(&value, &word, sizeof(value));
  return value;
}
template <typename T>
__device__ inline AtomicWord<T>* WordAt(T* place) {
  return reinterpret_cast<AtomicWord<T>*>(place);
}

/// Writes `value` to `*place` if `*place` is `expected`. Returns the old value.
template <typename Word>
__device__ inline Word CompareAndSwap(Word* place, Word expected, Word value) {
  if constexpr (sizeof(Word) == 1) {  // within the word around it
    const auto address = reinterpret_cast<uintptr_t>(place);
    auto* const around = reinterpret_cast<unsigned int*>(address & ~uintptr_t{3});
    const uint32_t shift = static_cast<uint32_t>(address & 3) * 8;
    unsigned int seen = *const_cast<volatile unsigned int*>(around);
    while (true) {
      const auto found = static_cast<Word>(seen >> shift);
      if (found != expected) return found;
      const unsigned int changed = (seen & ~(0xffu << shift)) | static_cast<unsigned int>(value)
                                                                    << shift;
      const unsigned int before = atomicCAS(around, seen, changed);
      if (before == seen) return expected;
      seen = before;
    }
  } else {
    return atomicCAS(place, expected, value);
  }
}

/// Replaces `*place` by `next(*place)`, unless that is the same. Returns the old value.
template <typename T, typename Next>
__device__ inline T ReplaceBy(T* place, Next next) {
  AtomicWord<T> seen = *const_cast<const volatile AtomicWord<T>*>(WordAt(place));
  while (true) {
    const T old = FromWord<T>(seen);
    const AtomicWord<T> changed = ToWord<T>(next(old));
    if (changed == seen) return old;
    const auto before = CompareAndSwap(WordAt(place), seen, changed);
    if (before == seen) return old;
    seen = before;
  }
}

}  // namespace internal
#endif

/// Reads `*place` while other threads may write it.
template <typename T>
EM_HOST_DEVICE inline T LoadRelaxed(const T* place) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_class_v<T>) {
    return internal::FromWord<T>(*reinterpret_cast<const volatile internal::AtomicWord<T>*>(place));
  } else {
    return *const_cast<const volatile T*>(place);
  }
#else
  return std::atomic_ref<T>(*const_cast<T*>(place)).load(std::memory_order_relaxed);
#endif
}

/// Writes `*place` while other threads may read it.
template <typename T>
EM_HOST_DEVICE inline void StoreRelaxed(T* place, T value) {
#if defined(__CUDA_ARCH__)
  *const_cast<volatile T*>(place) = value;
#else
  std::atomic_ref<T>(*place).store(value, std::memory_order_relaxed);
#endif
}

/// Sets `*place` to `value` if `value` is less. Returns whether it was less.
template <typename T>
EM_HOST_DEVICE inline bool AtomicMin(T* place, T value) {
#if defined(__CUDA_ARCH__)
  if (!(value < LoadRelaxed(place))) return false;
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {
    return value < static_cast<T>(atomicMin(internal::WordAt(place), internal::ToWord(value)));
  } else {
    return value < internal::ReplaceBy(
                       place, [value](T old) { return value < old ? value : old; });
  }
#else
  std::atomic_ref<T> shared(*place);
  T seen = shared.load(std::memory_order_relaxed);
  while (value < seen) {
    if (shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
  }
  return false;
#endif
}

/// Sets `*place` to `value` if `value` is greater. Returns whether it was greater.
template <typename T>
EM_HOST_DEVICE inline bool AtomicMax(T* place, T value) {
#if defined(__CUDA_ARCH__)
  if (!(LoadRelaxed(place) < value)) return false;
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= 4) {
    return static_cast<T>(atomicMax(internal::WordAt(place), internal::ToWord(value))) < value;
  } else {
    return internal::ReplaceBy(place, [value](T old) { return old < value ? value : old; }) < value;
  }
#else
  std::atomic_ref<T> shared(*place);
  T seen = shared.load(std::memory_order_relaxed);
  while (seen < value) {
    if (shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) return true;
  }
  return false;
#endif
}

/// Adds `value` to `*place`. Returns the old value.
template <typename T>
EM_HOST_DEVICE inline T AtomicAdd(T* place, T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_floating_point_v<T>) {
    return atomicAdd(place, value);
  } else if constexpr (sizeof(T) >= 4) {
    return static_cast<T>(atomicAdd(internal::WordAt(place), internal::ToWord(value)));
  } else {
    return internal::ReplaceBy(place, [value](T old) { return static_cast<T>(old + value); });
  }
#else
  std::atomic_ref<T> shared(*place);
  T seen = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(seen, seen + value, std::memory_order_relaxed)) {
  }
  return seen;
#endif
}

/// Sets the bits of `bits` in `*place`. Returns the old value. Reads first, so that no atomic
/// operation is done where all are set.
template <typename T>
EM_HOST_DEVICE inline T AtomicOr(T* place, T bits) {
  static_assert(std::is_unsigned_v<T> && sizeof(T) >= 4, "bits of whole words");
  const T before = LoadRelaxed(place);
  if ((bits & ~before) == 0) return before;
#if defined(__CUDA_ARCH__)
  return static_cast<T>(atomicOr(internal::WordAt(place), internal::ToWord(bits)));
#else
  return std::atomic_ref<T>(*place).fetch_or(bits, std::memory_order_relaxed);
#endif
}

/// Replaces `*place` by `combine(*place, value)`. Returns the old value.
template <typename T, typename Combine>
EM_HOST_DEVICE inline T AtomicCombine(T* place, T value, Combine combine) {
#if defined(__CUDA_ARCH__)
  return internal::ReplaceBy(place, [&](T old) { return combine(old, value); });
#else
  if constexpr (std::is_class_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) {
    // T has two halves and is handled as one word. Arrays of T are aligned to words.
    using Word [[gnu::may_alias]] = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    Word* const word = reinterpret_cast<Word*>(place);
    Word seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (true) {
      const T old = std::bit_cast<T>(seen);
      const auto combined = std::bit_cast<Word>(combine(old, value));
      if (__atomic_compare_exchange_n(word, &seen, combined, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        return old;
      }
    }
  } else {
    std::atomic_ref<T> shared(*place);
    T seen = shared.load(std::memory_order_relaxed);
    while (!shared.compare_exchange_weak(seen, combine(seen, value), std::memory_order_relaxed)) {
    }
    return seen;
  }
#endif
}

/// Writes `value` to `*place` if `*place` is `expected`. Returns whether it was.
template <typename T>
EM_HOST_DEVICE inline bool AtomicReplace(T* place, T expected, T value) {
#if defined(__CUDA_ARCH__)
  const auto word = internal::ToWord(expected);
  return internal::CompareAndSwap(internal::WordAt(place), word, internal::ToWord(value)) == word;
#else
  return std::atomic_ref<T>(*place).compare_exchange_strong(expected, value,
                                                            std::memory_order_relaxed);
#endif
}

/// Returns bit `bit % 64` of word `bit / 64`, while other threads may set bits.
EM_HOST_DEVICE inline bool TestBit(const uint64_t* words, uint64_t bit) {
  return (LoadRelaxed(&words[bit / 64]) >> (bit % 64) & 1) != 0;
}

/// Sets bit `bit % 64` of word `bit / 64`. Returns whether it was clear. Reads the word first, so
/// that no atomic operation is done for a set bit.
EM_HOST_DEVICE inline bool AtomicSetBit(uint64_t* words, uint64_t bit) {
#if defined(__CUDA_ARCH__)
  // Uses 32-bit words: the device can work on twice as many of them at once.
  unsigned int* const word = reinterpret_cast<unsigned int*>(words) + bit / 32;
  const unsigned int mask = 1u << (bit % 32);
  if ((LoadRelaxed(word) & mask) != 0) return false;
  return (atomicOr(word, mask) & mask) == 0;
#else
  const uint64_t mask = uint64_t{1} << (bit % 64);
  std::atomic_ref<uint64_t> word(words[bit / 64]);
  if ((word.load(std::memory_order_relaxed) & mask) != 0) return false;
  return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
#endif
}

/// Writes `value` to `*place`. Returns the old value.
template <typename T>
EM_HOST_DEVICE inline T AtomicExchange(T* place, T value) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) >= 4) {
    return internal::FromWord<T>(atomicExch(internal::WordAt(place), internal::ToWord(value)));
  } else {
    return internal::ReplaceBy(place, [value](T) { return value; });
  }
#else
  return std::atomic_ref<T>(*place).exchange(value, std::memory_order_relaxed);
#endif
}

/// Prefetches the memory at `place`. Does nothing on a GPU, where other warps hide the wait.
template <typename T>
EM_HOST_DEVICE inline void Prefetch(const T* place) {
#if defined(__CUDA_ARCH__)
  (void)place;
#else
  __builtin_prefetch(place);
#endif
}

}  // namespace edgemill

// A stable radix sort of keys whose range is known.
#pragma once

#include <cstddef>
#include <cstdint>

namespace edgemill {

/// A key with the value that belongs to it.
struct WeightedKey {
  uint64_t key;
  double weight;
};

/// Sorts `data[0, size)` by key, equal keys in the order they came in, using `scratch` of the same
/// size. Returns where the result is: `data` or `scratch`; null, and elements anywhere in both,
/// when a key lies outside [low, high]. One pass over the top bits makes pieces that fit the cache;
/// each is then sorted by as many of its highest digits as tell most keys apart, and the rest by
/// insertion. Sets `*sum`, unless null, to the sum of the elements' RecordHash. About 8 ns an
/// element.
uint64_t* RadixSort(uint64_t* data, uint64_t* scratch, size_t size, uint64_t low, uint64_t high,
                    uint64_t* sum = nullptr);
WeightedKey* RadixSort(WeightedKey* data, WeightedKey* scratch, size_t size, uint64_t low,
                       uint64_t high, uint64_t* sum = nullptr);
/// The same of elements whose lowest `other_bits` are not of the key; `low` and `high` are without
/// them.
uint64_t* RadixSortAbove(int other_bits, uint64_t* data, uint64_t* scratch, size_t size,
                         uint64_t low, uint64_t high);

}  // namespace edgemill

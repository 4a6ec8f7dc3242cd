#include "loaders/sort/radix_sort.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "loaders/spill/record_hash.h"

namespace edgemill {
namespace {

/// Elements of a piece that is sorted inside the second-level cache.
constexpr size_t kCacheElements = 8192;
constexpr size_t kInsertionElements = 24;
constexpr int kDigitBits = 8;
constexpr size_t kDigits = size_t{1} << kDigitBits;

uint64_t KeyOf(uint64_t element) { return element; }
uint64_t KeyOf(const WeightedKey& element) { return element.key; }
uint64_t HashOf(uint64_t element) { return RecordHash(element); }
uint64_t HashOf(const WeightedKey& element) { return RecordHash(element.key, element.weight); }

template <typename T>
void InsertionSort(T* data, size_t size) {
  for (size_t i = 1; i < size; ++i) {
    const T element = data[i];
    size_t j = i;
    for (; j > 0 && KeyOf(data[j - 1]) > KeyOf(element); --j) data[j] = data[j - 1];
    data[j] = element;
  }
}

/// Sorts by the low `bits` bits, from the lowest digit; digits that are the same everywhere cost
/// nothing but their count. The result is in `data` when `into_data`, in `scratch` otherwise.
template <typename T>
void SortLowBits(T* data, T* scratch, size_t size, int bits, bool into_data) {
  if (size <= kInsertionElements) {
    InsertionSort(data, size);
    if (!into_data) std::copy_n(data, size, scratch);
    return;
  }
  const int num_digits = (bits + kDigitBits - 1) / kDigitBits;
  uint32_t counts[8][kDigits];
  std::memset(counts, 0, sizeof(counts[0]) * static_cast<size_t>(num_digits));
  for (size_t i = 0; i < size; ++i) {
    uint64_t key = KeyOf(data[i]);
    for (int digit = 0; digit < num_digits; ++digit, key >>= kDigitBits) {
      ++counts[digit][key & (kDigits - 1)];
    }
  }
  T* from = data;
  T* to = scratch;
  for (int digit = 0; digit < num_digits; ++digit) {
    const int shift = digit * kDigitBits;
    uint32_t* const count = counts[digit];
    if (count[KeyOf(from[0]) >> shift & (kDigits - 1)] == size) continue;
    uint32_t position = 0;
    for (size_t value = 0; value < kDigits; ++value) {
      const uint32_t here = count[value];
      count[value] = position;
      position += here;
    }
    for (size_t i = 0; i < size; ++i) {
      to[count[KeyOf(from[i]) >> shift & (kDigits - 1)]++] = from[i];
    }
    std::swap(from, to);
  }
  T* const wanted = into_data ? data : scratch;
  if (from != wanted) std::copy_n(from, size, wanted);
}

template <typename T>
T* Sort(T* data, T* scratch, size_t size, uint64_t low, uint64_t high, uint64_t* sum) {
  const int bits = std::bit_width(low ^ high);  // all keys agree above these
  uint64_t hash = 0;
  if (size <= kCacheElements) {
    bool inside = true;
    for (size_t i = 0; i < size; ++i) {
      inside &= KeyOf(data[i]) - low <= high - low;
      hash += HashOf(data[i]);
    }
    if (sum != nullptr) *sum = hash;
    if (!inside) return nullptr;
    SortLowBits(data, scratch, size, bits, true);
    return data;
  }
  const int top_bits = std::clamp<int>(std::bit_width(size / kCacheElements) + 1, 1, 12);
  const int shift = std::max(0, bits - top_bits);
  const uint64_t base = low >> shift;
  const size_t num_pieces = static_cast<size_t>((high >> shift) - base) + 1;
  // Keys outside all pieces are counted behind the last.
  std::vector<size_t> begin(num_pieces + 2, 0);
  for (size_t i = 0; i < size; ++i) {
    ++begin[std::min<size_t>((KeyOf(data[i]) >> shift) - base, num_pieces) + 1];
    hash += HashOf(data[i]);
  }
  if (sum != nullptr) *sum = hash;
  if (begin[num_pieces + 1] > 0) return nullptr;
  for (size_t piece = 0; piece < num_pieces; ++piece) begin[piece + 1] += begin[piece];
  std::vector<size_t> next(begin.begin(), begin.end() - 2);
  for (size_t i = 0; i < size; ++i) scratch[next[(KeyOf(data[i]) >> shift) - base]++] = data[i];
  for (size_t piece = 0; piece < num_pieces; ++piece) {
    const size_t first = begin[piece];
    SortLowBits(scratch + first, data + first, begin[piece + 1] - first, shift, true);
  }
  // The first and the last piece may reach beyond the range.
  if (KeyOf(scratch[0]) < low || KeyOf(scratch[size - 1]) > high) return nullptr;
  return scratch;
}

}  // namespace

uint64_t* RadixSort(uint64_t* data, uint64_t* scratch, size_t size, uint64_t low, uint64_t high,
                    uint64_t* sum) {
  return Sort(data, scratch, size, low, high, sum);
}

WeightedKey* RadixSort(WeightedKey* data, WeightedKey* scratch, size_t size, uint64_t low,
                       uint64_t high, uint64_t* sum) {
  return Sort(data, scratch, size, low, high, sum);
}

}  // namespace edgemill

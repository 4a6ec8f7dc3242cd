#include "loaders/sort/radix_sort.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>

#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

/// Elements of a piece that is sorted inside the second-level cache.
constexpr size_t kCacheElements = 8192;
constexpr size_t kInsertionElements = 24;
constexpr int kDigitBits = 8;
constexpr size_t kDigits = size_t{1} << kDigitBits;

uint64_t KeyOf(uint64_t element) { return element; }
uint64_t KeyOf(const WeightedKey& element) { return element.key; }

KeySummary SummarizeElements(std::span<const uint64_t> keys, uint64_t reference) {
  return Summarize(keys, reference);
}
KeySummary SummarizeElements(std::span<const WeightedKey> elements, uint64_t reference) {
  KeySummary summary;
  for (const WeightedKey& element : elements) {
    summary.sum += RecordHash(element.key, element.weight);
    summary.differs |= element.key ^ reference;
  }
  return summary;
}

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

/// Whether the keys of a sorted array lie in [low, high].
template <typename T>
bool EndsInside(const T* sorted, size_t size, uint64_t low, uint64_t high) {
  return size == 0 || (KeyOf(sorted[0]) >= low && KeyOf(sorted[size - 1]) <= high);
}

template <typename T>
T* Sort(T* data, T* scratch, size_t size, uint64_t low, uint64_t high, uint64_t* sum) {
  const int bits = std::bit_width(low ^ high);  // all keys agree above these
  const int top_bits = size <= kCacheElements
                           ? 0
                           : std::clamp<int>(std::bit_width(size / kCacheElements) + 1, 1, 12);
  const int shift = std::max(0, bits - top_bits);
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const size_t num_pieces = size_t{1} << (bits - shift);
  // Key bits above the sorted ones are compared before the others are counted, while a part is in
  // the cache.
  std::vector<size_t> begin(num_pieces + 1, 0);
  uint64_t hash = 0;
  for (size_t first = 0; first < size; first += kCacheElements) {
    const std::span<const T> part(data + first, std::min(kCacheElements, size - first));
    const KeySummary summary = SummarizeElements(part, low);
    if ((summary.differs & ~mask) != 0) return nullptr;
    hash += summary.sum;
    if (num_pieces == 1) continue;
    for (const T& element : part) ++begin[((KeyOf(element) & mask) >> shift) + 1];
  }
  if (sum != nullptr) *sum = hash;
  if (num_pieces == 1) {
    SortLowBits(data, scratch, size, bits, true);
    return EndsInside(data, size, low, high) ? data : nullptr;
  }
  for (size_t piece = 0; piece < num_pieces; ++piece) begin[piece + 1] += begin[piece];
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < size; ++i) scratch[next[(KeyOf(data[i]) & mask) >> shift]++] = data[i];
  for (size_t piece = 0; piece < num_pieces; ++piece) {
    const size_t first = begin[piece];
    SortLowBits(scratch + first, data + first, begin[piece + 1] - first, shift, true);
  }
  return EndsInside(scratch, size, low, high) ? scratch : nullptr;
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

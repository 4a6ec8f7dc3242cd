#include "loaders/sort/radix_sort.h"

#include <algorithm>
#include <array>
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
/// Digits of a sort have one width: a wider one where that saves a pass.
constexpr int kLeastDigitBits = 8;
constexpr int kMostDigitBits = 9;
constexpr size_t kMostDigits = 8;

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

/// The digits of keys, from the lowest on: where each begins. What is the same in all keys is left
/// out as far as it lies between two.
struct KeyDigits {
  int width = kLeastDigitBits;
  size_t count = 0;
  std::array<int, kMostDigits> shifts{};

  /// Of keys that differ in the bits of `differing`.
  static KeyDigits Of(uint64_t differing) {
    KeyDigits least;
    for (int width = kLeastDigitBits; width <= kMostDigitBits; ++width) {
      KeyDigits digits{.width = width};
      for (uint64_t left = differing; left != 0;) {
        const int shift = std::countr_zero(left);
        digits.shifts[digits.count++] = shift;
        left = shift + width >= 64 ? 0 : left >> (shift + width) << (shift + width);
      }
      if (width == kLeastDigitBits || digits.count < least.count) least = digits;
    }
    return least;
  }
};

using DigitCounts = uint32_t[size_t{1} << kMostDigitBits];

/// Counts the values of the first `kCount` digits, or of all where it is 0.
template <size_t kCount, typename T>
void CountDigits(const T* data, size_t size, const KeyDigits& digits, DigitCounts* counts) {
  const uint64_t mask = (uint64_t{1} << digits.width) - 1;
  const KeyDigits own = digits;  // a copy, which no count can change
  for (size_t i = 0; i < size; ++i) {
    const uint64_t key = KeyOf(data[i]);
    for (size_t digit = 0; digit < (kCount > 0 ? kCount : own.count); ++digit) {
      ++counts[digit][key >> own.shifts[digit] & mask];
    }
  }
}

/// Sorts by `digits`, from the lowest; those that are the same in all of these elements cost
/// nothing but their count. The result is in `data`.
template <typename T>
void SortByDigits(T* data, T* scratch, size_t size, const KeyDigits& digits) {
  if (size <= kInsertionElements) {
    InsertionSort(data, size);
    return;
  }
  const uint64_t mask = (uint64_t{1} << digits.width) - 1;
  DigitCounts counts[kMostDigits];
  for (size_t digit = 0; digit < digits.count; ++digit) {
    std::memset(counts[digit], 0, sizeof(uint32_t) << digits.width);
  }
  switch (digits.count) {  // the usual ones without a loop
    case 3:
      CountDigits<3>(data, size, digits, counts);
      break;
    case 4:
      CountDigits<4>(data, size, digits, counts);
      break;
    case 5:
      CountDigits<5>(data, size, digits, counts);
      break;
    default:
      CountDigits<0>(data, size, digits, counts);
  }
  T* from = data;
  T* to = scratch;
  for (size_t digit = 0; digit < digits.count; ++digit) {
    const int shift = digits.shifts[digit];
    uint32_t* const count = counts[digit];
    if (count[KeyOf(from[0]) >> shift & mask] == size) continue;
    uint32_t position = 0;
    for (uint64_t value = 0; value <= mask; ++value) {
      const uint32_t here = count[value];
      count[value] = position;
      position += here;
    }
    for (size_t i = 0; i < size; ++i) {
      to[count[KeyOf(from[i]) >> shift & mask]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != data) std::copy_n(from, size, data);
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
  uint64_t hash = 0, differing = 0;
  for (size_t first = 0; first < size; first += kCacheElements) {
    const std::span<const T> part(data + first, std::min(kCacheElements, size - first));
    const KeySummary summary = SummarizeElements(part, low);
    if ((summary.differs & ~mask) != 0) return nullptr;
    hash += summary.sum;
    differing |= summary.differs;
    if (num_pieces == 1) continue;
    for (const T& element : part) ++begin[((KeyOf(element) & mask) >> shift) + 1];
  }
  if (sum != nullptr) *sum = hash;
  if (num_pieces == 1) {
    SortByDigits(data, scratch, size, KeyDigits::Of(differing));
    return EndsInside(data, size, low, high) ? data : nullptr;
  }
  for (size_t piece = 0; piece < num_pieces; ++piece) begin[piece + 1] += begin[piece];
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < size; ++i) scratch[next[(KeyOf(data[i]) & mask) >> shift]++] = data[i];
  const KeyDigits digits = KeyDigits::Of(differing & ((uint64_t{1} << shift) - 1));
  for (size_t piece = 0; piece < num_pieces; ++piece) {
    const size_t first = begin[piece];
    SortByDigits(scratch + first, data + first, begin[piece + 1] - first, digits);
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

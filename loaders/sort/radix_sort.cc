#include "loaders/sort/radix_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "loaders/buckets/record_hash.h"

namespace edgemill {
namespace {

/// Elements of a piece that is sorted inside the second-level cache.
constexpr size_t kCacheElements = 8192;
constexpr size_t kInsertionElements = 24;
constexpr int kDigitBits = 9;
constexpr uint64_t kDigitMask = (uint64_t{1} << kDigitBits) - 1;
constexpr size_t kMostDigits = 8;
/// Bits by which elements are sorted beyond those that would tell so many apart.
constexpr int kSpareBits = 4;
/// Places that elements may then be moved by insertion, on average.
constexpr size_t kMostMoves = 4;
/// Where that is too few, so many pieces are sorted by all digits at once.
constexpr int kPiecesByAllDigits = 16;

/// How elements are looked at: their keys, and the sum of their RecordHash.
struct PlainKeys {
  uint64_t operator()(uint64_t element) const { return element; }
  uint64_t Hash(std::span<const uint64_t> keys) const { return Summarize(keys, 0).sum; }
};
struct KeysAbove {
  int other_bits;
  uint64_t operator()(uint64_t element) const { return element >> other_bits; }
  uint64_t Hash(std::span<const uint64_t>) const { return 0; }
};
struct KeysWithWeights {
  uint64_t operator()(const WeightedKey& element) const { return element.key; }
  uint64_t Hash(std::span<const WeightedKey> elements) const {
    uint64_t sum = 0;
    for (const WeightedKey& element : elements) sum += RecordHash(element.key, element.weight);
    return sum;
  }
};

/// Digits of keys, from the lowest that is sorted by on. What is the same in all keys is left out
/// as far as it lies between two.
struct KeyDigits {
  size_t count = 0;
  std::array<int, kMostDigits> shifts{};

  /// The highest digits, up to `most`, of keys that differ in the bits of `differing`.
  static KeyDigits Highest(uint64_t differing, size_t most) {
    KeyDigits digits;
    while (differing != 0 && digits.count < most) {
      const int shift = std::max<int>(std::bit_width(differing) - kDigitBits, 0);
      digits.shifts[digits.count++] = shift;
      differing &= (uint64_t{1} << shift) - 1;
    }
    std::reverse(digits.shifts.begin(),
                 digits.shifts.begin() + static_cast<ptrdiff_t>(digits.count));
    return digits;
  }
};

using DigitCounts = std::array<uint32_t, size_t{1} << kDigitBits>;

/// Sorts elements T by the keys that `Keys` finds in them.
template <typename T, typename Keys>
class Sorter {
 public:
  explicit Sorter(Keys key) : key_(key) {}

  /// As RadixSort.
  T* Sort(T* data, T* scratch, size_t size, uint64_t low, uint64_t high, uint64_t* sum);

 private:
  /// Sorts what is nearly sorted; false, with equal keys still in their order, when that takes more
  /// than `most_moves`.
  bool SortByInsertion(T* data, size_t size, size_t most_moves) const;
  /// Counts the values of the first `kCount` digits, or of all where it is 0.
  template <size_t kCount>
  void CountDigits(const T* data, size_t size, const KeyDigits& digits, DigitCounts* counts) const;
  /// Sorts by `digits`, from the lowest; those that are the same in all of these elements cost
  /// nothing but their count. The result is in `data`.
  void SortByDigits(T* data, T* scratch, size_t size, const KeyDigits& digits) const;
  /// Sorts in the cache. The result is in `data`.
  void SortPiece(T* data, T* scratch, size_t size);

  const Keys key_;
  int by_all_digits_ = 0;  // so many pieces: the highest did not do for one before
};

template <typename T, typename Keys>
bool Sorter<T, Keys>::SortByInsertion(T* data, size_t size, size_t most_moves) const {
  size_t moves = 0;
  for (size_t i = 1; i < size; ++i) {
    if (key_(data[i - 1]) <= key_(data[i])) [[likely]]
      continue;
    const T element = data[i];
    size_t j = i;
    for (; j > 0 && key_(data[j - 1]) > key_(element); --j) data[j] = data[j - 1];
    data[j] = element;
    moves += i - j;
    if (moves > most_moves) return false;
  }
  return true;
}

template <typename T, typename Keys>
template <size_t kCount>
void Sorter<T, Keys>::CountDigits(const T* data, size_t size, const KeyDigits& digits,
                                  DigitCounts* counts) const {
  const KeyDigits own = digits;  // a copy, which no count can change
  for (size_t i = 0; i < size; ++i) {
    const uint64_t key = key_(data[i]);
    for (size_t digit = 0; digit < (kCount > 0 ? kCount : own.count); ++digit) {
      ++counts[digit][key >> own.shifts[digit] & kDigitMask];
    }
  }
}

template <typename T, typename Keys>
void Sorter<T, Keys>::SortByDigits(T* data, T* scratch, size_t size,
                                   const KeyDigits& digits) const {
  DigitCounts counts[kMostDigits];
  for (size_t digit = 0; digit < digits.count; ++digit) counts[digit].fill(0);
  switch (digits.count) {  // the usual ones without a loop
    case 2:
      CountDigits<2>(data, size, digits, counts);
      break;
    case 3:
      CountDigits<3>(data, size, digits, counts);
      break;
    case 4:
      CountDigits<4>(data, size, digits, counts);
      break;
    default:
      CountDigits<0>(data, size, digits, counts);
  }
  T* from = data;
  T* to = scratch;
  for (size_t digit = 0; digit < digits.count; ++digit) {
    const int shift = digits.shifts[digit];
    DigitCounts& count = counts[digit];
    if (count[key_(from[0]) >> shift & kDigitMask] == size) continue;
    uint32_t position = 0;
    for (uint32_t& place : count) position += std::exchange(place, position);
    for (size_t i = 0; i < size; ++i) {
      to[count[key_(from[i]) >> shift & kDigitMask]++] = from[i];
    }
    std::swap(from, to);
  }
  if (from != data) std::copy_n(from, size, data);
}

template <typename T, typename Keys>
void Sorter<T, Keys>::SortPiece(T* data, T* scratch, size_t size) {
  if (size <= kInsertionElements) {
    SortByInsertion(data, size, size * size);
    return;
  }
  uint64_t differing = 0;
  for (size_t i = 1; i < size; ++i) differing |= key_(data[i]) ^ key_(data[0]);
  const KeyDigits all = KeyDigits::Highest(differing, kMostDigits);
  if (by_all_digits_ > 0) {
    --by_all_digits_;
  } else {
    // Where keys are spread evenly, the highest digits leave few out of order.
    const size_t most =
        static_cast<size_t>(std::bit_width(size) + kSpareBits + kDigitBits - 1) / kDigitBits;
    if (most < all.count) {
      SortByDigits(data, scratch, size, KeyDigits::Highest(differing, most));
      if (SortByInsertion(data, size, kMostMoves * size)) return;
      by_all_digits_ = kPiecesByAllDigits;
    }
  }
  SortByDigits(data, scratch, size, all);
}

template <typename T, typename Keys>
T* Sorter<T, Keys>::Sort(T* data, T* scratch, size_t size, uint64_t low, uint64_t high,
                         uint64_t* sum) {
  // The keys of a piece agree in the bits from `shift` on.
  const int top_bits = size <= kCacheElements
                           ? 0
                           : std::clamp<int>(std::bit_width(size / kCacheElements) + 1, 1, 12);
  const int shift = std::clamp<int>(std::bit_width(high - low) - top_bits, 0, 63);
  const uint64_t first_piece = low >> shift;
  const size_t num_pieces = top_bits == 0 ? 1 : (high >> shift) - first_piece + 1;
  const auto piece_of = [&](const T& element) {
    return std::min<uint64_t>((key_(element) >> shift) - first_piece, num_pieces - 1);
  };
  std::vector<size_t> begin(num_pieces + 1, 0);
  uint64_t hash = 0, most = 0;
  for (size_t first = 0; first < size; first += kCacheElements) {
    const std::span<const T> part(data + first, std::min(kCacheElements, size - first));
    hash += key_.Hash(part);
    for (const T& element : part) most = std::max(most, key_(element) - low);
    if (num_pieces == 1) continue;
    for (const T& element : part) ++begin[piece_of(element) + 1];
  }
  if (most > high - low) return nullptr;
  if (sum != nullptr) *sum = hash;
  if (num_pieces == 1) {
    SortPiece(data, scratch, size);
    return data;
  }
  for (size_t piece = 0; piece < num_pieces; ++piece) begin[piece + 1] += begin[piece];
  std::vector<size_t> next(begin.begin(), begin.end() - 1);
  for (size_t i = 0; i < size; ++i) scratch[next[piece_of(data[i])]++] = data[i];
  for (size_t piece = 0; piece < num_pieces; ++piece) {
    const size_t first = begin[piece];
    SortPiece(scratch + first, data + first, begin[piece + 1] - first);
  }
  return scratch;
}

}  // namespace

uint64_t* RadixSort(uint64_t* data, uint64_t* scratch, size_t size, uint64_t low, uint64_t high,
                    uint64_t* sum) {
  return Sorter<uint64_t, PlainKeys>({}).Sort(data, scratch, size, low, high, sum);
}

WeightedKey* RadixSort(WeightedKey* data, WeightedKey* scratch, size_t size, uint64_t low,
                       uint64_t high, uint64_t* sum) {
  return Sorter<WeightedKey, KeysWithWeights>({}).Sort(data, scratch, size, low, high, sum);
}

uint64_t* RadixSortAbove(int other_bits, uint64_t* data, uint64_t* scratch, size_t size,
                         uint64_t low, uint64_t high) {
  return Sorter<uint64_t, KeysAbove>({other_bits}).Sort(data, scratch, size, low, high, nullptr);
}

}  // namespace edgemill

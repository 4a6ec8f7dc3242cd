// Finds the range of a key, among a sequence of ranges, in about a nanosecond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace edgemill {

/// Parameters of the lookup of keys by their distances from a border.
struct KeyEntries {
  uint64_t border = 0;
  uint64_t first = 0;  // the least entry that a key gets
  uint64_t last = 0;
};

/// Cuts the 64-bit keys into ranges: range i is [first_key(i), first_key(i + 1)). The first range
/// begins at 0, the last one has no end. Keys are looked up by the logarithm of their distance from
/// the first border. It separates the borders well when all degrees are equal, and when vertices
/// are in order of their degrees. If an entry of the table has two ranges, the key is compared with
/// the border, without a branch. A search is needed only for entries with more ranges.
class KeySplitters {
 public:
  static constexpr size_t kMaxRanges = size_t{1} << 16;

  /// One range of all keys.
  KeySplitters() : KeySplitters(std::vector<uint64_t>{0}) {}
  /// `first_keys` rises strictly from 0.
  explicit KeySplitters(std::vector<uint64_t> first_keys);
  /// Makes at most `ranges` ranges with about equal shares of `sample`; fewer when keys repeat.
  static KeySplitters FromSample(std::vector<uint64_t> sample, size_t ranges);

  size_t size() const { return first_keys_.size(); }
  uint64_t first_key(size_t range) const { return first_keys_[range]; }
  /// The last key of a range.
  uint64_t last_key(size_t range) const {
    return range + 1 < size() ? first_keys_[range + 1] - 1 : ~uint64_t{0};
  }
  std::span<const uint64_t> first_keys() const { return first_keys_; }

  /// Finds the range of each of `keys`. There must be at most kMaxRanges ranges.
  void FindAll(std::span<const uint64_t> keys, uint16_t* ranges) const;

 private:
  struct Span {
    uint32_t low;   // the range of the entry's first key
    uint32_t high;  // the range of its last key
  };
  /// Finds the table entries of `keys` by their distances from the first border. Entries outside
  /// [first, last] become `first` or `last`.
  void FindEntries(std::span<const uint64_t> keys, uint64_t first, uint64_t last,
                   uint64_t* entries) const;
  uint32_t FindIn(const Span& entry, uint64_t key) const {
    if (entry.high - entry.low < 2) [[likely]] {
      return entry.low + (key >= first_keys_[entry.high] ? entry.high - entry.low : 0);
    }
    const auto begin = first_keys_.begin() + entry.low + 1;
    const auto end = first_keys_.begin() + entry.high + 1;
    return static_cast<uint32_t>(std::upper_bound(begin, end, key) - first_keys_.begin() - 1);
  }

  std::vector<uint64_t> first_keys_;
  std::vector<Span> table_;
  uint64_t first_border_ = 0;
  uint64_t first_entry_ = 0;  // the number of the table's first entry
};

}  // namespace edgemill

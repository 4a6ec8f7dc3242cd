// Which of a sequence of key ranges a key lies in, in about a nanosecond.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace edgemill {

/// Cuts the 64-bit keys into ranges: range i is [first_key(i), first_key(i + 1)), the first from 0,
/// the last without end. Keys are looked up by their top bits, and where these leave two ranges
/// compared with the border, without a branch; only where borders crowd do they need a search.
class KeySplitters {
 public:
  /// One range of all keys.
  KeySplitters() : KeySplitters(std::vector<uint64_t>{0}) {}
  /// `first_keys` rises strictly from 0.
  explicit KeySplitters(std::vector<uint64_t> first_keys);
  /// At most `ranges` ranges that hold about equal shares of `sample`, which is sorted in place.
  /// Fewer when keys repeat.
  static KeySplitters FromSample(std::vector<uint64_t> sample, size_t ranges);

  size_t size() const { return first_keys_.size(); }
  uint64_t first_key(size_t range) const { return first_keys_[range]; }
  /// The last key of a range.
  uint64_t last_key(size_t range) const {
    return range + 1 < size() ? first_keys_[range + 1] - 1 : ~uint64_t{0};
  }
  std::span<const uint64_t> first_keys() const { return first_keys_; }

  uint32_t Find(uint64_t key) const {
    const Span& entry = table_[std::min<uint64_t>(key >> shift_, table_.size() - 1)];
    if (entry.high - entry.low < 2) [[likely]] {
      return entry.low + (key >= first_keys_[entry.high] ? entry.high - entry.low : 0);
    }
    const auto begin = first_keys_.begin() + entry.low + 1;
    const auto end = first_keys_.begin() + entry.high + 1;
    return static_cast<uint32_t>(std::upper_bound(begin, end, key) - first_keys_.begin() - 1);
  }

 private:
  struct Span {
    uint32_t low;   // the range of the entry's first key
    uint32_t high;  // the range of its last key
  };
  std::vector<uint64_t> first_keys_;
  std::vector<Span> table_;
  int shift_ = 0;
};

}  // namespace edgemill

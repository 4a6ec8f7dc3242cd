// Keys with small weights in words of 64 bits, which sort faster than records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "loaders/sort/radix_sort.h"
#include "loaders/spill/spill_page.h"

namespace edgemill {

/// How the records of a range of keys fit words: the distance from the first key, and below it that
/// of the weight from the least.
class EdgeWords {
 public:
  struct KeyRange {
    uint64_t first;
    uint64_t last;
  };
  /// The words of `records`, whose weights are `weight`, and whose keys should lie in `range`;
  /// nothing where they do not fit, or weights are no integers.
  static std::optional<EdgeWords> Of(std::span<const std::byte> records, SpilledWeight weight,
                                     const KeyRange& range);

  /// Sorts the words of `records` in `memory`, which has room for twice as many, those of equal
  /// keys in the order they came in; returns where they are. Sets `*sum` to the sum of the records'
  /// RecordHash. Null where a key lies outside the range.
  const uint64_t* Sort(std::span<const std::byte> records, uint64_t* memory, uint64_t* sum) const;

  uint64_t KeyOf(uint64_t word) const { return range_.first + (word >> weight_bits_); }
  double WeightOf(uint64_t word) const {
    const uint64_t distance = word & ((uint64_t{1} << weight_bits_) - 1);
    return static_cast<double>(least_weight_ + static_cast<int64_t>(distance));
  }
  int64_t least_weight() const { return least_weight_; }

 private:
  KeyRange range_;
  int64_t least_weight_ = 0;
  int weight_bits_ = 0;  // of a weight's distance from it
};

}  // namespace edgemill

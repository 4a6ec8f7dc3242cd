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

  /// Sorts `records` to `out`, equal keys in the order they came in, and sets `*sum` to the sum of
  /// their RecordHash. False, and anything in `out`, where a key lies outside the range.
  bool SortTo(std::span<const std::byte> records, WeightedKey* out, uint64_t* sum) const;

 private:
  KeyRange range_;
  int32_t least_ = 0;    // of the weights
  int weight_bits_ = 0;  // of a weight's distance from it
};

}  // namespace edgemill

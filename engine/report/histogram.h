// How often each value, or range of values, occurs in an answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <variant>
#include <vector>

namespace edgemill {

/// Values from `first` to `last`. Real ones are below `last`, but for those of the last bin.
struct HistogramBin {
  std::variant<uint64_t, double> first, last;
  uint64_t count = 0;
  bool operator==(const HistogramBin&) const = default;
};

/// The bins that have values, in rising order.
struct Histogram {
  std::vector<HistogramBin> bins;
  uint64_t without_value = 0;  // of vertices that a search did not reach
  bool of_groups = false;      // bins count groups, such as components, by their vertices
};

/// In place of a whole number: there is none. Answers have it for vertices that are not reached.
inline constexpr uint64_t kNoValue = ~uint64_t{0};

/// Whole numbers: a bin each, where at most kMostSingleValues differ. Else bins are 0, 1, 2 to 3,
/// 4 to 7 and so on.
inline constexpr size_t kMostSingleValues = 32;
/// The bins of real numbers where these are of one size, or of both signs.
inline constexpr size_t kEqualBins = 20;

/// Counts `get(i)` for i from 0 to `size`, on `threads` threads. kNoValue: none.
Histogram CountIntegers(uint64_t size, const std::function<uint64_t(uint64_t)>& get, int threads);
/// The same for values that were counted, each with how often it occurs.
Histogram BinCounts(const std::map<uint64_t, uint64_t>& counts);
/// The same for real numbers; infinity: no value. Where none is negative, and the greatest is above
/// a hundred times the least positive one, zeros have a bin. The others go from 1 to 2 to 5 to 10,
/// or by whole powers of ten. Else there are kEqualBins from the least to the greatest.
Histogram CountReals(uint64_t size, const std::function<double(uint64_t)>& get, int threads);

}  // namespace edgemill

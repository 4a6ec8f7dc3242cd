#include "engine/report/histogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "common/thread_annotations.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

/// The values that a thread counts at a time.
constexpr size_t kGrain = size_t{1} << 16;

/// Counts of whole numbers: each, while few differ, and by their highest bit.
class IntegerCounts {
 public:
  void Add(uint64_t value, uint64_t times = 1) {
    by_bits_[std::bit_width(value)] += times;
    if (many_) return;
    singles_[value] += times;
    many_ = singles_.size() > kMostSingleValues;
  }
  void Add(const IntegerCounts& other) {
    for (size_t i = 0; i < by_bits_.size(); ++i) by_bits_[i] += other.by_bits_[i];
    many_ |= other.many_;
    if (many_) return;
    for (const auto& [value, times] : other.singles_) singles_[value] += times;
    many_ = singles_.size() > kMostSingleValues;
  }
  std::vector<HistogramBin> Bins() const {
    std::vector<HistogramBin> bins;
    if (!many_) {
      for (const auto& [value, times] : singles_) bins.push_back({value, value, times});
      return bins;
    }
    for (size_t bits = 0; bits < by_bits_.size(); ++bits) {
      if (by_bits_[bits] == 0) continue;
      const uint64_t first = bits == 0 ? 0 : uint64_t{1} << (bits - 1);
      const uint64_t last = bits == 0 ? 0 : first + (first - 1);
      bins.push_back({first, last, by_bits_[bits]});
    }
    return bins;
  }

 private:
  std::array<uint64_t, 65> by_bits_{};
  std::map<uint64_t, uint64_t> singles_;
  bool many_ = false;
};

/// What decides on the bins of real numbers.
struct Range {
  double least = HUGE_VAL, greatest = -HUGE_VAL;
  double least_positive = HUGE_VAL;
  uint64_t zeros = 0, numbers = 0;

  void Add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    if (value > 0) least_positive = std::min(least_positive, value);
    zeros += value == 0;
    ++numbers;
  }
  void Add(const Range& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    least_positive = std::min(least_positive, other.least_positive);
    zeros += other.zeros;
    numbers += other.numbers;
  }
};

/// Borders 1, 2, 5, 10, ... from at most `least` to above `greatest`; powers of ten alone where
/// these would be many.
std::vector<double> RoundBorders(double least, double greatest) {
  constexpr int kManyDecades = 10;
  const int first = static_cast<int>(std::floor(std::log10(least)));
  const int last = static_cast<int>(std::floor(std::log10(greatest))) + 1;
  std::vector<double> borders;
  for (int power = first; power <= last; ++power) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit != 1 && last - first > kManyDecades) break;
      borders.push_back(digit * std::pow(10.0, power));
    }
  }
  // Those that have no value between them and the next are not needed.
  while (borders.size() > 1 && borders[1] <= least) borders.erase(borders.begin());
  while (borders.size() > 1 && borders[borders.size() - 2] > greatest) borders.pop_back();
  return borders;
}

std::vector<double> EqualBorders(double least, double greatest) {
  std::vector<double> borders;
  for (size_t i = 0; i <= kEqualBins; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(kEqualBins);
    borders.push_back(least * (1 - part) + greatest * part);  // halves first: no overflow
  }
  return borders;
}

/// Calls `count(begin, end, &part)` for chunks of [0, size), and adds all parts up.
template <typename Part, typename Count>
Part SumOfParts(uint64_t size, int threads, Count count) {
  Part all;
  Mutex mutex;
  ForEachChunk(size, kGrain, threads, [&](size_t begin, size_t end) {
    Part part;
    count(begin, end, &part);
    MutexLock lock(mutex);
    all.Add(part);
  });
  return all;
}

/// Counts by the bins of `borders`.
struct BinSums {
  std::vector<uint64_t> counts;

  void Add(const BinSums& other) {
    counts.resize(std::max(counts.size(), other.counts.size()));
    for (size_t i = 0; i < other.counts.size(); ++i) counts[i] += other.counts[i];
  }
};

}  // namespace

Histogram CountIntegers(uint64_t size, const std::function<uint64_t(uint64_t)>& get, int threads) {
  struct Part {
    IntegerCounts counts;
    uint64_t without = 0;
    void Add(const Part& other) {
      counts.Add(other.counts);
      without += other.without;
    }
  };
  const Part all = SumOfParts<Part>(size, threads, [&](size_t begin, size_t end, Part* part) {
    for (size_t i = begin; i < end; ++i) {
      const uint64_t value = get(i);
      if (value == kNoValue) {
        ++part->without;
      } else {
        part->counts.Add(value);
      }
    }
  });
  return {.bins = all.counts.Bins(), .without_value = all.without};
}

Histogram BinCounts(const std::map<uint64_t, uint64_t>& counts) {
  IntegerCounts all;
  for (const auto& [value, times] : counts) all.Add(value, times);
  return {.bins = all.Bins()};
}

Histogram CountReals(uint64_t size, const std::function<double(uint64_t)>& get, int threads) {
  const Range range = SumOfParts<Range>(size, threads, [&](size_t begin, size_t end, Range* part) {
    for (size_t i = begin; i < end; ++i) {
      const double value = get(i);
      if (std::isfinite(value)) part->Add(value);
    }
  });
  Histogram histogram{.bins = {}, .without_value = size - range.numbers};
  if (range.numbers == 0) return histogram;
  if (range.least == range.greatest) {
    histogram.bins.push_back({range.least, range.least, range.numbers});
    return histogram;
  }
  const bool spread = range.least >= 0 && range.greatest > 100 * range.least_positive;
  const std::vector<double> borders = spread ? RoundBorders(range.least_positive, range.greatest)
                                             : EqualBorders(range.least, range.greatest);
  const BinSums sums =
      SumOfParts<BinSums>(size, threads, [&](size_t begin, size_t end, BinSums* part) {
        part->counts.resize(borders.size());
        for (size_t i = begin; i < end; ++i) {
          const double value = get(i);
          if (!std::isfinite(value) || (spread && value == 0)) continue;
          const auto after = std::upper_bound(borders.begin(), borders.end(), value);
          const auto bin = static_cast<size_t>(std::max<int64_t>(1, after - borders.begin()) - 1);
          ++part->counts[std::min(bin, borders.size() - 2)];
        }
      });
  if (spread && range.zeros > 0) histogram.bins.push_back({0.0, 0.0, range.zeros});
  for (size_t bin = 0; bin + 1 < borders.size(); ++bin) {
    if (sums.counts[bin] == 0) continue;
    histogram.bins.push_back({borders[bin], borders[bin + 1], sums.counts[bin]});
  }
  return histogram;
}

}  // namespace edgemill

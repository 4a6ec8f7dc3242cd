#include "bench/record/sample_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace edgemill::bench {

double Median(std::span<const double> samples) {
  if (samples.empty()) return 0;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double Mean(std::span<const double> samples) {
  if (samples.empty()) return 0;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double Deviation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  const double mean = Mean(samples);
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

double LogDeviation(std::span<const double> samples) {
  std::vector<double> logs;
  for (const double sample : samples) logs.push_back(std::log(sample));
  return Deviation(logs);
}

std::optional<Band> MedianBand(std::span<const double> samples) {
  constexpr double kMaxOutside = 0.05;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const double count = static_cast<double>(sorted.size());
  // Each sample is below the median with probability 1/2, so the number of samples below it is
  // binomial. The median is outside of the band when fewer than `rank` samples are below it, or
  // fewer than `rank` are above it.
  size_t rank = 0;
  for (double outside = 0; outside <= kMaxOutside; ++rank) {
    const double below = static_cast<double>(rank);
    outside += 2 * std::exp(std::lgamma(count + 1) - std::lgamma(below + 1) -
                            std::lgamma(count - below + 1) - count * std::log(2));
  }
  --rank;  // the last one made the band too narrow
  if (rank == 0) return std::nullopt;
  return Band{sorted[rank - 1], sorted[sorted.size() - rank]};
}

}  // namespace edgemill::bench

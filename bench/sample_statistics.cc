#include "bench/sample_statistics.h"

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

double LogDeviation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  std::vector<double> logs;
  for (const double sample : samples) logs.push_back(std::log(sample));
  const double mean = Mean(logs);
  double squares = 0;
  for (const double log : logs) squares += (log - mean) * (log - mean);
  return std::sqrt(squares / static_cast<double>(logs.size() - 1));
}

}  // namespace edgemill::bench

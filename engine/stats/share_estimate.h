// Shares that a sample estimates, and how far off they may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace edgemill {

/// A share of some population. It lies between `low` and `high` with a probability of 95 %.
/// Source: Wilson, Probable inference, the law of succession, and statistical inference, Journal
/// of the American Statistical Association 22, 1927.
struct ShareEstimate {
  uint64_t sample = 0;  // members that were looked at
  bool exact = false;   // the whole population was
  double value = 0;
  double low = 0;
  double high = 1;

  /// `hits` of `sample` members have the property. `unknown` of the others may have it too.
  static ShareEstimate Of(uint64_t hits, uint64_t sample, bool exact, uint64_t unknown = 0) {
    ShareEstimate estimate{.sample = sample, .exact = exact};
    if (sample == 0) return estimate;
    const auto n = static_cast<double>(sample);
    estimate.value = static_cast<double>(hits) / n;
    if (exact) {
      estimate.low = estimate.high = estimate.value;
      return estimate;
    }
    estimate.low = Bound(estimate.value, n, -1);
    estimate.high = Bound(static_cast<double>(hits + unknown) / n, n, 1);
    return estimate;
  }

 private:
  static double Bound(double share, double n, double sign) {
    constexpr double kZ = 1.959964;  // 95 % of a normal distribution
    const double middle = share + kZ * kZ / (2 * n);
    const double width = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
    return std::clamp((middle + sign * width) / (1 + kZ * kZ / n), 0.0, 1.0);
  }
};

}  // namespace edgemill

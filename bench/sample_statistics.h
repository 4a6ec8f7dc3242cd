// Figures of a few samples.
#pragma once

#include <span>

namespace edgemill::bench {

/// The middle sample, or the mean of the two in the middle; 0 without samples.
double Median(std::span<const double> samples);

/// The arithmetic mean; 0 without samples.
double Mean(std::span<const double> samples);

/// The standard deviation of the samples' logarithms: relative spread, about. Samples are
/// positive; 0 with fewer than two.
double LogDeviation(std::span<const double> samples);

}  // namespace edgemill::bench

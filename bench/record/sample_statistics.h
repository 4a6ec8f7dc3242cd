// Statistics of a few samples.
#pragma once

#include <optional>
#include <span>

namespace edgemill::bench {

/// The middle sample, or the mean of the two in the middle; 0 without samples.
double Median(std::span<const double> samples);

/// The arithmetic mean; 0 without samples.
double Mean(std::span<const double> samples);

/// The standard deviation of what the samples are drawn from, by Bessel's correction. 0 with fewer
/// than two.
double Deviation(std::span<const double> samples);

/// The standard deviation of the samples' logarithms, which is about their relative spread. Samples
/// are positive. 0 with fewer than two.
double LogDeviation(std::span<const double> samples);

/// An interval, both ends included.
struct Band {
  double low = 0;
  double high = 0;
};

/// The narrowest band between the rth smallest and the rth largest sample that holds the median
/// with a probability of at least 95 %. This is the median of the distribution of the samples,
/// which may be any distribution. Nullopt for fewer than six samples: even the least and the
/// greatest of five do not reach 95 %. Of nine samples, the second and the eighth reach 96.1 %.
/// Source: Thompson, On confidence ranges for the median and other expectation distributions,
/// Annals of Mathematical Statistics 7 (3), 1936.
std::optional<Band> MedianBand(std::span<const double> samples);

}  // namespace edgemill::bench

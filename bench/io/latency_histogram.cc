#include "bench/io/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace edgemill::bench {

size_t LatencyHistogram::BucketOf(uint64_t nanoseconds) {
  const int width = std::bit_width(nanoseconds);
  const int shift = std::max(0, width - kSubBits - 1);
  if (shift > kMaxShift) return kBuckets - 1;
  return (size_t{1} << kSubBits) * static_cast<size_t>(shift) +
         static_cast<size_t>(nanoseconds >> shift);
}

double LatencyHistogram::ValueOf(size_t bucket) {
  const size_t shift = std::max<size_t>(bucket >> kSubBits, 1) - 1;
  const double least =
      std::ldexp(static_cast<double>(bucket - (shift << kSubBits)), static_cast<int>(shift));
  const double width = std::ldexp(1.0, static_cast<int>(shift));
  return (least + (width - 1) / 2) * 1e-9;
}

void LatencyHistogram::Add(double seconds) {
  const double nanoseconds = std::clamp(seconds * 1e9, 0.0, 9e18);
  ++counts_[BucketOf(static_cast<uint64_t>(nanoseconds))];
  ++count_;
  max_seconds_ = std::max(max_seconds_, seconds);
}

void LatencyHistogram::Merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  max_seconds_ = std::max(max_seconds_, other.max_seconds_);
}

double LatencyHistogram::Quantile(double q) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_));
  const uint64_t rank = std::clamp<uint64_t>(static_cast<uint64_t>(wanted), 1, count_);
  if (rank == count_) return max_seconds_;
  uint64_t below = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    below += counts_[i];
    if (below >= rank) return std::min(ValueOf(i), max_seconds_);
  }
  return max_seconds_;
}

}  // namespace edgemill::bench

// A histogram of latencies in fixed memory. Its buckets are wider for larger values, as in
// HdrHistogram.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace edgemill::bench {

/// Counts durations from 1 ns to 2.4 hours, in 19 KiB for any number of them. Longer durations
/// count as 2.4 hours. Not thread-safe.
class LatencyHistogram {
 public:
  void Add(double seconds);
  /// Adds what `other` counted.
  void Merge(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  /// The exact longest duration; 0 when there is none.
  double max_seconds() const { return max_seconds_; }
  /// The smallest duration that a share `q` (0 to 1) of all durations do not exceed, within 1 %. It
  /// is never more than max_seconds. 0 when there is none.
  double Quantile(double q) const;

 private:
  /// Below 128 ns a bucket is 1 ns wide. Above, each doubling of the value has 64 buckets.
  static constexpr int kSubBits = 6;
  static constexpr int kMaxShift = 36;
  static constexpr size_t kBuckets = ((kMaxShift + 2) << kSubBits);

  static size_t BucketOf(uint64_t nanoseconds);
  /// The middle of a bucket.
  static double ValueOf(size_t bucket);

  std::array<uint64_t, kBuckets> counts_{};
  uint64_t count_ = 0;
  double max_seconds_ = 0;
};

}  // namespace edgemill::bench

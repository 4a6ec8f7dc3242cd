// Latencies in fixed memory: buckets whose width grows with the value, as HdrHistogram's do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace edgemill::bench {

/// Counts durations from 1 ns to 2.4 hours (longer ones count as that) in 19 KiB, whatever their
/// number. Not thread-safe.
class LatencyHistogram {
 public:
  void Add(double seconds);
  /// Adds what `other` counted.
  void Merge(const LatencyHistogram& other);

  uint64_t count() const { return count_; }
  /// The longest, exactly; 0 when there is none.
  double max_seconds() const { return max_seconds_; }
  /// The smallest duration that a share `q` (0 to 1) of all do not exceed, within 1 % (never more
  /// than max_seconds); 0 when there is none.
  double Quantile(double q) const;

 private:
  /// Below 128 ns a bucket is a nanosecond; every doubling above has 64 buckets.
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

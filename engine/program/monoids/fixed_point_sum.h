// A sum of real numbers that is the same in any order.
#pragma once

#include <cstdint>

#include "kernels/portable_atomics.h"

namespace edgemill {

/// Adds numbers in fixed point: whole units of 2^-62 of a bound. So neither the order of additions
/// nor the number of threads changes a bit of the result. Each number and each intermediate sum
/// must stay within the bound. If one does not, the sum is not valid.
class FixedPointSum {
 public:
  /// `bound`: the largest absolute value of a number or sum, above 0. Rounded up to a power of 2.
  EM_HOST_DEVICE constexpr explicit FixedPointSum(double bound = 1) {
    for (double power = 1; power < bound; power *= 2) scale_ /= 2;
    for (double power = 1; power / 2 >= bound && scale_ < 0x1p1000; power /= 2) scale_ *= 2;
  }
  EM_HOST_DEVICE void Add(double value) {
    const double units = value * scale_;
    if (!(units <= 0x1p62 && units >= -0x1p62)) {  // also true of NaN
      valid_ = false;
      return;
    }
    AddUnits(static_cast<int64_t>(units));
  }
  /// Adds `value` `count` times.
  EM_HOST_DEVICE void AddTimes(double value, uint64_t count) {
    const double total = value * static_cast<double>(count);
    if (!(total * scale_ <= 0x1p62 && total * scale_ >= -0x1p62)) {
      valid_ = false;
      return;
    }
    AddUnits(static_cast<int64_t>(value * scale_) * static_cast<int64_t>(count));
  }
  /// `other` must have the same bound.
  EM_HOST_DEVICE void Merge(const FixedPointSum& other) {
    AddUnits(other.units_);
    valid_ &= other.valid_;
  }
#if defined(__CUDACC__)
  /// Merges while other threads may do the same.
  __device__ void MergeAtomically(const FixedPointSum& other) {
    if (other.units_ != 0) {
      const int64_t before = AtomicAdd(&units_, other.units_);
      const int64_t sum = before + other.units_;
      if (((before ^ sum) & (other.units_ ^ sum)) < 0) valid_ = false;
    }
    if (!other.valid_) valid_ = false;
  }
#endif
  EM_HOST_DEVICE void Reset() {
    units_ = 0;
    valid_ = true;
  }
  EM_HOST_DEVICE double value() const { return static_cast<double>(units_) / scale_; }
  EM_HOST_DEVICE bool valid() const { return valid_; }

 private:
  EM_HOST_DEVICE void AddUnits(int64_t more) {
    const int64_t sum =
        static_cast<int64_t>(static_cast<uint64_t>(units_) + static_cast<uint64_t>(more));
    valid_ &= ((units_ ^ sum) & (more ^ sum)) >= 0;  // negative where the addition overflowed
    units_ = sum;
  }

  int64_t units_ = 0;
  double scale_ = 0x1p62;
  bool valid_ = true;
};

}  // namespace edgemill

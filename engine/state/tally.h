// Values of the whole graph, to which programs add.
#pragma once

#include <type_traits>

#include "common/status.h"
#include "common/strings.h"
#include "engine/program/arrays/views.h"

namespace edgemill {

/// One value of the whole graph, to which programs add. Sums of reals are exact to 2^-62 of
/// `bound`, and their bits do not depend on the threads. No number and no intermediate sum, in any
/// order of additions, may have an absolute value above the bound.
template <typename M>
class Tally {
 public:
  explicit Tally(const char* name, double bound = 1)
      : name_(name), bound_(bound), sum_(Sums(bound)) {}

  TallyView<M> view() { return TallyView<M>(&sum_); }
  TallySum<M>& sum() { return sum_; }
  /// The sum of the numbers added since the last call. InternalError where the sum is above the
  /// bound, where a number was more than twice the bound, or where an intermediate sum overflowed.
  StatusOr<typename M::Value> Take() {
    const auto value = sum_.value();
    bool valid = sum_.valid();
    if constexpr (std::is_same_v<M, Sum<double>>) valid &= value <= bound_ && value >= -bound_;
    if (!valid) {
      return InternalError(StrCat("the sum of ", name_, " passed its bound, ", bound_));
    }
    sum_.Reset();
    return value;
  }

 private:
  static TallySum<M> Sums([[maybe_unused]] double bound) {
    if constexpr (std::is_same_v<M, Sum<double>>) {
      return TallySum<M>(bound);
    } else {
      return TallySum<M>();
    }
  }

  const char* const name_;
  const double bound_;
  TallySum<M> sum_;
};

}  // namespace edgemill

// Iterations until values settle: when they stop, and how many are to come.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/progress.h"
#include "engine/api/algorithm.h"

namespace edgemill {

/// When iterations stop: after so many, or once one changes values by no more than a tolerance.
struct Convergence {
  uint64_t iterations;
  /// 0: none. A number of iterations alone means exactly so many.
  double tolerance;

  /// By two options of the algorithm.
  Convergence(const RunState& state, const Option<uint64_t>& most, const Option<double>& change)
      : iterations(state.Get(most)),
        tolerance(state.Given(most) && !state.Given(change) ? 0 : state.Get(change)) {}
};

/// Predicts by the rate at which the change of an iteration has shrunk lately.
class IterationForecast {
 public:
  /// At most `most` iterations; `tolerance` 0: exactly so many. Tells `progress`, which must
  /// outlive it.
  IterationForecast(Progress& progress, uint64_t most, double tolerance)
      : progress_(progress), most_(most), tolerance_(tolerance) {
    progress_.SetMostIterations(most);
  }
  /// An iteration has ended, and changed so much.
  void Add(double change) {
    changes_.push_back(change);
    progress_.SetMostIterations(Iterations());
  }
  /// In all, those that are done among them. The most while nothing shrinks.
  uint64_t Iterations() const {
    const auto done = static_cast<uint64_t>(changes_.size());
    if (tolerance_ <= 0 || done < 2) return most_;
    // Over the last half: an algorithm's first iterations have rates of their own.
    const double now = changes_.back(), before = changes_[done / 2 - 1];
    if (now <= tolerance_) return std::min(done, most_);
    if (!(now < before) || !std::isfinite(before)) return most_;
    const double rate = std::log(before / now) / static_cast<double>(done - done / 2);
    const double left = std::ceil(std::log(now / tolerance_) / rate);
    const auto more = static_cast<double>(most_ - std::min(done, most_));
    return std::min(done, most_) + static_cast<uint64_t>(std::min(left, more));
  }

 private:
  Progress& progress_;
  const uint64_t most_;
  const double tolerance_;
  std::vector<double> changes_;
};

}  // namespace edgemill

// Iterations until values converge: when they stop, and how many will follow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/progress.h"
#include "engine/api/algorithm.h"

namespace edgemill {

/// When iterations stop: after `iterations`, or once an iteration changes values by no more than
/// `tolerance`.
struct Convergence {
  uint64_t iterations;
  /// 0: there is none. If the user gives only a number of iterations, exactly that number is done.
  double tolerance;

  /// From two options of the algorithm.
  Convergence(const RunState& state, const Option<uint64_t>& most, const Option<double>& change)
      : iterations(state.Get(most)),
        tolerance(state.Given(most) && !state.Given(change) ? 0 : state.Get(change)) {}
};

/// Predicts the number of iterations, from the rate at which changes have shrunk in the last ones.
class IterationForecast {
 public:
  /// At most `most` iterations; with `tolerance` 0, exactly `most`. Reports to `progress`, which
  /// must outlive it.
  IterationForecast(Progress& progress, uint64_t most, double tolerance)
      : progress_(progress), most_(most), tolerance_(tolerance) {
    progress_.SetMostIterations(most);
  }
  /// Adds an iteration that has ended with this change.
  void Add(double change) {
    changes_.push_back(change);
    progress_.SetMostIterations(Iterations());
  }
  /// The predicted number of all iterations, including those already done. The most while changes
  /// do not shrink.
  uint64_t Iterations() const {
    const auto done = static_cast<uint64_t>(changes_.size());
    if (tolerance_ <= 0 || done < 2) return most_;
    // Only the last half counts, because an algorithm's first iterations have other rates.
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

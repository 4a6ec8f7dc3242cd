// Tests the prediction of the number of iterations from how changes shrink.
#include "engine/algorithms/shared/convergence.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgemill {
namespace {

TEST(IterationForecast, FollowsTheRateOfConvergence) {
  Progress progress;
  IterationForecast forecast(progress, 1000, 1e-6);
  EXPECT_EQ(progress.max_iterations(), 1000u);
  // Changes shrink fast in three iterations, then by a constant factor. The 81st reaches 1e-6.
  uint64_t iterations = 0;
  for (double change = 2; change > 1e-6; change *= iterations <= 3 ? 0.5 : 0.85) {
    forecast.Add(change);
    if (++iterations >= 12) {
      EXPECT_NEAR(static_cast<double>(progress.max_iterations()), 81, 1) << iterations;
    }
  }
  EXPECT_EQ(iterations, 80u);
}

TEST(IterationForecast, StaysBetweenIterationsDoneAndTheLimit) {
  Progress progress;
  IterationForecast forecast(progress, 20, 1e-9);
  double change = 1;
  for (uint64_t done = 1; done <= 20; ++done, change *= 0.9) {
    forecast.Add(change);
    EXPECT_GE(progress.max_iterations(), done);
    EXPECT_LE(progress.max_iterations(), 20u);
  }
  EXPECT_EQ(progress.max_iterations(), 20u);
}

TEST(IterationForecast, KnowsNothingWhereNothingShrinks) {
  Progress progress;
  IterationForecast exact(progress, 7, 0);
  exact.Add(1);
  exact.Add(0.1);
  exact.Add(0.01);
  EXPECT_EQ(progress.max_iterations(), 7u);
  IterationForecast growing(progress, 9, 1e-3);
  for (const double change : {HUGE_VAL, 1.0, 2.0, 4.0, 4.0}) growing.Add(change);
  EXPECT_EQ(progress.max_iterations(), 9u);
  growing.Add(0);
  EXPECT_EQ(progress.max_iterations(), 6u);
}

}  // namespace
}  // namespace edgemill

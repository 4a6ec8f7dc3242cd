// Time that is divided among overlapping spans.
#include "engine/cost/shared_seconds.h"

#include <gtest/gtest.h>

namespace edgemill {
namespace {

TEST(SharedSeconds, KindsHaveEqualParts) {
  const TimeSpan spans[] = {{0, 6, SpanKind::kOnGpu},
                            {0, 4, SpanKind::kZeroCopied},
                            {2, 4, SpanKind::kZeroCopied},
                            {5, 7, SpanKind::kCopied}};
  const std::vector<double> seconds = SharedSeconds(spans);
  EXPECT_DOUBLE_EQ(seconds[0], 1 + 0.5);  // rests before
  EXPECT_DOUBLE_EQ(seconds[1], 2 + 1);
  EXPECT_DOUBLE_EQ(seconds[2], 1);
  EXPECT_DOUBLE_EQ(seconds[3], 0.5 + 1);
}

TEST(SharedSeconds, OverlappingSpansHaveEqualParts) {
  const TimeSpan spans[] = {{0, 4}, {2, 6}, {3, 4}, {8, 9}, {5, 5}};
  const std::vector<double> seconds = SharedSeconds(spans);
  EXPECT_DOUBLE_EQ(seconds[0], 2 + 0.5 + 1.0 / 3);
  EXPECT_DOUBLE_EQ(seconds[1], 0.5 + 1.0 / 3 + 2);
  EXPECT_DOUBLE_EQ(seconds[2], 1.0 / 3);
  EXPECT_DOUBLE_EQ(seconds[3], 1);
  EXPECT_DOUBLE_EQ(seconds[4], 0);
}

}  // namespace
}  // namespace edgemill

// When batches of a sweep are under way, and what of the time falls to each: plain arithmetic.
#include "engine/cost/pipeline_clock.h"

#include <gtest/gtest.h>

#include <vector>

namespace edgemill {
namespace {

/// By how much a batch moves the end of what was added.
double Adds(PipelineClock& clock, const StageSeconds& batch, bool takes_slot = true) {
  const double before = clock.end();
  clock.Add(batch, takes_slot);
  return clock.end() - before;
}

TEST(PipelineClock, TheSlowestStageDecides) {
  PipelineClock clock(4);
  const StageSeconds batch{.host = 1, .link = 2, .gpu = 0.5};
  EXPECT_DOUBLE_EQ(Adds(clock, batch), 3.5);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(Adds(clock, batch), 2);
  EXPECT_DOUBLE_EQ(clock.end(), 9.5);
}

TEST(PipelineClock, OneSlotHidesNothing) {
  PipelineClock clock(1);
  for (int i = 0; i < 3; ++i) {
    const BatchTimes times = clock.Add({.host = 1, .link = 2, .gpu = 0.25, .wait = 0.25});
    EXPECT_DOUBLE_EQ(times.batch.begin, 3.5 * i);
    EXPECT_DOUBLE_EQ(times.kernels.begin, 3.5 * i + 3);
    EXPECT_DOUBLE_EQ(times.kernels.end, 3.5 * (i + 1));
    EXPECT_DOUBLE_EQ(times.batch.end, 3.5 * (i + 1));
  }
}

TEST(PipelineClock, OthersWorkWhileOneWaits) {
  PipelineClock clock(4);
  const StageSeconds batch{.gpu = 1, .wait = 2};
  EXPECT_DOUBLE_EQ(Adds(clock, batch), 3);
  for (int i = 0; i < 8; ++i) EXPECT_DOUBLE_EQ(Adds(clock, batch), 1);
}

TEST(PipelineClock, KernelsThatReadAcrossShareTheLink) {
  PipelineClock clock(4);
  EXPECT_DOUBLE_EQ(Adds(clock, {.gpu = 3, .reads_across = true}), 3);
  EXPECT_DOUBLE_EQ(Adds(clock, {.link = 2, .gpu = 1}), 3);
  PipelineClock apart(4);
  EXPECT_DOUBLE_EQ(Adds(apart, {.gpu = 3}, false), 3);
  EXPECT_DOUBLE_EQ(Adds(apart, {.link = 2, .gpu = 1}), 1);
}

TEST(PipelineClock, KernelsThatReadAcrossWaitForNoOther) {
  PipelineClock clock(4);
  EXPECT_DOUBLE_EQ(Adds(clock, {.gpu = 3}, false), 3);
  EXPECT_DOUBLE_EQ(Adds(clock, {.gpu = 2, .reads_across = true}), 0);
  EXPECT_DOUBLE_EQ(Adds(clock, {.gpu = 2, .reads_across = true}), 1);
  EXPECT_DOUBLE_EQ(Adds(clock, {.gpu = 0.5}), 0.5);  // behind what crosses before
}

TEST(SharedSeconds, KindsHaveEqualParts) {
  const TimeSpan spans[] = {{0, 6, SpanKind::kOnCard},
                            {0, 4, SpanKind::kAcross},
                            {2, 4, SpanKind::kAcross},
                            {5, 7, SpanKind::kCopied}};
  const std::vector<double> seconds = SharedSeconds(spans);
  EXPECT_DOUBLE_EQ(seconds[0], 1 + 0.5);  // rests before
  EXPECT_DOUBLE_EQ(seconds[1], 2 + 1);
  EXPECT_DOUBLE_EQ(seconds[2], 1);
  EXPECT_DOUBLE_EQ(seconds[3], 0.5 + 1);
}

TEST(SharedSeconds, WorkOnTheCardHasPauses) {
  const TimeSpan others[] = {{5, 7, SpanKind::kAcross},
                             {1, 3, SpanKind::kAcross},
                             {0, 8, SpanKind::kCopied},
                             {2, 4, SpanKind::kAcross}};
  EXPECT_DOUBLE_EQ(SecondsOfPauses({0, 10}, others), 5);
  EXPECT_DOUBLE_EQ(SecondsOfPauses({2.5, 6}, others), 2.5);
  EXPECT_DOUBLE_EQ(SecondsOfPauses({8, 9}, others), 0);
  EXPECT_DOUBLE_EQ(EndWithPauses({0, 0.5}, others), 0.5);
  EXPECT_DOUBLE_EQ(EndWithPauses({0, 1.5}, others), 4.5);
  EXPECT_DOUBLE_EQ(EndWithPauses({0, 4}, others), 9);
  EXPECT_DOUBLE_EQ(EndWithPauses({0, 4}, {}), 4);
  // The shortest work, beside one behind the other from the beginning on.
  std::vector<TimeSpan> close;
  for (int i = 0; i < 100'000; ++i) close.push_back({i * 1e-3, (i + 1) * 1e-3, SpanKind::kAcross});
  EXPECT_NEAR(EndWithPauses({0, 1e-9}, close), 100, 1e-6);
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

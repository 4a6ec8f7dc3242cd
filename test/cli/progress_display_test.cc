#include "cli/progress_display.h"

#include <gtest/gtest.h>

namespace edgemill::cli {
namespace {

TEST(FormatProgressTest, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(FormatProgress({"sort", "edges", 1'200'000'000, 3'500'000'000, 52e6, 851443712}),
            "sort: 34 %, 1.2 G of 3.5 G edges, 52 M/s, 812.0 MiB/s, 0:44 left");
}

TEST(FormatProgressTest, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(FormatProgress({"read", "edges", 950, 0, 0, 0}), "read: 950 edges");
  EXPECT_EQ(FormatProgress({"read", "edges", 10, 10, 5, 0}), "read: 100 %, 10 of 10 edges, 5/s");
}

TEST(FormatProgressTest, LongTimesHaveHours) {
  EXPECT_EQ(FormatProgress({"x", "blocks", 0, 7322, 2, 0}),
            "x: 0 %, 0 of 7.3 k blocks, 2/s, 1:01:01 left");
}

TEST(ProgressDisplayTest, EndsAtOnceWhateverItsInterval) {
  Stopwatch watch;
  for (const ProgressStyle style :
       {ProgressStyle::kLog, ProgressStyle::kTerminal, ProgressStyle::kQuiet}) {
    ProgressDisplay display(style);
    display.StartStage("stage", "edges", 10);
    display.Advance(5, 100);
    EXPECT_EQ(display.done(), 5u);
    display.StartStage("next", "edges", 10);
    EXPECT_EQ(display.done(), 0u);
  }
  EXPECT_LT(watch.seconds(), 5);
}

TEST(ProgressDisplayTest, QuietKeepsNotesBack) {
  testing::internal::CaptureStderr();
  {
    ProgressDisplay quiet(ProgressStyle::kQuiet);
    quiet.Note("not this");
    ProgressDisplay log(ProgressStyle::kLog);
    log.Note("but this");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "edgemill: but this\n");
}

}  // namespace
}  // namespace edgemill::cli

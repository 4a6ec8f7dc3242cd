#include "cli/display/progress_display.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace edgemill::cli {
namespace {

TEST(FormatProgressTest, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(FormatProgress({.stage = "sort",
                            .unit = "edges",
                            .done = 1'200'000'000,
                            .total = 3'500'000'000,
                            .units_per_second = 52e6,
                            .bytes_per_second = 851443712}),
            "sort: 34 %, 0:44 left, 1.2 G of 3.5 G edges, 52 M/s, 812.0 MiB/s");
}

TEST(FormatProgressTest, WithoutATotalItTellsTheTimeSoFar) {
  EXPECT_EQ(FormatProgress({.stage = "read", .unit = "edges", .done = 950, .elapsed_seconds = 43}),
            "read: 0:43 so far, 950 edges");
  EXPECT_EQ(FormatProgress(
                {.stage = "read", .unit = "edges", .done = 10, .total = 10, .units_per_second = 5}),
            "read: 100 %, 10 of 10 edges, 5/s");
}

TEST(FormatProgressTest, BytesTellTheShareWhereUnitsDoNot) {
  EXPECT_EQ(FormatProgress({.stage = "reading",
                            .unit = "edges",
                            .done = 5'000'000,
                            .bytes = 30 << 20,
                            .total_bytes = 120 << 20,
                            .units_per_second = 1e6,
                            .bytes_per_second = 6 << 20}),
            "reading: 25 %, 0:15 left, 5.0 M edges, 1.0 M/s, 6.00 MiB/s");
}

TEST(FormatProgressTest, IterationsTellHowManyAreExpected) {
  ProgressFigures figures{.stage = "pagerank",
                          .unit = "edges",
                          .round = "trial 2 of 3",
                          .iteration = 3,
                          .expected_iterations = 10,
                          .done = 50,
                          .total = 100,
                          .units_per_second = 10};
  EXPECT_EQ(FormatProgress(figures),
            "trial 2 of 3, pagerank: iteration 3 of about 10, 25 %, 1:15 left, "
            "50 of 100 edges, 10/s");
  figures.expected_iterations = 0;
  EXPECT_EQ(StageSecondsLeft(figures), std::nullopt);
  EXPECT_EQ(FormatProgress(figures),
            "trial 2 of 3, pagerank: iteration 3, 0:00 so far, 50 of 100 edges, 10/s");
}

TEST(FormatProgressTest, ShareAndTimeLeftAreTheCommandsWhereItHasAPlan) {
  const ProgressFigures figures{.stage = "sort",
                                .unit = "edges",
                                .done = 90,
                                .total = 100,
                                .units_per_second = 10,
                                .command_share = 0.3,
                                .command_seconds_left = 70};
  EXPECT_EQ(FormatProgress(figures), "sort: 30 %, 1:10 left, 90 of 100 edges, 10/s");
  const std::string json = ProgressJson(figures, 30);
  EXPECT_NE(json.find("\"stage_share\":0.9,\"share\":0.3,"), std::string::npos) << json;
  EXPECT_NE(json.find("\"stage_seconds_left\":1.0,\"seconds_left\":70.0,"), std::string::npos)
      << json;
}

TEST(FormatProgressTest, WhatIsDoneNeverPassesTheTotal) {
  const ProgressFigures figures{.stage = "bfs",
                                .unit = "edges",
                                .done = 1'900'000'000,
                                .total = 521'000'000,
                                .bytes = 30,
                                .total_bytes = 20};
  EXPECT_EQ(FormatProgress(figures), "bfs: 100 %, 521 M of 521 M edges");
  const std::string json = ProgressJson(figures, 1);
  EXPECT_NE(json.find("\"done\":521000000,\"total\":521000000,\"bytes\":20,\"total_bytes\":20"),
            std::string::npos)
      << json;
}

TEST(FormatProgressTest, LongTimesHaveHours) {
  EXPECT_EQ(FormatProgress({.stage = "x", .unit = "blocks", .total = 7322, .units_per_second = 2}),
            "x: 0 %, 1:01:01 left, 0 of 7.3 k blocks, 2/s");
}

TEST(ProgressJsonTest, UnknownFiguresAreNull) {
  EXPECT_EQ(ProgressJson({.stage = "read \"it\"", .unit = "edges", .done = 7}, 1.5),
            "{\"stage\":\"read \\\"it\\\"\",\"round\":null,\"unit\":\"edges\","
            "\"iteration\":null,"
            "\"expected_iterations\":null,\"done\":7,\"total\":null,\"bytes\":0,"
            "\"total_bytes\":null,\"stage_share\":null,\"share\":null,"
            "\"units_per_second\":0.0,\"bytes_per_second\":0.0,"
            "\"stage_seconds_left\":null,\"seconds_left\":null,\"elapsed\":1.5}");
  EXPECT_EQ(MessageJson("note", "line\n\xff"), "{\"note\":\"line\\n\xef\xbf\xbd\"}");
}

TEST(RecentRateTest, FollowsWhatHappensNow) {
  RecentRate rate;
  EXPECT_EQ(rate.per_second(), 0);
  rate.Add(10, 1);
  EXPECT_NEAR(rate.per_second(), 10, 1e-9);
  for (int i = 0; i < 60; ++i) rate.Add(100, 1);
  EXPECT_NEAR(rate.per_second(), 100, 1);
}

TEST(ProgressDisplayTest, EndsAtOnceWhateverItsInterval) {
  Stopwatch watch;
  for (const ProgressStyle style : {ProgressStyle::kLog, ProgressStyle::kTerminal,
                                    ProgressStyle::kNotes, ProgressStyle::kQuiet}) {
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

TEST(ProgressDisplayTest, EachIterationCountsFromZero) {
  testing::internal::CaptureStderr();
  {
    ProgressDisplay json(ProgressStyle::kJson);
    json.StartStage("run", "edges", 0);
    json.StartIteration(1);
    json.StartPass(100);
    json.Advance(100);
    json.StartIteration(2);
    json.StartPass(80);
    json.Advance(20);
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("\"iteration\":2,\"expected_iterations\":null,\"done\":20,\"total\":80"),
            std::string::npos)
      << text;
}

TEST(ProgressDisplayTest, ShareIsOfTheWholeCommand) {
  testing::internal::CaptureStderr();
  {
    ProgressDisplay json(ProgressStyle::kJson);
    json.Plan({{"one", 30}, {"two", 60}, {"three", 10}});
    json.StartStage("one", "edges", 10);
    json.Advance(5);
    json.StartStage("two", "edges", 4);
    json.Advance(4);
    json.StartStage("three", "blocks", 10);
  }
  const std::string text = testing::internal::GetCapturedStderr();
  std::vector<std::string> shares;
  for (size_t at = text.find(",\"share\":"); at != std::string::npos;
       at = text.find(",\"share\":", at + 1)) {
    shares.push_back(text.substr(at + 9, text.find(',', at + 1) - at - 9));
  }
  // Each stage has a share at its start and at its end.
  EXPECT_EQ(shares, (std::vector<std::string>{"0.0", "0.15", "0.3", "0.9", "0.9", "0.9"})) << text;
}

TEST(ProgressDisplayTest, JsonTellsWhereStagesStartAndEnd) {
  testing::internal::CaptureStderr();
  {
    ProgressDisplay json(ProgressStyle::kJson);
    json.StartStage("one", "edges", 10);
    json.Advance(10);
    json.Note("so \"it\" is");
    json.StartStage("two", "blocks", 0);
  }
  const std::string text = testing::internal::GetCapturedStderr();
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  }
  ASSERT_EQ(lines.size(), 5u) << text;
  EXPECT_TRUE(lines[0].starts_with("{\"stage\":\"one\"")) << lines[0];
  EXPECT_EQ(lines[1], "{\"note\":\"so \\\"it\\\" is\"}");
  EXPECT_NE(lines[2].find("\"stage_share\":1.0"), std::string::npos) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("{\"stage\":\"two\"")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("{\"stage\":\"two\"")) << lines[4];
}

}  // namespace
}  // namespace edgemill::cli

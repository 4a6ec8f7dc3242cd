// The share of a whole command that is done, and the time that is left of it.
#include "cli/display/command_share.h"

#include <gtest/gtest.h>

namespace edgemill::cli {
namespace {

TEST(CommandShareTest, StagesCountByTheirCosts) {
  CommandShare command;
  EXPECT_FALSE(command.planned());
  command.Plan({{"read", 6}, {"sort", 3}, {"commit", 1}}, 10);
  EXPECT_TRUE(command.planned());
  command.StartStage("read", 10);
  EXPECT_EQ(command.At({.share = 0.0}, 10).seconds_left, std::nullopt);
  const auto half = command.At({.share = 0.5, .seconds_left = 25.0}, 40);
  EXPECT_DOUBLE_EQ(half.share, 0.3);
  // 25 s are left of this stage, and then 4 units of 10 s each.
  EXPECT_DOUBLE_EQ(half.seconds_left.value(), 65);
  command.StartStage("sort", 70);
  EXPECT_DOUBLE_EQ(command.At({.share = 0.0}, 70).share, 0.6);
  EXPECT_DOUBLE_EQ(command.At({.share = 0.5}, 85).seconds_left.value(), 2.5 * 10);
  command.StartStage("commit", 100);
  EXPECT_DOUBLE_EQ(command.At({.share = 1.0}, 110).share, 1);
}

TEST(CommandShareTest, NeverFalls) {
  CommandShare command;
  command.Plan({{"run", 1}}, 0);
  command.StartStage("run", 0);
  EXPECT_DOUBLE_EQ(command.At({.share = 0.5}, 1).share, 0.5);
  EXPECT_DOUBLE_EQ(command.At({.share = 0.2}, 2).share, 0.5);  // another pass has started
  EXPECT_DOUBLE_EQ(command.At({.share = 7}, 2).share, 1);
}

TEST(CommandShareTest, StagesMayBeMissingComeAgainOrBeUnplanned) {
  CommandShare command;
  command.Plan({{"load", 1}, {"run", 3}, {"load", 1}, {"run", 3}, {"write", 2}}, 0);
  command.StartStage("look", 0);  // a stage before the first planned one
  EXPECT_DOUBLE_EQ(command.At({.share = 0.9}, 1).share, 0);
  command.StartStage("load", 1);
  command.StartStage("run", 2);
  EXPECT_DOUBLE_EQ(command.At({.share = 0.0}, 2).share, 0.1);
  command.StartStage("check", 3);  // not planned: it ends the stage before it
  EXPECT_DOUBLE_EQ(command.At({.share = 0.5}, 3).share, 0.4);
  command.StartStage("run", 4);  // the second run, whose index was loaded already
  EXPECT_DOUBLE_EQ(command.At({.share = 0.0}, 4).share, 0.5);
  command.StartStage("write", 5);
  EXPECT_DOUBLE_EQ(command.At({.share = 0.5}, 6).share, 0.9);
  command.StartStage("write", 6);  // the same stage again
  EXPECT_DOUBLE_EQ(command.At({.share = 0.0}, 6).share, 0.9);
  command.StartStage("sum up", 7);
  EXPECT_DOUBLE_EQ(command.At({}, 7).share, 1);
  command.StartStage("sum up", 8);
  EXPECT_DOUBLE_EQ(command.At({}, 8).share, 1);
}

TEST(CommandShareTest, WithoutATotalShareComesFromUnitsOrTime) {
  CommandShare command;
  command.Plan({{"load", 1}, {"bfs", 8, 200}, {"tell", 1}}, 0);
  command.StartStage("load", 0);
  command.StartStage("bfs", 1);
  EXPECT_DOUBLE_EQ(command.At({.units = 50}, 2).share, 0.1 + 0.25 * 0.8);
  EXPECT_DOUBLE_EQ(command.At({.units = 5000}, 3).share, 0.1 + 0.95 * 0.8);
  command.StartStage("tell", 9);
  const double before = command.At({}, 9).share;
  const double later = command.At({}, 10).share;
  EXPECT_LT(before, later);
  EXPECT_LT(command.At({}, 1000).share, 1);
}

}  // namespace
}  // namespace edgemill::cli

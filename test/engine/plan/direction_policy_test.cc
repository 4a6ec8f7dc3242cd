// The choice between push and pull where blocks come from disk.
#include "engine/plan/direction_policy.h"

#include <gtest/gtest.h>

#include "engine/cost/tuning.h"

namespace edgemill {
namespace {

constexpr uint64_t kPolicyBlocks = 2000;
constexpr EdgeIndex kPolicyEdges = 64'000'000;

/// The policy of a search on a symmetric graph of 2 M vertices, in blocks of 64 KiB. The disk reads
/// `rate` bytes per second in order, and a tenth of that at random.
DirectionPolicy SearchPolicy(double rate, bool samples) {
  const ProgramTraits search{.takes_first = true, .has_cond = true, .may_search = true};
  PassSizes sizes{.num_vertices = 2'000'000,
                  .num_edges = kPolicyEdges,
                  .num_blocks = kPolicyBlocks,
                  .samples_neighbors = samples};
  sizes.ReadFromDisk(65536, Curve({{65536, rate / 10}, {kSequentialReadBytes, rate}}));
  return DirectionPolicy(search, {.out = true, .in = true}, Mode::kAuto, false, sizes);
}

/// After a pull that left blocks out, what is left lies together, and a pull reads little of it.
TEST(DirectionPolicy, PullsAgainWhereTheRestLiesTogether) {
  for (const double rate : {150e6, 6e9}) {
    for (const bool samples : {false, true}) {
      const DirectionPolicy policy = SearchPolicy(rate, samples);
      // 1,500 blocks for a push, which are as slow as all of them, or 6 for a pull.
      PassSituation situation{.active_vertices = 3000,
                              .active_edges = 20'000'000,
                              .emitted_edges = 43'900'000,
                              .pulled_blocks = 1200};
      EXPECT_EQ(Mode::kPull, policy.Choose(situation)) << rate;
      // Much is left: a pull takes as many blocks as the last, and a push one for each vertex.
      situation = {.active_vertices = 30,
                   .active_edges = 100,
                   .emitted_edges = 30'000'000,
                   .pulled_blocks = 1200};
      EXPECT_EQ(Mode::kPush, policy.Choose(situation)) << rate;
      // A pull that read nearly all blocks says nothing of where the rest lies.
      situation = {.active_vertices = 30,
                   .active_edges = 19'000'000,
                   .emitted_edges = 44'900'000,
                   .pulled_blocks = kPolicyBlocks};
      EXPECT_EQ(rate < 1e9 ? Mode::kPush : Mode::kPull, policy.Choose(situation)) << rate;
    }
  }
}

TEST(DirectionPolicy, FirstPassesOfASearchFromDisk) {
  const DirectionPolicy policy = SearchPolicy(150e6, false);
  EXPECT_EQ(Mode::kPush, policy.Choose({.active_vertices = 100, .active_edges = 4'000'000}));
  EXPECT_EQ(Mode::kPull, policy.Choose({.active_vertices = 100'000,
                                        .active_edges = 43'000'000,
                                        .emitted_edges = 180'000}));
}

/// The policy of a program on a directed graph whose lists of one direction have no weights.
DirectionPolicy OneWayPolicy(const ProgramTraits& traits, bool out_weights, Mode mode) {
  const ListColumns lists{.directed = true,
                          .out = true,
                          .in = true,
                          .out_weights = out_weights,
                          .in_weights = !out_weights};
  return DirectionPolicy(traits, lists, mode, false, {.num_vertices = 100, .num_edges = 1000});
}

TEST(DirectionPolicy, WeightsOfOneDirectionDecide) {
  for (const Directions directions : {Directions::kOut, Directions::kIn}) {
    for (const bool out_weights : {true, false}) {
      ProgramTraits traits{.directions = directions, .weighted = true};
      const bool pushes = (directions == Directions::kOut) == out_weights;
      const auto check = [&](Mode mode) {
        return OneWayPolicy(traits, out_weights, mode).Check("g.mill");
      };
      const DirectionPolicy policy = OneWayPolicy(traits, out_weights, Mode::kAuto);
      EXPECT_TRUE(check(Mode::kAuto).ok());
      EXPECT_EQ(policy.Choose({.active_vertices = 1, .active_edges = 1}),
                pushes ? Mode::kPush : Mode::kPull);
      EXPECT_EQ(policy.can_push(), pushes);
      EXPECT_EQ(policy.can_pull(), !pushes);
      EXPECT_EQ(policy.may_push(), pushes);
      EXPECT_EQ(policy.may_pull(), !pushes);
      EXPECT_EQ(check(Mode::kPush).ok(), pushes);
      EXPECT_EQ(check(Mode::kPull).ok(), !pushes);
      EXPECT_EQ(check(Mode::kNotifyPull).ok(), !pushes);
      EXPECT_EQ(check(pushes ? Mode::kPull : Mode::kPush).message(),
                StrCat("g.mill lacks the weights for --mode ", pushes ? "pull" : "push",
                       ": ingest it with --weights-in both"));
      traits.weighted = false;  // then weights do not matter
      EXPECT_TRUE(check(Mode::kPush).ok() && check(Mode::kPull).ok());
    }
  }
}

/// Notices go along lists without weights.
TEST(DirectionPolicy, ToNotifyTakesNoWeights) {
  const ProgramTraits traits{.weighted = true, .collects = true};
  const DirectionPolicy policy = OneWayPolicy(traits, /*out_weights=*/false, Mode::kAuto);
  EXPECT_TRUE(policy.may_push() && policy.may_pull() && !policy.can_push());
  EXPECT_EQ(policy.Choose({.active_vertices = 1, .active_edges = 1}), Mode::kNotifyPull);
  EXPECT_EQ(policy.Choose({.active_vertices = 100, .active_edges = 1000}), Mode::kPull);
}

TEST(DirectionPolicy, ProgramsBothWaysNeedAllWeights) {
  const ProgramTraits traits{.directions = Directions::kBoth, .weighted = true};
  for (const bool out_weights : {true, false}) {
    EXPECT_EQ(OneWayPolicy(traits, out_weights, Mode::kAuto).Check("g.mill").message(),
              "g.mill lacks the weights for --mode auto: ingest it with --weights-in both");
  }
}

TEST(DirectionPolicy, MissingListsAreNamedBeforeMissingWeights) {
  const ProgramTraits traits{.weighted = true};
  const DirectionPolicy policy(traits, {.directed = true, .out = true, .in_weights = false},
                               Mode::kPull, false, {});
  EXPECT_EQ(policy.Check("g.mill").message(),
            "g.mill lacks the columns for --mode pull: ingest it with --columns both");
}

}  // namespace
}  // namespace edgemill

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

}  // namespace
}  // namespace edgemill

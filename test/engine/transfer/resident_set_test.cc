// Which blocks stay on the GPU, how much resident capacity they take, and what bringing the others
// has cost. These are plain numbers, tested without a GPU.
#include "engine/transfer/resident_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/threads/parallel.h"

namespace edgemill {
namespace {

constexpr uint64_t kSideBlocks = 100;

/// Two sides of kSideBlocks; the first counts costs.
void AddSides(ResidentSet* set, uint64_t capacity_bytes) {
  set->SetCapacity(capacity_bytes);
  set->AddSide(0, kSideBlocks, true);
  set->AddSide(1, kSideBlocks, false);
}

TEST(ResidentSet, StartsEmpty) {
  ResidentSet set;
  EXPECT_TRUE(set.HoldsAll(0));  // an empty set of no blocks
  EXPECT_FALSE(set.Reserve(1));
  EXPECT_TRUE(set.Reserve(0));
  AddSides(&set, 1000);
  for (const size_t side : {0, 1}) {
    const ResidentView view = set.View(side);
    EXPECT_EQ(view.num_resident, 0u);
    EXPECT_EQ(view.is_resident.size(), kSideBlocks);
    EXPECT_EQ(std::count(view.is_resident.begin(), view.is_resident.end(), 0), int{kSideBlocks});
    EXPECT_EQ(view.spent_seconds.size(), side == 0 ? kSideBlocks : 0);
    EXPECT_EQ(view.capacity_bytes, 1000u);
    EXPECT_EQ(view.used_bytes, 0u);
    EXPECT_FALSE(set.HoldsAll(side));
  }
}

/// Compares with a plain set of pairs.
TEST(ResidentSet, HoldsWhatWasAdmitted) {
  Random random(3);
  ResidentSet set;
  AddSides(&set, 0);
  std::set<std::pair<size_t, uint64_t>> admitted;
  for (int i = 0; i < 4000; ++i) {
    const size_t side = random.Below(2);
    const uint64_t block = random.Below(kSideBlocks);
    EXPECT_EQ(set.Contains(side, block), admitted.contains({side, block}));
    if (admitted.insert({side, block}).second) set.Admit(side, block);
    EXPECT_EQ(set.num_resident(0) + set.num_resident(1), admitted.size());
    EXPECT_EQ(set.View(side).num_resident, set.num_resident(side));
    EXPECT_EQ(set.View(side).is_resident[block], 1);
    EXPECT_EQ(set.HoldsAll(side), set.num_resident(side) == kSideBlocks);
  }
  EXPECT_TRUE(set.HoldsAll(0) && set.HoldsAll(1));
}

TEST(ResidentSetDeathTest, NoBlockIsAdmittedTwice) {
  ResidentSet set;
  AddSides(&set, 0);
  set.Admit(1, 7);
  set.Admit(0, 7);
  EXPECT_DEATH(set.Admit(1, 7), "");
}

/// Capacity is reserved to the last byte but not beyond. Blocks are allocated one behind the other.
TEST(ResidentSet, CapacityIsNeverExceeded) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    ResidentSet set;
    const uint64_t capacity = random.Below(1000);
    AddSides(&set, capacity);
    uint64_t reserved = 0;
    uint64_t used = 0;
    for (int i = 0; i < 50; ++i) {
      const uint64_t bytes = random.Below(60);
      ASSERT_EQ(set.Reserve(bytes), reserved + bytes <= capacity);
      if (reserved + bytes > capacity) continue;
      reserved += bytes;
      const uint64_t needed = random.Below(bytes + 1);
      ASSERT_EQ(set.Allocate(needed), used);
      used += needed;
      ASSERT_EQ(set.View(0).used_bytes, used);
    }
    EXPECT_TRUE(set.Reserve(capacity - reserved));
    EXPECT_FALSE(set.Reserve(1));
  }
}

TEST(ResidentSetDeathTest, WhatWasNotReservedIsNotAllocated) {
  ResidentSet set;
  AddSides(&set, 1000);
  ASSERT_TRUE(set.Reserve(10));
  EXPECT_EQ(set.Allocate(10), 0u);
  EXPECT_DEATH(set.Allocate(1), "");
}

TEST(ResidentSet, ThreadsReserveNoByteTwice) {
  constexpr uint64_t kBlockBytes = 7;
  ResidentSet set;
  AddSides(&set, 1000 * kBlockBytes + 3);
  std::vector<std::vector<uint64_t>> offsets(4);
  const Status done = RunThreads(4, [&](int thread) {
    while (set.Reserve(kBlockBytes)) {
      offsets[static_cast<size_t>(thread)].push_back(set.Allocate(kBlockBytes));
    }
    return OkStatus();
  });
  ASSERT_TRUE(done.ok());
  std::set<uint64_t> all;
  for (const auto& of_thread : offsets) all.insert(of_thread.begin(), of_thread.end());
  EXPECT_EQ(all.size(), 1000u);
  EXPECT_EQ(*all.rbegin(), 999 * kBlockBytes);
  EXPECT_EQ(set.View(0).used_bytes, 1000 * kBlockBytes);
}

/// The costs of a block add up. The costs of other blocks do not change.
TEST(ResidentSet, CostsAddUpByBlock) {
  ResidentSet set;
  AddSides(&set, 1000);
  std::vector<double> seconds(kSideBlocks, 100);  // must not be read for unnamed blocks
  seconds[3] = 0.5;
  seconds[9] = 0.25;
  const auto charge = [&](size_t side, const std::vector<uint64_t>& blocks,
                          const SkiRental& rental) {
    set.Charge(side, {blocks, seconds, rental});
  };
  charge(0, {3, 9}, {.parts_seconds = 0.75});
  charge(0, {9}, {.parts_seconds = 1, .idle_seconds = 2});
  charge(1, {9}, {.parts_seconds = 2, .idle_seconds = 3});
  set.ChargeParts(0.5);
  const ResidentView view = set.View(0);
  for (uint64_t block = 0; block < kSideBlocks; ++block) {
    EXPECT_EQ(view.spent_seconds[block], block == 3 || block == 9 ? 0.5f : 0.0f);
  }
  EXPECT_EQ(view.rental.parts_seconds, 2.5);
  EXPECT_EQ(view.rental.idle_seconds, 3);
}

/// The part is an eighth of the time that filling takes.
TEST(ResidentSet, EvictsOnceOthersWouldHaveSavedAPartOfFilling) {
  ResidentSet set;
  AddSides(&set, 1000);
  set.Charge(0, {.rental = {.idle_seconds = 1}});
  EXPECT_TRUE(set.ShouldEvict(7.99));
  EXPECT_FALSE(set.ShouldEvict(8));
  set.Charge(0, {.rental = {.parts_seconds = 100}});
  EXPECT_FALSE(set.ShouldEvict(0));
}

TEST(ResidentSet, EvictionGivesAllBack) {
  ResidentSet set;
  AddSides(&set, 1000);
  const std::vector<double> seconds(kSideBlocks, 1);
  const std::vector<uint64_t> blocks = {5};
  for (int round = 0; round < 3; ++round) {
    for (uint64_t block = 0; block < 10; ++block) {
      ASSERT_TRUE(set.Reserve(100));
      EXPECT_EQ(set.Allocate(90), block * 90);
      set.Admit(round % 2, block);
    }
    EXPECT_FALSE(set.Reserve(1));
    set.Charge(0, {blocks, seconds, {1, 1}});
    set.Evict();
    for (const size_t side : {0, 1}) {
      const ResidentView view = set.View(side);
      EXPECT_EQ(view.num_resident, 0u);
      EXPECT_EQ(std::count(view.is_resident.begin(), view.is_resident.end(), 0), int{kSideBlocks});
      EXPECT_EQ(view.used_bytes, 0u);
      EXPECT_EQ(view.rental.parts_seconds, 0);
      EXPECT_EQ(view.rental.idle_seconds, 0);
    }
    // A side without resident blocks keeps the time that it has spent.
    EXPECT_EQ(set.View(0).spent_seconds[5], round == 1 ? 1.0f : 0.0f);
  }
}

}  // namespace
}  // namespace edgemill

// The ring through which packed groups reach a GPU's warp, used by one thread here. Every group's
// words are in the ring when the group is used. No line is fetched twice if its groups are wanted
// together.
#include "kernels/group_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "common/random.h"
#include "storage/format/group_codec.h"

namespace edgemill {
namespace {

constexpr uint32_t kGroupsOfRun = 16;

/// The places of a warp tile's groups, and which groups are wanted.
struct RunGroups {
  std::vector<WordRange> groups;
  uint32_t wanted = 0;

  bool Wants(uint32_t group) const { return group < groups.size() && (wanted >> group & 1) != 0; }
};

/// A group on its way through the ring.
struct Passing {
  WordRange bring;
  RingPlaces places = {};
  uint32_t tail = 0;  // the place behind it
};

/// Plans the groups' places as kernels/gpu/tile_reader.cuh does.
std::vector<Passing> Plan(const RunGroups& run) {
  std::vector<Passing> plan(run.groups.size());
  uint32_t tail = 0;
  for (uint32_t group = 0; group < run.groups.size(); ++group) {
    if (!run.Wants(group)) continue;
    const WordRange& words = run.groups[group];
    const bool joined =
        group > 0 && run.Wants(group - 1) && run.groups[group - 1].end == words.begin;
    Passing& passing = plan[group];
    passing.bring = WordsToBring(words, joined, run.Wants(group + 1));
    passing.places = PlacesInRing(words, passing.bring, tail);
    tail += RingSpan(passing.bring);
    passing.tail = tail;
  }
  return plan;
}

/// Word w has the value w + 1. Checks every wanted group when it is used. Returns the number of
/// sectors read.
uint64_t Walk(const RunGroups& run, uint32_t most_ahead) {
  const std::vector<Passing> plan = Plan(run);
  std::array<uint32_t, kRingWords> ring = {};
  uint64_t sectors = 0;
  uint32_t ahead = 0;  // the next group to fetch
  uint32_t on_their_way = 0;
  for (uint32_t used = 0; used < run.groups.size(); ++used) {
    if (!run.Wants(used)) continue;
    for (; ahead < run.groups.size() && on_their_way < most_ahead; ++ahead) {
      if (!run.Wants(ahead)) continue;
      if (!RingHolds(plan[used].places.start, plan[ahead].tail)) break;
      const auto [begin, end] = plan[ahead].bring;
      EXPECT_EQ(begin % kSectorWords, 0u);
      EXPECT_EQ(end % kSectorWords, 0u);
      EXPECT_EQ((plan[ahead].places.to - begin) % kLineWords, 0u)
          << "words keep their places in a line";
      sectors += (end - begin) / kSectorWords;
      for (uint32_t word = begin; word < end; ++word) {
        ring[(plan[ahead].places.to + word - begin) % kRingWords] = word + 1;
      }
      ++on_their_way;
    }
    EXPECT_GT(on_their_way, 0u) << "the group to use always has room";
    const auto [begin, end] = run.groups[used];
    for (uint32_t word = begin; word < end; ++word) {
      EXPECT_EQ(ring[(plan[used].places.start + word - begin) % kRingWords], word + 1)
          << "group " << used << " word " << word - begin;
    }
    --on_their_way;
  }
  return sectors;
}

/// Adjacent groups of up to `max_words` words. The first begins at word `skew`.
RunGroups RunOf(uint32_t skew, uint32_t max_words, Random& random) {
  RunGroups run;
  uint32_t at = skew;
  for (uint32_t group = 0; group < kGroupsOfRun; ++group) {
    const auto size = static_cast<uint32_t>(random.Below(max_words + 1));
    run.groups.push_back({at, at + size});
    at += size;
  }
  run.wanted = static_cast<uint32_t>(random.Below(1 << kGroupsOfRun));
  return run;
}

TEST(GroupRing, EveryGroupIsThereWhenItIsUsed) {
  Random random(7);
  for (const uint32_t max_words : {0u, 1u, 8u, 60u, 130u, 288u}) {
    for (uint32_t trial = 0; trial < 2000; ++trial) {
      RunGroups run = RunOf(trial % kLineWords, max_words, random);
      Walk(run, 1 + trial % 4);
      if (HasFailure()) return;
    }
  }
}

TEST(GroupRing, LargestGroupsOneByOne) {
  const uint32_t most =
      GroupHeader{.base = 0, .word_offset = 0, .width = 30, .exceptions = 127, .high_bits = 32}
          .num_words();
  ASSERT_LE(most, 288u);
  for (uint32_t skew = 0; skew < kLineWords; ++skew) {
    RunGroups run;
    for (uint32_t group = 0; group < kGroupsOfRun; ++group) {
      run.groups.push_back({skew + group * most, skew + (group + 1) * most});
    }
    run.wanted = 0xffff;
    Walk(run, 4);
  }
}

TEST(GroupRing, GroupsThatLieElsewhereAreBroughtFromThere) {
  Random random(8);
  for (uint32_t trial = 0; trial < 2000; ++trial) {
    RunGroups run = RunOf(0, 100, random);
    for (WordRange& words : run.groups) {
      const auto to = static_cast<uint32_t>(random.Below(60000));
      words = {to, to + (words.end - words.begin)};
    }
    Walk(run, 4);
    if (HasFailure()) return;
  }
}

TEST(GroupRing, GroupsWantedTogetherAreReadOnce) {
  Random random(9);
  for (uint32_t trial = 0; trial < 200; ++trial) {
    RunGroups run = RunOf(trial % kLineWords, 60, random);
    run.wanted = 0xffff;
    const uint32_t words = run.groups.back().end - run.groups.front().begin;
    EXPECT_LE(Walk(run, 4), words / kSectorWords + kLineWords / kSectorWords + 1);
    run.wanted = 0x1;  // one group reads no sector more than it needs
    EXPECT_LE(Walk(run, 4), (run.groups[0].end - run.groups[0].begin) / kSectorWords + 2);
  }
}

}  // namespace
}  // namespace edgemill

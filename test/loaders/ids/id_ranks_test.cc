// Ranks of seen ids are equal to ranks that are counted one by one.
#include "loaders/ids/id_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "common/types.h"
#include "common/units.h"
#include "loaders/buckets/bucket_set.h"

namespace edgemill {
namespace {

TEST(IdRanksTest, RanksAreWhatCountingGives) {
  for (const uint64_t one_in : {1, 2, 3, 100, 5000}) {
    SCOPED_TRACE(one_in);
    std::mt19937_64 random(one_in);
    constexpr uint64_t kLimit = 20'000;
    MemoryBudget budget(64 * kMebibyte);
    auto seen = SeenIds::Create(kLimit, budget);
    ASSERT_TRUE(seen.ok());
    std::map<uint32_t, uint32_t> rank_of;
    for (uint32_t id = 0; id < kLimit; ++id) {
      if (random() % one_in != 0) continue;
      rank_of.emplace(id, static_cast<uint32_t>(rank_of.size()));
      seen->Mark(id);
    }
    if (rank_of.empty()) continue;
    auto ranks = IdRanks::Sparse(std::move(*seen), rank_of.rbegin()->first, budget);
    ASSERT_TRUE(ranks.ok());
    EXPECT_EQ(ranks->num_vertices(), rank_of.size());
    std::vector<uint64_t> keys, want;
    const auto rank = [&](uint32_t id) {
      const auto found = rank_of.find(id);
      return found == rank_of.end() ? kInvalidVertex : found->second;
    };
    for (const auto& [id, its_rank] : rank_of) {
      ASSERT_EQ(ranks->Rank(id), its_rank);
      ASSERT_EQ(ranks->IdOf(its_rank), id);
      for (int i = 0; i < 3; ++i) {
        keys.push_back(EdgeKey(id, static_cast<uint32_t>(random() % (kLimit + 100))));
      }
    }
    std::sort(keys.begin(), keys.end());
    for (const uint64_t key : keys) {
      want.push_back(EdgeKey(rank(static_cast<uint32_t>(key >> 32)), rank(uint32_t(key))));
    }
    ranks->RankKeys(keys);
    EXPECT_EQ(keys, want);
    std::vector<uint64_t> none;
    ranks->RankKeys(none);
    std::vector<uint64_t> outside = {EdgeKey(uint32_t(kLimit + 5), 0)};
    ranks->RankKeys(outside);
    EXPECT_EQ(outside[0] >> 32, kInvalidVertex);
  }
}

}  // namespace
}  // namespace edgemill

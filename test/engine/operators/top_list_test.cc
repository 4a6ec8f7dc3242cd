// The greatest of many values, compared with sorting all of them.
#include "engine/api/top_list.h"

#include <gtest/gtest.h>

#include <random>

namespace edgemill {
namespace {

TEST(TopListTest, IsWhatSortingGives) {
  std::mt19937_64 random(1);
  for (const size_t most : {0, 1, 5, 100, 1000}) {
    std::vector<TopList<uint64_t>::Entry> all;
    TopList<uint64_t> top(most), half(most);
    for (uint64_t id = 0; id < 500; ++id) {
      all.emplace_back(random() % 50, id * 7919 % 500);  // many are equal
      (id % 2 == 0 ? top : half).Add(all.back());
    }
    top.Add(half);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    all.resize(std::min(most, all.size()));
    EXPECT_EQ(top.Sorted(), all);
  }
}

}  // namespace
}  // namespace edgemill

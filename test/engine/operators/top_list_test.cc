// The greatest of many values, compared with sorting all of them.
#include "engine/api/top_list.h"

#include <gtest/gtest.h>

#include <random>

namespace edgemill {
namespace {

/// Compares a list with the first entries of all values, sorted by Better.
template <typename Better>
void CompareWithSorting() {
  std::mt19937_64 random(1);
  using List = TopList<uint64_t, Better>;
  for (const size_t most : {0, 1, 5, 100, 1000}) {
    std::vector<typename List::Entry> all;
    List best(most), half(most);
    for (uint64_t id = 0; id < 500; ++id) {
      all.emplace_back(random() % 50, id * 7919 % 500);  // many are equal
      (id % 2 == 0 ? best : half).Add(all.back());
    }
    best.Add(half);
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? Better()(a.first, b.first) : a.second < b.second;
    });
    all.resize(std::min(most, all.size()));
    EXPECT_EQ(best.Sorted(), all);
  }
}

TEST(TopListTest, IsWhatSortingGives) {
  CompareWithSorting<std::greater<>>();
  CompareWithSorting<std::less<>>();
}

}  // namespace
}  // namespace edgemill

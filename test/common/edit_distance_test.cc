#include "common/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/random.h"

namespace edgemill {
namespace {

/// The edit distance by its definition, with the whole table.
size_t PlainDistance(std::string_view a, std::string_view b) {
  const auto fold = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& cell = table[i][j] = std::max(i, j);
      if (i == 0 || j == 0) continue;
      const bool same = fold(a[i - 1]) == fold(b[j - 1]);
      cell = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + !same});
      if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1])) {
        cell = std::min(cell, table[i - 2][j - 2] + 1);
      }
    }
  }
  return table[a.size()][b.size()];
}

TEST(EditDistance, CountsSlipsOfTheHand) {
  EXPECT_EQ(EditDistance("alcie").To("alice", 5), 1u);
  EXPECT_EQ(EditDistance("alcie").To("ali", 5), 2u);
  EXPECT_EQ(EditDistance("alcie").To("alina", 5), 3u);
  EXPECT_EQ(EditDistance("ALICE").To("alice", 0), 0u);
  EXPECT_EQ(EditDistance("").To("", 0), 0u);
  EXPECT_EQ(EditDistance("").To("abc", 3), 3u);
  EXPECT_GT(EditDistance("abc").To("xyz", 2), 2u);
}

TEST(EditDistance, IsTheDefinitionWhateverWasComparedBefore) {
  Random random(3);
  const auto word = [&] {
    std::string text;
    for (uint64_t size = random.Below(10); size > 0; --size) text += "abAc"[random.Below(4)];
    return text;
  };
  for (int i = 0; i < 300; ++i) {
    const std::string from = word();
    std::vector<std::string> words;
    for (int j = 0; j < 60; ++j) words.push_back(word());
    if (i % 2 == 0) std::sort(words.begin(), words.end());
    EditDistance distance(from);
    for (const std::string& to : words) {
      const size_t most = random.Below(8);
      const size_t right = PlainDistance(from, to);
      const size_t got = distance.To(to, most);
      EXPECT_EQ(got <= most, right <= most) << from << " to " << to << " within " << most;
      if (right <= most) {
        EXPECT_EQ(got, right) << from << " to " << to << " within " << most;
      }
    }
  }
}

}  // namespace
}  // namespace edgemill

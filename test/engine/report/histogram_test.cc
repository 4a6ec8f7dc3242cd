// Counts of values by bins: whole numbers, sizes of groups, real numbers of every shape.
#include "engine/report/histogram.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

#include "common/random.h"

namespace edgemill {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Histogram OfIntegers(const std::vector<uint64_t>& values, int threads = 3) {
  return CountIntegers(
      values.size(), [&values](uint64_t i) { return values[i]; }, threads);
}
Histogram OfReals(const std::vector<double>& values, int threads = 3) {
  return CountReals(
      values.size(), [&values](uint64_t i) { return values[i]; }, threads);
}
uint64_t CountOf(const Histogram& histogram) {
  return std::accumulate(histogram.bins.begin(), histogram.bins.end(), uint64_t{0},
                         [](uint64_t sum, const HistogramBin& bin) { return sum + bin.count; });
}

TEST(HistogramTest, FewWholeNumbersHaveABinEach) {
  const Histogram levels = OfIntegers({3, 0, 1, kNoValue, 1, 3, 3});
  const std::vector<HistogramBin> bins = {
      {uint64_t{0}, uint64_t{0}, 1}, {uint64_t{1}, uint64_t{1}, 2}, {uint64_t{3}, uint64_t{3}, 3}};
  EXPECT_EQ(levels.bins, bins);
  EXPECT_EQ(levels.without_value, 1u);
  EXPECT_TRUE(OfIntegers({}).bins.empty());
  EXPECT_EQ(OfIntegers({kNoValue}).without_value, 1u);
}

TEST(HistogramTest, ManyWholeNumbersHavePowersOfTwo) {
  std::vector<uint64_t> values(1000);
  std::iota(values.begin(), values.end(), uint64_t{0});
  values.push_back(kNoValue - 1);
  const Histogram degrees = OfIntegers(values);
  ASSERT_EQ(degrees.bins.size(), 12u);
  EXPECT_EQ(degrees.bins[0], (HistogramBin{uint64_t{0}, uint64_t{0}, 1}));
  EXPECT_EQ(degrees.bins[1], (HistogramBin{uint64_t{1}, uint64_t{1}, 1}));
  EXPECT_EQ(degrees.bins[4], (HistogramBin{uint64_t{8}, uint64_t{15}, 8}));
  EXPECT_EQ(degrees.bins[10], (HistogramBin{uint64_t{512}, uint64_t{1023}, 488}));
  EXPECT_EQ(degrees.bins[11],
            (HistogramBin{uint64_t{1} << 63, std::numeric_limits<uint64_t>::max(), 1}));
}

TEST(HistogramTest, ThirtyTwoValuesAreStillSingle) {
  std::vector<uint64_t> values(kMostSingleValues);
  std::iota(values.begin(), values.end(), uint64_t{5});
  EXPECT_EQ(OfIntegers(values).bins.size(), kMostSingleValues);
  values.push_back(4);
  EXPECT_LT(OfIntegers(values).bins.size(), 8u);
}

TEST(HistogramTest, SizesOfGroups) {
  const Histogram sizes = BinCounts({{1, 100}, {7, 2}});
  const std::vector<HistogramBin> bins = {{uint64_t{1}, uint64_t{1}, 100},
                                          {uint64_t{7}, uint64_t{7}, 2}};
  EXPECT_EQ(sizes.bins, bins);
}

TEST(HistogramTest, RealsOfManySizesHaveRoundBorders) {
  const Histogram ranks = OfReals({0.0012, 0.0019, 0.3, 0, 0, 4.9, 5, kInfinity});
  const std::vector<HistogramBin> bins = {
      {0.0, 0.0, 2}, {0.001, 0.002, 2}, {0.2, 0.5, 1}, {2.0, 5.0, 1}, {5.0, 10.0, 1}};
  ASSERT_EQ(ranks.bins.size(), bins.size());
  for (size_t i = 0; i < bins.size(); ++i) {
    EXPECT_DOUBLE_EQ(std::get<double>(ranks.bins[i].first), std::get<double>(bins[i].first));
    EXPECT_DOUBLE_EQ(std::get<double>(ranks.bins[i].last), std::get<double>(bins[i].last));
    EXPECT_EQ(ranks.bins[i].count, bins[i].count) << i;
  }
  EXPECT_EQ(ranks.without_value, 1u);
}

TEST(HistogramTest, RealsOfOneSizeHaveEqualBins) {
  std::vector<double> values;
  for (int i = -100; i <= 100; ++i) values.push_back(i / 100.0);
  const Histogram activations = OfReals(values);
  ASSERT_EQ(activations.bins.size(), kEqualBins);
  EXPECT_EQ(std::get<double>(activations.bins.front().first), -1);
  EXPECT_EQ(std::get<double>(activations.bins.back().last), 1);
  EXPECT_EQ(CountOf(activations), values.size());  // the greatest value is in the last bin
}

TEST(HistogramTest, HardReals) {
  EXPECT_TRUE(OfReals({}).bins.empty());
  EXPECT_EQ(OfReals({kInfinity, kInfinity}).without_value, 2u);
  EXPECT_EQ(OfReals({2.5, 2.5}).bins, (std::vector<HistogramBin>{{2.5, 2.5, 2}}));
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  for (const std::vector<double>& values : std::vector<std::vector<double>>{{kTiny, kLargest},
                                                                            {0, kTiny, 1},
                                                                            {-kLargest, kLargest},
                                                                            {0, kLargest},
                                                                            {-1e-300, 1e-300},
                                                                            {-0.0, 0.0, 1e-9, 1}}) {
    const Histogram histogram = OfReals(values);
    EXPECT_EQ(CountOf(histogram), values.size());
    for (const HistogramBin& bin : histogram.bins) {
      EXPECT_LE(std::get<double>(bin.first), std::get<double>(bin.last));
    }
  }
}

TEST(HistogramTest, AsOnOneThread) {
  Random random(7);
  std::vector<double> reals(300'000);
  std::vector<uint64_t> integers(reals.size());
  for (size_t i = 0; i < reals.size(); ++i) {
    integers[i] = random.Below(i % 50 + 1);
    reals[i] = 1 / (1.0 + static_cast<double>(random.Below(1'000'000)));
  }
  EXPECT_EQ(OfReals(reals, 1).bins, OfReals(reals, 4).bins);
  EXPECT_EQ(OfIntegers(integers, 1).bins, OfIntegers(integers, 4).bins);
  EXPECT_EQ(CountOf(OfReals(reals)), reals.size());
}

}  // namespace
}  // namespace edgemill

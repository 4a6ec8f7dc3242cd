// When pulls by cells pay, by what a forecast says of them.
#include "engine/plan/cell_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/gpu/cells/edge_cells.h"

namespace edgemill {
namespace {

/// Draws a graph with the given expected degrees, and counts its parts one by one.
struct GraphWithParts {
  LengthCounts lengths;
  uint64_t parts = 0;

  GraphWithParts(std::vector<double> weights, uint64_t num_edges) {
    std::sort(weights.begin(), weights.end(), std::greater<>());
    std::mt19937_64 random(5);
    std::discrete_distribution<uint32_t> draw(weights.begin(), weights.end());
    std::vector<uint64_t> reached;  // receiver and sender range, of each edge
    std::vector<uint64_t> degrees(weights.size());
    for (uint64_t i = 0; i < num_edges; ++i) {
      const uint32_t receiver = draw(random);
      reached.push_back(uint64_t{receiver} << 32 | draw(random) / kRangeSenders);
      ++degrees[receiver];
    }
    std::sort(reached.begin(), reached.end());
    parts = static_cast<uint64_t>(std::unique(reached.begin(), reached.end()) - reached.begin());
    for (size_t v = 0; v < degrees.size(); ++v) {
      const auto length = static_cast<size_t>(std::bit_width(degrees[v]));
      ++lengths.lists[length];
      lengths.edges[length] += degrees[v];
    }
  }
};

TEST(CellForecast, CountsParts) {
  constexpr size_t kVertices = 200'000;
  std::vector<double> even(kVertices, 1), skewed;
  for (size_t i = 0; i < kVertices; ++i)
    skewed.push_back(std::pow(static_cast<double>(i + 1), -.8));
  for (const std::vector<double>& weights : {even, skewed}) {
    for (const uint64_t num_edges : {300'000u, 1'500'000u}) {
      const GraphWithParts graph(weights, num_edges);
      const double forecast = ForecastCells(graph.lengths, {}).parts;
      EXPECT_NEAR(forecast / static_cast<double>(graph.parts), 1, .15) << num_edges;
    }
  }
}

TEST(CellForecast, OrderingVerticesTakesLonger) {
  const GraphWithParts graph(std::vector<double>(50'000, 1), 100'000);
  EXPECT_GT(ForecastCells(graph.lengths, {.in_order = false}).make_seconds,
            ForecastCells(graph.lengths, {.in_order = true}).make_seconds);
}

TEST(CellForecast, MessagesBeyondTheCacheTakeLonger) {
  const GraphWithParts graph(std::vector<double>(50'000, 1), 100'000);
  const auto list_seconds = [&](const CellSetting& setting) {
    return ForecastCells(graph.lengths, setting).list_seconds;
  };
  EXPECT_GT(list_seconds({.cache_bytes = 100'000}), list_seconds({.cache_bytes = 1'000'000}));
  EXPECT_EQ(list_seconds({.in_order = true}), list_seconds({.cache_bytes = 1'000'000}));
}

TEST(CellForecast, OfNoEdges) {
  LengthCounts none;
  none.lists[0] = 100;
  EXPECT_EQ(ForecastCells(none, {}).parts, 0);
  EXPECT_EQ(ForecastCells({}, {}).parts, 0);
}

constexpr CellForecast kForecast{
    .parts = 1e6, .list_seconds = 10e-3, .pass_seconds = 4e-3, .make_seconds = 22e-3};

TEST(CellPolicy, WaitsUntilCellsWouldHavePaid) {
  CellPolicy policy;
  policy.SetForecast(kForecast);
  int pulls = 0;
  for (; pulls < 100 && !policy.ShouldMake({}); ++pulls) policy.AddPull();
  EXPECT_EQ(pulls, 5);  // each loses 6 ms, and cells cost 22
}

TEST(CellPolicy, KnowsHowManyPullsFollow) {
  CellPolicy policy;
  policy.SetForecast(kForecast);
  for (uint64_t i = 0; i < CellPolicy::kTrustedPulls; ++i) {
    EXPECT_FALSE(policy.ShouldMake(1000)) << "an early forecast of iterations";
    policy.AddPull();
  }
  EXPECT_TRUE(policy.ShouldMake(5));
  EXPECT_FALSE(policy.ShouldMake(4));
  for (int i = 0; i < 100; ++i) policy.AddPull();
  EXPECT_FALSE(policy.ShouldMake(4)) << "too few are left, however many there were";
}

TEST(CellPolicy, WantsMoreThanTheForecastsError) {
  CellPolicy policy;
  EXPECT_FALSE(policy.ShouldMake(1000));
  policy.SetForecast({.list_seconds = 10e-3, .pass_seconds = 9e-3, .make_seconds = 1e-3});
  for (int i = 0; i < 1000; ++i) policy.AddPull();
  EXPECT_FALSE(policy.ShouldMake(1000));
}

}  // namespace
}  // namespace edgemill

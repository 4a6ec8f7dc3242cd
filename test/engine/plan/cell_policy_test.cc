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
struct DrawnGraph {
  LengthCounts lengths;
  uint64_t parts = 0;

  DrawnGraph(std::vector<double> weights, uint64_t num_edges) {
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
      const DrawnGraph graph(weights, num_edges);
      const double forecast = ForecastCells(graph.lengths, true).parts;
      EXPECT_NEAR(forecast / static_cast<double>(graph.parts), 1, .15) << num_edges;
    }
  }
}

TEST(CellForecast, OrderingVerticesTakesLonger) {
  const DrawnGraph graph(std::vector<double>(50'000, 1), 100'000);
  EXPECT_GT(ForecastCells(graph.lengths, false).make_seconds,
            ForecastCells(graph.lengths, true).make_seconds);
}

TEST(CellForecast, OfNoEdges) {
  LengthCounts none;
  none.lists[0] = 100;
  EXPECT_EQ(ForecastCells(none, true).parts, 0);
  EXPECT_EQ(ForecastCells({}, true).parts, 0);
}

constexpr CellForecast kForecast{.parts = 1e6, .pass_seconds = 4e-3, .make_seconds = 22e-3};

TEST(CellPolicy, WaitsUntilCellsWouldHavePaid) {
  CellPolicy policy;
  EXPECT_FALSE(policy.AsksForForecast());
  policy.AddPull(10e-3);
  EXPECT_TRUE(policy.AsksForForecast());
  policy.SetForecast(kForecast);
  EXPECT_FALSE(policy.AsksForForecast());
  int pulls = 0;
  for (; pulls < 100 && !policy.ShouldMake({}); ++pulls) policy.AddPull(10e-3);
  EXPECT_EQ(pulls, 5);  // each loses 6 ms, and cells cost 22
}

TEST(CellPolicy, KnowsHowManyPullsFollow) {
  CellPolicy policy;
  policy.AddPull(10e-3);
  policy.SetForecast(kForecast);
  for (uint64_t i = 1; i < CellPolicy::kTrustedPulls; ++i) {
    EXPECT_FALSE(policy.ShouldMake(1000)) << "an early forecast of iterations";
    policy.AddPull(10e-3);
  }
  EXPECT_TRUE(policy.ShouldMake(5));
  EXPECT_FALSE(policy.ShouldMake(4));
  for (int i = 0; i < 100; ++i) policy.AddPull(10e-3);
  EXPECT_FALSE(policy.ShouldMake(4)) << "too few are left, however many there were";
}

TEST(CellPolicy, LeavesShortPullsAlone) {
  CellPolicy policy;
  policy.AddPull(CellPolicy::kLeastPullSeconds / 2);
  EXPECT_FALSE(policy.AsksForForecast());
  policy.SetForecast({.pass_seconds = 9e-3, .make_seconds = 1e-3});
  for (int i = 0; i < 1000; ++i) policy.AddPull(10e-3);
  EXPECT_FALSE(policy.ShouldMake(1000));  // a tenth is less than the forecast's error
}

}  // namespace
}  // namespace edgemill

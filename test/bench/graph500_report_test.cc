// Graph500's statistics against values worked by hand, and its keys.
#include "bench/graph500/graph500_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bench/trials/source_picker.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::bench {
namespace {

TEST(Graph500StatisticsTest, QuartilesLieBetweenSamples) {
  const Graph500Statistics eight =
      Graph500StatisticsOf(std::vector<double>{80, 10, 70, 20, 60, 30, 50, 40});
  EXPECT_EQ(eight.min, 10);
  EXPECT_EQ(eight.first_quartile, 25);  // of the second and the third
  EXPECT_EQ(eight.median, 45);
  EXPECT_EQ(eight.third_quartile, 65);
  EXPECT_EQ(eight.max, 80);
  EXPECT_EQ(eight.mean, 45);
  EXPECT_DOUBLE_EQ(eight.stddev, std::sqrt(600.0));  // 4200 over 7
  const Graph500Statistics five = Graph500StatisticsOf(std::vector<double>{5, 4, 3, 2, 1});
  EXPECT_EQ(five.first_quartile, 2);
  EXPECT_EQ(five.median, 3);
  EXPECT_EQ(five.third_quartile, 4);
  EXPECT_DOUBLE_EQ(five.stddev, std::sqrt(2.5));
  const Graph500Statistics one = Graph500StatisticsOf(std::vector<double>{7});
  for (const double value :
       {one.min, one.first_quartile, one.median, one.third_quartile, one.max, one.mean}) {
    EXPECT_EQ(value, 7);
  }
  EXPECT_EQ(one.stddev, 0);
}

Graph500Report SmallReport() {
  Graph500Report report{.scale = 4, .num_keys = 2, .construction_seconds = 0.5};
  // 1/1000 and 3/1000 s an edge.
  report.kernels.push_back({"bfs", {0.1, 0.6}, {100, 200}, {0.25, 0.75}});
  return report;
}

TEST(Graph500ReportTest, MeanOfTepsIsHarmonic) {
  std::map<std::string, double> found;
  for (const auto& [name, value] : Graph500Figures(SmallReport())) {
    EXPECT_TRUE(found.emplace(name, value).second) << name;
  }
  EXPECT_EQ(found["SCALE"], 4);
  EXPECT_EQ(found["edgefactor"], 16);
  EXPECT_EQ(found["NBFS"], 2);
  EXPECT_EQ(found["construction_time"], 0.5);
  EXPECT_EQ(found["bfs min_time"], 0.1);
  EXPECT_EQ(found["bfs mean_nedge"], 150);
  EXPECT_EQ(found["bfs max_validate"], 0.75);
  EXPECT_NEAR(found["bfs min_TEPS"], 1000.0 / 3, 1e-9);
  EXPECT_NEAR(found["bfs max_TEPS"], 1000, 1e-9);
  EXPECT_NEAR(found["bfs median_TEPS"], 500, 1e-9);
  EXPECT_NEAR(found["bfs harmonic_mean_TEPS"], 500, 1e-9);
  // The deviation of seconds an edge is sqrt(2) / 1000, over 0.002 squared and sqrt(2 - 1).
  EXPECT_NEAR(found["bfs harmonic_stddev_TEPS"], 1e3 * std::sqrt(2.0) / 4, 1e-6);
  EXPECT_FALSE(found.contains("sssp min_time"));
}

TEST(Graph500ReportTest, TextAndResultHaveTheBlock) {
  const Graph500Report report = SmallReport();
  const std::string text = Graph500Text(report);
  EXPECT_NE(text.find("SCALE:                          4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("bfs stddev_nedge:"), std::string::npos) << text;
  EXPECT_NE(text.find("only 2 vertices"), std::string::npos) << text;
  BenchmarkResult result;
  result.details = "[1]";
  AddGraph500(report, &result);
  ASSERT_EQ(result.metrics.size(), 2u);
  EXPECT_EQ(result.metrics[1].name, "bfs: TEPS");
  EXPECT_NEAR(result.metrics[1].samples[0], 1000, 1e-9);
  EXPECT_NE(result.details.find("\"NBFS\":2.0"), std::string::npos) << result.details;
  EXPECT_NE(result.details.find("\"trials\":[1]"), std::string::npos) << result.details;
  EXPECT_EQ(result.remarks.size(), 1u);
}

TEST(Graph500KeysTest, KeysAreDistinctAndHaveAnEdge) {
  TemporaryDirectory directory;
  MemoryBudget budget{uint64_t{256} << 20};
  Progress progress;
  for (const uint64_t edges : {20, 2000}) {
    const EdgeList list =
        DenseList({"many isolated", 3000, RandomTestEdges(5, 1000, static_cast<int>(edges))});
    std::set<ExternalId> with_edges;
    for (const TestEdge& edge : list.edges) with_edges.insert(edge.source);
    const std::string path = directory / StrCat("g", edges, ".mill");
    ASSERT_TRUE(BuildGraph(list, path, {}).ok());
    const auto store = GraphStore::Open(path, {}, budget);
    ASSERT_TRUE(store.ok()) << store.status().message();
    const auto keys =
        PickSources(**store, {.seed = 3, .count = 64, .distinct = true}, 2, budget, progress);
    ASSERT_TRUE(keys.ok()) << keys.status().message();
    const std::set<ExternalId> different(keys->begin(), keys->end());
    EXPECT_EQ(different.size(), keys->size());
    EXPECT_EQ(keys->size(), std::min<size_t>(64, with_edges.size()));
    for (const ExternalId key : *keys) EXPECT_TRUE(with_edges.contains(key)) << key;
  }
}

TEST(BenchmarkGraphTest, RemovesOnlyGraphsOfItsOwn) {
  TemporaryDirectory directory;
  Progress progress;
  GeneratedGraphOptions options = Graph500Graph(6, 3);
  options.memory_bytes = uint64_t{128} << 20;
  const std::string path = directory / "edgemill-graph500-6.mill";
  {
    BenchmarkGraph killed(directory.path(), "graph500-6");
    ASSERT_TRUE(killed.Make(options, progress).ok());
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  BenchmarkGraph next(directory.path(), "graph500-6");
  ASSERT_TRUE(next.Make(options, progress).ok());
  ASSERT_TRUE(next.Remove().ok());
  EXPECT_FALSE(std::filesystem::exists(path));
  ASSERT_TRUE(BuildGraph(DenseList({"mine", 10, {{0, 1, 1}}}), path, {}).ok());
  BenchmarkGraph third(directory.path(), "graph500-6");
  EXPECT_EQ(third.Make(options, progress).code(), Code::kOutput);
  EXPECT_TRUE(third.Remove().ok());
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace edgemill::bench

// The figures of the papers: each is there, can be shown, and shows what was measured.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "bench/papers/figure_table.h"
#include "bench/papers/paper_figure.h"
#include "bench/papers/paper_quantities.h"
#include "bench/papers/paper_runs.h"
#include "bench/trials/known_algorithms.h"
#include "engine/run/algorithm_help.h"

namespace edgemill::bench {
namespace {

TEST(PaperFiguresTest, AllResultsOfThePapersAreThere) {
  // Tables and figures that show results. Others show methods, graphs or machines.
  const std::set<std::string_view> expected = {
      "garaph-t2",        "garaph-t3",     "garaph-t4",     "garaph-8",       "garaph-9",
      "garaph-10",        "garaph-11",     "multigraph-t2", "multigraph-t5",  "multigraph-t6",
      "multigraph-t7",    "multigraph-t8", "multigraph-8",  "multigraph-9",   "multigraph-10",
      "multigraph-11",    "multigraph-12", "multigraph-13", "multigraph-14a", "multigraph-s6",
      "multigraph-14bcd", "subway-1",      "subway-t1",     "subway-t3",      "subway-t4",
      "subway-t5",        "subway-6",      "subway-7",      "subway-8",       "subway-9",
      "subway-10",        "subway-11",     "subway-12",     "hytgraph-t2",    "hytgraph-t5",
      "hytgraph-t6",      "hytgraph-3a",   "hytgraph-3b",   "hytgraph-3c",    "hytgraph-3d",
      "hytgraph-3e",      "hytgraph-3f",   "hytgraph-3g",   "hytgraph-3h",    "hytgraph-6ab",
      "hytgraph-6cd",     "hytgraph-7",    "hytgraph-8",    "hytgraph-9",     "emogi-3",
      "emogi-4",          "emogi-5",       "emogi-6",       "emogi-7",        "emogi-8",
      "emogi-9",          "emogi-10",      "emogi-11",      "emogi-12",       "emogi-13",
      "emogi-t3",         "emogi-t4"};
  std::set<std::string_view> names;
  for (const PaperFigure& figure : PaperFigures()) {
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name << " is there twice";
  }
  EXPECT_EQ(names, expected);
}

TEST(PaperFiguresTest, EachCanBeShownOrHasAReason) {
  for (const PaperFigure& figure : PaperFigures()) {
    SCOPED_TRACE(figure.name);
    if (!figure.left_out.empty()) {
      EXPECT_TRUE(figure.rows.empty() && figure.columns.empty());
      continue;
    }
    ASSERT_FALSE(figure.rows.empty());
    ASSERT_FALSE(figure.columns.empty());
    for (const PaperRow& row : figure.rows) {
      EXPECT_TRUE(FindKnown(row.algorithm) != nullptr || AlgorithmCalled(row.algorithm).has_value())
          << row.algorithm;
    }
    for (const PaperColumn& column : figure.columns) {
      SCOPED_TRACE(column.name);
      ASSERT_NE(column.quantity, nullptr);
      const bool is_text = column.quantity->text_of_iteration != nullptr;
      if (figure.by_iteration) {
        EXPECT_TRUE(is_text || column.quantity->of_iteration != nullptr);
        // Rivals' engines report the seconds of iterations, but no edges.
        EXPECT_TRUE(column.way == nullptr || !column.way->is_raw() ||
                    column.quantity == &quantities::kMilliseconds);
      } else if (figure.by_page) {
        EXPECT_NE(column.quantity->of_page, nullptr);
        EXPECT_EQ(column.way->raw, RawEngine::kShards);
      } else {
        EXPECT_NE(column.quantity->of_run, nullptr);
      }
      EXPECT_EQ(column.way == nullptr, column.relation == PaperRelation::kLeast ||
                                           column.relation == PaperRelation::kSampled);
      if (column.relation == PaperRelation::kSpeedup || column.relation == PaperRelation::kShare) {
        EXPECT_EQ(column.quantity, figure.columns[0].quantity);
      }
    }
  }
}

TEST(PaperFiguresTest, WaysWithOneNameAreOneWay) {
  std::map<std::string_view, const PaperWay*> ways;
  for (const PaperFigure& figure : PaperFigures()) {
    for (const PaperColumn& column : figure.columns) {
      if (column.way == nullptr) continue;
      const auto [at, is_new] = ways.emplace(column.way->name, column.way);
      EXPECT_EQ(at->second, column.way) << column.way->name;
    }
  }
  EXPECT_TRUE(ways::kAuto.uses_gpu() && ways::kRawEmogi.uses_gpu() && ways::kHybrid.uses_gpu());
  EXPECT_FALSE(ways::kCpu.uses_gpu() || ways::kCpuFromDisk.uses_gpu());
}

IterationReport Report(double seconds, uint64_t vertices, EdgeIndex edges, uint64_t count = 1) {
  IterationReport report;
  report.seconds = seconds;
  report.active_vertices = vertices;
  report.active_edges = edges;
  report.iterations = count;
  return report;
}

/// Runs of BFS on a graph of 100 vertices and 1,000 edges: on the CPU, and, faster, by pushes.
PaperRuns SmallRuns() {
  PaperRuns runs;
  runs.graph.info.num_vertices = 100;
  runs.graph.info.num_edges = 1000;
  runs.graph.gpu_memory_bytes = 1000;
  runs.runs[{"bfs", "CPU"}] = {
      .seconds = {4, 2, 3},
      .link_bytes = {0, 0, 0},
      .num_iterations = {3, 3, 3},
      .iterations = {Report(1e-3, 1, 10), Report(4e-3, 80, 900), Report(2e-3, 19, 90)}};
  runs.runs[{"bfs", "CPU push"}] = {.seconds = {0.5, 0.5, 0.5},
                                    .link_bytes = {2e9, 2e9, 2e9},
                                    .num_iterations = {4, 4, 4},
                                    .iterations = {Report(3e-3, 1, 10), Report(1e-3, 99, 990, 3)}};
  return runs;
}

TEST(FigureTableTest, ShowsValuesSpeedupsAndShares) {
  using ways::kCpu, ways::kCpuPush, ways::kResident;
  const PaperFigure figure{
      .name = "test-1",
      .title = "Test, figure 1",
      .rows = {{"BFS", "bfs"}, {"CC", "cc"}},
      .columns = {{"PT", &kCpu, &quantities::kSeconds},
                  {"push", &kCpuPush, &quantities::kSeconds, PaperRelation::kSpeedup},
                  {"push", &kCpuPush, &quantities::kSeconds, PaperRelation::kShare},
                  {"GPU", &kResident, &quantities::kSeconds, PaperRelation::kSpeedup},
                  {"moved", &kCpuPush, &quantities::kLinkGigabytes},
                  {"V-avg", &kCpu, &quantities::kMeanActiveVertices},
                  {"E-max", &kCpu, &quantities::kMostActiveEdges},
                  {"Itr>80%", &kCpu, &quantities::kIterationsAbove80},
                  {"Itr>GPU", &kCpu, &quantities::kIterationsBeyondGpu}}};
  const std::vector<FigureTable> tables = TablesOf(figure, SmallRuns());
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].header,
            (std::vector<std::string>{"Algo.", "PT s", "push speedup", "push share", "GPU speedup",
                                      "moved GB", "V-avg %", "E-max %", "Itr>80%", "Itr>GPU"}));
  ASSERT_EQ(tables[0].rows.size(), 1u);  // components did not run
  std::vector<std::string> texts;
  for (const FigureCell& cell : tables[0].rows[0]) texts.push_back(cell.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"BFS", "3.0000", "6.00x", "0.167", "-", "2.000",
                                             "33.3", "90.0", "1", "1"}));
  EXPECT_EQ(PlotOf(figure, tables, {}), "");
}

TEST(FigureTableTest, SharesAreOfTheEdgesThatAnIterationSendsAlong) {
  PaperRuns runs = SmallRuns();
  for (const std::string_view algorithm : {"labels", "bellman-ford"}) {
    runs.runs[{algorithm, "CPU"}] = runs.runs.at({"bfs", "CPU"});
  }
  const PaperFigure figure{.name = "test-3",
                           .title = "Test, figure 3",
                           .rows = {{"CC", "labels"}, {"SSSP", "bellman-ford"}},
                           .columns = {{"E-max", &ways::kCpu, &quantities::kMostActiveEdges}}};
  for (const bool directed : {false, true}) {
    runs.graph.info.directed = directed;
    const std::vector<FigureTable> tables = TablesOf(figure, runs);
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(tables[0].rows[0][1].text, directed ? "45.0" : "90.0");  // both directions' lists
    EXPECT_EQ(tables[0].rows[1][1].text, "90.0");
  }
}

TEST(FigureTableTest, ShowsPagesAndTheirSpread) {
  PaperRuns runs = SmallRuns();
  runs.runs[{"pagerank", ways::kRawShards1.name}].page_seconds = {.004, .001, .002};
  runs.runs[{"pagerank", ways::kRawShards.name}].page_seconds = {.001, .001, .001};
  const PaperFigure figure{
      .name = "test-4",
      .title = "Test, figure 4",
      .rows = {{"PR", "pagerank"}},
      .columns = {{"R = 1", &ways::kRawShards1, &quantities::kPageMilliseconds},
                  {"2", &ways::kRawShards2, &quantities::kPageMilliseconds},
                  {"custom", &ways::kRawShards, &quantities::kPageMilliseconds}},
      .by_page = true};
  const std::vector<FigureTable> tables = TablesOf(figure, runs);
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].header, (std::vector<std::string>{"Page", "R = 1 ms", "2 ms", "custom ms"}));
  std::vector<std::vector<std::string>> texts;
  for (const auto& row : tables[0].rows) {
    texts.emplace_back();
    for (const FigureCell& cell : row) texts.back().push_back(cell.text);
  }
  EXPECT_EQ(texts, (std::vector<std::vector<std::string>>{{"1", "4.000", "-", "1.000"},
                                                          {"2", "1.000", "-", "1.000"},
                                                          {"3", "2.000", "-", "1.000"},
                                                          {"least", "1.000", "-", "1.000"},
                                                          {"median", "2.000", "-", "1.000"},
                                                          {"most", "4.000", "-", "1.000"}}));
  EXPECT_EQ(PlotOf(figure, tables, {}), "");
}

/// A choice by samples takes a pull by what the first one took, and may be wrong.
TEST(FigureTableTest, ShowsChoicesBySamplesAndTotals) {
  PaperRuns runs = SmallRuns();
  runs.runs[{"bfs", "CPU push"}].iterations = {Report(1e-3, 1, 10), Report(6e-3, 80, 900),
                                               Report(2e-3, 19, 90)};
  runs.runs[{"bfs", "CPU"}].iterations = {Report(5e-3, 1, 10), Report(4e-3, 80, 900),
                                          Report(1e-3, 19, 90)};
  const PaperFigure figure{
      .name = "test-5",
      .title = "Test, figure 5",
      .rows = {{"BFS", "bfs"}},
      .columns = {{"edges", &ways::kCpuPush, &quantities::kActiveEdges},
                  {"push", &ways::kCpuPush, &quantities::kMilliseconds},
                  {"pull", &ways::kCpu, &quantities::kMilliseconds},
                  {"sampled", nullptr, &quantities::kMilliseconds, PaperRelation::kSampled},
                  {"best", nullptr, &quantities::kMilliseconds, PaperRelation::kLeast}},
      .by_iteration = true,
      .has_totals = true};
  const std::vector<FigureTable> tables = TablesOf(figure, runs);
  ASSERT_EQ(tables.size(), 1u);
  std::vector<std::vector<std::string>> texts;
  for (const auto& row : tables[0].rows) {
    texts.emplace_back();
    for (const FigureCell& cell : row) texts.back().push_back(cell.text);
  }
  EXPECT_EQ(texts,
            (std::vector<std::vector<std::string>>{{"1", "10", "1.00", "5.00", "1.00", "1.00"},
                                                   {"2", "900", "6.00", "4.00", "4.00", "4.00"},
                                                   {"3", "90", "2.00", "1.00", "2.00", "1.00"},
                                                   {"all", "-", "9.00", "10.00", "7.00", "6.00"}}));
  EXPECT_NE(PlotOf(figure, tables, {}), "");
}

TEST(FigureTableTest, ShowsIterationsWhereTheyStart) {
  using ways::kCpu, ways::kCpuPush;
  const PaperFigure figure{
      .name = "test-2",
      .title = "Test, figure 2",
      .rows = {{"BFS", "bfs"}},
      .columns = {{"CPU", &kCpu, &quantities::kMilliseconds},
                  {"push", &kCpuPush, &quantities::kMilliseconds},
                  {"best", nullptr, &quantities::kMilliseconds, PaperRelation::kLeast},
                  {"mode", &kCpu, &quantities::kMode},
                  {"vertices", &kCpuPush, &quantities::kActiveVertices}},
      .by_iteration = true};
  const std::vector<FigureTable> tables = TablesOf(figure, SmallRuns());
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].title, "BFS");
  std::vector<std::vector<std::string>> texts;
  for (const auto& row : tables[0].rows) {
    texts.emplace_back();
    for (const FigureCell& cell : row) texts.back().push_back(cell.text);
  }
  EXPECT_EQ(texts, (std::vector<std::vector<std::string>>{
                       {"1", "1.00", "3.00", "1.00", "pull", "1"},
                       {"2", "4.00", "1.00", "1.00", "pull", "99"},  // three in one launch
                       {"3", "2.00", "-", "2.00", "pull", "-"}}));
  const std::string plot = PlotOf(figure, tables, {});
  EXPECT_NE(plot.find("Test, figure 2"), std::string::npos);
  EXPECT_NE(plot.find("BFS, ms"), std::string::npos);
}

}  // namespace
}  // namespace edgemill::bench

// A run's report, as JSON and as HTML: which processors worked in each iteration, and which blocks
// had a repass.
#include "cli/run/run_report.h"

#include <gtest/gtest.h>

namespace edgemill::cli {
namespace {

RunReport ThreeIterations() {
  RunReport report;
  report.async_passes = 7;
  report.gpu = "a GPU";
  IterationReport iteration;
  iteration.mode = Mode::kPush;
  iteration.blocks = 10;
  iteration.cpu_blocks = 10;
  report.iterations.push_back(iteration);  // only the CPU
  iteration.on_gpu = true;
  iteration.blocks_repeated = 4321;
  report.iterations.push_back(iteration);  // both
  iteration.cpu_blocks = 0;
  report.iterations.push_back(iteration);  // only the GPU
  report.num_iterations = report.iterations.size();
  return report;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(RunReport, HtmlShowsProcessorsAndRepeatedWork) {
  const std::string page = RunReportHtml({.algorithm = "sssp"}, ThreeIterations());
  EXPECT_EQ(1u, Count(page, "<tr><td>0<td>CPU<td>push<td>"));
  EXPECT_EQ(1u, Count(page, "<tr><td>1<td>both<td>push<td>"));
  EXPECT_EQ(1u, Count(page, "<tr><td>2<td>GPU<td>push<td>"));
  EXPECT_EQ(2u, Count(page, "<td>4,321<td>"));
  EXPECT_EQ(1u, Count(page, "asynchronous, 7 passes"));
  EXPECT_EQ(1u, Count(RunReportHtml({.algorithm = "sssp"}, {}), ", synchronous"));
}

/// A report of `small` iterations that are shown as one, between two iterations that are shown
/// alone.
RunReport LumpedIterations(uint64_t small) {
  RunReport report;
  for (const uint64_t iterations : {uint64_t{1}, small, uint64_t{1}}) {
    IterationReport iteration;
    iteration.iterations = iterations;
    iteration.blocks = iteration.cpu_blocks = 3 * iterations;
    iteration.blocks_read = 3 * iterations;
    report.iterations.push_back(iteration);
    report.num_iterations += iterations;
  }
  return report;
}

TEST(RunReport, HtmlLumpsIterationsOnlyWhereItsAxisSaysSo) {
  const std::string one_each = RunReportHtml({.algorithm = "bfs"}, LumpedIterations(1));
  EXPECT_EQ(6u, Count(one_each, "<p class=legend>Across: iterations 0 to 2</p>"));
  EXPECT_EQ(0u, Count(one_each, " each</title>"));
  EXPECT_EQ(1u, Count(one_each, "<tr><td>2<td>"));

  const std::string lumped = RunReportHtml({.algorithm = "bfs"}, LumpedIterations(100));
  EXPECT_EQ(6u, Count(lumped,
                      "Across: iterations 0 to 101; a wider bar is of several iterations, "
                      "and shows their mean</p>"));
  // All iterations have 3 blocks, so the bars have one height. The bar of 100 iterations is wider.
  EXPECT_EQ(1u, Count(lumped, "<title>iteration 0, read from disk: 3</title>"));
  EXPECT_EQ(1u, Count(lumped, "<title>iteration 1 to 100, read from disk: 3 each</title>"));
  EXPECT_EQ(1u, Count(lumped, "<title>iteration 101, read from disk: 3</title>"));
  EXPECT_EQ(1u, Count(lumped, "<tr><td>1 to 100<td>CPU"));
  EXPECT_EQ(1u, Count(lumped, "<tr><td>101<td>CPU"));
}

TEST(RunReport, HtmlDrawsManyIterationsAsMeansOfNeighbours) {
  RunReport report;
  report.iterations.resize(1000, {.blocks_read = 5});
  const std::string page = RunReportHtml({.algorithm = "bfs"}, report);
  EXPECT_EQ(6u, Count(page, "Across: iterations 0 to 999; a wider bar"));
  EXPECT_EQ(1u, Count(page, "<title>iteration 0 to 2, read from disk: 5 each</title>"));
  EXPECT_EQ(1u, Count(page, "<title>iteration 999, read from disk: 5</title>"));
}

TEST(RunReport, JsonSaysTheSame) {
  const std::string json = RunReportJson(
      {.algorithm = "sssp", .options = {{"--source", 3}, {"--delta", 2.5}}}, ThreeIterations());
  for (const char* part :
       {"\"processor\": \"cpu\"", "\"processor\": \"both\"", "\"processor\": \"gpu\"",
        "\"asynchronous\": true", "\"async_passes\": 7", "\"delta\": 2.5"}) {
    EXPECT_EQ(1u, Count(json, part)) << part << " in " << json;
  }
  EXPECT_EQ(2u, Count(json, "\"blocks_again\": 4321"));
}

}  // namespace
}  // namespace edgemill::cli

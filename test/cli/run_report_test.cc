// A run's report, as JSON and as HTML: who worked in which iteration, and what was passed over
// again.
#include "cli/run_report.h"

#include <gtest/gtest.h>

namespace edgemill::cli {
namespace {

RunReport ThreeIterations() {
  RunReport report;
  report.async_passes = 7;
  report.gpu = "a card";
  IterationReport iteration;
  iteration.mode = Mode::kPush;
  iteration.blocks = 10;
  iteration.cpu_blocks = 10;
  report.iterations.push_back(iteration);  // the CPU alone
  iteration.on_gpu = true;
  iteration.blocks_again = 4321;
  report.iterations.push_back(iteration);  // both
  iteration.cpu_blocks = 0;
  report.iterations.push_back(iteration);  // the GPU alone
  report.num_iterations = report.iterations.size();
  return report;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(RunReport, HtmlSaysWhoWorkedAndWhatWasPassedOverAgain) {
  const std::string page = RunReportHtml({.algorithm = "sssp"}, ThreeIterations());
  EXPECT_EQ(1u, Count(page, "<tr><td>0<td>CPU<td>push<td>"));
  EXPECT_EQ(1u, Count(page, "<tr><td>1<td>both<td>push<td>"));
  EXPECT_EQ(1u, Count(page, "<tr><td>2<td>GPU<td>push<td>"));
  EXPECT_EQ(2u, Count(page, "<td>4,321<td>"));
  EXPECT_EQ(1u, Count(page, "asynchronous, 7 passes"));
  EXPECT_EQ(1u, Count(RunReportHtml({.algorithm = "sssp"}, {}), ", synchronous"));
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

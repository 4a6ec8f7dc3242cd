// A run's report, as JSON and as HTML: which processors worked in each iteration, and which blocks
// had a repass.
#include "cli/run/run_report.h"

#include <gtest/gtest.h>

#include "cli/run/run_bound.h"
#include "common/strings.h"

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

/// The begin of a row of the page's table.
std::string Row(std::string_view number, std::string_view processor, std::string_view mode) {
  return StrCat("<tr><td class=\"l\">", number, "</td><td class=\"l\">", processor,
                "</td><td class=\"l\">", mode, "</td>");
}

TEST(RunReport, HtmlShowsProcessorsAndRepeatedWork) {
  const std::string page = RunReportHtml({.algorithm = "sssp"}, ThreeIterations());
  EXPECT_EQ(1u, Count(page, Row("0", "CPU", "push")));
  EXPECT_EQ(1u, Count(page, Row("1", "both", "push")));
  EXPECT_EQ(1u, Count(page, Row("2", "GPU", "push")));
  EXPECT_EQ(2u, Count(page, "<td>4,321</td>"));
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
  EXPECT_EQ(6u, Count(one_each, ">iteration</text>"));
  EXPECT_EQ(0u, Count(one_each, ", mean: "));
  EXPECT_EQ(0u, Count(one_each, "A row of several iterations"));
  EXPECT_EQ(1u, Count(one_each, Row("2", "CPU", "pull")));

  const std::string lumped = RunReportHtml({.algorithm = "bfs"}, LumpedIterations(100));
  EXPECT_EQ(6u, Count(lumped, ">iteration; a bar shows the mean of up to 100 iterations</text>"));
  EXPECT_EQ(1u, Count(lumped, "A row of several iterations, such as 256 to 1023, has their sums."));
  // All iterations have 3 blocks, so the bars have one height. The bar of 100 iterations is wider.
  EXPECT_EQ(1u, Count(lumped, "<title>iteration 0: read from disk 3, found in the cache 0<"));
  EXPECT_EQ(1u, Count(lumped, "<title>iterations 1 to 100, mean: read from disk 3,"));
  EXPECT_EQ(1u, Count(lumped, "<title>iteration 101: read from disk 3,"));
  EXPECT_EQ(1u, Count(lumped, Row("1 to 100", "CPU", "pull")));
  EXPECT_EQ(1u, Count(lumped, Row("101", "CPU", "pull")));
}

TEST(RunReport, HtmlDrawsManyIterationsAsMeansOfNeighbours) {
  RunReport report;
  report.iterations.resize(1000, {.blocks_read = 5});
  const std::string page = RunReportHtml({.algorithm = "bfs"}, report);
  EXPECT_EQ(6u, Count(page, ">iteration; a bar shows the mean of up to 5 iterations</text>"));
  EXPECT_EQ(1u, Count(page, "<title>iterations 0 to 4, mean: read from disk 5,"));
  EXPECT_EQ(1u, Count(page, "<title>iterations 995 to 999, mean: read from disk 5,"));
}

/// A run of 2 threads over 10 s, which read 10 GB.
RunReport TenSeconds() {
  RunReport report;
  report.run_seconds = 10;
  report.times.threads = 2;
  report.times.wall_seconds = 10;
  report.times.processor_seconds = 6;
  report.bytes_read = 10'000'000'000;
  return report;
}

TEST(RunBound, NamesTheGreatestPartOfTheTime) {
  RunReport report = TenSeconds();
  report.times.wait_seconds[static_cast<size_t>(WaitCause::kDisk)] = 12.4;
  const RunBound disk = WhatBound(report, 1.25e9);
  EXPECT_EQ(disk.by, "disk");
  EXPECT_NEAR(disk.share, 0.62, 1e-9);
  EXPECT_NEAR(disk.rate_share, 0.8, 1e-9);
  EXPECT_EQ(disk.sentence,
            "The disk bound this run: threads waited for it 62 % of their time, and it read "
            "1.00 GB/s, 80 % of its measured rate.");
  EXPECT_NE(WhatBound(report, 0).sentence.find("edgemill calibrate measures"), std::string::npos);

  report.times.wait_seconds = {};
  report.times.processor_seconds = 19;
  EXPECT_EQ(WhatBound(report, 0).sentence,
            "The processors bound this run: 2 threads computed 95 % of the time, and waited for "
            "the disk 0 %.");
  report.times.core_seconds = 19.5;
  EXPECT_EQ(WhatBound(report, 0).by, "core");
  for (const WaitCause cause : {WaitCause::kTurn, WaitCause::kMemory, WaitCause::kLock,
                                WaitCause::kDevice, WaitCause::kIdle}) {
    report.times.wait_seconds = {};
    report.times.wait_seconds[static_cast<size_t>(cause)] = 19.8;
    const RunBound bound = WhatBound(report, 0);
    EXPECT_EQ(bound.by, WaitCauseName(cause));
    EXPECT_TRUE(bound.sentence.ends_with("99 % of their time.")) << bound.sentence;
  }
  report.times.wall_seconds = 0.0001;
  EXPECT_EQ(WhatBound(report, 0).by, "");
  EXPECT_NE(WhatBound(report, 0).sentence.find("too short"), std::string::npos);
}

/// A run on a GPU in which copies took most of the time.
RunReport CopyingRun() {
  RunReport report = TenSeconds();
  report.gpu = "a GPU";
  report.link_bytes = 160'000'000'000;
  report.gpu_memory_bytes = 1000;
  report.peak_gpu_bytes = 500;
  report.timeline.Add({Worker::kDisk, 0, 0, 4});
  report.timeline.Add({Worker::kCopy, 0, 0, 8});
  report.timeline.Add({Worker::kKernel, 1, 7, 10});
  report.transfers[Transfer::kFilter] = {.blocks = 30, .bytes = 3 << 20, .measured_seconds = 6};
  report.transfers[Transfer::kZeroCopy] = {.blocks = 10, .bytes = 1 << 20, .measured_seconds = 2};
  report.transfers[Transfer::kResident] = {.blocks = 40, .bytes = 0, .measured_seconds = 2};
  return report;
}

TEST(RunBound, OfAGpuNamesTheBusiestPart) {
  EXPECT_EQ(WhatBound(CopyingRun(), 0).sentence,
            "The link to the GPU bound this run: copies were under way 80 % of the time, at "
            "20.00 GB/s; next: disk, 40 %.");
}

TEST(RunReport, HtmlShowsWaysTiersDisksAndMemory) {
  RunDescription description{.algorithm = "sssp", .memory_bytes = 4 << 20, .graph_bytes = 100};
  description.disks = {{"/one", 300}, {"/two", 100}};
  description.surroundings = {{"command", "edgemill run sssp <g>"}};
  RunReport report = CopyingRun();
  report.peak_resident_bytes = 1 << 20;
  report.iterations.push_back({.blocks_read = 10, .cache_hits = 30});
  const std::string page = RunReportHtml(description, report);
  for (const char* text :
       {"filter 30, 37.5 %", "zero-copy 10, 12.5 %", "resident 40, 50.0 %",
        "filter 3.00 MiB, 75.0 %", "zero-copy 2 s, 20.0 %", "disk 10, 12.5 %",
        "cache in memory 30, 37.5 %", "memory of the GPU 40, 50.0 %",
        "<b>/two</b> <span class=\"says\">100 B, 25.0 %</span>", "1.00 MiB at most, of 4.00 MiB",
        "500 B at most, of 1000 B", "command <span>edgemill run sssp &lt;g&gt;</span>"}) {
    EXPECT_EQ(1u, Count(page, text)) << text;
  }
  EXPECT_NE(page.find("copy 80.0 %"), std::string::npos);
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

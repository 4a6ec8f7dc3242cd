// One result collects the reports and results of several thread counts, under separate names.
#include "bench/scaling/recorded_reports.h"

#include <gtest/gtest.h>

#include <fstream>

#include "test/graphs/written_graph.h"

namespace edgemill::bench {
namespace {

TEST(RecordedFileTest, LabelAndThreadsStandBeforeThePath) {
  const RecordedFile labelled = ParseRecordedFile("kron 25, shuffled@16=dir/a.json", false);
  EXPECT_EQ(labelled.label, "kron 25, shuffled");
  EXPECT_EQ(labelled.threads, 16);
  EXPECT_EQ(labelled.path, "dir/a.json");
  for (const char* plain : {"a.json", "a@b.json", "a@b=c.json", "@4=a.json", "a@0=b.json", "a@4"}) {
    EXPECT_EQ(ParseRecordedFile(plain, false).path, plain);
    EXPECT_EQ(ParseRecordedFile(plain, false).threads, 0) << plain;
  }
}

class RecordedByThreadsTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = directory_ / name;
    std::ofstream(path) << text;
    return path;
  }
  /// The samples of the metric `name`; empty if the result has no such metric.
  static std::vector<double> Samples(const BenchmarkResult& result, std::string_view name) {
    for (const Metric& metric : result.metrics) {
      if (metric.name == name) return metric.samples;
    }
    return {};
  }
  TemporaryDirectory directory_;
};

TEST_F(RecordedByThreadsTest, AreNamedAfterLabelAndThreads) {
  const std::string ingest = Write("ingest.json", R"({"command": "ingest", "graph": "g",
      "seconds": 2, "input_bytes": 3e9, "edges": 7, "threads": 4})");
  BenchmarkResult run;
  run.benchmark = "run";
  run.settings = {{"threads", "4"}, {"edges", "9"}};
  run.verified = true;
  run.metrics = {{"bfs, warm: time", "s", Better::kLess, {5, 1, 2}, true},
                 {"bfs, warm: read", "GB", Better::kLess, {4, 0, 0}, true},
                 {"cc, warm: time", "s", Better::kLess, {3}}};
  BenchmarkResult memory;
  memory.benchmark = "memory";
  memory.settings = {{"trials", "2"}};
  memory.metrics = {{"copy, 1 thread: rate", "GB/s", Better::kMore, {10}}};
  const std::string run_path = Write("run.json", ToJson(run));
  std::vector<std::string> graphs;
  const auto result = CollectReports({{ingest, "pairs", 1},
                                      {ingest, "pairs", 4},
                                      {ingest, "pairs", 4},
                                      {run_path, "k", 4},
                                      {Write("memory.json", ToJson(memory))}},
                                     &graphs);
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_FALSE(result->verified) << "the ingests were not, nor the memory";
  const auto samples = [&](std::string_view name) { return Samples(*result, name); };
  EXPECT_EQ(samples("ingest, pairs, 1 thread: time"), (std::vector<double>{2}));
  EXPECT_EQ(samples("ingest, pairs, 4 threads: time"), (std::vector<double>{2, 2}));
  EXPECT_EQ(samples("ingest, pairs, 4 threads: input"), (std::vector<double>{3, 3}));
  EXPECT_EQ(samples("bfs, warm, k, first search, 4 threads: time"), (std::vector<double>{5}));
  EXPECT_EQ(samples("bfs, warm, k, next searches, 4 threads: time"), (std::vector<double>{1, 2}));
  EXPECT_EQ(samples("bfs, warm, k, next searches, 4 threads: read"), (std::vector<double>{0, 0}));
  EXPECT_EQ(samples("cc, warm, k, 4 threads: time"), (std::vector<double>{3}));
  EXPECT_EQ(samples("copy, 1 thread: rate"), (std::vector<double>{10}));
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"pairs: edges", "7"}, {"k: edges", "9"}, {"memory: trials", "2"}};
  EXPECT_EQ(result->settings, settings);
  EXPECT_TRUE(result->remarks.empty());
}

TEST_F(RecordedByThreadsTest, AResultOfAnotherShapeIsRefusedInWords) {
  BenchmarkResult result;
  result.settings = {{"threads", "4"}};
  result.metrics = {{"cc: time", "s", Better::kLess, {3}}};
  result.remarks = {"a stall"};
  const std::string right = ToJson(result);
  ASSERT_TRUE(ReadResultFile(Write("right.json", right)).ok());
  const std::pair<std::string_view, std::pair<std::string_view, std::string_view>> edits[] = {
      {"has no \"machine\"", {"\"machine\"", "\"car\""}},
      {"\"verified\" is neither true nor false", {"false", "0"}},
      {"\"threads\" is not text", {"\"4\"", "4"}},
      {"\"better\" is not text", {"\"less\"", "[]"}},
      {"\"samples\" holds what is not a number", {"3.0", "\"3\""}},
      {"\"remarks\" holds what is not text", {"\"a stall\"", "{}"}},
      {"\"metrics\" is not a list", {"\"metrics\": [", "\"metrics\": 5, \"others\": ["}},
      {"line 2, byte 3: is not JSON", {"\"format\"", "format"}}};
  for (const auto& [what, edit] : edits) {
    std::string text = right;
    const size_t at = text.find(edit.first);
    ASSERT_NE(at, std::string::npos) << edit.first;
    text.replace(at, edit.first.size(), edit.second);
    const Status status = ReadResultFile(Write("wrong.json", text)).status();
    EXPECT_EQ(status.code(), Code::kBadData);
    EXPECT_NE(status.message().find(what), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("wrong.json: "), std::string::npos) << status.message();
  }
}

TEST_F(RecordedByThreadsTest, AResultThatWasNotVerifiedIsRecordedAsSuch) {
  for (const bool verified : {false, true}) {
    BenchmarkResult run;
    run.benchmark = "run";
    run.verified = verified;
    run.metrics = {{"cc, warm: time", "s", Better::kLess, {3}}};
    std::vector<std::string> graphs;
    const auto result = CollectReports({{Write("run.json", ToJson(run)), "k", 2}}, &graphs);
    ASSERT_TRUE(result.ok()) << result.status().message();
    EXPECT_EQ(result->verified, verified);
  }
}

}  // namespace
}  // namespace edgemill::bench

// The library: graphs from arrays, functions and files; runs, their answers, errors and
// cancellation.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "common/cancel.h"
#include "edgemill/edgemill.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class LibraryTest : public testing::Test {
 protected:
  IngestSettings Small() const {
    IngestSettings settings;
    settings.resources = {.memory_bytes = uint64_t{128} << 20, .threads = 2};
    return settings;
  }
  RunSettings OnCpu() const {
    return {.resources = {.memory_bytes = uint64_t{128} << 20, .threads = 2},
            .device = RunDevice::kCpu,
            .verify = true};
  }
  /// The graph of a path 0 -> 1 -> ... -> last.
  std::unique_ptr<Graph> MakePath(ExternalId last, ExternalId step = 1) {
    std::vector<ExternalId> sources, targets;
    for (ExternalId v = 0; v < last; ++v) {
      sources.push_back(v * step);
      targets.push_back((v + 1) * step);
    }
    const auto made = Ingest(EdgeArrays{sources, targets}, path_, Small());
    EXPECT_TRUE(made.ok()) << made.status().message();
    return Open();
  }
  std::unique_ptr<Graph> Open() {
    auto graph = OpenGraph(path_);
    EXPECT_TRUE(graph.ok()) << graph.status().message();
    return graph.ok() ? std::move(*graph) : nullptr;
  }
  /// The ingest ends with this error, which says `text`, and leaves nothing.
  void ExpectRefused(const StatusOr<IngestReport>& made, Code code, std::string_view text) {
    EXPECT_EQ(made.status().code(), code) << made.status().message();
    EXPECT_NE(made.status().message().find(text), std::string_view::npos)
        << made.status().message();
    EXPECT_EQ(made.status().message().find("--resume"), std::string_view::npos);
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
  static void ExpectError(const Status& status, Code code, std::string_view text) {
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_NE(status.message().find(text), std::string_view::npos) << status.message();
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "graph.mill";
};

TEST_F(LibraryTest, ArraysBecomeAGraphWithWeights) {
  const std::vector<ExternalId> sources = {0, 0, 1, 2}, targets = {1, 2, 2, 3};
  const std::vector<double> weights = {1.5, 4, 1, 0.25};
  const auto made = Ingest(EdgeArrays{sources, targets, weights}, path_, Small());
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->num_edges, 4u);
  const auto graph = Open();
  EXPECT_EQ(graph->info().num_vertices, 4u);
  const auto answer = edgemill::Run(*graph, "sssp", {{"--source", 0}}, OnCpu());
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->column, "distance");
  EXPECT_TRUE(answer->ids.empty());
  EXPECT_TRUE(answer->integers.empty());
  EXPECT_EQ(answer->reals, (std::vector<double>{0, 1.5, 2.5, 2.75}));
}

TEST_F(LibraryTest, ManyEdgesComeInSeveralChunks) {
  constexpr ExternalId kLast = 300'000;
  const auto graph = MakePath(kLast);
  ASSERT_EQ(graph->info().num_edges, kLast);
  const auto answer = edgemill::Run(*graph, "cc", {}, OnCpu());
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->integers, std::vector<uint64_t>(kLast + 1, 0));
}

TEST_F(LibraryTest, SparseIdsComeWithTheAnswer) {
  const auto graph = MakePath(3, uint64_t{1} << 40);
  const auto answer = edgemill::Run(*graph, "bfs", {{"--source", uint64_t{1} << 40}}, OnCpu());
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->ids,
            (std::vector<ExternalId>{0, uint64_t{1} << 40, uint64_t{2} << 40, uint64_t{3} << 40}));
  EXPECT_EQ(answer->integers, (std::vector<uint64_t>{kUnreachedInteger, 0, 1, 2}));
  EXPECT_TRUE(answer->reals.empty());
  ASSERT_FALSE(answer->facts.empty());
  EXPECT_EQ(answer->facts[0].name, "reached");
}

TEST_F(LibraryTest, ListsComeByTheirHeadings) {
  const auto graph = MakePath(3);
  const auto answer =
      edgemill::Run(*graph, "msbfs", {{"--source", InputVertices{{2, 0}}}}, OnCpu());
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->num_vertices, 4u);
  EXPECT_EQ(answer->type, ResultType::kCount);
  ASSERT_EQ(answer->headings.size(), 2u);
  EXPECT_EQ(answer->integers, (std::vector<uint64_t>{kUnreachedInteger, kUnreachedInteger, 0, 1,  //
                                                     0, 1, 2, 3}));
}

TEST_F(LibraryTest, EdgesComeFromAFunction) {
  std::vector<ExternalId> sources, targets;
  uint64_t calls = 0;
  const NextEdges next = [&]() -> StatusOr<EdgeArrays> {
    if (calls == 5) return EdgeArrays{};
    sources = {calls, calls};  // the arrays of the call before are gone
    targets = {calls + 1, calls + 10};
    ++calls;
    return EdgeArrays{sources, targets};
  };
  const auto made = Ingest(next, /*weighted=*/false, path_, Small());
  ASSERT_TRUE(made.ok()) << made.status().message();
  EXPECT_EQ(made->num_edges, 10u);
  EXPECT_EQ(made->num_vertices, 11u);
}

TEST_F(LibraryTest, FilesAndNamesAreRead) {
  const std::string file = directory_.Write("names.csv", "from,to\nada,bob\nbob,eve\n");
  ASSERT_TRUE(Ingest(std::vector<std::string>{file}, path_, Small()).ok());
  const auto graph = Open();
  EXPECT_TRUE(graph->has_names());
  const auto names = ReadNames(*graph);
  ASSERT_TRUE(names.ok()) << names.status().message();
  EXPECT_EQ(*names, (std::vector<std::string>{"ada", "bob", "eve"}));
  const auto answer = edgemill::Run(*graph, "bfs", {{"--source", "bob"}}, OnCpu());
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->integers, (std::vector<uint64_t>{kUnreachedInteger, 0, 1}));
  ExpectError(edgemill::Run(*graph, "bfs", {{"--source", "bbo"}}, OnCpu()).status(), Code::kUsage,
              "bob");
}

TEST_F(LibraryTest, ArraysMayHaveNames) {
  IngestSettings settings = Small();
  settings.graph.ids = IdMode::kStrings;
  const std::vector<std::string_view> sources = {"eve", "ada", "bob"},
                                      targets = {"bob", "eve", "7"};
  const EdgeArrays edges{.weights = {}, .source_names = sources, .target_names = targets};
  const auto made = Ingest(edges, path_, settings);
  ASSERT_TRUE(made.ok()) << made.status().message();
  const auto graph = Open();
  const auto names = ReadNames(*graph);
  ASSERT_TRUE(names.ok()) << names.status().message();
  EXPECT_EQ(*names, (std::vector<std::string>{"7", "ada", "bob", "eve"}));
  const auto answer = edgemill::Run(*graph, "bfs", {{"--source", "ada"}}, OnCpu());
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->integers, (std::vector<uint64_t>{3, 0, 2, 1}));
}

TEST_F(LibraryTest, BadEdgesLeaveNothing) {
  const std::vector<ExternalId> ids = {1, 2, 3}, two = {1, 2}, huge = {1, 2, ~uint64_t{0}};
  const std::vector<double> weights = {1, 2, kInfinity};
  ExpectRefused(Ingest(EdgeArrays{ids, two}, path_, Small()), Code::kUsage,
                "3 sources, 2 targets and 0 weights: give arrays of one length");
  ExpectRefused(Ingest(EdgeArrays{ids, ids, std::span(weights).first(2)}, path_, Small()),
                Code::kUsage, "3 targets and 2 weights");
  ExpectRefused(Ingest(EdgeArrays{ids, huge}, path_, Small()), Code::kBadData,
                "edge 2: from 3 to 18446744073709551615: ids must be below 2^64 - 1");
  ExpectRefused(Ingest(EdgeArrays{ids, ids, weights}, path_, Small()), Code::kBadData,
                "edge 2: the weight is inf: weights are finite numbers");
  const NextEdges fails = [] { return IoError("the caller's disk is gone"); };
  ExpectRefused(Ingest(fails, false, path_, Small()), Code::kIo, "the caller's disk is gone");
  const NextEdges unweighted = [&]() -> StatusOr<EdgeArrays> { return EdgeArrays{ids, ids}; };
  ExpectRefused(Ingest(unweighted, /*weighted=*/true, path_, Small()), Code::kUsage,
                "give arrays of one length, and a weight for each edge");
  ExpectRefused(Ingest(std::vector<std::string>{}, path_, Small()), Code::kUsage, "no inputs");
  IngestSettings named = Small();
  named.graph.ids = IdMode::kStrings;
  const std::vector<std::string_view> names = {"ada", "bob", ""}, latin = {"ada", "b\xf6", "eve"};
  ExpectRefused(Ingest(EdgeArrays{.source_names = names, .target_names = names}, path_, named),
                Code::kBadData, "edge 2: the source is a missing name");
  ExpectRefused(Ingest(EdgeArrays{.source_names = latin, .target_names = names}, path_, named),
                Code::kBadData, "edge 1: the source is a name that is not UTF-8");
  ExpectRefused(Ingest(EdgeArrays{.source_names = names}, path_, named), Code::kUsage,
                "3 sources, 0 targets");
}

TEST_F(LibraryTest, AnExistingGraphStays) {
  ASSERT_NE(MakePath(3), nullptr);
  const std::vector<ExternalId> ids = {1, 2, 3};
  ExpectError(Ingest(EdgeArrays{ids, ids}, path_, Small()).status(), Code::kOutput,
              "is a graph already");
  EXPECT_EQ(Open()->info().num_edges, 3u);
}

TEST_F(LibraryTest, RunsRefuseWhatTheyCannotDo) {
  ExpectError(OpenGraph(path_).status(), Code::kMissing, "no such graph directory");
  const auto graph = MakePath(3);
  ExpectError(edgemill::Run(*graph, "nothing").status(), Code::kUsage, "nothing");
  ExpectError(edgemill::Run(*graph, "bfs").status(), Code::kUsage, "needs a source");
  ExpectError(edgemill::Run(*graph, "bfs", {{"--source", 77}}, OnCpu()).status(), Code::kUsage,
              "77");
  ExpectError(edgemill::Run(*graph, "bfs", {{"--source", "ada"}}, OnCpu()).status(), Code::kUsage,
              "have numbers as ids");
  ExpectError(edgemill::Run(*graph, "bfs", {{"--source", 0}, {"--damping", 0.5}}, OnCpu()).status(),
              Code::kUsage, "--damping");
  RunSettings little = OnCpu();
  little.resources.memory_bytes = uint64_t{33} << 20;
  ExpectError(edgemill::Run(*graph, "pagerank", {}, little).status(), Code::kBudget,
              "needs at least");
}

TEST_F(LibraryTest, AReplacedGraphIsNoticed) {
  const auto graph = MakePath(3);
  std::filesystem::rename(path_, directory_ / "other.mill");
  ExpectError(edgemill::Run(*graph, "cc", {}, OnCpu()).status(), Code::kMissing, "graph.mill");
  ASSERT_NE(MakePath(5), nullptr);
  ExpectError(edgemill::Run(*graph, "cc", {}, OnCpu()).status(), Code::kMissing, "open it again");
}

TEST_F(LibraryTest, SeveralThreadsRunOnOneGraph) {
  const auto graph = MakePath(20'000);
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const auto answer = edgemill::Run(*graph, "bfs", {{"--source", i}}, OnCpu());
      right += answer.ok() && answer->integers[20'000] == 20'000 - i ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

TEST_F(LibraryTest, RunsShareACache) {
  constexpr uint64_t kLast = 200'000;
  ASSERT_NE(MakePath(kLast), nullptr);
  const auto graph = OpenGraph(path_, {.cache_bytes = uint64_t{128} << 20});
  ASSERT_TRUE(graph.ok()) << graph.status().message();
  RunSettings settings = OnCpu();
  settings.resources.threads = 1;
  const OptionValues ten = {{"--iterations", 10}};
  const auto run = [&] {
    auto answer = edgemill::Run(**graph, "pagerank", ten, settings);
    EXPECT_TRUE(answer.ok()) << answer.status().message();
    return answer.ok() ? *std::move(answer) : RunAnswer();
  };
  const RunAnswer first = run(), second = run();
  EXPECT_GT(first.bytes_read, 0);
  EXPECT_EQ(second.bytes_read, 0);
  EXPECT_EQ(first.reals, second.reals);
  // More threads than the buffers are for: some runs have readers of their own.
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] { right += run().reals == first.reals ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 12);
}

TEST_F(LibraryTest, ASharedCacheIsBounded) {
  ASSERT_NE(MakePath(1000), nullptr);
  const auto small = OpenGraph(path_, {.cache_bytes = 1});
  ASSERT_TRUE(small.ok());
  const Status refused = edgemill::Run(**small, "cc", {}, OnCpu()).status();
  ExpectError(refused, Code::kBudget, "a cache that runs share takes at least");
  const auto graph = OpenGraph(path_, {.cache_bytes = uint64_t{128} << 20});
  ASSERT_TRUE(graph.ok());
  ASSERT_TRUE(edgemill::Run(**graph, "cc", {}, OnCpu()).ok());
  std::filesystem::rename(path_, directory_ / "other.mill");
  ASSERT_NE(MakePath(5), nullptr);
  ExpectError(edgemill::Run(**graph, "cc", {}, OnCpu()).status(), Code::kMissing, "open it again");
}

TEST_F(LibraryTest, AnswersMayGoToAFile) {
  const auto graph = MakePath(3, 5);
  RunSettings settings = OnCpu();
  settings.output = directory_ / "levels.csv";
  const auto answer = edgemill::Run(*graph, "bfs", {{"--source", 5}}, settings);
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(answer->num_vertices, 0u);
  EXPECT_TRUE(answer->integers.empty());
  EXPECT_EQ(answer->facts.at(0).text, "3 of 4");
  std::ifstream file(settings.output);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, "id,level\n0,inf\n5,0\n10,1\n15,2\n");
  ExpectError(edgemill::Run(*graph, "cc", {}, settings).status(), Code::kOutput, "levels.csv");
  settings.output = directory_ / "levels.xls";
  ExpectError(edgemill::Run(*graph, "cc", {}, settings).status(), Code::kUsage, ".parquet");
  settings.output = "-";
  ExpectError(edgemill::Run(*graph, "cc", {}, settings).status(), Code::kUsage, "name a file");
}

TEST_F(LibraryTest, ProgressIsReportedAndCancels) {
  const auto graph = MakePath(1000);
  RunSettings settings = OnCpu();
  std::atomic<int> calls{0};
  settings.resources.progress = [&](const ProgressReport& report) {
    EXPECT_FALSE(report.stage.empty());
    return ++calls < 2;
  };
  const OptionValues endless = {{"--iterations", 4'000'000'000}, {"--tolerance", 0.0}};
  ExpectError(edgemill::Run(*graph, "pagerank", endless, settings).status(), Code::kCancelled, "");
  EXPECT_EQ(calls, 2);
  EXPECT_FALSE(CancelRequested());
  settings.resources.progress = nullptr;
  EXPECT_TRUE(edgemill::Run(*graph, "cc", {}, settings).ok());
}

TEST_F(LibraryTest, ACancelledIngestLeavesNothing) {
  IngestSettings settings = Small();
  std::atomic<bool> cancelled{false};
  settings.resources.progress = [&](const ProgressReport&) {
    cancelled = true;
    return false;
  };
  const std::vector<ExternalId> ids(1000, 7);
  const NextEdges endless = [&]() -> StatusOr<EdgeArrays> { return EdgeArrays{ids, ids}; };
  ExpectRefused(Ingest(endless, false, path_, settings), Code::kCancelled, "");
  EXPECT_TRUE(cancelled);
}

}  // namespace
}  // namespace edgemill

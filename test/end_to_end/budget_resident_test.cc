// --memory bounds each command's peak resident memory as the kernel counts it, at the least budget
// and at larger ones. A smaller budget is refused, and the error names one that works.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "cli/program.h"
#include "common/status.h"
#include "common/strings.h"
#include "common/units.h"
#include "test/end_to_end/own_program.h"
#include "test/graphs/written_graph.h"
#include "test/named_budget.h"
#include "test/sanitized.h"

namespace edgemill {
namespace {

struct Execution {
  int exit_code = -1;
  uint64_t peak_bytes = 0;
  std::string errors;
};

/// Runs edgemill with `arguments` in a process of its own.
Execution Execute(std::vector<std::string> arguments, const std::string& errors_file) {
  arguments.insert(arguments.begin(), {"edgemill", kAsProgram});
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int errors = open(errors_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(errors, STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv("/proc/self/exe", argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  Execution result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  result.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  result.errors = *ReadWholeFile(errors_file, 1 << 20);
  return result;
}

class BudgetTest : public testing::Test {
 protected:
  void SetUp() override {
#ifdef EDGEMILL_TEST_SANITIZED
    GTEST_SKIP() << "skipped: needs a build without sanitizers, whose own memory would be counted";
#endif
    // The driver of a GPU takes memory that --memory does not bound.
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    graph_ = root_ / "graph.mill";
    ASSERT_EQ(Execute({"generate", "kron", graph_, "--scale", "16", "--weights", "random:1:255:1",
                       "--quiet"},
                      root_ / "errors")
                  .exit_code,
              0);
  }

  Execution Within(std::vector<std::string> arguments, uint64_t mebibytes) {
    arguments.insert(arguments.end(), {"--memory", StrCat(mebibytes, "MiB"), "--quiet"});
    const Execution result = Execute(arguments, root_ / "errors");
    EXPECT_LE(result.peak_bytes, mebibytes * kMebibyte)
        << arguments[0] << " " << arguments[1] << " at " << mebibytes
        << " MiB: " << result.peak_bytes / 1024 << " KiB";
    return result;
  }

  /// The number of MiB that the refusal of 1 MiB names.
  uint64_t NamedLeast(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--memory", "1MiB"});
    const Execution refused = Execute(arguments, root_ / "errors");
    EXPECT_EQ(refused.exit_code, static_cast<int>(Code::kBudget)) << refused.errors;
    return NamedMebibytes(refused.errors, "--memory");
  }

  /// The number of MiB that refusals name. The first refusal of an ingest may come from a rough
  /// estimate; a second one may raise the number.
  uint64_t LeastOf(const std::vector<std::string>& arguments) {
    uint64_t least = 33;
    for (int looks = 0; looks < 2; ++looks) {
      const Execution refused = Within(arguments, least);
      if (refused.exit_code == 0) return least;
      EXPECT_EQ(refused.exit_code, static_cast<int>(Code::kBudget)) << refused.errors;
      least = NamedMebibytes(refused.errors, "--memory");
      if (least == 0) return 0;
    }
    return least;
  }

  /// For each `--threads`: runs with too little memory, then with the number that the refusal
  /// names, then with more.
  void ExpectBounded(const std::vector<std::string>& command) {
    for (const char* threads : {"1", "4"}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--threads", threads});
      SCOPED_TRACE(StrCat(command[0], " ", command[1], ", ", threads, " threads"));
      const uint64_t least = LeastOf(arguments);
      ASSERT_GT(least, 33u);
      std::printf("%s %s, %s threads: at least %lu MiB\n", command[0].c_str(), command[1].c_str(),
                  threads, static_cast<unsigned long>(least));
      for (const uint64_t mebibytes : {least, least + 7}) {
        const Execution done = Within(arguments, mebibytes);
        ASSERT_EQ(done.exit_code, 0) << mebibytes << " MiB: " << done.errors;
        std::printf("  %lu MiB: peak %.1f MiB\n", static_cast<unsigned long>(mebibytes),
                    static_cast<double>(done.peak_bytes) / kMebibyte);
      }
    }
  }

  TemporaryDirectory root_;
  std::string graph_;
};

TEST_F(BudgetTest, RunsStayWithin) {
  ExpectBounded({"run", "pagerank", graph_, "-i", "3", "--output", root_ / "ranks.txt", "--force"});
  ExpectBounded({"run", "bfs", graph_, "-r", "1", "--output", root_ / "levels.npy", "--force"});
  ExpectBounded({"run", "cc", graph_, "-v", "--output", root_ / "components.csv", "--force"});
  ExpectBounded({"run", "sssp", graph_, "-r", "1"});
}

/// The largest part of the least budget differs between these graphs.
TEST_F(BudgetTest, EveryCommandNamesItsLeastMemoryAtOnceAndWorksWithIt) {
  const std::string many_blocks = root_ / "blocks.mill";
  const std::string long_path = root_ / "path.mill";
  const std::string sparse = root_ / "sparse.mill";
  const std::string empty = root_ / "empty.mill";
  const std::string edges = root_ / "few.wel";
  ASSERT_TRUE(WriteFileAtomically(edges, "5 900000000000 3\n7 5 1\n").ok());
  ASSERT_TRUE(WriteFileAtomically(root_ / "none.el", "").ok());
  for (const std::vector<std::string>& making : std::vector<std::vector<std::string>>{
           {"generate", "kron", many_blocks, "--scale", "16", "--block-edges", "128"},
           {"generate", "path", long_path, "--vertices", "1000000", "--weights", "random:1:9:1"},
           {"ingest", edges, sparse, "--renumber", "degree"},
           {"ingest", root_ / "none.el", empty}}) {
    ASSERT_EQ(Execute(making, root_ / "errors").exit_code, 0) << making[2];
  }
  for (const std::string& graph : {graph_, many_blocks, long_path, sparse, empty}) {
    for (std::vector<std::string> command :
         std::vector<std::vector<std::string>>{{"verify", graph},
                                               {"export", graph, root_ / "back.el", "--force"},
                                               {"run", "pagerank", graph, "-i", "2"},
                                               {"run", "cc", graph, "-v"},
                                               {"info", graph}}) {
      for (const char* threads : {"1", "4"}) {
        if (command[0] != "info") command.insert(command.end(), {"--threads", threads});
        SCOPED_TRACE(StrCat(command[0], " ", command[1], " ", graph, ", ", threads, " threads"));
        const uint64_t least = NamedLeast(command);
        ASSERT_GE(least, 33u);
        const Execution done = Within(command, least);
        EXPECT_EQ(done.exit_code, 0) << least << " MiB: " << done.errors;
        if (least > 33) {
          const Execution refused = Within(command, least - 1);
          EXPECT_EQ(refused.exit_code, static_cast<int>(Code::kBudget));
          EXPECT_EQ(NamedMebibytes(refused.errors, "--memory"), least) << refused.errors;
        }
        if (command[0] != "info") command.resize(command.size() - 2);
      }
    }
  }
}

/// The state and the verifier take most of the memory of these runs.
TEST_F(BudgetTest, TheVerifierIsCounted) {
  const std::string graph = root_ / "wide.mill";
  ASSERT_EQ(Execute({"generate", "uniform", graph, "--vertices", "2000000", "--edge-factor", "2"},
                    root_ / "errors")
                .exit_code,
            0);
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", "bfs", graph, "-r", "5", "-v"},
                                             {"run", "bfs", graph, "-r", "5", "-v", "--parents"},
                                             {"run", "cc", graph, "-v"},
                                             {"run", "sssp", graph, "-r", "5", "-v"},
                                             {"run", "pagerank", graph, "-i", "2", "-v"}}) {
    for (const char* threads : {"2", "16"}) {
      std::vector<std::string> on_threads = command;
      on_threads.insert(on_threads.end(), {"--threads", threads});
      const uint64_t least = NamedLeast(on_threads);
      const Execution done = Within(on_threads, least);
      EXPECT_EQ(done.exit_code, 0)
          << command[1] << " on " << threads << " threads at " << least << " MiB: " << done.errors;
    }
  }
}

/// Memory beyond the least goes to the cache, which also needs a record for each block.
TEST_F(BudgetTest, TheCacheTakesNoMoreThanIsLeft) {
  const std::string graph = root_ / "blocks.mill";
  ASSERT_EQ(Execute({"generate", "kron", graph, "--scale", "18", "--block-edges", "128",
                     "--weights", "random:1:9:1"},
                    root_ / "errors")
                .exit_code,
            0);
  const std::vector<std::string> command = {"run", "cc", graph};
  const uint64_t least = NamedLeast(command);
  for (uint64_t more = 0; more < 24; more += 3) {
    const Execution done = Within(command, least + more);
    EXPECT_EQ(done.exit_code, 0) << least + more << " MiB: " << done.errors;
  }
}

/// The least is also close to what is needed. The index is most of this graph's memory, so its size
/// is known.
TEST_F(BudgetTest, TheLeastMemoryIsCloseToWhatIsUsed) {
  const std::string path = root_ / "path.mill";
  ASSERT_EQ(
      Execute({"generate", "path", path, "--vertices", "16000000"}, root_ / "errors").exit_code, 0);
  const uint64_t index_mebibytes = (16'000'000 * 4) >> 20;
  EXPECT_LE(NamedLeast({"verify", path}), (32 + index_mebibytes) * 5 / 4);
  EXPECT_LE(NamedLeast({"export", path, root_ / "back.el"}), (32 + index_mebibytes) * 5 / 4);
}

TEST_F(BudgetTest, GenerateAndIngestStayWithin) {
  ExpectBounded({"generate", "kron", root_ / "again.mill", "--scale", "16", "--replace"});
  ASSERT_EQ(Execute({"export", graph_, root_ / "edges.wel", "--quiet"}, root_ / "errors").exit_code,
            0);
  ExpectBounded({"ingest", root_ / "edges.wel", root_ / "back.mill", "--replace"});
  ExpectBounded({"ingest", root_ / "edges.wel", root_ / "sparse.mill", "--ids", "sparse",
                 "--renumber", "degree", "--replace"});
}

/// The memory has chunks for fewer threads than given, so all passes over edges use fewer.
TEST_F(BudgetTest, IngestStaysWithinOnAnyThreads) {
  const std::string pairs = root_ / "pairs.bin32";
  ASSERT_EQ(Execute({"export", graph_, pairs, "--quiet"}, root_ / "errors").exit_code, 0);
  for (const char* threads : {"1", "4", "64"}) {
    SCOPED_TRACE(StrCat(threads, " threads"));
    std::vector<std::string> command = {"ingest",    pairs,   root_ / "out.mill", "--replace",
                                        "--threads", threads, "--weights",        "random:1:255:1"};
    EXPECT_EQ(Within(command, 64).exit_code, 0);
    command.insert(command.end(), {"--renumber", "degree"});
    EXPECT_EQ(Within(command, 64).exit_code, 0);
  }
}

TEST_F(BudgetTest, LongLinesAreReadInChunks) {
  constexpr uint64_t kNeighbors = 2'000'000;  // 14 MB of text
  std::string neighbors;
  for (uint64_t v = 2; v <= kNeighbors + 1; ++v) neighbors += StrCat(" ", v);
  const std::string adjacency = root_ / "hub.adj", metis = root_ / "hub.metis";
  ASSERT_TRUE(WriteFileAtomically(adjacency, "1" + neighbors + "\n").ok());
  ASSERT_TRUE(WriteFileAtomically(metis, StrCat(kNeighbors + 1, " ", kNeighbors, "\n", neighbors,
                                                std::string(kNeighbors + 1, '\n')))
                  .ok());
  for (const std::string& input : {adjacency, metis}) {
    const Execution done = Within({"ingest", input, root_ / "hub.mill", "--replace"}, 64);
    EXPECT_EQ(done.exit_code, 0) << input << ": " << done.errors;
  }
}

TEST_F(BudgetTest, LargerGraphsStayWithinTheBudget) {
  const std::string large = root_ / "large.mill";
  EXPECT_EQ(Within({"generate", "kron", large, "--scale", "18"}, 128).exit_code, 0);
  EXPECT_EQ(Within({"run", "pagerank", large, "-i", "2"}, 48).exit_code, 0);
  EXPECT_EQ(Within({"run", "cc", large}, 48).exit_code, 0);
}

}  // namespace
}  // namespace edgemill

#include "storage/catalog/graph_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "storage/catalog/data_directory.h"
#include "test/graphs/written_graph.h"

namespace edgemill {
namespace {

class GraphLockTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(WriteGraph(path_, TestGraph()).ok());
    StatusOr<File> directory = OpenGraphDirectory(path_);
    ASSERT_TRUE(directory.ok());
    directory_ = std::move(*directory);
  }
  StatusOr<GraphLock> Acquire(GraphLock::Mode mode) { return GraphLock::Acquire(directory_, mode); }
  Code OpenCode(bool exclusive) {
    OpenOptions options;
    options.exclusive = exclusive;
    return GraphStore::Open(path_, options, budget_).status().code();
  }

  TemporaryDirectory temporary_;
  std::string path_ = temporary_ / "g.mill";
  File directory_;
  MemoryBudget budget_{uint64_t{64} << 20};
};

constexpr GraphLock::Mode kShared = GraphLock::Mode::kShared;
constexpr GraphLock::Mode kExclusive = GraphLock::Mode::kExclusive;

TEST_F(GraphLockTest, ManyReadersOrOneWriter) {
  {
    std::vector<GraphLock> readers;
    for (int i = 0; i < 64; ++i) {
      StatusOr<GraphLock> lock = Acquire(kShared);
      ASSERT_TRUE(lock.ok());
      readers.push_back(std::move(*lock));
    }
    EXPECT_EQ(Acquire(kExclusive).status().code(), Code::kLocked);
    EXPECT_EQ(RemoveGraph(path_, {}).code(), Code::kLocked);
    CreateOptions replace = TestOptions(TestGraph(), {});
    replace.replace = true;
    EXPECT_EQ(GraphWriter::Create(path_, replace).status().code(), Code::kLocked);
    EXPECT_EQ(OpenCode(false), Code::kOk);
    EXPECT_EQ(OpenCode(true), Code::kLocked);
  }
  const StatusOr<GraphLock> writer = Acquire(kExclusive);
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(Acquire(kExclusive).status().code(), Code::kLocked);
  EXPECT_EQ(OpenCode(false), Code::kLocked);
}

TEST_F(GraphLockTest, AnUnfinishedIngestKeepsOthersOut) {
  const std::string path = temporary_ / "h.mill";
  StatusOr<std::unique_ptr<GraphWriter>> writer =
      GraphWriter::Create(path, TestOptions(TestGraph(), {}));
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  EXPECT_EQ(GraphStore::Open(path, {}, budget_).status().code(), Code::kLocked);
  EXPECT_EQ(GraphWriter::Resume(path, {}).status().code(), Code::kLocked);
  EXPECT_EQ(RemoveGraph(path, {}).code(), Code::kLocked);
  writer->reset();
  EXPECT_EQ(GraphStore::Open(path, {}, budget_).status().code(), Code::kUnfinished);
  EXPECT_TRUE(GraphWriter::Resume(path, {}).ok());
}

/// Starts a child process that holds the lock until it is killed.
pid_t StartHolder(const File& directory, GraphLock::Mode mode) {
  int ready[2];
  EXPECT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const StatusOr<GraphLock> lock = GraphLock::Acquire(directory, mode);
    const char byte = lock.ok() ? 1 : 0;
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 1);
  close(ready[0]);
  close(ready[1]);
  return child;
}

TEST_F(GraphLockTest, HoldersAreNamedAndAKilledOneLeavesNoLock) {
  for (const GraphLock::Mode mode : {kShared, kExclusive}) {
    const pid_t child = StartHolder(directory_, mode);
    const Status status = Acquire(kExclusive).status();
    EXPECT_EQ(status.code(), Code::kLocked);
    EXPECT_NE(status.message().find(StrCat("process ", child)), std::string_view::npos)
        << status.message();
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(Acquire(kExclusive).ok());
  }
}

TEST_F(GraphLockTest, OneOfTwoConcurrentWritersWins) {
  const pid_t child = StartHolder(directory_, kExclusive);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Acquire(kExclusive).status().code(), Code::kLocked);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(OpenCode(false), Code::kLocked);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(OpenCode(false), Code::kOk);
}

TEST_F(GraphLockTest, ASymbolicLinkIsNoLock) {
  ASSERT_EQ(unlink((path_ + "/LOCK").c_str()), 0);
  ASSERT_EQ(symlink("/dev/null", (path_ + "/LOCK").c_str()), 0);
  EXPECT_FALSE(Acquire(kShared).ok());
  EXPECT_NE(OpenCode(false), Code::kOk);
}

}  // namespace
}  // namespace edgemill

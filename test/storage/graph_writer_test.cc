#include "storage/write/graph_writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <mutex>
#include <set>

#include "storage/catalog/graph_removal.h"
#include "test/graphs/written_graph.h"

namespace edgemill {
namespace {

using std::filesystem::exists;

TEST(GraphWriter, WrittenGraphsOpenWithOneToFourDataDirectories) {
  for (int count = 0; count <= 4; ++count) {
    TemporaryDirectory temporary;
    std::vector<std::string> directories;
    for (int i = 0; i < count; ++i) directories.push_back(temporary / StrCat("disk", i));
    const TestGraph graph{};
    const Status written = WriteGraph(temporary / "g.mill", graph, directories);
    ASSERT_TRUE(written.ok()) << written.message();
    const Status checked = CheckGraph(temporary / "g.mill", graph);
    EXPECT_TRUE(checked.ok()) << checked.message();
    const Status removed = RemoveGraph(temporary / "g.mill", {});
    EXPECT_TRUE(removed.ok()) << removed.message();
    EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  }
}

/// Temporary files are made where the options say, and a resume finds them again. They are removed
/// with the graph, or once it is whole. So are directories that were made for them.
TEST(GraphWriter, TemporaryFilesHaveDirectoriesOfTheirOwn) {
  for (const bool finished : {false, true}) {
    const TemporaryDirectory temporary;
    const std::string path = temporary / "g.mill";
    const TestGraph graph{};
    CreateOptions options = TestOptions(graph, {temporary / "disk"});
    options.spill_directories = {temporary / "fast/er", temporary / "other"};
    ASSERT_TRUE(MakeDirectory(temporary / "other").ok());
    const std::vector<std::string> want = {
        StrCat(temporary / "fast/er", "/", options.uuid.ToString(), ".spill"),
        StrCat(temporary / "other", "/", options.uuid.ToString(), ".spill")};
    {
      const auto writer = GraphWriter::Create(path, options);
      ASSERT_TRUE(writer.ok()) << writer.status().message();
      EXPECT_EQ((*writer)->spill_directories(), want);
      for (const std::string& spill : want) std::ofstream(spill + "/pages.spill") << "edges";
      ASSERT_TRUE((*writer)->Checkpoint().ok());
    }
    auto resumed = GraphWriter::Resume(path, {});
    ASSERT_TRUE(resumed.ok()) << resumed.status().message();
    EXPECT_EQ((*resumed)->spill_directories(), want);
    if (finished) {
      ASSERT_TRUE(FinishGraph(**resumed, graph).ok());
      resumed->reset();
      const Status checked = CheckGraph(path, graph, {temporary / "disk"});
      EXPECT_TRUE(checked.ok()) << checked.message();
    } else {
      resumed->reset();
      EXPECT_TRUE(RemoveGraph(path, {}).ok());
    }
    for (const std::string& spill : want) EXPECT_FALSE(PathExists(spill)) << spill;
    EXPECT_FALSE(PathExists(temporary / "fast/er")) << "made, and left empty";
    EXPECT_TRUE(PathExists(temporary / "other")) << "was there before";
  }
  const TemporaryDirectory temporary;
  CreateOptions twice = TestOptions(TestGraph{}, {});
  twice.spill_directories = {temporary / "a", temporary / "b/../a"};
  EXPECT_EQ(GraphWriter::Create(temporary / "g.mill", twice).status().code(), Code::kUsage);
  EXPECT_FALSE(PathExists(temporary / "g.mill"));
}

/// After a crash of the machine, a file or directory is lost if its parent directory was not
/// synced.
TEST(GraphWriter, EveryDirectoryThatIsMadeIsSyncedInItsParent) {
  const TemporaryDirectory temporary;
  std::mutex mutex;
  std::set<std::string> unsynced;
  size_t made = 0;
  fault::SetHook([&](fault::Op op, std::string_view path) {
    const std::lock_guard lock(mutex);
    if (op == fault::Op::kMakeDirectory) {
      ++made;
      unsynced.emplace(path);
    } else if (op == fault::Op::kSync) {
      std::erase_if(unsynced, [&](const std::string& directory) {
        return std::filesystem::path(directory).parent_path() == std::filesystem::path(path);
      });
    }
    return 0;
  });
  const Status written =
      WriteGraph(temporary / "g.mill", TestGraph{}, {temporary / "deep/er/disk0"});
  fault::SetHook(nullptr);
  ASSERT_TRUE(written.ok()) << written.message();
  EXPECT_GE(made, 6u);
  std::erase_if(unsynced, [](const std::string& path) {
    return !PathExists(path) || path.ends_with("/spill");  // empty once the graph is whole
  });
  EXPECT_TRUE(unsynced.empty()) << *unsynced.begin();
}

/// Two whole graphs, which are exchanged as by --replace.
class ExchangedGraphs : public testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& path : {path_, other_}) {
      CreateOptions options = TestOptions(TestGraph{}, {});
      options.uuid = TestUuid().Derive(path == path_);
      auto writer = GraphWriter::Create(path, options);
      ASSERT_TRUE(writer.ok()) << writer.status().message();
      ASSERT_TRUE(FinishGraph(**writer, TestGraph{}).ok());
    }
  }
  void TearDown() override { fault::SetHook(nullptr); }
  /// Exchanges the graphs once, before the first file operation for which `now` is true.
  void ExchangeWhen(std::function<bool(fault::Op op, std::string_view path)> now) {
    exchanged_ = false;
    fault::SetHook([this, now = std::move(now)](fault::Op op, std::string_view path) {
      if (!exchanged_ && now(op, path)) {
        exchanged_ = true;
        EXPECT_TRUE(ExchangePaths(path_, other_).ok());
      }
      return 0;
    });
  }

  const TemporaryDirectory temporary_;
  const std::string path_ = temporary_ / "g.mill";
  const std::string other_ = temporary_ / "g.mill.replacing";
  bool exchanged_ = false;
  MemoryBudget budget_{uint64_t{64} << 20};
};

TEST_F(ExchangedGraphs, AreOpenedWholeWheneverThatHappens) {
  int before = 0;
  for (exchanged_ = true; exchanged_; ++before) {
    SCOPED_TRACE(StrCat("after ", before, " operations"));
    int count = 0;
    ExchangeWhen([&](fault::Op, std::string_view) { return count++ == before; });
    const auto store = GraphStore::Open(path_, {}, budget_);
    fault::SetHook(nullptr);
    ASSERT_TRUE(store.ok()) << store.status().message();
    EXPECT_EQ((*store)->segments()[0].file.path(),
              StrCat(path_, "/data/", (*store)->info().uuid.ToString(), "/",
                     SegmentKey{ColumnKind::kOutOffsets}.FileName()));
  }
  EXPECT_GT(before, 10);
}

TEST_F(ExchangedGraphs, OneThatIsRemovedMeanwhileTakesNothingOfTheOther) {
  ExchangeWhen([&](fault::Op, std::string_view path) { return path == path_ + "/LOCK"; });
  EXPECT_EQ(RemoveGraph(path_, {}).code(), Code::kLocked);
  EXPECT_TRUE(exchanged_);
  fault::SetHook(nullptr);
  for (const std::string& path : {path_, other_}) {
    EXPECT_TRUE(GraphStore::Open(path, {}, budget_).ok());
    EXPECT_TRUE(RemoveGraph(path, {}).ok());
  }
}

/// A data directory that an ingest made is removed with the last graph of its name, whichever graph
/// made it.
TEST(GraphWriter, ADirectoryThatTheReplacedGraphMadeGoesWithTheNewOne) {
  const TemporaryDirectory temporary;
  const std::string path = temporary / "g.mill";
  const std::string beside = temporary / "g.mill.replacing";
  const std::vector<std::string> disks = {temporary / "disk"};
  ASSERT_TRUE(WriteGraph(path, TestGraph{}, disks).ok());
  CreateOptions options = TestOptions(TestGraph{}, disks);
  options.uuid = TestUuid().Derive(7);
  options.replaces = path;
  {
    auto writer = GraphWriter::Create(beside, options);
    ASSERT_TRUE(writer.ok()) << writer.status().message();
    ASSERT_TRUE(RemoveGraph(path, {}).ok());
    ASSERT_TRUE(FinishGraph(**writer, TestGraph{}).ok());
  }
  ASSERT_TRUE(InheritPlace(beside, path, {}).ok());
  std::filesystem::rename(beside, path);
  const Status removed = RemoveGraph(path, {});
  ASSERT_TRUE(removed.ok()) << removed.message();
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

/// A file that cannot be examined counts neither as damaged nor as absent.
TEST(GraphWriter, AFileThatCannotBeLookedAtIsNoDamage) {
  const TemporaryDirectory temporary;
  const std::string path = temporary / "g.mill";
  const std::vector<std::string> disks = {temporary / "disk"};
  ASSERT_TRUE(WriteGraph(path, TestGraph{}, disks).ok());
  MemoryBudget budget(uint64_t{64} << 20);
  for (const int error : {EIO, EACCES}) {
    const Code want = error == EIO ? Code::kIo : Code::kPermission;
    for (const bool removes : {false, true}) {
      bool failed = true;
      int failures = 0;
      for (int fail = 0; failed; ++fail) {
        SCOPED_TRACE(StrCat(removes ? "removing: " : "opening: ", fail, ", errno ", error));
        int count = 0;
        fault::SetHook([&](fault::Op op, std::string_view) {
          return op == fault::Op::kStat && count++ == fail ? error : 0;
        });
        const Status status =
            removes ? CheckRemovable(path, {}) : GraphStore::Open(path, {}, budget).status();
        fault::SetHook(nullptr);
        failed = count > fail;
        // RocksDB does not need all of these operations, and removal does not need the catalog.
        if (!status.ok()) {
          EXPECT_EQ(status.code(), want) << status.message();
          ++failures;
        }
        EXPECT_TRUE(failed || status.ok());
      }
      EXPECT_GT(failures, 8);
    }
  }
}

/// A creation that fails at its nth call leaves nothing, or only files that can be removed.
TEST(GraphWriter, WhatAFailedCreationLeavesCanBeRemoved) {
  for (const auto op : {fault::Op::kOpen, fault::Op::kSync, fault::Op::kMakeDirectory}) {
    for (const int error : {EMFILE, EIO}) {
      int failures = 0;
      for (int fail = 0;; ++fail) {
        const TemporaryDirectory temporary;
        const std::string path = temporary / "g.mill";
        std::atomic<int> calls{0};
        fault::SetHook([&](fault::Op called, std::string_view) {
          return called == op && calls.fetch_add(1) == fail ? error : 0;
        });
        const Status status =
            GraphWriter::Create(path, TestOptions(TestGraph{}, {temporary / "disk"})).status();
        fault::SetHook(nullptr);
        if (calls <= fail) break;
        ++failures;
        if (!PathExists(path)) continue;
        const Status removed = RemoveGraph(path, {});
        EXPECT_TRUE(removed.ok()) << fail << ": " << status.message() << ": " << removed.message();
      }
      EXPECT_GE(failures, 3);
    }
  }
}

}  // namespace
}  // namespace edgemill

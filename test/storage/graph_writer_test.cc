#include "storage/write/graph_writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>

#include "test/written_graph.h"

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

/// Temporary files go where they are told, are found again by a resume, and leave with the graph or
/// once it is whole.
TEST(GraphWriter, TemporaryFilesHaveDirectoriesOfTheirOwn) {
  for (const bool finished : {false, true}) {
    const TemporaryDirectory temporary;
    const std::string path = temporary / "g.mill";
    const TestGraph graph{};
    CreateOptions options = TestOptions(graph, {temporary / "disk"});
    options.spill_directories = {temporary / "fast/er", temporary / "other"};
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
    EXPECT_TRUE(PathExists(temporary / "other"));
  }
  const TemporaryDirectory temporary;
  CreateOptions twice = TestOptions(TestGraph{}, {});
  twice.spill_directories = {temporary / "a", temporary / "b/../a"};
  EXPECT_EQ(GraphWriter::Create(temporary / "g.mill", twice).status().code(), Code::kUsage);
  EXPECT_FALSE(PathExists(temporary / "g.mill"));
}

/// A crash of the machine keeps what was synced: a file or directory whose parent was not is gone.
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
    return !PathExists(path) || path.ends_with("/spill");  // which holds nothing when it is whole
  });
  EXPECT_TRUE(unsynced.empty()) << *unsynced.begin();
}

/// A creation that fails at its nth call leaves nothing, or what can be removed.
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

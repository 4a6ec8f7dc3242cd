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

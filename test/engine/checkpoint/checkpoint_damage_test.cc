// Checkpoints that are damaged, or of another run, and file operations that fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>

#include "common/os/file.h"
#include "storage/checkpoint/checkpoint_file.h"
#include "test/engine/checkpoint/checkpoint_runs.h"
#include "test/ingest_in_child.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> CheckpointsIn(const std::string& directory) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".checkpoint") paths.push_back(entry.path().native());
  }
  // The newest first.
  std::sort(paths.begin(), paths.end(), [](const std::string& a, const std::string& b) {
    return CheckpointReader::Open(a)->table().sequence >
           CheckpointReader::Open(b)->table().sequence;
  });
  return paths;
}

/// Kills a run after its checkpoint number `count`.
void KillAfter(const CheckpointCase& c, const std::string& directory, int count) {
  const CheckpointOptions writes{.every_seconds = kAtEachBoundary, .directory = directory};
  ASSERT_EQ(
      RunInChild(StrCat("checkpoint.renamed:", count), [&] { return RunCase(c, writes).status; }),
      1000 + SIGKILL);
}

CheckpointOptions ResumeFrom(const std::string& directory) {
  return {.directory = directory, .resume = true};
}

std::string BytesOf(const std::string& path) {
  return *ReadWholeFile(path, static_cast<size_t>(fs::file_size(path)));
}

TEST(CheckpointDamageTest, EveryFlippedBitIsFound) {
  const auto graph = SmallPath();
  const CheckpointCase c = SmallCase(*graph);
  const ScratchInMemory scratch;
  KillAfter(c, scratch.path(), 1);
  const std::vector<std::string> paths = CheckpointsIn(scratch.path());
  ASSERT_EQ(paths.size(), 1u);
  const std::string whole = BytesOf(paths[0]);
  ASSERT_TRUE(CheckpointReader::OpenWhole(paths[0], 1).ok());
  uint64_t found = 0;
  for (uint64_t bit = 0; bit < 8 * whole.size(); ++bit) {
    FlipBits(paths[0], bit / 8, static_cast<char>(1 << bit % 8));
    const auto reader = CheckpointReader::OpenWhole(paths[0], 1);
    EXPECT_EQ(reader.status().code(), Code::kBadData) << "bit " << bit;
    FlipBits(paths[0], bit / 8, static_cast<char>(1 << bit % 8));
    ++found;
  }
  std::printf("%llu flipped bits were found\n", static_cast<unsigned long long>(found));
  EXPECT_EQ(Difference(c, RunCase(c, ResumeFrom(scratch.path())), RunCase(c, {})), "");
}

TEST(CheckpointDamageTest, TornFilesAreFound) {
  const auto graph = SmallPath();
  const ScratchInMemory scratch;
  KillAfter(SmallCase(*graph), scratch.path(), 1);
  const std::string path = CheckpointsIn(scratch.path())[0];
  const std::string whole = BytesOf(path);
  for (size_t length = 0; length < whole.size(); ++length) {
    scratch.Write(fs::path(path).filename(), std::string_view(whole).substr(0, length));
    EXPECT_EQ(CheckpointReader::OpenWhole(path, 1).status().code(), Code::kBadData) << length;
    std::string zeros = whole;
    std::fill(zeros.begin() + static_cast<ptrdiff_t>(length), zeros.end(), '\0');
    scratch.Write(fs::path(path).filename(), zeros);
    if (zeros != whole) {
      EXPECT_EQ(CheckpointReader::OpenWhole(path, 1).status().code(), Code::kBadData) << length;
    }
  }
  scratch.Write(fs::path(path).filename(), whole + "more");
  EXPECT_EQ(CheckpointReader::OpenWhole(path, 1).status().code(), Code::kBadData);
}

TEST(CheckpointDamageTest, TheOlderOneIsTakenAndSaid) {
  const auto graph = SmallPath();
  const CheckpointCase c = SmallCase(*graph);
  const ScratchInMemory scratch;
  const Outcome want = RunCase(c, {});
  KillAfter(c, scratch.path(), 4);
  const std::vector<std::string> paths = CheckpointsIn(scratch.path());
  ASSERT_EQ(paths.size(), 2u);
  FlipBits(paths[0], 100, 1);
  NotedProgress progress;
  const Outcome got = RunCase(c, ResumeFrom(scratch.path()), progress);
  EXPECT_EQ(Difference(c, got, want), "");
  ASSERT_EQ(progress.notes().size(), 2u);  // the first: the graph has no directory
  EXPECT_NE(progress.notes()[0].find(paths[0] + ": is damaged"), std::string::npos)
      << progress.notes()[0];
  FlipBits(paths[1], 100, 1);
  const Outcome none = RunCase(c, ResumeFrom(scratch.path()));
  EXPECT_EQ(none.status.code(), Code::kBadData);
  for (const std::string& path : paths) {
    EXPECT_NE(none.status.message().find(path), std::string::npos) << none.status.message();
  }
  fs::remove(paths[1]);
  EXPECT_EQ(RunCase(c, ResumeFrom(scratch.path())).status.code(), Code::kBadData);
  fs::remove(paths[0]);
  const Outcome missing = RunCase(c, ResumeFrom(scratch.path()));
  EXPECT_EQ(missing.status.code(), Code::kMissing);
  EXPECT_NE(missing.status.message().find(scratch.path()), std::string::npos);
}

/// Swapped and stale blocks, all with right checksums of their own, are in the wrong place.
TEST(CheckpointDamageTest, BlocksOfOtherCheckpointsAreFound) {
  const auto graph = SmallPath();
  const CheckpointCase c = SmallCase(*graph);
  const ScratchInMemory scratch;
  KillAfter(c, scratch.path(), 4);
  const std::vector<std::string> paths = CheckpointsIn(scratch.path());
  std::string newer = BytesOf(paths[0]);
  const std::string older = BytesOf(paths[1]);
  const auto reader = CheckpointReader::Open(paths[0]);
  const BlockLocation& first = reader->table().blocks[0].location;
  std::copy_n(older.begin(), first.stored_bytes, newer.begin());
  scratch.Write(fs::path(paths[0]).filename(), newer);
  EXPECT_EQ(CheckpointReader::OpenWhole(paths[0], 1).status().code(), Code::kBadData);
}

/// The refusal names both runs.
void ExpectRefused(const Outcome& outcome, std::string_view one, std::string_view other) {
  EXPECT_EQ(outcome.status.code(), Code::kUsage);
  const std::string_view message = outcome.status.message();
  EXPECT_NE(message.find(one), std::string_view::npos) << message;
  EXPECT_NE(message.find(other), std::string_view::npos) << message;
}

TEST(CheckpointDamageTest, OtherRunsAreRefused) {
  const auto graph = SmallPath();
  CheckpointCase c = SmallCase(*graph);
  const ScratchInMemory scratch;
  KillAfter(c, scratch.path(), 2);
  const auto parameter = [](RunOptions* options) {
    options->values.Set("--source", InputVertex{1});
  };
  ExpectRefused(RunCase(c, ResumeFrom(scratch.path()), parameter), "bfs --source 0 on",
                "bfs --source 1 on");
  const auto algorithm = [](RunOptions* options) { options->algorithm = "ssnsp"; };
  ExpectRefused(RunCase(c, ResumeFrom(scratch.path()), algorithm), "bfs --source 0 on",
                "ssnsp --source 0 on");
  const auto other = SmallPath();
  other->SetUuid(Uuid::Generate());
  c.graph = other.get();
  ExpectRefused(RunCase(c, ResumeFrom(scratch.path())), other->info().uuid.ToString(),
                graph->info().uuid.ToString());
}

TEST(CheckpointDamageTest, OtherFormatsAreRefused) {
  const auto graph = SmallPath();
  const CheckpointCase c = SmallCase(*graph);
  const ScratchInMemory scratch;
  KillAfter(c, scratch.path(), 1);
  const std::string path = CheckpointsIn(scratch.path())[0];
  FlipBits(path, fs::file_size(path) - 32, 3);  // the version in the trailer
  const Outcome got = RunCase(c, ResumeFrom(scratch.path()));
  EXPECT_EQ(got.status.code(), Code::kBadData);
  EXPECT_NE(got.status.message().find("format 2, and this program reads format 1"),
            std::string::npos)
      << got.status.message();
}

/// Lets the file operation number `fails` on checkpoints fail, or all from that one on. Returns how
/// many operations there were.
uint64_t WithFault(uint64_t fails, bool sticky, int error, const std::function<void()>& work) {
  std::atomic<uint64_t> count{0};
  fault::SetHook([&](fault::Op op, std::string_view path) {
    if (op == fault::Op::kKillPoint || path.find("checkpoints-of-test") == std::string::npos) {
      return 0;
    }
    const uint64_t number = count.fetch_add(1);
    return number == fails || (sticky && number > fails) ? error : 0;
  });
  work();
  fault::SetHook({});
  return count;
}

/// Each file operation of a run with checkpoints fails, once or from there on. The run goes on and
/// says so once; what is left can be resumed from, unless no checkpoint was ever whole.
TEST(CheckpointDamageTest, FileOperationsFail) {
  const auto graph = SmallPath();
  const CheckpointCase c = SmallCase(*graph);
  const Outcome want = RunCase(c, {});
  uint64_t resumed = 0;
  for (const bool sticky : {false, true}) {
    const ScratchInMemory whole;
    const uint64_t operations = WithFault(~uint64_t{0}, false, 0, [&] {
      const Outcome got = RunCase(
          c, {.every_seconds = kAtEachBoundary, .directory = whole / "checkpoints-of-test"});
      EXPECT_EQ(Difference(c, got, want), "");
    });
    for (uint64_t i = 0; i < operations; ++i) {
      SCOPED_TRACE(StrCat("operation ", i, sticky ? " and all later ones" : ""));
      const ScratchInMemory scratch;
      const CheckpointOptions writes{.every_seconds = kAtEachBoundary,
                                     .directory = scratch / "checkpoints-of-test"};
      NotedProgress progress;
      Outcome got;
      WithFault(i, sticky, sticky ? ENOSPC : EIO, [&] { got = RunCase(c, writes, progress); });
      if (!got.status.ok()) {  // the directory could not be made
        EXPECT_LT(i, 4u) << got.status.message();
        continue;
      }
      EXPECT_EQ(Difference(c, got, want), "");
      uint64_t said = 0;
      for (const std::string& note : progress.notes()) {
        said += note.starts_with("a checkpoint failed") ? 1 : 0;
      }
      EXPECT_LE(said, 1u);
      const Outcome again = RunCase(c, ResumeFrom(writes.directory));
      if (again.status.code() != Code::kMissing) {
        ++resumed;
        EXPECT_EQ(Difference(c, again, want), "");
      }
    }
    EXPECT_GT(operations, 20u);
    std::printf("%llu operations failed\n", static_cast<unsigned long long>(operations));
  }
  EXPECT_GT(resumed, 20u);
}

/// A full disk is said, and leaves the checkpoint from before.
TEST(CheckpointDamageTest, AFullDisk) {
  const auto graph = SmallPath();
  const CheckpointCase c = SmallCase(*graph);
  const ScratchInMemory scratch;
  const CheckpointOptions writes{.every_seconds = kAtEachBoundary,
                                 .directory = scratch / "checkpoints-of-test"};
  std::atomic<int> syncs{0};
  fault::SetHook([&](fault::Op op, std::string_view path) {
    if (path.find("checkpoints-of-test") == std::string::npos) return 0;
    if (op == fault::Op::kSync) ++syncs;
    return op == fault::Op::kWrite && syncs >= 4 ? ENOSPC : 0;  // two: of the file, the directory
  });
  NotedProgress progress;
  const Outcome got = RunCase(c, writes, progress);
  fault::SetHook({});
  EXPECT_EQ(Difference(c, got, RunCase(c, {})), "");
  EXPECT_EQ(got.report.checkpoints.written, 2u);
  std::vector<std::string> failures;
  for (const std::string& note : progress.notes()) {
    if (note.starts_with("a checkpoint failed")) failures.push_back(note);
  }
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("No space left on device"), std::string::npos) << failures[0];
  EXPECT_EQ(CheckpointsIn(writes.directory).size(), 2u);
  EXPECT_EQ(Difference(c, RunCase(c, ResumeFrom(writes.directory)), RunCase(c, {})), "");
}

}  // namespace
}  // namespace edgemill

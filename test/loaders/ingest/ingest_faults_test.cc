// Ingests on disks that become full, and ingests that are stopped. Finished work is kept, and
// --resume gives the same graph.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "common/cancel.h"
#include "common/clock.h"
#include "common/os/file.h"
#include "loaders/generate/generator.h"
#include "loaders/ingest/ingest.h"
#include "test/io_faults.h"
#include "test/tmpfs.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;

class IngestFaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "faultsXXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override {
    fault::SetHook({});
    ClearCancel();
    fs::remove_all(root_);
  }

  IngestOptions Options(const fs::path& data) const {
    IngestOptions options;
    options.data_directories = {data};
    options.uuid = Uuid::Parse("00000000-0000-4000-8000-000000000002").value();
    options.block_edges = 1024;
    options.page_blocks = 4;
    options.max_sort_edges = 8000;
    options.spill_memory_bytes = 512 << 10;
    options.checkpoint_bytes = 128 << 10;
    options.threads = 2;
    options.renumbering = renumbering_;
    return options;
  }
  StatusOr<IngestReport> Run(const fs::path& graph, const fs::path& data, bool resume) const {
    GeneratorOptions generator;
    generator.kind = GeneratorKind::kWeb;
    generator.scale = 14;
    ASSIGN_OR_RETURN(std::unique_ptr<EdgeSource> source, MakeGenerator(generator));
    MemoryBudget budget(uint64_t{96} << 20);
    Progress progress;
    const IngestOptions options = Options(data);
    if (!resume) return Ingest(*source, graph, options, budget, progress);
    return ResumeIngest(*source, graph, {options, true}, budget, progress);
  }
  static std::map<std::string, std::string> Segments(const fs::path& data) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(data)) {
      // IDENTITY names the graph directory, which differs.
      if (!entry.is_regular_file() || entry.path().filename() == "IDENTITY") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream contents;
      contents << in.rdbuf();
      files[fs::relative(entry.path(), data).string()] = contents.str();
    }
    return files;
  }
  /// Runs an ingest until `hook` or `plan` fails or stops it. Resumes it without them, and expects
  /// the files of a run without faults. Returns the first run's status.
  Status StopAndResume(const fault::Hook& hook, std::shared_ptr<IoFaultPlan> plan = nullptr) {
    EXPECT_TRUE(Run(root_ / "whole.mill", root_ / "whole", false).ok());
    fault::SetHook(hook);
    InstallIoFaults(std::move(plan));
    const StatusOr<IngestReport> stopped = Run(root_ / "g.mill", root_ / "data", false);
    InstallIoFaults(nullptr);
    fault::SetHook({});
    ClearCancel();
    const StatusOr<IngestReport> resumed = Run(root_ / "g.mill", root_ / "data", true);
    EXPECT_TRUE(resumed.ok()) << resumed.status().message();
    EXPECT_TRUE(Segments(root_ / "data") == Segments(root_ / "whole"));
    return stopped.status();
  }
  void ExpectFull(const Status& status) const {
    EXPECT_EQ(status.exit_code(), 74) << status.message();
    for (const char* part : {"data", "full", "needed", "free", "--resume"}) {
      EXPECT_NE(status.message().find(part), std::string_view::npos)
          << part << ": " << status.message();
    }
  }

  fs::path root_;
  Renumbering renumbering_ = Renumbering::kNone;
};

/// Fails operations `wanted` on paths that contain `part` with ENOSPC. The first `passes`
/// operations succeed.
fault::Hook FullDisk(fault::Op wanted, std::string part, int passes) {
  auto left = std::make_shared<std::atomic<int>>(passes);
  return [wanted, part = std::move(part), left](fault::Op op, std::string_view path) {
    const bool meant = op == wanted && path.find(part) != std::string_view::npos;
    return meant && left->fetch_sub(1) <= 0 ? ENOSPC : 0;
  };
}

/// Fails writes of temporary files with ENOSPC. The first `passes` writes succeed.
std::shared_ptr<IoFaultPlan> FullForSpills(uint64_t passes) {
  return FaultOn(IoRequest::Op::kWrite, ".spill", passes, {IoFault::Kind::kErrno, ENOSPC}, true);
}

TEST_F(IngestFaultsTest, FullDiskWhileSpillingIsNamedAndResumable) {
  ExpectFull(StopAndResume({}, FullForSpills(60)));
}

TEST_F(IngestFaultsTest, AFailedSpillIsNamedAndResumable) {
  for (const IoRequest::Op op : {IoRequest::Op::kWrite, IoRequest::Op::kRead}) {
    for (const char* name : {"whole.mill", "whole", "g.mill", "data"}) fs::remove_all(root_ / name);
    const Status status =
        StopAndResume({}, FaultOn(op, ".spill", 60, {IoFault::Kind::kErrno, EIO}));
    EXPECT_EQ(status.exit_code(), 74) << status.message();
    EXPECT_NE(status.message().find("pages.spill"), std::string_view::npos) << status.message();
  }
}

/// Ctrl-C while a write of a temporary file or of a segment hangs.
TEST_F(IngestFaultsTest, StopsWhileAWriteHangsEndAndAreResumable) {
  for (const char* part : {".spill", ".seg"}) {
    SCOPED_TRACE(part);
    for (const char* name : {"whole.mill", "whole", "g.mill", "data"}) fs::remove_all(root_ / name);
    const Stopwatch watch;
    const Status status = StopAndResume(
        {}, FaultsOn(IoRequest::Op::kWrite, part, [](uint64_t index) -> std::optional<IoFault> {
          if (index < 3) return std::nullopt;
          RequestCancel();
          return IoFault{IoFault::Kind::kNever, 0};
        }));
    EXPECT_EQ(status.code(), Code::kCancelled) << status.message();
    EXPECT_NE(status.message().find("no answer for 5 s to a write"), std::string_view::npos)
        << status.message();
    EXPECT_LT(watch.seconds(), 25);
  }
}

TEST_F(IngestFaultsTest, BitsThatFlipOnTheWayToTemporaryFilesAreFound) {
  InstallIoFaults(FaultOn(IoRequest::Op::kWrite, ".spill", 7, {IoFault::Kind::kCorrupt, 99'999}));
  const StatusOr<IngestReport> report = Run(root_ / "g.mill", root_ / "data", false);
  InstallIoFaults(nullptr);
  EXPECT_EQ(report.status().exit_code(), 65) << report.status().message();
  EXPECT_NE(report.status().message().find("pages.spill"), std::string_view::npos);
}

TEST_F(IngestFaultsTest, FullDiskWhileWritingSegmentsIsNamedAndResumable) {
  // Hooks do not see writes through io_uring. File systems that allocate late report a full disk at
  // a sync.
  const Status status = StopAndResume(FullDisk(fault::Op::kSync, "out-neighbors.0000.seg", 1));
  EXPECT_EQ(status.exit_code(), 74) << status.message();
  for (const char* part : {"out-neighbors.0000.seg", "No space left", "--resume"}) {
    EXPECT_NE(status.message().find(part), std::string_view::npos) << status.message();
  }
}

/// The disk may also fill up while the log of edges is spread over buckets. The log must stay then.
TEST_F(IngestFaultsTest, FullDiskWhileRenumberingIsResumable) {
  renumbering_ = Renumbering::kDegree;
  std::atomic<uint64_t> writes{0};
  InstallIoFaults(FaultsOn(IoRequest::Op::kWrite, ".spill", [&](uint64_t) {
    ++writes;
    return std::optional<IoFault>();
  }));
  ASSERT_TRUE(Run(root_ / "counted.mill", root_ / "counted", false).ok());
  InstallIoFaults(nullptr);
  for (const uint64_t eighths : {3, 5, 6, 7}) {
    SCOPED_TRACE(eighths);
    for (const char* name : {"whole.mill", "whole", "g.mill", "data"}) fs::remove_all(root_ / name);
    ExpectFull(StopAndResume({}, FullForSpills(writes * eighths / 8)));
  }
}

TEST_F(IngestFaultsTest, StopsWhileReadingKeepWhatWasRead) {
  const Status stopped = StopAndResume(
      {}, FaultsOn(IoRequest::Op::kWrite, ".spill", [](uint64_t index) -> std::optional<IoFault> {
        if (index == 19) RequestCancel();
        return std::nullopt;
      }));
  EXPECT_EQ(stopped.code(), Code::kCancelled) << stopped.message();
}

TEST_F(IngestFaultsTest, StopsWhileSortingKeepWhatWasSorted) {
  std::atomic<bool> seen{false};
  const Status stopped = StopAndResume([&](fault::Op op, std::string_view path) {
    const bool segment = op == fault::Op::kSync && path.find(".seg") != std::string_view::npos;
    if (segment && !seen.exchange(true)) RequestCancel();
    return 0;
  });
  EXPECT_EQ(stopped.code(), Code::kCancelled) << stopped.message();
}

TEST_F(IngestFaultsTest, AFileSystemThatFillsUpIsNamedAndResumable) {
  const fs::path data = root_ / "data";
  fs::create_directory(data);
  Tmpfs small(data, "1m");
  if (!small.mounted()) GTEST_SKIP() << small.why_not();
  const StatusOr<IngestReport> stopped = Run(root_ / "g.mill", data, false);
  ExpectFull(stopped.status());
  EXPECT_TRUE(small.Resize("64m"));
  const StatusOr<IngestReport> resumed = Run(root_ / "g.mill", data, true);
  EXPECT_TRUE(resumed.ok()) << resumed.status().message();
  EXPECT_TRUE(Run(root_ / "whole.mill", root_ / "whole", false).ok());
  EXPECT_TRUE(Segments(data) == Segments(root_ / "whole"));
}

}  // namespace
}  // namespace edgemill

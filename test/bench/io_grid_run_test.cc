// Disk benchmarks over real files, with threads for plain reads and for pread. Figures are
// consistent. Stalls and wrong bytes are reported. Refusals give numbers. No file is left behind.
#include "bench/io/io_grid_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>

#include "common/cancel.h"
#include "common/clock.h"
#include "storage/io/faulty_io_engine.h"

namespace edgemill::bench {
namespace {

class IoGridRunTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::current_path() / "io_grid_run_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
    for (const char* name : {"a", "b"}) std::filesystem::create_directory(path_ + "/" + name);
  }
  void TearDown() override {
    InstallIoFaults(nullptr);
    fault::SetHook(nullptr);
    ClearCancel();
    EXPECT_TRUE(std::filesystem::is_empty(path_ + "/a"));
    EXPECT_TRUE(std::filesystem::is_empty(path_ + "/b"));
    std::filesystem::remove_all(path_);
  }

  /// The options of a short measurement of one point.
  IoGridRunOptions Small(IoPattern pattern, uint64_t size, uint64_t depth) const {
    IoGridRunOptions options;
    options.directories = {path_ + "/a"};
    options.grid = {.patterns = {pattern}, .sizes = {size}, .depths = {depth}};
    options.trials = 1;
    options.seconds = 0.1;
    options.file_bytes = 16 << 20;
    return options;
  }

  static StatusOr<IoGridRunResult> Run(const IoGridRunOptions& options,
                                       uint64_t memory_bytes = uint64_t{512} << 20) {
    MemoryBudget budget(memory_bytes);
    Progress progress;
    return RunIoGrid(options, budget, progress);
  }

  /// Whether a remark contains `text`.
  static bool Says(const IoGridRunResult& result, std::string_view text) {
    return std::any_of(
        result.remarks.begin(), result.remarks.end(),
        [&](const std::string& remark) { return remark.find(text) != std::string::npos; });
  }

  std::string path_;
};

TEST_F(IoGridRunTest, MeasuresEveryPatternAloneAndTogether) {
  for (const IoEngineKind engine : {IoEngineKind::kAuto, IoEngineKind::kPread}) {
    IoGridRunOptions options = Small(IoPattern::kWrite, 64 << 10, 4);
    options.grid.patterns.clear();
    options.directories.push_back(path_ + "/b");
    options.trials = 2;
    options.engine = engine;
    const auto result = Run(options);
    ASSERT_TRUE(result.ok()) << result.status().message();
    ASSERT_EQ(result->measurements.size(), 9u);
    ASSERT_EQ(result->plain.size(), 3u);
    EXPECT_EQ(result->plain[2].where, "all");
    EXPECT_EQ(result->plain[0].bytes_per_second.size(), 4u);  // before and after, twice
    for (const IoMeasurement& measurement : result->measurements) {
      ASSERT_EQ(measurement.bytes_per_second.size(), 2u);
      EXPECT_GT(measurement.bytes_per_second[0], 0);
      EXPECT_GT(measurement.plain_share[1], 0);
      EXPECT_GE(measurement.latency.count(), 8u);
      EXPECT_LE(measurement.latency.Quantile(0.5), measurement.latency.max_seconds());
      EXPECT_GE(measurement.balance[0], 0.99);
      EXPECT_LE(measurement.balance[0], 2);
    }
    EXPECT_TRUE(Says(*result, "are on one device"));
  }
}

TEST_F(IoGridRunTest, AStallIsReportedNotAveragedAway) {
  // Four requests that start 50 ms or more after the first complete 1.3 s late.
  const Stopwatch clock;
  std::atomic<int64_t> first{-1};
  std::atomic<int> delayed{0};
  InstallIoFaults(
      std::make_shared<IoFaultPlan>([&](const IoAttempt&, uint64_t) -> std::optional<IoFault> {
        const auto now = static_cast<int64_t>(clock.seconds() * 1e3);
        int64_t none = -1;
        first.compare_exchange_strong(none, now);
        if (now < first + 50 || delayed.fetch_add(1) >= 4) return std::nullopt;
        return IoFault{IoFault::Kind::kDelay, 1300};
      }));
  const auto result = Run(Small(IoPattern::kRandomRead, 4096, 4));
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_TRUE(Says(*result, "nothing completed for 1.")) << result->remarks.size();
  EXPECT_GE(result->measurements[0].latency.max_seconds(), 1.3);
}

TEST_F(IoGridRunTest, OneLateRequestIsReported) {
  IoGridRunOptions options = Small(IoPattern::kSequentialRead, 4096, 8);
  options.seconds = 0.6;
  // Repeats the run if the disk itself was late, because one late request does not stand out then.
  bool reported = false;
  for (int run = 0; run < 5 && !reported; ++run) {
    InstallIoFaults(IoFaultPlan::At(20, {IoFault::Kind::kDelay, 900}));
    const auto result = Run(options);
    ASSERT_TRUE(result.ok()) << result.status().message();
    reported = Says(*result, "one request took");
  }
  EXPECT_TRUE(reported);
}

TEST_F(IoGridRunTest, ASlowDeviceAmongFastOnesIsNamed) {
  // Reads of b's file, which is filled second, complete 50 ms late. A busy machine causes less
  // delay.
  std::atomic<int> last_fd{-1};
  InstallIoFaults(std::make_shared<IoFaultPlan>(
      [&](const IoAttempt& attempt, uint64_t) -> std::optional<IoFault> {
        int seen = last_fd;
        while (attempt.fd > seen && !last_fd.compare_exchange_weak(seen, attempt.fd)) {
        }
        if (attempt.fd < last_fd) return std::nullopt;
        return IoFault{IoFault::Kind::kDelay, 50};
      }));
  IoGridRunOptions options = Small(IoPattern::kRandomRead, 4096, 4);
  options.directories.push_back(path_ + "/b");
  // Repeats the run if the machine was slower than the device.
  bool named = false;
  for (int run = 0; run < 5 && !named; ++run) {
    last_fd = -1;
    const auto result = Run(options);
    ASSERT_TRUE(result.ok()) << result.status().message();
    named = Says(*result, "some are slower than others");
    EXPECT_TRUE(!named || result->measurements[2].balance[0] > 1.5);
  }
  EXPECT_TRUE(named);
}

TEST_F(IoGridRunTest, WrongBytesAreAnError) {
  for (const IoPattern pattern : {IoPattern::kRandomRead, IoPattern::kWrite}) {
    // The first bit of every request is wrong. It is part of the stamp.
    InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kCorrupt, 0}, true));
    const auto result = Run(Small(pattern, 4096, 4));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code(), Code::kBadData) << result.status().message();
    EXPECT_NE(result.status().message().find("not what was written"), std::string::npos);
  }
}

TEST_F(IoGridRunTest, DeviceErrorsStopIt) {
  for (const IoPattern pattern : {IoPattern::kSequentialRead, IoPattern::kWrite}) {
    // The last of the first four requests fails. If the disk hangs, no request follows them.
    InstallIoFaults(IoFaultPlan::At(3, {IoFault::Kind::kErrno, EIO}));
    const auto result = Run(Small(pattern, 4096, 4));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code(), Code::kIo);
    EXPECT_NE(result.status().message().find(path_ + "/a"), std::string::npos);
  }
}

TEST_F(IoGridRunTest, EveryFileOperationMayFail) {
  IoGridRunOptions options = Small(IoPattern::kWrite, 4096, 2);
  options.seconds = 0.02;
  for (int fail = 0;; ++fail) {
    std::atomic<int> operations{0};
    // Plain reads do not count, because their number may vary.
    fault::SetHook([&](fault::Op op, std::string_view) {
      return op != fault::Op::kRead && operations.fetch_add(1) == fail ? EIO : 0;
    });
    const auto result = Run(options);
    if (operations <= fail) {
      EXPECT_TRUE(result.ok()) << result.status().message();
      EXPECT_GT(fail, 5);
      break;
    }
    // After a failed open the benchmark may open the file in another way.
    if (!result.ok()) {
      EXPECT_EQ(result.status().code(), Code::kIo) << result.status().message();
    }
    ASSERT_TRUE(std::filesystem::is_empty(path_ + "/a")) << fail;
    ASSERT_LT(fail, 200);
  }
}

TEST_F(IoGridRunTest, WorksWithoutNamelessFilesAndRemovesLeftovers) {
  const std::string directory = path_ + "/a";
  // No process has this number.
  const std::string leftover = directory + "/.edgemill-bench-999999999.tmp";
  ASSERT_TRUE(File::Open(leftover, O_CREAT | O_RDWR).ok());
  const std::string alive = directory + "/.edgemill-bench-1.tmp";
  ASSERT_TRUE(File::Open(alive, O_CREAT | O_RDWR).ok());
  fault::SetHook([&](fault::Op op, std::string_view path) {
    return op == fault::Op::kOpen && path == directory ? EOPNOTSUPP : 0;
  });
  const auto result = Run(Small(IoPattern::kRandomRead, 4096, 4));
  EXPECT_TRUE(result.ok()) << result.status().message();
  EXPECT_FALSE(PathExists(leftover));
  EXPECT_TRUE(PathExists(alive)) << "its process lives";
  std::filesystem::remove(alive);
}

TEST_F(IoGridRunTest, CtrlCStopsIt) {
  std::atomic<int> attempts{0};
  InstallIoFaults(
      std::make_shared<IoFaultPlan>([&](const IoAttempt&, uint64_t) -> std::optional<IoFault> {
        if (++attempts == 100) RequestCancel();
        return std::nullopt;
      }));
  IoGridRunOptions options = Small(IoPattern::kWrite, 4096, 4);
  options.seconds = 1;
  EXPECT_EQ(Run(options).status().code(), Code::kCancelled);
}

TEST_F(IoGridRunTest, RefusesWithNumbers) {
  IoGridRunOptions options = Small(IoPattern::kRandomRead, kMaxIoSize, kMaxIoDepth);
  auto result = Run(options, uint64_t{256} << 20);
  EXPECT_EQ(result.status().code(), Code::kBudget);
  EXPECT_NE(result.status().message().find("2.00 GiB"), std::string::npos);
  options = Small(IoPattern::kRandomRead, 4096, 1);
  options.file_bytes = uint64_t{1} << 60;
  result = Run(options);
  EXPECT_EQ(result.status().code(), Code::kIo);
  EXPECT_NE(result.status().message().find("needed"), std::string::npos);
  options.directories = {path_ + "/a", path_ + "/a"};
  EXPECT_EQ(Run(options).status().code(), Code::kUsage);
  options.directories = {path_ + "/none"};
  EXPECT_EQ(Run(options).status().code(), Code::kMissing);
}

TEST(IoPointTest, ReadsLists) {
  EXPECT_EQ(ParseIoSizes("4K, 1MiB,8M").value(), (std::vector<uint64_t>{4096, 1 << 20, 8 << 20}));
  EXPECT_EQ(ParseIoDepths("1,256").value(), (std::vector<uint64_t>{1, 256}));
  EXPECT_EQ(ParseIoPatterns("write,random").value(),
            (std::vector<IoPattern>{IoPattern::kWrite, IoPattern::kRandomRead}));
  for (const char* text : {"", ",", "4K,", "0", "2K", "5000", "16M", "4K,4K", "-4K", "x"}) {
    EXPECT_EQ(ParseIoSizes(text).status().code(), Code::kUsage) << text;
  }
  for (const char* text : {"", "0", "257", "1,1", "1.5", "-1", "1,,2"}) {
    EXPECT_EQ(ParseIoDepths(text).status().code(), Code::kUsage) << text;
  }
  EXPECT_EQ(ParseIoPatterns("reed").status().code(), Code::kUsage);
}

TEST(IoPointTest, GridLeavesOutWhatIsTooLargeUnlessAsked) {
  for (const IoPoint& point : PointsOf({})) {
    EXPECT_LE(point.size_bytes * point.depth, kDefaultBytesUnderWay);
  }
  EXPECT_EQ(PointsOf({}).size(), 39u);
  EXPECT_EQ(PointsOf({.sizes = {kMaxIoSize}, .depths = {kMaxIoDepth}}).size(), 3u);
  EXPECT_EQ(PointsOf({.sizes = {kMaxIoSize}}).size(), 6u);
  EXPECT_EQ((IoPoint{IoPattern::kRandomRead, 65536, 32}).Name(), "random 64 KiB x 32");
}

}  // namespace
}  // namespace edgemill::bench

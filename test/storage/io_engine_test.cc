// The I/O engines: one suite over io_uring and pread, then the same engines under injected faults.
#include "storage/io/io_engine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include "common/buffer.h"
#include "common/clock.h"
#include "common/random.h"
#include "storage/io/faulty_io_engine.h"

namespace edgemill {
namespace {

constexpr size_t kSector = 4096;

/// A directory for one test beside the build, which is on a disk and not in tmpfs.
class IoEngineTest : public testing::TestWithParam<IoEngineKind> {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::current_path() / "io_engine_test.XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
    directory_ = File::Open(path_, O_RDONLY | O_DIRECTORY).value();
  }
  void TearDown() override {
    InstallIoFaults(nullptr);
    std::filesystem::remove_all(path_);
  }

  std::unique_ptr<IoEngine> Make(size_t depth) {
    return std::move(MakeIoEngine(GetParam(), depth).value());
  }

  File Open(const std::string& name, int flags = O_RDWR | O_CREAT) {
    bool direct = false;
    return std::move(OpenDirect(directory_, name, flags, &direct).value());
  }

  /// Makes a file of `size` random bytes from a seed, and copies them to `*bytes`.
  File Filled(const std::string& name, size_t size, std::vector<std::byte>* bytes) {
    Random random(size + name.size());
    bytes->resize(size);
    for (std::byte& b : *bytes) b = static_cast<std::byte>(random());
    const File plain = File::Open(path_ + "/" + name, O_WRONLY | O_CREAT | O_TRUNC).value();
    EXPECT_TRUE(plain.WriteAll(*bytes).ok());
    EXPECT_TRUE(plain.Sync().ok());
    return Open(name, O_RDWR);
  }

  static Buffer Memory(size_t size) { return std::move(Buffer::Allocate(size).value()); }

  /// Submits one request and waits for it.
  static IoCompletion Do(IoEngine& engine, const IoRequest& request) {
    std::vector<IoCompletion> completions;
    EXPECT_TRUE(engine.Submit(request).ok());
    EXPECT_TRUE(engine.Wait(1, &completions).ok());
    EXPECT_EQ(completions.size(), 1u);
    return completions.at(0);
  }

  std::string path_;
  File directory_;
};

TEST_P(IoEngineTest, WritesThenReadsBack) {
  const auto engine = Make(8);
  const File file = Open("data");
  for (const size_t size : {kSector, 16 * kSector, size_t{1} << 20, size_t{8} << 20}) {
    Buffer out = Memory(size), in = Memory(size);
    Random random(size);
    for (uint64_t& word : out.as<uint64_t>()) word = random();
    const IoCompletion wrote =
        Do(*engine, {IoRequest::Op::kWrite, &file, 3 * kSector, out.bytes(), 11});
    ASSERT_TRUE(wrote.status.ok()) << wrote.status.message();
    EXPECT_EQ(wrote.bytes, size);
    EXPECT_EQ(wrote.tag, 11u);
    const IoCompletion read =
        Do(*engine, {IoRequest::Op::kRead, &file, 3 * kSector, in.bytes(), 12});
    ASSERT_TRUE(read.status.ok()) << read.status.message();
    EXPECT_EQ(read.bytes, size);
    EXPECT_GT(read.seconds, 0);
    EXPECT_EQ(std::memcmp(in.data(), out.data(), size), 0);
  }
}

TEST_P(IoEngineTest, DeepQueueOverManyFiles) {
  constexpr size_t kFiles = 20, kFileBytes = 64 * kSector, kReads = 1500, kDepth = 128;
  std::vector<File> files;
  std::vector<std::vector<std::byte>> contents(kFiles);
  for (size_t i = 0; i < kFiles; ++i) {
    files.push_back(Filled("f" + std::to_string(i), kFileBytes, &contents[i]));
  }
  const auto engine = Make(kDepth);
  EXPECT_EQ(engine->depth(), kDepth);
  Buffer memory = Memory(kDepth * 4 * kSector);
  engine->RegisterMemory(memory.bytes());
  struct Expected {
    size_t file, offset, size, slot;
  };
  std::map<uint64_t, Expected> under_way;
  std::vector<size_t> slots(kDepth);
  for (size_t i = 0; i < kDepth; ++i) slots[i] = i;
  Random random(7);
  std::vector<IoCompletion> completions;
  for (uint64_t started = 0; started < kReads || !under_way.empty();) {
    while (started < kReads && !slots.empty()) {
      const size_t size = (1 + random.Below(4)) * kSector;
      const Expected e{random.Below(kFiles), random.Below(60) * kSector, size, slots.back()};
      slots.pop_back();
      ASSERT_TRUE(engine
                      ->Submit({IoRequest::Op::kRead, &files[e.file], e.offset,
                                memory.bytes().subspan(e.slot * 4 * kSector, size), started})
                      .ok());
      under_way[started++] = e;
    }
    completions.clear();
    ASSERT_TRUE(engine->Wait(1 + random.Below(3), &completions).ok());
    ASSERT_FALSE(completions.empty());
    for (const IoCompletion& completion : completions) {
      ASSERT_TRUE(completion.status.ok());
      const auto found = under_way.extract(completion.tag);
      ASSERT_FALSE(found.empty());
      const Expected& e = found.mapped();
      ASSERT_EQ(completion.bytes, e.size);
      ASSERT_EQ(std::memcmp(memory.data() + e.slot * 4 * kSector,
                            contents[e.file].data() + e.offset, e.size),
                0);
      slots.push_back(e.slot);
    }
  }
  EXPECT_EQ(engine->in_flight(), 0u);
}

TEST_P(IoEngineTest, ReadsMeetTheEndOfTheFile) {
  std::vector<std::byte> contents;
  const File file = Filled("odd", 3 * kSector + 777, &contents);
  const auto engine = Make(4);
  Buffer memory = Memory(8 * kSector);
  IoCompletion end = Do(*engine, {IoRequest::Op::kRead, &file, kSector, memory.bytes(), 0});
  ASSERT_TRUE(end.status.ok()) << end.status.message();
  EXPECT_EQ(end.bytes, 2 * kSector + 777);
  EXPECT_EQ(std::memcmp(memory.data(), contents.data() + kSector, end.bytes), 0);
  for (const uint64_t offset : {uint64_t{4 * kSector}, uint64_t{1} << 40}) {
    end = Do(*engine, {IoRequest::Op::kRead, &file, offset, memory.bytes(), 0});
    EXPECT_TRUE(end.status.ok()) << end.status.message();
    EXPECT_EQ(end.bytes, 0u);
  }
}

TEST_P(IoEngineTest, ErrorsNameOperationFileOffsetAndLength) {
  const auto engine = Make(4);
  Buffer memory = Memory(kSector);
  { const File made = Open("readonly"); }
  const File file = Open("readonly", O_RDONLY);
  const IoCompletion write =
      Do(*engine, {IoRequest::Op::kWrite, &file, 8 * kSector, memory.bytes(), 5});
  const std::string message(write.status.message());
  EXPECT_EQ(write.status.code(), Code::kIo);
  EXPECT_NE(message.find(path_ + "/readonly: cannot write"), std::string::npos) << message;
  EXPECT_NE(message.find("offset 32768, length 4096"), std::string::npos) << message;

  const File closed(-1, "closed");
  const IoCompletion read = Do(*engine, {IoRequest::Op::kRead, &closed, 0, memory.bytes(), 6});
  EXPECT_EQ(read.status.code(), Code::kIo);
  EXPECT_EQ(read.tag, 6u);
}

TEST_P(IoEngineTest, WaitForTimesOutAndWakes) {
  const auto engine = Make(4);
  std::vector<IoCompletion> completions;
  Stopwatch watch;
  ASSERT_TRUE(engine->WaitFor(1, 0.05, &completions).ok());
  EXPECT_GE(watch.seconds(), 0.04);
  watch.Restart();
  std::thread waker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    engine->Wake();
  });
  ASSERT_TRUE(engine->WaitFor(1, 20, &completions).ok());
  EXPECT_LT(watch.seconds(), 10);
  waker.join();
  engine->Wake();  // before a wait, which then ends at once
  watch.Restart();
  ASSERT_TRUE(engine->WaitFor(1, 20, &completions).ok());
  EXPECT_LT(watch.seconds(), 10);
  EXPECT_TRUE(completions.empty());
}

TEST_P(IoEngineTest, DestructorWaitsForRequestsUnderWay) {
  std::vector<std::byte> contents;
  const File file = Filled("data", 256 * kSector, &contents);
  Buffer memory = Memory(256 * kSector);
  {
    const auto engine = Make(256);
    for (size_t i = 0; i < 256; ++i) {
      ASSERT_TRUE(engine
                      ->Submit({IoRequest::Op::kRead, &file, i * kSector,
                                memory.bytes().subspan(i * kSector, kSector), i})
                      .ok());
    }
    std::vector<IoCompletion> completions;
    ASSERT_TRUE(engine->Wait(256, &completions).ok());
    EXPECT_EQ(completions.size(), 256u);
    ASSERT_TRUE(engine->Submit({IoRequest::Op::kRead, &file, 0, memory.bytes(), 1}).ok());
  }
  EXPECT_EQ(std::memcmp(memory.data(), contents.data(), contents.size()), 0);
}

// Each attempt is cut short, one after the other. The result must not change. RELIABILITY.md, R6,
// lists the sizes.
TEST_P(IoEngineTest, ShortTransfersAreContinued) {
  constexpr size_t kSize = 16 * kSector;
  for (const uint64_t cut : {0ul, 1ul, 511ul, 512ul, 4095ul, 4096ul, kSize - 1}) {
    for (uint64_t n = 0; n < 6; ++n) {
      InstallIoFaults(IoFaultPlan::At(n, {IoFault::Kind::kShort, cut}));
      const auto engine = Make(4);
      std::filesystem::remove(path_ + "/data");
      const File file = Open("data");
      Buffer out = Memory(kSize), in = Memory(kSize);
      Random random(cut);
      for (uint64_t& word : out.as<uint64_t>()) word = random();
      const IoCompletion wrote = Do(*engine, {IoRequest::Op::kWrite, &file, 0, out.bytes(), 0});
      ASSERT_TRUE(wrote.status.ok()) << wrote.status.message();
      const IoCompletion read = Do(*engine, {IoRequest::Op::kRead, &file, 0, in.bytes(), 0});
      ASSERT_TRUE(read.status.ok()) << read.status.message();
      ASSERT_EQ(read.bytes, kSize);
      ASSERT_EQ(std::memcmp(in.data(), out.data(), kSize), 0) << "cut " << cut << " at " << n;
    }
  }
}

TEST_P(IoEngineTest, InterruptionsAreRetriedButNotForEver) {
  std::vector<std::byte> contents;
  const File file = Filled("data", 4 * kSector, &contents);
  Buffer memory = Memory(4 * kSector);
  for (const uint64_t error : {EINTR, EAGAIN}) {
    InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kErrno, error}));
    auto engine = Make(2);
    IoCompletion read = Do(*engine, {IoRequest::Op::kRead, &file, 0, memory.bytes(), 0});
    ASSERT_TRUE(read.status.ok());
    EXPECT_EQ(std::memcmp(memory.data(), contents.data(), contents.size()), 0);

    InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kErrno, error}, true));
    engine = Make(2);
    read = Do(*engine, {IoRequest::Op::kRead, &file, 0, memory.bytes(), 0});
    EXPECT_EQ(read.status.code(), Code::kIo);
  }
  InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kShort, 0}, true));
  const auto engine = Make(2);
  const IoCompletion read = Do(*engine, {IoRequest::Op::kRead, &file, 0, memory.bytes(), 0});
  EXPECT_EQ(read.status.code(), Code::kIo);
  EXPECT_NE(read.status.message().find("moves no bytes"), std::string_view::npos);
}

TEST_P(IoEngineTest, InjectedErrorsComeThrough) {
  const std::map<int, Code> codes = {
      {EIO, Code::kIo},           {ENOSPC, Code::kIo},         {EDQUOT, Code::kIo},
      {EROFS, Code::kPermission}, {EACCES, Code::kPermission}, {ENOMEM, Code::kBudget},
      {ENODEV, Code::kIo}};
  const File file = Open("data");
  Buffer memory = Memory(kSector);
  for (const auto& [error, code] : codes) {
    InstallIoFaults(IoFaultPlan::At(1, {IoFault::Kind::kErrno, static_cast<uint64_t>(error)}));
    const auto engine = Make(4);
    for (int i = 0; i < 3; ++i) {
      const IoCompletion end = Do(*engine, {IoRequest::Op::kWrite, &file, 0, memory.bytes(), 0});
      EXPECT_EQ(end.status.code(), i == 1 ? code : Code::kOk) << std::strerror(error);
      if (i == 1) {
        EXPECT_NE(end.status.message().find(std::strerror(error)), std::string_view::npos);
      }
    }
  }
}

TEST_P(IoEngineTest, LateReorderedAndDuplicateResultsChangeNothing) {
  std::vector<std::byte> contents;
  const File file = Filled("data", 32 * kSector, &contents);
  for (const IoFault fault :
       {IoFault{IoFault::Kind::kDelay, 5}, IoFault{IoFault::Kind::kReorder, 3},
        IoFault{IoFault::Kind::kDuplicate, 0}}) {
    InstallIoFaults(std::make_shared<IoFaultPlan>(
        [fault](const IoAttempt&, uint64_t index) -> std::optional<IoFault> {
          if (index % 2 == 0) return fault;
          return std::nullopt;
        }));
    const auto engine = Make(8);
    Buffer memory = Memory(32 * kSector);
    std::vector<IoCompletion> completions;
    for (size_t i = 0; i < 32; ++i) {
      if (engine->in_flight() == 8) {
        ASSERT_TRUE(engine->Wait(1, &completions).ok());
      }
      ASSERT_TRUE(engine
                      ->Submit({IoRequest::Op::kRead, &file, i * kSector,
                                memory.bytes().subspan(i * kSector, kSector), i})
                      .ok());
    }
    ASSERT_TRUE(engine->Wait(engine->in_flight(), &completions).ok());
    std::vector<int> seen(32);
    for (const IoCompletion& completion : completions) {
      EXPECT_TRUE(completion.status.ok());
      ++seen.at(completion.tag);
    }
    EXPECT_EQ(seen, std::vector<int>(32, 1));
    EXPECT_EQ(std::memcmp(memory.data(), contents.data(), contents.size()), 0);
  }
}

TEST_P(IoEngineTest, TornAndCorruptTransfersReachTheFileAndTheReader) {
  const File file = Open("data");
  Buffer ones = Memory(4 * kSector), in = Memory(4 * kSector);
  std::memset(ones.data(), 1, ones.size());
  InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kTorn, 2 * kSector}));
  auto engine = Make(2);
  ASSERT_EQ(Do(*engine, {IoRequest::Op::kWrite, &file, 0, ones.bytes(), 0}).bytes, 4 * kSector);
  EXPECT_EQ(file.Size().value(), 2 * kSector);

  InstallIoFaults(IoFaultPlan::At(1, {IoFault::Kind::kCorrupt, 12345}));
  engine = Make(2);
  ASSERT_TRUE(Do(*engine, {IoRequest::Op::kWrite, &file, 0, ones.bytes(), 0}).status.ok());
  ASSERT_TRUE(Do(*engine, {IoRequest::Op::kRead, &file, 0, in.bytes(), 0}).status.ok());
  size_t differing = 0;
  for (size_t i = 0; i < in.size(); ++i) differing += in.data()[i] != ones.data()[i];
  EXPECT_EQ(differing, 1u);
  EXPECT_EQ(in.data()[12345 / 8], std::byte{1 ^ 1 << 12345 % 8});
}

INSTANTIATE_TEST_SUITE_P(Engines, IoEngineTest,
                         testing::Values(IoEngineKind::kUring, IoEngineKind::kPread),
                         [](const auto& info) {
                           return std::string(info.param == IoEngineKind::kUring ? "uring"
                                                                                 : "pread");
                         });

TEST(MakeIoEngine, EnvironmentOverridesAuto) {
  ASSERT_EQ(setenv("EDGEMILL_IO", "pread", 1), 0);
  EXPECT_EQ(MakeIoEngine(IoEngineKind::kAuto, 1).value()->name(), "pread");
  ASSERT_EQ(setenv("EDGEMILL_IO", "uring", 1), 0);
  EXPECT_EQ(MakeIoEngine(IoEngineKind::kAuto, 1).value()->name(), "io_uring");
  ASSERT_EQ(setenv("EDGEMILL_IO", "aio", 1), 0);
  EXPECT_EQ(MakeIoEngine(IoEngineKind::kAuto, 1).status().code(), Code::kUsage);
  ASSERT_EQ(unsetenv("EDGEMILL_IO"), 0);
}

TEST(MakeIoEngine, RegistersNoMoreThanTheLimitAllows) {
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_MEMLOCK, &old), 0);
  const rlimit small{1 << 20, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &small), 0);
  Buffer memory = std::move(Buffer::Allocate(size_t{64} << 20).value());
  for (const IoEngineKind kind : {IoEngineKind::kUring, IoEngineKind::kPread}) {
    const auto engine = std::move(MakeIoEngine(kind, 4).value());
    engine->RegisterMemory(memory.bytes());
  }
  ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &old), 0);
}

}  // namespace
}  // namespace edgemill

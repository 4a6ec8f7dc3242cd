// The reader gives each block whole and once, with any engine, depth, buffers, threads, cache and
// faults, or it gives an error.
#include "storage/read/block_reader.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <numeric>
#include <thread>

#include "common/buffer.h"
#include "common/cancel.h"
#include "common/clock.h"
#include "common/thread_annotations.h"
#include "common/threads/parallel.h"
#include "storage/format/group_codec.h"
#include "storage/io/faulty_io_engine.h"
#include "storage/io/timeout_engine.h"
#include "storage/read/block_pipeline.h"
#include "test/block_store_fixture.h"

namespace edgemill {
namespace {

using testing_store::RandomStore;
using testing_store::Shape;

constexpr ColumnKind kNeighbors = ColumnKind::kOutNeighbors;
constexpr ColumnKind kWeights = ColumnKind::kOutWeights;

std::vector<uint64_t> AllBlocks(uint64_t count) {
  std::vector<uint64_t> blocks(count);
  std::iota(blocks.begin(), blocks.end(), 0);
  return blocks;
}

/// Makes a reader, by default for two threads, because buffers are small.
std::unique_ptr<BlockReader> MakeReader(const GraphStore& store, BlockReaderOptions options) {
  static MemoryBudget& budget = *new MemoryBudget(uint64_t{4} << 30);
  if (options.threads == 0) options.threads = 2;
  return std::move(BlockReader::Create(store, options, budget).value());
}

/// Takes all blocks of a stream on `threads` threads, and compares each block with the written one.
/// Each thread keeps its lease while it takes the next.
Status Drain(BlockStream& stream, const RandomStore& store, std::span<const ColumnKind> columns,
             int threads, std::vector<uint64_t>* taken) {
  Mutex mutex;
  return RunThreads(threads, [&](int) -> Status {
    BlockLease lease;
    while (true) {
      ASSIGN_OR_RETURN(std::optional<BlockLease> next, stream.Next());
      if (!next.has_value()) return OkStatus();
      lease = std::move(*next);
      for (size_t k = 0; k < columns.size(); ++k) {
        const auto payload = lease.payload(k);
        const auto& expected = store.payload(columns[k], lease.block());
        if (!std::equal(payload.begin(), payload.end(), expected.begin(), expected.end())) {
          return InternalError(StrCat("block ", lease.block(), " differs"));
        }
        if (reinterpret_cast<uintptr_t>(payload.data()) % 8 != 0) return InternalError("unaligned");
        volatile std::byte slack = payload.data()[payload.size() + kDecodeSlackBytes - 1];
        static_cast<void>(slack);
      }
      MutexLock lock(mutex);
      taken->push_back(lease.block());
    }
  });
}

/// Drains one stream over `blocks`. Returns ok if each block came once and was right.
Status Scan(BlockReader& reader, const RandomStore& store, std::span<const ColumnKind> columns,
            const std::vector<uint64_t>& blocks, int threads) {
  const auto stream = reader.Start(columns, blocks);
  std::vector<uint64_t> taken;
  RETURN_IF_ERROR(Drain(*stream, store, columns, threads, &taken));
  std::sort(taken.begin(), taken.end());
  return taken == blocks ? OkStatus() : InternalError("blocks missing or twice");
}

#define ASSERT_OK(expression)                           \
  do {                                                  \
    const Status ok_status = (expression);              \
    ASSERT_TRUE(ok_status.ok()) << ok_status.message(); \
  } while (false)

class BlockReaderTest : public testing::Test {
 protected:
  void TearDown() override {
    InstallIoFaults(nullptr);
    ClearCancel();
  }
};

TEST_F(BlockReaderTest, EqualOverEnginesDepthsBuffersThreadsAndCaches) {
  const std::vector<ColumnKind> both = {kNeighbors, kWeights};
  const std::vector<std::vector<ColumnKind>> choices = {{kNeighbors}, {kWeights}, both};
  Random random(11);
  for (int round = 0; round < 60; ++round) {
    const RandomStore store({.columns = both,
                             .num_blocks = 1 + random.Below(150),
                             .payload_bytes = static_cast<uint32_t>(4 + random.Below(20000)),
                             .directories = static_cast<int>(1 + random.Below(4)),
                             .compressible = random.Below(2) == 0,
                             .direct = random.Below(4) != 0,
                             .seed = static_cast<uint64_t>(round)});
    const int threads = static_cast<int>(1 + random.Below(4));
    const uint64_t least = BlockReader::MinimumBufferBytes(store, threads);
    const uint64_t all =
        BlockReader::CacheBytes(store, kNeighbors) + BlockReader::CacheBytes(store, kWeights);
    const BlockReaderOptions options{
        .buffer_bytes = random.Below(2) == 0 ? least : least + random.Below(4 << 20),
        .cache_bytes = random.Below(3) * all / 2,
        .max_read_bytes = static_cast<uint32_t>(4096 << random.Below(9)),
        .queue_depth = static_cast<uint32_t>(1 + random.Below(32)),
        .threads = threads,
        .engine = random.Below(2) == 0 ? IoEngineKind::kUring : IoEngineKind::kPread};
    const auto reader = MakeReader(store, options);
    for (int scan = 0; scan < 4; ++scan) {
      std::vector<uint64_t> blocks = AllBlocks(store.column(kNeighbors).num_blocks);
      if (random.Below(2) == 0) {
        std::erase_if(blocks, [&](uint64_t) { return random.Below(3) == 0; });
      }
      const auto& columns = choices[random.Below(3)];
      const Status status = Scan(*reader, store, columns, blocks, threads);
      ASSERT_TRUE(status.ok()) << "round " << round << ": " << status.message();
    }
  }
}

TEST_F(BlockReaderTest, LooksUpSingleBlocks) {
  const RandomStore store({.num_blocks = 20, .compressible = true});
  for (const uint64_t cache_bytes : {0, 1 << 20}) {
    const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20, .cache_bytes = cache_bytes});
    for (int round = 0; round < 2; ++round) {
      std::vector<BlockLease> leases;
      for (uint64_t block = 0; block < 20; ++block) {
        StatusOr<BlockLease> lease = reader->ReadOne(kNeighbors, block);
        ASSERT_OK(lease.status());
        const auto& expected = store.payload(kNeighbors, block);
        ASSERT_EQ(lease->payload().size(), expected.size());
        EXPECT_EQ(std::memcmp(lease->payload().data(), expected.data(), expected.size()), 0);
        leases.push_back(std::move(*lease));
      }
      leases.clear();
      const std::vector<ColumnKind> columns = {kNeighbors};
      ASSERT_OK(Scan(*reader, store, columns, AllBlocks(20), 2));
    }
  }
}

// Two streams are opened, and the second one is drained first. Its blocks must come although the
// first stream had time to fill the buffers.
TEST_F(BlockReaderTest, AStreamThatNobodyDrainsStopsNoOther) {
  const std::vector<ColumnKind> both = {kNeighbors, kWeights};
  const RandomStore store({.columns = both, .num_blocks = 200, .payload_bytes = 8000});
  const auto reader = MakeReader(
      store, {.buffer_bytes = 3 * BlockReader::MinimumBufferBytes(store, 2), .threads = 2});
  const auto first = reader->Start(both, AllBlocks(200));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto second = reader->Start({&both[1], 1}, AllBlocks(200));
  std::vector<uint64_t> taken;
  ASSERT_OK(Drain(*second, store, {&both[1], 1}, 2, &taken));
  EXPECT_EQ(taken.size(), 200u);
  taken.clear();
  ASSERT_OK(Drain(*first, store, both, 2, &taken));
  EXPECT_EQ(taken.size(), 200u);
}

TEST_F(BlockReaderTest, CountsTheTimeWithoutReadsBetweenStreams) {
  constexpr auto kPause = std::chrono::milliseconds(60);
  const std::vector<ColumnKind> columns = {kNeighbors};
  const RandomStore store({.columns = columns, .num_blocks = 40});
  const auto reader = MakeReader(store, {.buffer_bytes = 4 << 20});
  const auto idle = [&] { return std::chrono::nanoseconds(reader->stats().idle_ns); };
  ASSERT_OK(Scan(*reader, store, columns, AllBlocks(40), 2));
  EXPECT_EQ(idle().count(), 0);  // nothing was read before
  std::this_thread::sleep_for(kPause);
  EXPECT_EQ(idle().count(), 0);  // as long as nothing is read again
  ASSERT_OK(Scan(*reader, store, columns, AllBlocks(40), 2));
  EXPECT_GE(idle(), kPause);
  const auto before = idle();
  std::this_thread::sleep_for(kPause);
  ASSERT_TRUE(reader->ReadOne(kNeighbors, 3).ok());
  EXPECT_EQ(idle(), before);  // a look-up is no stream
}

TEST_F(BlockReaderTest, StreamsMayEndEarly) {
  const std::vector<ColumnKind> both = {kNeighbors, kWeights};
  const RandomStore store({.columns = both, .num_blocks = 100});
  const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20, .cache_bytes = 200 << 10});
  for (int taken = 0; taken < 12; ++taken) {
    const auto stream = reader->Start(both, AllBlocks(100));
    BlockLease lease;
    for (int i = 0; i < taken; ++i) lease = std::move(*stream->Next().value());
  }
  ASSERT_OK(Scan(*reader, store, both, AllBlocks(100), 2));
  ASSERT_OK(Scan(*reader, store, both, {}, 2));
}

/// Records the memory that is registered, without a device.
class NotingRegistrar : public MemoryRegistrar {
 public:
  Status Register(std::span<std::byte> memory) override {
    bytes += memory.size();
    return OkStatus();
  }
  void Unregister(std::span<std::byte> memory) noexcept override { bytes -= memory.size(); }
  uint64_t bytes = 0;
};

// Blocks that are all cached are handed out without the pipeline's lock. Each lease takes over the
// stream's pin. So after the stream's end it keeps its own block, and no other block.
TEST_F(BlockReaderTest, LeasesOfCachedBlocksOutliveTheirStream) {
  const std::vector<ColumnKind> both = {kNeighbors, kWeights};
  constexpr uint64_t kBlocks = 60;
  const RandomStore store({.columns = both, .num_blocks = kBlocks, .payload_bytes = 5000});
  for (const bool with_device : {false, true}) {
    NotingRegistrar registrar;
    // The cache holds one of the columns.
    const auto reader =
        MakeReader(store, {.buffer_bytes = 1 << 20,
                           .cache_bytes = std::max(BlockReader::CacheBytes(store, kNeighbors),
                                                   BlockReader::CacheBytes(store, kWeights)),
                           .threads = 3,
                           .registrar = with_device ? &registrar : nullptr});
    ASSERT_OK(Scan(*reader, store, {&both[0], 1}, AllBlocks(kBlocks), 3));
    ASSERT_EQ(kBlocks, reader->CachedBlocks({&both[0], 1}).size());
    const uint64_t hits = reader->stats().cache_hits;
    std::vector<BlockLease> leases;
    {
      const auto stream = reader->Start({&both[0], 1}, AllBlocks(kBlocks));
      for (int i = 0; i < 20; ++i) leases.push_back(std::move(*stream->Next().value()));
    }
    EXPECT_EQ(hits + 20, reader->stats().cache_hits);
    // No other stream wants these blocks any more, and the other column wants all of the cache.
    const auto crowd_out = [&]() -> Status {
      for (int scan = 0; scan < 3; ++scan) {
        RETURN_IF_ERROR(Scan(*reader, store, {&both[0], 1}, {kBlocks - 1}, 1));
        RETURN_IF_ERROR(Scan(*reader, store, {&both[1], 1}, AllBlocks(kBlocks), 3));
      }
      return OkStatus();
    };
    ASSERT_OK(crowd_out());
    const std::vector<uint64_t> kept = reader->CachedBlocks({&both[0], 1});
    for (const BlockLease& lease : leases) {
      EXPECT_EQ(with_device, lease.registered());
      EXPECT_TRUE(lease.cached());
      EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), lease.block()));
      const auto& expected = store.payload(kNeighbors, lease.block());
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), lease.payload().begin()));
    }
    EXPECT_LE(kept.size(), 23u);
    leases.clear();
    ASSERT_OK(crowd_out());
    EXPECT_LE(reader->CachedBlocks({&both[0], 1}).size(), 3u);
  }
}

// Many threads take blocks from streams, while other streams of the same blocks begin and end.
TEST_F(BlockReaderTest, CachedStreamsSideBySide) {
  const RandomStore store({.num_blocks = 50, .payload_bytes = 300});
  const auto reader = MakeReader(store, {.buffer_bytes = 4 << 20, .cache_bytes = 1 << 20});
  ASSERT_OK(Scan(*reader, store, {&kNeighbors, 1}, AllBlocks(50), 2));
  ASSERT_OK(RunThreads(3, [&](int thread) -> Status {
    for (int round = 0; round < 50; ++round) {
      if (thread == 0 && round % 3 == 0) {
        const auto stream = reader->Start({&kNeighbors, 1}, AllBlocks(50));
        ASSIGN_OR_RETURN(const std::optional<BlockLease> lease, stream->Next());
        continue;
      }
      RETURN_IF_ERROR(Scan(*reader, store, {&kNeighbors, 1}, AllBlocks(50), 2));
    }
    return OkStatus();
  }));
}

TEST_F(BlockReaderTest, EveryBitFlipOfABlockIsDetected) {
  RandomStore store({.num_blocks = 3, .payload_bytes = 40});
  const std::vector<ColumnKind> columns = {kNeighbors};
  const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20});
  const BlockLocation& location = store.blocks(kNeighbors)[1];
  // The bits of header and payload. The padding after them has no meaning.
  const uint64_t bits = (sizeof(BlockHeader) + location.payload_bytes) * 8;
  for (uint64_t bit = 0; bit < bits; ++bit) {
    store.FlipBit(kNeighbors, 1, bit);
    const Status status = Scan(*reader, store, columns, AllBlocks(3), 1);
    ASSERT_EQ(status.code(), Code::kBadData) << "bit " << bit;
    EXPECT_EQ(reader->ReadOne(kNeighbors, 1).status().code(), Code::kBadData);
    if (bit == bits - 1) {
      const std::string message(status.message());
      EXPECT_NE(message.find("out-neighbors.0000 at "), std::string::npos) << message;
      EXPECT_NE(message.find("block 1 of out-neighbors: checksum mismatch"), std::string::npos);
      EXPECT_NE(message.find("edgemill verify"), std::string::npos) << message;
    }
    store.FlipBit(kNeighbors, 1, bit);
  }
  ASSERT_OK(Scan(*reader, store, columns, AllBlocks(3), 1));
}

// Each attempt meets each fault, one after the other. The result is exact data or an error, and no
// wait is endless.
TEST_F(BlockReaderTest, EachFaultGivesExactDataOrAnError) {
  const std::vector<ColumnKind> both = {kNeighbors, kWeights};
  const RandomStore store({.columns = both, .num_blocks = 40, .directories = 2});
  const std::vector<IoFault> faults = {
      {IoFault::Kind::kErrno, EIO},     {IoFault::Kind::kErrno, EINTR},
      {IoFault::Kind::kErrno, EAGAIN},  {IoFault::Kind::kShort, 0},
      {IoFault::Kind::kShort, 511},     {IoFault::Kind::kShort, 4096},
      {IoFault::Kind::kCorrupt, 40000}, {IoFault::Kind::kDelay, 20},
      {IoFault::Kind::kReorder, 5},     {IoFault::Kind::kDuplicate, 0}};
  for (const bool sticky : {false, true}) {
    for (const IoFault& fault : faults) {
      uint64_t attempts = 1;
      for (uint64_t n = 0; n < attempts; n += sticky ? 5 : 1) {
        const auto plan = IoFaultPlan::At(n, fault, sticky);
        InstallIoFaults(plan);
        const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20,
                                               .cache_bytes = 100 << 10,
                                               .max_read_bytes = 32 << 10,
                                               .threads = 2});
        for (int scan = 0; scan < 2; ++scan) {
          const Status status = Scan(*reader, store, both, AllBlocks(40), 2);
          const bool fails = fault.kind == IoFault::Kind::kCorrupt ||
                             (fault.kind == IoFault::Kind::kErrno && fault.value == EIO);
          ASSERT_NE(status.code(), Code::kInternal) << status.message();
          if (!fails && !sticky) {
            ASSERT_OK(status);
          }
        }
        attempts = std::max(attempts, plan->attempts());
      }
      EXPECT_GT(attempts, 10u);
    }
  }
}

TEST_F(BlockReaderTest, IoErrorsNameFileOffsetAndCause) {
  const RandomStore store({.num_blocks = 40});
  InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kErrno, EIO}));
  const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20});
  const std::vector<ColumnKind> columns = {kNeighbors};
  const auto stream = reader->Start(columns, AllBlocks(40));
  std::vector<uint64_t> taken;
  const Status status = Drain(*stream, store, columns, 3, &taken);
  EXPECT_EQ(status.code(), Code::kIo);
  const std::string message(status.message());
  for (const char* part :
       {"data0/out-neighbors.0000: cannot read", "Input/output error", "offset ", "length "}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_EQ(stream->Next().status().message(), message);  // the first error stays
  ASSERT_OK(Scan(*reader, store, columns, AllBlocks(40), 2));
}

TEST_F(BlockReaderTest, ADeadDeviceIsGivenUp) {
  const RandomStore store({.num_blocks = 400});
  InstallIoFaults(IoFaultPlan::At(2, {IoFault::Kind::kNever, 0}));
  const auto reader = MakeReader(
      store, {.buffer_bytes = 256 << 10, .max_read_bytes = 32 << 10, .stall_seconds = 0.5});
  const Stopwatch watch;
  const std::vector<ColumnKind> columns = {kNeighbors};
  const Status status = Scan(*reader, store, columns, AllBlocks(400), 2);
  EXPECT_EQ(status.code(), Code::kIo);
  EXPECT_NE(status.message().find("no answer for 0.5 s to a read (offset "), std::string::npos)
      << status.message();
  EXPECT_LT(watch.seconds(), 5);
}

/// A process that the test below stops. It waits for a late device or a late block, and writes to a
/// pipe once it waits. It runs only by name.
TEST_F(BlockReaderTest, DISABLED_WaitsInAChild) {
  const bool whole_reader = std::string_view(std::getenv("EDGEMILL_TEST_WORK")) == "reader";
  int pipe = -1;
  ASSERT_TRUE(ParseNumber(std::string_view(std::getenv("EDGEMILL_TEST_PIPE")), &pipe));
  const RandomStore store({.num_blocks = 4});
  InstallIoFaults(std::make_shared<IoFaultPlan>([pipe](const IoAttempt&, uint64_t) {
    EXPECT_EQ(write(pipe, "r", 1), 1);
    return IoFault{IoFault::Kind::kDelay, 6000};
  }));
  Status status;
  if (whole_reader) {
    const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20, .stall_seconds = 4});
    const std::vector<ColumnKind> columns = {kNeighbors};
    status = Scan(*reader, store, columns, AllBlocks(4), 1);
  } else {
    Buffer memory = Buffer::Allocate(4096).value();
    const File& file = store.segments()[0].file;
    TransferPool pool({.stall_seconds = 4});
    status = pool.Transfer({.file = &file, .memory = memory.bytes()}).status();
  }
  std::cerr << status.message() << "\n";
  _exit(status.ok() ? 0 : 1);
}

TEST_F(BlockReaderTest, AProcessThatWasStoppedBlamesNoDevice) {
  std::vector<pid_t> children;
  std::vector<int> reading;
  for (const char* const work : {"reader", "engine"}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    children.push_back(fork());
    if (children.back() == 0) {
      setenv("EDGEMILL_TEST_WORK", work, 1);
      setenv("EDGEMILL_TEST_PIPE", StrCat(ends[1]).c_str(), 1);
      // The test named below may belong to another shard.
      unsetenv("GTEST_TOTAL_SHARDS");
      unsetenv("GTEST_SHARD_INDEX");
      execl("/proc/self/exe", "test", "--gtest_filter=BlockReaderTest.DISABLED_WaitsInAChild",
            "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(2);
    }
    close(ends[1]);
    char ready = 0;
    EXPECT_EQ(read(ends[0], &ready, 1), 1);
    std::this_thread::sleep_for(std::chrono::seconds(1));  // for the answer to be on its way
    ASSERT_EQ(kill(children.back(), SIGSTOP), 0);
    reading.push_back(ends[0]);
  }
  std::this_thread::sleep_for(std::chrono::seconds(5));
  for (const pid_t child : children) EXPECT_EQ(kill(child, SIGCONT), 0);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  for (const int end : reading) close(end);
}

TEST(PatienceClockTest, CountsLittleOfALongTimeBetweenTwoReadings) {
  PatienceClock clock;
  const auto begin = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  const double first = clock.NowAt(begin);
  double now = first;
  auto time = begin;
  for (int i = 0; i < 100; ++i) now = clock.NowAt(time += std::chrono::milliseconds(100));
  EXPECT_NEAR(now - first, 10, 1e-6);
  now = clock.NowAt(time += std::chrono::hours(8));
  EXPECT_NEAR(now - first, 10 + PatienceClock::kMaxBetween, 1e-6);
  now = clock.NowAt(time += std::chrono::milliseconds(100));
  EXPECT_NEAR(now - first, 10.1 + PatienceClock::kMaxBetween, 1e-6);
}

TEST_F(BlockReaderTest, CancellationIsNoticedWhileADeviceHangs) {
  const RandomStore store({.num_blocks = 40});
  InstallIoFaults(IoFaultPlan::At(0, {IoFault::Kind::kNever, 0}, true));
  Stopwatch since_cancel;
  {
    const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20});
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      since_cancel.Restart();
      RequestCancel();
    });
    const std::vector<ColumnKind> columns = {kNeighbors};
    EXPECT_EQ(Scan(*reader, store, columns, AllBlocks(40), 2).code(), Code::kCancelled);
    canceller.join();
    EXPECT_LT(since_cancel.seconds(), 2);
  }
  EXPECT_LT(since_cancel.seconds(), 6);  // nor does the destructor wait for the device
}

TEST_F(BlockReaderTest, RefusesTooSmallBuffersAndBudgets) {
  const RandomStore store({.num_blocks = 4});
  MemoryBudget budget(MemoryBudget::kProcessBytes + (1 << 20));
  const uint64_t least = BlockReader::MinimumBufferBytes(store, 2);
  BlockReaderOptions options{.buffer_bytes = least - 1, .threads = 2};
  EXPECT_EQ(BlockReader::Create(store, options, budget).status().code(), Code::kBudget);
  options.buffer_bytes = 2 << 20;
  EXPECT_EQ(BlockReader::Create(store, options, budget).status().code(), Code::kBudget);
  options.buffer_bytes = least;
  EXPECT_TRUE(BlockReader::Create(store, options, budget).ok());
  EXPECT_EQ(budget.available_bytes(), 1u << 20);
}

TEST_F(BlockReaderTest, ATruncatedSegmentIsBadData) {
  const RandomStore store({.num_blocks = 40});
  const SegmentFile& segment = store.segments()[0];
  ASSERT_OK(File::Open(segment.file.path(), O_RDWR).value().Truncate(segment.length - 700));
  const auto reader = MakeReader(store, {.buffer_bytes = 1 << 20});
  const std::vector<ColumnKind> columns = {kNeighbors};
  const Status status = Scan(*reader, store, columns, AllBlocks(40), 2);
  EXPECT_EQ(status.code(), Code::kBadData);
  EXPECT_NE(status.message().find("block 39 of out-neighbors: the file ends"), std::string::npos)
      << status.message();
}

TEST(PipelineStateTest, StatesOnlyAdvance) {
  constexpr PipelineState kStates[] = {PipelineState::kRunning, PipelineState::kStopping,
                                       PipelineState::kAbandoned, PipelineState::kStopped};
  for (const PipelineState from : kStates) {
    EXPECT_EQ(MayFollow(from, PipelineState::kStopped), from != PipelineState::kStopped);
    for (const PipelineState to : kStates) EXPECT_LE(MayFollow(from, to), from < to);
  }
  // Only a pipeline that was told to stop may be abandoned.
  EXPECT_TRUE(MayFollow(PipelineState::kStopping, PipelineState::kAbandoned));
  EXPECT_FALSE(MayFollow(PipelineState::kRunning, PipelineState::kAbandoned));
}

TEST(BufferSupplyTest, BuffersComeFreeForThoseWhoLackSome) {
  EXPECT_TRUE(MayFollow(BufferSupply::kLacking, BufferSupply::kFreed));
  EXPECT_FALSE(MayFollow(BufferSupply::kEnough, BufferSupply::kFreed));
  auto made = ReadBuffers::Create(64 << 10, nullptr);
  ASSERT_TRUE(made.ok());
  ReadBuffers buffers = std::move(made).value();
  const std::span<std::byte> first = buffers.Allocate(4096), second = buffers.Allocate(4096);
  buffers.Free(first);
  EXPECT_EQ(buffers.supply(), BufferSupply::kEnough);
  buffers.SetSupply(BufferSupply::kLacking);
  buffers.Free(second);
  EXPECT_EQ(buffers.supply(), BufferSupply::kFreed);
}

}  // namespace
}  // namespace edgemill

// If the cache holds a fraction c of the blocks that a repeated pass wants, the pass reads 1 - c of
// their bytes.
#include "storage/read/block_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "storage/read/block_reader.h"
#include "storage/read/range_arena.h"
#include "test/block_store_fixture.h"

namespace edgemill {
namespace {

using testing_store::RandomStore;

constexpr ColumnKind kOut = ColumnKind::kOutNeighbors;
constexpr ColumnKind kIn = ColumnKind::kInNeighbors;

std::vector<uint64_t> Range(uint64_t begin, uint64_t end) {
  std::vector<uint64_t> blocks(end - begin);
  std::iota(blocks.begin(), blocks.end(), begin);
  return blocks;
}

/// Bytes read by one pass over `blocks` of `column`.
uint64_t ScanBytes(BlockReader& reader, ColumnKind column, std::vector<uint64_t> blocks) {
  const uint64_t before = reader.stats().bytes_read;
  const size_t wanted = blocks.size();
  const auto stream = reader.Start({&column, 1}, std::move(blocks));
  size_t taken = 0;
  while (true) {
    StatusOr<std::optional<BlockLease>> lease = stream->Next();
    EXPECT_TRUE(lease.ok()) << lease.status().message();
    if (!lease.ok() || !lease->has_value()) break;
    ++taken;
  }
  EXPECT_EQ(taken, wanted);
  return reader.stats().bytes_read - before;
}

class BlockCacheTest : public testing::TestWithParam<bool> {
 protected:
  static std::unique_ptr<BlockReader> Reader(const GraphStore& store, uint64_t cache_bytes) {
    static MemoryBudget& budget = *new MemoryBudget(uint64_t{1} << 30);
    return std::move(
        BlockReader::Create(store, {.buffer_bytes = 4 << 20, .cache_bytes = cache_bytes}, budget)
            .value());
  }
};

TEST_P(BlockCacheTest, RepeatedScansReadWhatDoesNotFit) {
  const RandomStore store(
      {.num_blocks = 600, .payload_bytes = 20000, .directories = 2, .compressible = GetParam()});
  const double all = static_cast<double>(BlockReader::CacheBytes(store, kOut));
  const double stored = static_cast<double>(store.column(kOut).stored_bytes);
  for (const double c : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const auto reader = Reader(store, static_cast<uint64_t>(all * c));
    ScanBytes(*reader, kOut, Range(0, 600));
    for (int scan = 0; scan < 4; ++scan) {
      const double read = static_cast<double>(ScanBytes(*reader, kOut, Range(0, 600)));
      EXPECT_LE(read, 1.05 * (1 - c) * stored) << "c " << c;
      EXPECT_GE(read, 0.95 * (1 - c) * stored) << "c " << c;
    }
  }
}

TEST_P(BlockCacheTest, AlternatingColumnsShareTheRoom) {
  const RandomStore store({.columns = {kOut, kIn},
                           .num_blocks = 300,
                           .payload_bytes = 20000,
                           .compressible = GetParam()});
  const double all = static_cast<double>(BlockReader::CacheBytes(store, kOut) +
                                         BlockReader::CacheBytes(store, kIn));
  const double stored =
      static_cast<double>(store.column(kOut).stored_bytes + store.column(kIn).stored_bytes);
  for (const double c : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    const auto reader = Reader(store, static_cast<uint64_t>(all * c));
    for (int scan = 0; scan < 4; ++scan) {
      const double read = static_cast<double>(ScanBytes(*reader, kOut, Range(0, 300)) +
                                              ScanBytes(*reader, kIn, Range(0, 300)));
      if (scan > 0) {
        EXPECT_LE(read, 1.05 * (1 - c) * stored) << "c " << c;
      }
    }
  }
}

TEST_P(BlockCacheTest, WhatTwoStreamsDidNotWantMakesRoom) {
  const RandomStore store({.num_blocks = 200, .payload_bytes = 20000, .compressible = GetParam()});
  // The cache holds a little more than one half of the blocks.
  const auto reader = Reader(store, BlockReader::CacheBytes(store, kOut) * 55 / 100);
  const double half = static_cast<double>(store.column(kOut).stored_bytes) / 2;
  ScanBytes(*reader, kOut, Range(0, 100));
  EXPECT_EQ(ScanBytes(*reader, kOut, Range(0, 100)), 0u);
  // The first stream over the other half gets little of the cache, because the first half was
  // wanted just before.
  EXPECT_GT(static_cast<double>(ScanBytes(*reader, kOut, Range(100, 200))), 0.9 * half);
  EXPECT_GT(static_cast<double>(ScanBytes(*reader, kOut, Range(100, 200))), 0.8 * half);
  EXPECT_EQ(ScanBytes(*reader, kOut, Range(100, 200)), 0u);
  EXPECT_EQ(ScanBytes(*reader, kOut, Range(100, 200)), 0u);
}

TEST_P(BlockCacheTest, ShrinkingSubsetsReadNothingTwice) {
  const RandomStore store({.num_blocks = 200, .payload_bytes = 20000, .compressible = GetParam()});
  const auto reader = Reader(store, BlockReader::CacheBytes(store, kOut));
  ScanBytes(*reader, kOut, Range(0, 200));
  Random random(3);
  for (int scan = 0; scan < 10; ++scan) {
    std::vector<uint64_t> blocks = Range(0, 200);
    std::erase_if(blocks, [&](uint64_t) { return random.Below(10) >= 9u - scan; });
    EXPECT_EQ(ScanBytes(*reader, kOut, blocks), 0u);
  }
}

// A pass over few blocks reads at most 1.3 times the bytes of the wanted blocks.
TEST_P(BlockCacheTest, SparseSubsetsReadLittleElse) {
  const RandomStore store({.num_blocks = 400, .payload_bytes = 60000, .compressible = GetParam()});
  const auto reader = Reader(store, 0);
  Random random(4);
  for (const uint64_t one_in : {2, 3, 10, 50}) {
    std::vector<uint64_t> blocks = Range(0, 400);
    std::erase_if(blocks, [&](uint64_t) { return random.Below(one_in) != 0; });
    uint64_t wanted = 0;
    for (const uint64_t block : blocks) wanted += store.blocks(kOut)[block].stored_bytes;
    const double read = static_cast<double>(ScanBytes(*reader, kOut, blocks));
    if (!GetParam()) {
      EXPECT_LE(read, 1.3 * static_cast<double>(wanted)) << "1 in " << one_in;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stored, BlockCacheTest, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "compressed" : "plain");
});

TEST(RangeArena, KeepsRunsApartAndLosesNothing) {
  RangeArena arena = std::move(RangeArena::Create(1 << 20, 64).value());
  Random random(5);
  std::vector<std::span<std::byte>> runs;
  for (int step = 0; step < 20000; ++step) {
    if (random.Below(2) == 0 || runs.empty()) {
      const std::span<std::byte> run = arena.Allocate(1 + random.Below(20000));
      if (run.empty()) continue;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(run.data()) % 64, 0u);
      std::fill(run.begin(), run.end(), static_cast<std::byte>(runs.size()));
      runs.push_back(run);
    } else {
      std::swap(runs[random.Below(runs.size())], runs.back());
      const std::span<std::byte> run = runs.back();
      // No other thread wrote into it: all of its bytes are still equal.
      ASSERT_TRUE(std::all_of(run.begin(), run.end(), [&](std::byte b) { return b == run[0]; }));
      arena.Free(run);
      runs.pop_back();
    }
  }
  for (const std::span<std::byte> run : runs) arena.Free(run);
  EXPECT_EQ(arena.free_bytes(), arena.size_bytes());
  EXPECT_EQ(arena.Allocate(1 << 20).size(), size_t{1} << 20);  // merged into one again
  EXPECT_TRUE(arena.Allocate(1).empty());
}

}  // namespace
}  // namespace edgemill

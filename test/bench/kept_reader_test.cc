// Runs one after the other with one reader: the graph is read once, each run counts what it reads
// itself, and memory is registered with the registrar of the run that uses it.
#include "bench/trials/kept_reader.h"

#include <gtest/gtest.h>

#include <functional>

#include "engine/run/run.h"
#include "test/graphs/graph_builder.h"

namespace edgemill::bench {
namespace {

/// Counts the bytes that are registered. Refuses those beyond a limit.
class CountingRegistrar final : public MemoryRegistrar {
 public:
  explicit CountingRegistrar(uint64_t limit = ~uint64_t{0}) : limit_(limit) {}
  Status Register(std::span<std::byte> memory) override {
    if (bytes + memory.size() > limit_) return GpuError("no more");
    bytes += memory.size();
    return OkStatus();
  }
  void Unregister(std::span<std::byte> memory) noexcept override { bytes -= memory.size(); }
  uint64_t bytes = 0;

 private:
  const uint64_t limit_;
};

class KeptReaderTest : public testing::Test {
 protected:
  KeptReaderTest() {
    const EdgeList list = DenseList({"random", 5000, RandomTestEdges(6, 5000, 200000)});
    const auto report = BuildGraph(list, directory_ / "g.mill", {});
    CHECK(report.ok());
    store_ = std::move(GraphStore::Open(directory_ / "g.mill", {}, budget_).value());
    stored_ = store_->column(ColumnKind::kInNeighbors).stored_bytes;
  }

  std::unique_ptr<RunResult> RunPageRank(bool warm = false) {
    RunOptions options{.algorithm = "pagerank", .threads = 2, .warm = warm};
    auto result = edgemill::Run(*store_, options, budget_, progress_, make_reader_);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return std::move(result).value();
  }
  /// Reads all in-neighbours.
  void ReadAll(BlockReader& reader) {
    const ColumnKind column = ColumnKind::kInNeighbors;
    std::vector<uint64_t> blocks(store_->column(column).num_blocks);
    for (size_t i = 0; i < blocks.size(); ++i) blocks[i] = i;
    const auto stream = reader.Start({&column, 1}, blocks);
    while (true) {
      const auto lease = stream->Next();
      ASSERT_TRUE(lease.ok()) << lease.status().message();
      if (!lease->has_value()) break;
    }
  }
  BlockReaderOptions Options(MemoryRegistrar* registrar = nullptr) const {
    return {
        .buffer_bytes = 16 << 20, .cache_bytes = 16 << 20, .threads = 2, .registrar = registrar};
  }

  TemporaryDirectory directory_;
  MemoryBudget budget_{uint64_t{256} << 20};
  Progress progress_;
  std::unique_ptr<GraphStore> store_;
  uint64_t stored_ = 0;
  KeptReader kept_;
  ReaderFactory make_reader_ = std::bind_front(&KeptReader::Lend, &kept_);
};

TEST_F(KeptReaderTest, LaterRunsReadNoBlocks) {
  const uint64_t free = budget_.available_bytes();
  const auto facts = [&](uint64_t* bytes, bool warm) {
    const auto result = RunPageRank(warm);
    *bytes = result->report().bytes_read;
    EXPECT_LT(budget_.available_bytes() + stored_, free);  // its cache is counted
    return result->facts();
  };
  uint64_t first = 0, second = 0, third = 0;
  const auto right = facts(&first, false);
  EXPECT_EQ(facts(&second, false), right);
  EXPECT_EQ(facts(&third, true), right);
  EXPECT_GE(first, stored_);
  EXPECT_LT(second, stored_ / 10);  // the index
  EXPECT_EQ(third, second);
  EXPECT_EQ(budget_.available_bytes(), free);
}

TEST_F(KeptReaderTest, OtherOptionsMakeANewReader) {
  {
    const auto reader = kept_.Lend(*store_, Options(), budget_).value();
    ReadAll(*reader);
    EXPECT_GE(reader->stats().bytes_read, stored_);
  }
  BlockReaderOptions other = Options();
  other.cache_bytes /= 2;
  const auto reader = kept_.Lend(*store_, other, budget_).value();
  EXPECT_EQ(reader->stats().bytes_read, 0u);
}

TEST_F(KeptReaderTest, MemoryIsRegisteredWithTheRunThatUsesIt) {
  CountingRegistrar first, second;
  {
    const auto reader = kept_.Lend(*store_, Options(&first), budget_).value();
    ReadAll(*reader);
    EXPECT_GE(first.bytes, stored_);
  }
  EXPECT_EQ(first.bytes, 0u);
  uint64_t read = 0;
  {
    const auto reader = kept_.Lend(*store_, Options(&second), budget_).value();
    EXPECT_GE(second.bytes, stored_);
    read = reader->stats().bytes_read;
    ReadAll(*reader);
    EXPECT_EQ(reader->stats().bytes_read, read);
  }
  EXPECT_EQ(second.bytes, 0u);
  // A run whose GPU is gone reads ids: no registrar, no cache.
  BlockReaderOptions last = Options();
  last.cache_bytes = 0;
  const auto reader = kept_.Lend(*store_, last, budget_).value();
  EXPECT_EQ(reader->stats().bytes_read, read);
  EXPECT_EQ(second.bytes, 0u);
}

TEST_F(KeptReaderTest, AfterAnErrorItCanBeLentAgain) {
  CountingRegistrar good, refuses(8 << 20);
  ASSERT_TRUE(kept_.Lend(*store_, Options(&good), budget_).ok());
  const uint64_t free = budget_.available_bytes();
  EXPECT_EQ(kept_.Lend(*store_, Options(&refuses), budget_).status().code(), Code::kGpu);
  EXPECT_EQ(refuses.bytes, 0u);
  MemoryBudget small(uint64_t{48} << 20);
  EXPECT_EQ(kept_.Lend(*store_, Options(&good), small).status().code(), Code::kBudget);
  EXPECT_EQ(good.bytes, 0u);
  EXPECT_EQ(budget_.available_bytes(), free);
  EXPECT_TRUE(kept_.Lend(*store_, Options(&good), budget_).ok());
}

}  // namespace
}  // namespace edgemill::bench

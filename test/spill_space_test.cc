// Spill streams of several threads: what was appended is what is read, while pages come and go.
#include "loaders/spill_space.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "common/random.h"
#include "common/units.h"
#include "test/written_graph.h"

namespace edgemill {
namespace {

constexpr uint64_t kPageBytes = 16384;

/// Number `place` of stream `stream`.
uint64_t Value(uint64_t stream, uint64_t place) { return Mix64(stream << 32 | place); }

std::vector<uint64_t> Values(uint64_t stream, uint64_t first, size_t count) {
  std::vector<uint64_t> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = Value(stream, first + i);
  return values;
}

class SpillSpaceTest : public testing::Test {
 protected:
  void Open(size_t pages) {
    SpillSpace::Options options;
    options.directories = {root_.path()};
    options.memory_bytes = pages * kPageBytes;
    options.page_bytes = kPageBytes;
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok()) << space.status().message();
    space_ = std::move(*space);
  }

  Status Append(SpillStream& stream, uint64_t number, size_t count) {
    const std::vector<uint64_t> values = Values(number, stream.size() / 8, count);
    return stream.Append(std::as_bytes(std::span(values)));
  }
  /// Whether `count` numbers of `stream` from `first` on are those of stream `number`.
  bool Holds(const SpillStream& stream, uint64_t number, uint64_t first, size_t count) {
    std::vector<uint64_t> read(count);
    return stream.Read(first * 8, std::as_writable_bytes(std::span(read))).ok() &&
           read == Values(number, first, count);
  }

  TemporaryDirectory root_;
  MemoryBudget budget_{128 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
};

TEST_F(SpillSpaceTest, PagesThatAreReadBecomeNoOtherStreams) {
  constexpr size_t kPages = 64, kValues = kPages / 2 * kPageBytes / 8;
  for (int round = 0; round < 8; ++round) {
    Open(kPages);
    const std::unique_ptr<SpillStream> old = space_->NewStream();
    ASSERT_TRUE(Append(*old, 1, kValues).ok());
    std::atomic<bool> done{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&] {
        do wrong += Holds(*old, 1, 0, kValues) ? 0 : 1;
        while (!done);
      });
    }
    // Its pages push those of `old` out while they are read.
    const std::unique_ptr<SpillStream> next = space_->NewStream();
    const Status appended = Append(*next, 2, 2 * kValues);
    done = true;
    for (std::thread& reader : readers) reader.join();
    ASSERT_TRUE(appended.ok()) << appended.message();
    ASSERT_EQ(wrong, 0);
    EXPECT_TRUE(space_->spilling());
    EXPECT_TRUE(Holds(*next, 2, 0, 2 * kValues));
  }
}

}  // namespace
}  // namespace edgemill

// A spill space whose streams hold known numbers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/units.h"
#include "loaders/spill/spill_space.h"
#include "test/temporary_directory.h"

namespace edgemill {

inline constexpr uint64_t kPageBytes = 16384;

/// The number at `place` in the stream `stream`.
inline uint64_t Value(uint64_t stream, uint64_t place) { return Mix64(stream << 32 | place); }

inline std::vector<uint64_t> Values(uint64_t stream, uint64_t first, size_t count) {
  std::vector<uint64_t> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = Value(stream, first + i);
  return values;
}

class SpillSpaceTest : public testing::Test {
 protected:
  void Open(size_t pages, bool reopen = false, const IoPatience& patience = {}) {
    SpillSpace::Options options;
    options.directories = {root_.path()};
    options.memory_bytes = pages * kPageBytes + SpillSpace::WriterBytes(kPageBytes);
    options.page_bytes = kPageBytes;
    options.reopen = reopen;
    options.patience = patience;
    auto space = SpillSpace::Create(options, budget_);
    ASSERT_TRUE(space.ok()) << space.status().message();
    space_ = std::move(*space);
  }

  /// Saves `stream` and closes the space, as the end of a process would. Returns the saved state.
  std::string SaveAndClose(std::unique_ptr<SpillStream> stream) {
    EXPECT_TRUE(stream->Save().ok());
    StateWriter out;
    stream->PutState(&out);
    stream->LeaveFiles();
    stream.reset();
    space_.reset();
    return out.Take();
  }

  Status Append(SpillStream& stream, uint64_t number, size_t count) {
    const std::vector<uint64_t> values = Values(number, stream.size() / 8, count);
    return stream.Append(std::as_bytes(std::span(values)));
  }
  /// Whether the `count` numbers of `stream` from `first` on are Value(number, place).
  bool Holds(const SpillStream& stream, uint64_t number, uint64_t first, size_t count) {
    std::vector<uint64_t> read(count);
    return stream.Read(first * 8, std::as_writable_bytes(std::span(read))).ok() &&
           read == Values(number, first, count);
  }

  TemporaryDirectory root_;
  MemoryBudget budget_{128 * kMebibyte};
  std::unique_ptr<SpillSpace> space_;
};

}  // namespace edgemill

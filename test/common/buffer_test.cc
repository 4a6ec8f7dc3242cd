// Memory from the kernel is aligned, zero at first, and no larger than requested.
#include "common/buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace edgemill {
namespace {

/// Bytes that the kernel has mapped for the process.
uint64_t MappedBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  unsigned long long pages = 0;
  EXPECT_EQ(1, std::fscanf(file, "%llu", &pages));
  std::fclose(file);
  return pages * 4096;
}

TEST(Buffer, MapsOnlyTheBytesAskedForInWholePages) {
  for (const size_t size : {size_t{1}, size_t{4096}, size_t{4097}, (size_t{2} << 20) - 1,
                            size_t{2} << 20, (size_t{2} << 20) + 1, size_t{10'000'000}}) {
    const uint64_t before = MappedBytes();
    {
      Buffer buffer = std::move(Buffer::Allocate(size).value());
      const uint64_t rounded = (size + 4095) / 4096 * 4096;
      EXPECT_EQ(before + rounded, MappedBytes()) << size;
      const size_t alignment = size >= size_t{2} << 20 ? size_t{2} << 20 : 4096;
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(buffer.data()) % alignment) << size;
      for (const std::byte byte : buffer.bytes()) ASSERT_EQ(std::byte{0}, byte);
      std::memset(buffer.data(), 1, size);
    }
    EXPECT_EQ(before, MappedBytes()) << size;
  }
}

TEST(Buffer, RefusedMemoryIsABudgetError) {
  EXPECT_EQ(Code::kBudget, Buffer::Allocate(size_t{1} << 60).status().code());
}

}  // namespace
}  // namespace edgemill

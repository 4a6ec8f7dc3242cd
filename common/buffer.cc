#include "common/buffer.h"

#include <sys/mman.h>

#include <cstdint>

#include "common/units.h"

namespace edgemill {
namespace {

constexpr size_t kPageBytes = 4096;
/// A mapping with room for a huge page requests huge pages, and begins at the border of one. Random
/// access then misses the TLB less often, direct I/O has fewer parts, and the first touch is one
/// fault instead of 512. No huge page reaches beyond the mapping, so its size bounds the memory
/// that it takes.
constexpr size_t kHugePageBytes = size_t{2} << 20;

/// mmap of `size` bytes, a multiple of kPageBytes, that begin at a multiple of `alignment`.
void* MapAligned(size_t size, size_t alignment) {
  void* const memory = mmap(nullptr, size + alignment - kPageBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return memory;
  std::byte* const begin = static_cast<std::byte*>(memory);
  const size_t before = -reinterpret_cast<uintptr_t>(begin) % alignment;
  const size_t after = alignment - kPageBytes - before;
  if (before > 0) munmap(begin, before);
  if (after > 0) munmap(begin + before + size, after);
  return begin + before;
}

}  // namespace

StatusOr<Buffer> Buffer::Allocate(size_t size) {
  Buffer buffer;
  if (size == 0) return buffer;
  const bool huge = size >= kHugePageBytes;
  void* const memory = MapAligned((size + kPageBytes - 1) / kPageBytes * kPageBytes,
                                  huge ? kHugePageBytes : kPageBytes);
  if (memory == MAP_FAILED) {
    return BudgetError(StrCat("cannot allocate ", FormatBytes(size),
                              ": the system refused the memory: give a smaller --memory"));
  }
  // This is only advice. If the kernel has no huge pages, it gives ordinary ones.
  if (huge) madvise(memory, size, MADV_HUGEPAGE);
  buffer.data_ = static_cast<std::byte*>(memory);
  buffer.size_ = size;
  return buffer;
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, size_);
}

void Buffer::Discard() {
  if (data_ != nullptr) madvise(data_, size_, MADV_DONTNEED);
}

}  // namespace edgemill

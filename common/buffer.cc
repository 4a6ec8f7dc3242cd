#include "common/buffer.h"

#include <sys/mman.h>

#include "common/units.h"

namespace edgemill {
namespace {

/// From here on a mapping asks for huge pages: random access misses the TLB less, and direct I/O
/// into it has fewer pieces. A few of them at the least, so that rounding up to whole ones stays
/// small.
constexpr size_t kHugePageBytesMin = size_t{8} << 20;

}  // namespace

StatusOr<Buffer> Buffer::Allocate(size_t size) {
  Buffer buffer;
  if (size == 0) return buffer;
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return BudgetError(StrCat("cannot allocate ", FormatBytes(size),
                              ": the system refused the memory: give a smaller --memory"));
  }
  // Advice only: where the kernel has none to give, ordinary pages do.
  if (size >= kHugePageBytesMin) madvise(memory, size, MADV_HUGEPAGE);
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

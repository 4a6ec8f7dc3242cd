#include "loaders/formats/ordered/limited_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/check.h"

namespace edgemill {
namespace {

thread_local LimitedMemory* limited_memory = nullptr;

/// The bytes before memory that was given out, which hold its size with them. They keep the
/// alignment of malloc.
constexpr size_t kSizeBytes = alignof(std::max_align_t);

char* StartOf(void* at) { return static_cast<char*>(at) - kSizeBytes; }

size_t SizeOf(void* at) {
  size_t bytes;
  std::memcpy(&bytes, StartOf(at), sizeof(bytes));
  return bytes;
}

void* Give(void* start, size_t bytes) {
  std::memcpy(start, &bytes, sizeof(bytes));
  return static_cast<char*>(start) + kSizeBytes;
}

}  // namespace

LimitedMemory::Use::Use(LimitedMemory* memory) : before_(std::exchange(limited_memory, memory)) {}
LimitedMemory::Use::~Use() { limited_memory = before_; }

bool LimitedMemory::Take(size_t bytes) {
  if (bytes > limit_bytes_ - taken_bytes_) return false;
  taken_bytes_ += bytes;
  return true;
}

void* LimitedMemory::Allocate(size_t bytes) {
  CHECK(limited_memory != nullptr);
  if (bytes > SIZE_MAX - kSizeBytes) return nullptr;
  bytes += kSizeBytes;
  if (!limited_memory->Take(bytes)) return nullptr;
  void* const start = std::malloc(bytes);
  if (start != nullptr) return Give(start, bytes);
  limited_memory->GiveBack(bytes);
  return nullptr;
}

void* LimitedMemory::Reallocate(void* at, size_t bytes) {
  if (at == nullptr) return Allocate(bytes);
  CHECK(limited_memory != nullptr);
  if (bytes > SIZE_MAX - kSizeBytes) return nullptr;
  bytes += kSizeBytes;
  const size_t before = SizeOf(at);
  if (!limited_memory->Take(bytes)) return nullptr;
  void* const start = std::realloc(StartOf(at), bytes);
  limited_memory->GiveBack(start == nullptr ? bytes : before);
  return start == nullptr ? nullptr : Give(start, bytes);
}

void LimitedMemory::Free(void* at) {
  if (at == nullptr) return;
  CHECK(limited_memory != nullptr);
  limited_memory->GiveBack(SizeOf(at));
  std::free(StartOf(at));
}

}  // namespace edgemill

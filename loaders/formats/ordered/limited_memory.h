// Memory for a C library that takes functions in place of malloc, with a limit.
#pragma once

#include <cstddef>

namespace edgemill {

/// Counts what a library takes. At the limit, the functions below give no more memory.
class LimitedMemory {
 public:
  explicit LimitedMemory(size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  /// While it lives, the functions below count for `memory`, on this thread.
  class Use {
   public:
    explicit Use(LimitedMemory* memory);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    LimitedMemory* before_;
  };

  /// As malloc, realloc and free. A Use must live.
  static void* Allocate(size_t bytes);
  static void* Reallocate(void* at, size_t bytes);
  static void Free(void* at);

 private:
  bool Take(size_t bytes);
  void GiveBack(size_t bytes) { taken_bytes_ -= bytes; }

  const size_t limit_bytes_;
  size_t taken_bytes_ = 0;
};

}  // namespace edgemill

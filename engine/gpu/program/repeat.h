// One pass over a batch of blocks of an asynchronous push on a GPU.
#pragma once

#include <cstdint>

namespace edgemill {

/// Who takes whom in one pass over a batch. Bits on the GPU, in 32-bit words.
struct Repeat {
  bool first = true;
  double bound = 0;  // of programs with priorities: those below it are taken
  /// Those that emit: in the first pass over a batch the pass's, to which they are added; else this
  /// one's.
  uint32_t* senders = nullptr;
  uint32_t* groups = nullptr;         // to be visited: likewise
  const uint32_t* brought = nullptr;  // those that the pass wanted
};

}  // namespace edgemill

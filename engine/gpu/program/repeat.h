// One pass over a batch of blocks of an asynchronous push on a GPU.
#pragma once

#include <cstdint>

namespace edgemill {

/// Which vertices one pass over a batch takes, and from which set. Bits on the GPU, in 32-bit
/// words.
struct Repeat {
  bool first = true;
  double bound = 0;  // of programs with priorities: those below it are taken
  /// The vertices that emit: in the first pass over a batch those of the whole pass, to which they
  /// are added; else only this one's.
  uint32_t* senders = nullptr;
  uint32_t* groups = nullptr;         // to be visited: likewise
  const uint32_t* brought = nullptr;  // those that the pass wanted
};

}  // namespace edgemill

// One pass over a batch of blocks of an asynchronous push on a GPU.
#pragma once

#include <cstdint>

namespace edgemill {

/// Which vertices emit in one pass over a batch. Sets are bits on the GPU, in 32-bit words.
struct Repeat {
  bool first = true;
  double bound = 0;  // of programs with priorities: vertices below it emit
  /// The vertices that emit. In the first pass over a batch, they are added to the whole edge
  /// pass's set. Later passes over the batch have a set of their own.
  uint32_t* senders = nullptr;
  uint32_t* groups = nullptr;         // groups to visit, in the same way
  const uint32_t* brought = nullptr;  // groups that the edge pass wanted
};

}  // namespace edgemill

// Kernels that read memory in patterns, to measure the paths to it.
#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace edgemill {

/// What LaunchReadPattern reads.
struct ReadPattern {
  const std::byte* memory = nullptr;  // 128-byte aligned
  uint64_t span_bytes = 0;            // of it, a multiple of run_bytes
  uint32_t run_bytes = 128;           // that lie together: a power of 2, 32 at least
  uint64_t num_runs = 0;
  bool at_random = false;  // else one after the other
};

/// Warps read the runs of `pattern`, 4 bytes a lane; `*sum` gets what they add up to.
void LaunchReadPattern(const ReadPattern& pattern, uint32_t* sum, uint32_t num_thread_blocks,
                       CUstream_st* stream);

}  // namespace edgemill

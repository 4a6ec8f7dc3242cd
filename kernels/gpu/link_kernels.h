// Kernels that read memory in patterns, to measure the link.
#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace edgemill {

/// What LaunchReadPattern reads.
struct ReadPattern {
  const std::byte* memory = nullptr;  // 128-byte aligned
  uint64_t span_bytes = 0;            // bytes of memory to read from: a multiple of run_bytes
  uint32_t run_bytes = 128;           // bytes read together: a power of 2, at least 32
  uint64_t num_runs = 0;
  bool at_random = false;  // else the runs are read in order
};

/// Reads the runs of `pattern`; each lane reads 4 bytes at a time. Adds the sum of what was read to
/// `*sum`.
void LaunchReadPattern(const ReadPattern& pattern, uint32_t* sum, uint32_t num_thread_blocks,
                       CUstream_st* stream);

}  // namespace edgemill

#include "kernels/gpu/device_edges.h"
#include "kernels/gpu/link_kernels.h"

namespace edgemill {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kLineBytes = 128;

__device__ uint64_t Mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// A run of less than a line has one lane for each word. A whole warp reads a longer run line by
/// line.
__global__ void __launch_bounds__(kThreads) ReadPatternKernel(ReadPattern pattern, uint32_t* sum) {
  const uint64_t num_places = pattern.span_bytes / pattern.run_bytes;
  const uint32_t lane = threadIdx.x % kWarpSize;
  const uint32_t run_words = pattern.run_bytes / 4;
  const uint32_t together = run_words < kWarpSize ? kWarpSize / run_words : 1;  // runs per warp
  const uint64_t warps = uint64_t{gridDim.x} * (kThreads / kWarpSize);
  const uint64_t warp = (uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarpSize;
  const uint32_t lines = pattern.run_bytes > kLineBytes ? pattern.run_bytes / kLineBytes : 1;
  uint32_t local = 0;
  for (uint64_t first = warp * together; first < pattern.num_runs; first += warps * together) {
    const uint64_t run = first + lane / (run_words < kWarpSize ? run_words : kWarpSize);
    const uint64_t place = pattern.at_random ? Mixed(run + 1) % num_places : run % num_places;
    const std::byte* from = pattern.memory + place * pattern.run_bytes +
                            size_t{4} * (lane % (run_words < kWarpSize ? run_words : kWarpSize));
#pragma unroll 4
    for (uint32_t line = 0; line < lines; ++line, from += kLineBytes) {
      local += *reinterpret_cast<const volatile uint32_t*>(from);
    }
  }
  atomicAdd(sum, local);
}

}  // namespace

void LaunchReadPattern(const ReadPattern& pattern, uint32_t* sum, uint32_t num_thread_blocks,
                       CUstream_st* stream) {
  ReadPatternKernel<<<num_thread_blocks, kThreads, 0, stream>>>(pattern, sum);
}

}  // namespace edgemill

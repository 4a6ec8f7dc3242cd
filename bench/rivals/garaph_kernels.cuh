// Garaph's kernel (Ma et al., USENIX ATC 2017, section 3): a thread block pulls along all edges of
// a shard, and sums up in shared memory, where each target has several copies of its value.
#pragma once

#include <cstdint>

#include "bench/layouts/shards.h"
#include "bench/rivals/raw_kernels.cuh"
#include "bench/rivals/raw_layouts.h"

namespace edgemill::bench {

/// Joins what `program` pulls along the edges of `part` to the copies of targets' sums. Thread t
/// adds to copy t mod R (3.2).
template <typename Program, typename Sum>
__device__ inline void GatherPart(const Program& program, const RawShards& shards,
                                  const ShardPart& part, Sum* sums) {
  constexpr uint32_t kLoads = 4;
  Sum* const copies = sums + (threadIdx.x & (part.copies - 1));
  for (uint64_t first = part.begin + threadIdx.x; first < part.end; first += kLoads * blockDim.x) {
    VertexId sources[kLoads];
    uint32_t targets[kLoads];
    int32_t weights[kLoads] = {};
    Sum messages[kLoads];
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      const uint64_t edge = first + i * blockDim.x;
      if (edge >= part.end) continue;
      sources[i] = shards.sources[edge];
      targets[i] = shards.targets[edge];
      if constexpr (Program::kWeighted) weights[i] = shards.weights[edge];
    }
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      const bool is_edge = first + i * blockDim.x < part.end;
      messages[i] = is_edge ? program.Pull(sources[i], weights[i]) : Program::Sums::kNone;
    }
#pragma unroll
    for (uint32_t i = 0; i < kLoads; ++i) {
      if (messages[i] == Program::Sums::kNone) continue;
      Program::Sums::Join(copies + targets[i] * part.copies, messages[i]);
    }
  }
}

/// Makes one sum of the copies of each target, as a tree (3.2, figure 6): in each round, the first
/// half of the copies takes the second half.
template <typename Sums>
__device__ inline void MergeCopies(const ShardPart& part, typename Sums::Sum* sums) {
  for (uint32_t half = part.copies / 2; half > 0; half /= 2) {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < part.num_targets * half; i += blockDim.x) {
      auto* const mine = sums + i / half * part.copies + (i & (half - 1));
      *mine = Sums::Both(*mine, mine[half]);
    }
  }
}

/// Processes the parts from `first_part` on, a thread block each. Parts of one shard bring their
/// sums to the same targets, which Settle allows.
template <typename Program>
__global__ void __launch_bounds__(kShardThreads, 2)
    ShardKernel(Program program, RawShards shards, uint32_t first_part) {
  using Sums = typename Program::Sums;
  auto* const sums = reinterpret_cast<typename Sums::Sum*>(raw_shared);
  const ShardPart part = shards.parts[first_part + blockIdx.x];
  for (uint32_t i = threadIdx.x; i < part.num_targets * part.copies; i += blockDim.x) {
    sums[i] = Sums::kNone;
  }
  __syncthreads();
  GatherPart(program, shards, part, sums);
  MergeCopies<Sums>(part, sums);
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < part.num_targets; i += blockDim.x) {
    const auto sum = sums[i * part.copies];
    if (sum != Sums::kNone) program.Settle(part.first_target + i, sum);
  }
}

/// The shared memory of ShardKernel.
inline constexpr SharedMemoryNeed kShardNeed = {.values = kShardValues,
                                                .value_bytes = sizeof(uint32_t)};

/// A range of parts.
struct PartRange {
  uint32_t first = 0;
  uint32_t last = 0;
};

/// Pulls along the edges of some parts.
template <typename Program>
Status LaunchShards(const Program& program, const RawShards& shards, PartRange parts, Gpu& gpu,
                    GpuStream& on) {
  if (parts.first == parts.last) return OkStatus();
  constexpr uint64_t kBytes = kShardNeed.bytes();
  (void)cudaFuncSetAttribute(ShardKernel<Program>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes);
  ShardKernel<<<parts.last - parts.first, kShardThreads, kBytes, on.handle()>>>(program, shards,
                                                                                parts.first);
  return gpu.AfterLaunch("shards");
}

}  // namespace edgemill::bench
